import { listCorpus, readCorpus, requireCorpus } from '../corpus/corpus.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { TestService } from '../support/service/service.ts';
import { checkFill, checkList, type FieldCheck } from './check-fields.ts';
import { readFieldsWithQpdf } from './qpdf-fields.ts';

// `npm run forms [part of a name]` lists and fills all fields of the forms in the corpus, and prints success
// rates and failures.
if (requireCorpus() && requireTools()) {
  const [part = ''] = process.argv.slice(2);
  const named = listCorpus().filter(({ name }) => name.includes(part));
  await using service = await TestService.start({ env: { LOG_LEVEL: 'silent' } });
  const lists: FieldCheck[] = [];
  const fills: FieldCheck[] = [];
  let forms = 0;
  for (const { name } of named) {
    const fields = await readFieldsWithQpdf(readCorpus(name)).catch(() => []);
    if (fields.length === 0) continue;
    forms++;
    lists.push(...(await checkList(service, name)));
    fills.push(...(await checkFill(service, name)));
  }
  const filled = fills.filter(({ skipped }) => skipped === undefined);
  const reasons = Map.groupBy(
    fills.filter(({ skipped }) => skipped !== undefined),
    ({ skipped }) => skipped ?? '',
  );
  console.log(`${forms} forms of ${named.length} files, ${fills.length} fields`);
  for (const [reason, skipped] of reasons) console.log(`skipped: ${skipped.length}, ${reason}`);
  report('list', lists);
  report('fill', filled);
}

function report(operation: string, checks: readonly FieldCheck[]): void {
  const correct = checks.filter(({ faults }) => faults.length === 0).length;
  console.log(
    `${operation}: ${correct} of ${checks.length} fields correct (${((100 * correct) / checks.length).toFixed(1)} %)`,
  );
  for (const { file, field, type, faults } of checks)
    for (const fault of faults) console.log(`${operation} ${file} ${type} "${field}": ${fault}`);
}
