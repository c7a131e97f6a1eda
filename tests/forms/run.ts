import { listCorpus, readCorpus, requireCorpus } from '../corpus/corpus.ts';
import { requireTools } from '../support/pdf.ts';
import { TestService } from '../support/service.ts';
import { judgeFill, judgeList, type FieldVerdict } from './judge.ts';
import { readFieldsWithQpdf } from './qpdf-fields.ts';

// `npm run forms [part of a name]`: lists and fills all fields of the corpus' forms, prints the rates and what fails and why.
if (requireCorpus() && requireTools()) {
  const [part = ''] = process.argv.slice(2);
  const named = listCorpus().filter(({ name }) => name.includes(part));
  await using service = await TestService.start({ env: { LOG_LEVEL: 'silent' } });
  const lists: FieldVerdict[] = [];
  const fills: FieldVerdict[] = [];
  let forms = 0;
  for (const { name } of named) {
    const fields = await readFieldsWithQpdf(readCorpus(name)).catch(() => []);
    if (fields.length === 0) continue;
    forms++;
    lists.push(...(await judgeList(service, name)));
    fills.push(...(await judgeFill(service, name)));
  }
  const tried = fills.filter(({ left }) => left === undefined);
  const reasons = Map.groupBy(
    fills.filter(({ left }) => left !== undefined),
    ({ left }) => left ?? '',
  );
  console.log(`${forms} forms of ${named.length} files, ${fills.length} fields`);
  for (const [reason, own] of reasons) console.log(`left: ${own.length}, which ${reason}`);
  report('list', lists);
  report('fill', tried);
}

function report(what: string, verdicts: readonly FieldVerdict[]): void {
  const right = verdicts.filter(({ faults }) => faults.length === 0).length;
  console.log(
    `${what} right on ${right} of ${verdicts.length} fields (${((100 * right) / verdicts.length).toFixed(1)} %)`,
  );
  for (const { file, field, type, faults } of verdicts)
    for (const fault of faults) console.log(`${what} ${file} ${type} "${field}": ${fault}`);
}
