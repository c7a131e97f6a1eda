import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { requireTools } from '../support/pdf.ts';
import { listCorpus, requireCorpus } from './corpus.ts';
import { companionOf } from './companions.ts';
import { judge, type Verdict } from './judge.ts';

// `npm run corpus [part of a name]`: judges info, merge and split on the whole corpus, prints the table and what fails and why.
if (requireCorpus() && requireTools()) {
  const [part = ''] = process.argv.slice(2);
  const files = listCorpus().filter(({ name }) => name.includes(part));
  const sandbox = await startSandbox({ slots: 1 });
  const verdicts: Verdict[] = [];
  for (const file of files) verdicts.push(...(await judge(sandbox, file, companionOf(file))));
  await sandbox.close();

  const sound = new Set(files.filter((file) => file.sound).map(({ name }) => name));
  console.log(`${files.length} files, ${sound.size} of which qpdf and poppler both read alike`);
  for (const operation of ['info', 'merge', 'split'] as const) {
    const own = verdicts.filter((verdict) => verdict.operation === operation && sound.has(verdict.file));
    const right = own.filter(({ faults }) => faults.length === 0).length;
    console.log(
      `${operation.padEnd(6)} right on ${right} of ${own.length} (${((100 * right) / own.length).toFixed(1)} %)`,
    );
  }
  for (const { file, operation, faults } of verdicts)
    for (const fault of faults) console.log(`${operation.padEnd(6)} ${file}: ${fault}`);
}
