import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { requireTools } from '../support/pdf.ts';
import { listCorpus, requireCorpus } from './corpus.ts';
import { companionOf } from './companions.ts';
import { checkFile, OPERATIONS, type OperationCheck } from './check-file.ts';

// `npm run corpus [part of a name]` checks the operations on the whole corpus, and prints success rates and failures.
if (requireCorpus() && requireTools()) {
  const [part = ''] = process.argv.slice(2);
  const files = listCorpus().filter(({ name }) => name.includes(part));
  const sandbox = await startSandbox({ slots: 1 });
  const checks: OperationCheck[] = [];
  for (const file of files) checks.push(...(await checkFile(sandbox, file, companionOf(file))));
  await sandbox.close();

  const sound = new Set(files.filter((file) => file.sound).map(({ name }) => name));
  console.log(`${files.length} files, ${sound.size} of which qpdf and poppler read with the same page count`);
  for (const operation of OPERATIONS) {
    const own = checks.filter((check) => check.operation === operation && sound.has(check.file));
    const correct = own.filter(({ faults }) => faults.length === 0).length;
    console.log(
      `${operation.padEnd(7)} ${correct} of ${own.length} correct (${((100 * correct) / own.length).toFixed(1)} %)`,
    );
  }
  for (const { file, operation, faults } of checks)
    for (const fault of faults) console.log(`${operation.padEnd(7)} ${file}: ${fault}`);
}
