import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { requireTools } from '../support/pdf.ts';
import { requireVeraPdf } from '../support/verapdf.ts';
import { convertToLevels } from './pdfa-levels.ts';
import { listCorpus, requireCorpus } from './corpus.ts';
import { companionOf } from './companions.ts';
import { CHECKED_OPERATIONS, checkFile, type OperationCheck } from './check-file.ts';

// `npm run corpus [part of a name [operation]]` checks operations and, with veraPDF, conversion to every level of PDF/A (`pdfa`) on the whole
// corpus, and prints success rates and failures.
if (requireCorpus() && requireTools()) {
  const [part = '', only] = process.argv.slice(2);
  const chosen = CHECKED_OPERATIONS.filter((operation) => only === undefined || operation === only);
  const files = listCorpus().filter(({ name }) => name.includes(part));
  const sandbox = await startSandbox({ slots: 1 });
  const checks: OperationCheck[] = [];
  for (const file of files) checks.push(...(await checkFile(sandbox, file, companionOf(file), chosen)));
  await sandbox.close();

  const sound = new Set(files.filter((file) => file.sound).map(({ name }) => name));
  console.log(`${files.length} files, ${sound.size} of which qpdf and poppler read with the same page count`);
  for (const operation of chosen) {
    const own = checks.filter((check) => check.operation === operation && sound.has(check.file));
    const correct = own.filter(({ faults }) => faults.length === 0).length;
    console.log(
      `${operation.padEnd(8)} ${correct} of ${own.length} correct (${((100 * correct) / own.length).toFixed(1)} %)`,
    );
  }
  for (const { file, operation, faults } of checks)
    for (const fault of faults) console.log(`${operation.padEnd(8)} ${file}: ${fault}`);

  if ((only === undefined || only === 'pdfa') && requireVeraPdf())
    for (const { level, converted, accepted, faults } of await convertToLevels(part)) {
      const share = ((100 * accepted) / converted).toFixed(1);
      console.log(
        `pdfa ${level}  ${accepted} of ${converted} converted files accepted by veraPDF (${share} %)`,
      );
      for (const { file, fault } of faults) console.log(`pdfa ${level}  ${file}: ${fault}`);
    }
}
