/**
 * Measures the cost of `options.accessible`: the time and the size of documents with it, against the same documents without. The two are
 * printed in turn by one service. Prints the median times, the median ratio of the pairs, and the ratio of the sizes. Setting: `PAIRS` (15).
 */
import { loadavg } from 'node:os';
import { proseDocument, tableDocument } from '../tests/accessibility/documents.ts';
import { TestService } from '../tests/support/service.ts';
import { readStarters, requestFor } from '../tests/support/starters.ts';
import { medianWithin } from './render/median-within.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 15);

const starters = readStarters().filter(({ slug }) =>
  ['invoice-simple', 'report', 'statement-monthly'].includes(slug),
);
const documents: [string, { options?: object }][] = [
  ...starters.map((starter) => [starter.slug, requestFor(starter, starter.sample_data)] as [string, object]),
  ['table of 150 rows', { html: tableDocument(150) }],
  ['table of 1,500 rows', { html: tableDocument(1_500) }],
  ['prose', { html: proseDocument(600) }],
] as [string, { options?: object }][];

await using service = await TestService.start();

async function print(request: { options?: object }, accessible: boolean) {
  const startedAt = performance.now();
  const options = { ...request.options, accessible };
  const { status, body } = await service.post('/v1/generate', { ...request, options, output: 'url' });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ms: performance.now() - startedAt, bytes: Number(body.file_size), pages: Number(body.pages) };
}

console.log(`load ${loadavg()[0]?.toFixed(1)} before; ${PAIRS} pairs`);
for (const [name, request] of documents) {
  await print(request, true);
  const pairs: { plain: number; accessible: number }[] = [];
  let sizes = '';
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const plain = await print(request, false);
    const accessible = await print(request, true);
    pairs.push({ plain: plain.ms, accessible: accessible.ms });
    sizes = `${plain.bytes} -> ${accessible.bytes} bytes (x ${(accessible.bytes / plain.bytes).toFixed(2)}), ${plain.pages} pages`;
  }
  console.log(
    `${name.padEnd(20)} ${medianWithin(pairs.map(({ plain }) => plain))} -> ${medianWithin(pairs.map(({ accessible }) => accessible))} ms, ratio ${medianWithin(pairs.map(({ plain, accessible }) => accessible / plain))}; ${sizes}`,
  );
}
process.exit();
