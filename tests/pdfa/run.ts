/**
 * `npm run pdfa [part of a name] [--level 2b] [--keep DIR] [--looks no]` converts starters, documents of the
 * rendering tests and the corpus to a level of PDF/A, 1b by default, validates the results with veraPDF, and
 * compares pages and text before and after. It prints success rates, violations by clause, and all failures.
 * `--keep` stores the files in a folder and reuses the PDFs that an earlier run printed there.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PDFA_LEVELS } from '@platen/pdf-standards';
import { requireCorpus } from '../corpus/corpus.ts';
import { requireTools } from '../support/pdf/pdf.ts';
import { TestService } from '../support/service/service.ts';
import { validateWithVeraPdf, requireVeraPdf } from '../support/pdf/verapdf.ts';
import { convertSample, type ConvertedSample } from './convert-sample.ts';
import { comparePages } from './compare-pages.ts';
import { Report } from './report.ts';
import { corpusSamples, documentSamples, starterSamples, type Sample } from './samples.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: {
    level: { type: 'string', default: '1b' },
    keep: { type: 'string' },
    looks: { type: 'string', default: 'yes' },
  },
  allowPositionals: true,
});
const [part = ''] = positionals;
const level = PDFA_LEVELS.find((known) => known === values.level);
if (!level) throw new Error(`--level must be one of ${PDFA_LEVELS.join(', ')}`);

if (requireTools() && requireVeraPdf()) {
  await using service = await TestService.start();
  const samples = [
    ...starterSamples(() => service),
    ...documentSamples(() => service),
    ...(requireCorpus() ? corpusSamples() : []),
  ].filter(({ name }) => name.includes(part));
  const all: ConvertedSample[] = [];
  for (const sample of samples) all.push(await convertSample(sample, await read(sample), level));

  const converted = all.flatMap(({ sample, after }) => (after ? [[sample.name, after] as const] : []));
  const report = new Report(all, await validateWithVeraPdf(new Map(converted), level), level);
  for (const { sample, before, after } of values.looks === 'yes' ? all : []) {
    if (!after) continue;
    if (values.keep !== undefined) await Bun.write(join(values.keep, `${sample.name}.after.pdf`), after);
    report.addDifferences(sample, await comparePages(before, after));
  }
  report.print();
}

async function read(sample: Sample): Promise<Uint8Array> {
  if (values.keep === undefined || sample.origin === 'corpus') return sample.read();
  await mkdir(values.keep, { recursive: true });
  const kept = join(values.keep, `${sample.name}.before.pdf`);
  if (!existsSync(kept)) await Bun.write(kept, await sample.read());
  return Bun.file(kept).bytes();
}
