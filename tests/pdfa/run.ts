/**
 * `npm run pdfa [part of a name] [--keep DIR]`: converts starters, documents of the rendering tests and the corpus to PDF/A-1b, has
 * veraPDF judge them all, compares looks and words, and prints the rates, the table by clause, and what fails and why. With `--keep`
 * the files stay in the folder, and what is printed there already is not printed again.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { requireCorpus } from '../corpus/corpus.ts';
import { requireTools } from '../support/pdf.ts';
import { TestService } from '../support/service.ts';
import { checkArchives, requireVeraPdf } from '../support/verapdf.ts';
import { archive, type Archived } from './archive.ts';
import { compareLooks } from './look.ts';
import { Report } from './report.ts';
import { corpusSamples, documentSamples, starterSamples, type Sample } from './samples.ts';

const { values, positionals } = parseArgs({
  args: process.argv.slice(2),
  options: { keep: { type: 'string' }, looks: { type: 'string', default: 'yes' } },
  allowPositionals: true,
});
const [part = ''] = positionals;

if (requireTools() && requireVeraPdf()) {
  await using service = await TestService.start();
  const samples = [
    ...starterSamples(() => service),
    ...documentSamples(() => service, 'all'),
    ...(requireCorpus() ? corpusSamples() : []),
  ].filter(({ name }) => name.includes(part));
  const all: Archived[] = [];
  for (const sample of samples) all.push(await archive(sample, await read(sample)));

  const made = all.flatMap(({ sample, after }) => (after ? [[sample.name, after] as const] : []));
  const report = new Report(all, await checkArchives(new Map(made)));
  for (const { sample, before, after } of values.looks === 'yes' ? all : []) {
    if (!after) continue;
    if (values.keep !== undefined) await Bun.write(join(values.keep, `${sample.name}.after.pdf`), after);
    report.addLooks(sample, await compareLooks(before, after));
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
