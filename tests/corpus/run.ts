/**
 * `npm run corpus [part of a name [operation...]] [--level 2b] [--looks no] [--readers no]` checks operations
 * on the whole corpus, and prints success rates and failures. MuPDF, Ghostscript and pyHanko also read the
 * results, if they are available. With veraPDF it also converts the corpus to every level of PDF/A, or to the
 * given levels (operation `pdfa`), validates the results, and compares the pages before and after.
 */
import { parseArgs } from 'node:util';
import { PDFA_LEVELS } from '@platen/pdf-standards';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { requireVeraPdf } from '../support/pdf/verapdf.ts';
import { companionOf } from './companions.ts';
import { listCorpus, requireCorpus } from './corpus.ts';
import { CHECKED_OPERATIONS, checkFile, type OperationCheck } from './check-file.ts';
import { convertToLevels, type LevelResult } from './pdfa-levels.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: {
    level: { type: 'string', multiple: true },
    looks: { type: 'string', default: 'yes' },
    readers: { type: 'string', default: 'yes' },
  },
  allowPositionals: true,
});
const [part = '', ...named] = positionals;
const only = values.level ? ['pdfa'] : named;
const isChosen = (operation: string) => only.length === 0 || only.includes(operation);
const levels = PDFA_LEVELS.filter((level) => values.level?.includes(level) ?? true);
const unknown = values.level?.find((level) => !levels.some((known) => known === level));
if (unknown !== undefined) throw new Error(`--level must be one of ${PDFA_LEVELS.join(', ')}`);

if (requireCorpus() && requireTools()) {
  await checkOperations();
  if (isChosen('pdfa') && requireVeraPdf()) {
    const results: LevelResult[] = [];
    for await (const result of convertToLevels(levels, { part, looks: values.looks === 'yes' }))
      results.push(result);
    printLevels(results);
  }
}

async function checkOperations(): Promise<void> {
  const operations = CHECKED_OPERATIONS.filter(isChosen);
  const files = listCorpus().filter(({ name }) => name.includes(part));
  const sandbox = await startSandbox({ slots: 1 });
  const checks: OperationCheck[] = [];
  const options = { operations, readers: values.readers === 'yes' };
  for (const file of files) checks.push(...(await checkFile(sandbox, file, companionOf(file), options)));
  await sandbox.close();

  const sound = new Set(files.filter((file) => file.sound).map(({ name }) => name));
  console.log(`${files.length} files, ${sound.size} of which qpdf and poppler read with the same page count`);
  for (const operation of operations) {
    const checksOfOperation = checks.filter(
      (check) => check.operation === operation && sound.has(check.file),
    );
    const correct = checksOfOperation.filter(({ faults }) => faults.length === 0).length;
    console.log(`${operation.padEnd(11)} ${share(correct, checksOfOperation.length)} correct`);
  }
  for (const { file, operation, faults } of checks)
    for (const fault of faults) console.log(`${operation.padEnd(11)} ${file}: ${fault}`);
}

function printLevels(results: readonly LevelResult[]): void {
  for (const { level, readable, converted, accepted, pages, same } of results) {
    const looks = pages === 0 ? '' : `; ${share(same, pages)} pages with at most 1 % of their pixels changed`;
    console.log(
      `pdfa ${level}  ${share(converted, readable)} files converted, ${share(accepted, converted)} accepted by veraPDF${looks}`,
    );
  }
  for (const { level, faults } of results)
    for (const { file, fault } of faults) console.log(`pdfa ${level}  ${file}: ${fault}`);
}

function share(count: number, total: number): string {
  return `${count} of ${total} (${((100 * count) / total).toFixed(2)} %)`;
}
