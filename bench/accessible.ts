/**
 * Measures how much time and file size `options.accessible` adds. One service prints each document in turn without and with the option.
 * Prints the median times, the median ratio of the pairs, and the sizes. Setting: `PAIRS` (15).
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
type Sample = [name: string, request: { html?: string; options?: object }];
const documents: Sample[] = [
  ...starters.map((starter): Sample => [starter.slug, requestFor(starter, starter.sample_data)]),
  ['table of 150 rows', { html: tableDocument(150) }],
  ['table of 1,500 rows', { html: tableDocument(1_500) }],
  ['prose', { html: proseDocument(600) }],
];

await using service = await TestService.start();

async function print(request: { options?: object }, accessible: boolean) {
  const startedAt = performance.now();
  const options = { ...request.options, accessible };
  const { status, body } = await service.post('/v1/generate', { ...request, options, output: 'url' });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ms: performance.now() - startedAt, bytes: Number(body.file_size), pages: Number(body.pages) };
}

console.log(
  `without -> with options.accessible: median times of ${PAIRS} pairs and their ratio, with 95 % confidence intervals; sizes (goal: at most x 1.6). Load ${loadavg()[0]?.toFixed(1)} before`,
);
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
