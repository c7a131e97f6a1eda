/**
 * Measures the cost of page numbers that need a second print: a book of 300 pages with a table of contents of 60 chapters and 1,020
 * references, against the same book with fixed numbers. The two are printed in turn by one service. Prints the median times and the median
 * ratio of the pairs. Setting: `PAIRS` (15).
 */
import { loadavg } from 'node:os';
import { book, largeBook } from '../tests/documents/book.ts';
import { TestService } from '../tests/support/service.ts';
import { medianWithin } from './render/median-within.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 15);

await using service = await TestService.start();
const documents = { fixed: book(largeBook, { fixed: true }), referenced: book(largeBook) };

async function time(html: string): Promise<{ ms: number; pages: number }> {
  const startedAt = performance.now();
  const { status, body } = await service.post('/v1/generate', { html });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { ms: performance.now() - startedAt, pages: body.pages };
}

for (const html of Object.values(documents)) await time(html);
console.log(
  `A book with page numbers that need a second print, compared with fixed numbers; goal for the ratio: 2.2. Load ${loadavg()[0]?.toFixed(1)} before; ${PAIRS} pairs`,
);
const pairs: { fixed: number; referenced: number }[] = [];
let pages = 0;
for (let pair = 0; pair < PAIRS; pair += 1) {
  const fixed = await time(documents.fixed);
  const referenced = await time(documents.referenced);
  pages = referenced.pages;
  pairs.push({ fixed: fixed.ms, referenced: referenced.ms });
}
console.log(`fixed numbers        ${medianWithin(pairs.map(({ fixed }) => fixed))} ms`);
console.log(
  `correct numbers      ${medianWithin(pairs.map(({ referenced }) => referenced))} ms, ${pages} pages`,
);
console.log(`ratio                ${medianWithin(pairs.map(({ fixed, referenced }) => referenced / fixed))}`);
process.exit();
