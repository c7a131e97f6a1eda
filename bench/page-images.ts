/**
 * Measures images of pages for a gallery: 300 pixels wide, of an invoice and of a book of 300 pages. In turn, in one run: the image, the
 * same image confirmed by its ETag (304), and `pdftoppm -scale-to-x 300` of the same page. Prints medians and 95th percentiles in
 * milliseconds, and the load of the machine. Setting: `ROUNDS` (60).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { book, largeBook } from '../tests/documents/book.ts';
import { TestService } from '../tests/support/service.ts';
import { invoiceRequest } from './neighbours/invoice.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 60);
const WIDTH = 300;

await using service = await TestService.start();
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));

async function get(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(service.url + path, {
    headers: { authorization: `Bearer ${service.key}`, ...headers },
  });
  await response.arrayBuffer();
  return response;
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function show(name: string, times: readonly number[]): void {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    (sorted[Math.floor(sorted.length * share)] ?? Number.NaN).toFixed(1).padStart(7);
  console.log(`  ${name.padEnd(28)}${at(0.5)} ${at(0.95)}   (minimum ${at(0)})`);
}

async function measure(name: string, request: object): Promise<void> {
  const { body } = await service.post('/v1/generate', request);
  const file = join(folder, `${body.id}.pdf`);
  const pdf = await service.download(body.url);
  writeFileSync(file, pdf);
  const pageOf = (round: number) => 1 + (round % body.pages);
  const path = (page: number) => `/v1/generations/${body.id}/pages/${page}.png?width=${WIDTH}`;
  const etag = (await get(path(1))).headers.get('etag') ?? '';
  const times = { image: [] as number[], cached: [] as number[], poppler: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = pageOf(round);
    times.image.push(await time(() => get(path(page))));
    times.cached.push(await time(() => get(path(1), { 'if-none-match': etag })));
    const args = [
      '-f',
      `${page}`,
      '-l',
      `${page}`,
      '-scale-to-x',
      `${WIDTH}`,
      '-scale-to-y',
      '-1',
      '-png',
      file,
    ];
    times.poppler.push(
      await time(async () => {
        const child = Bun.spawn(['pdftoppm', ...args], { stdout: 'pipe' });
        await new Response(child.stdout).arrayBuffer();
        if ((await child.exited) !== 0) throw new Error('pdftoppm failed');
      }),
    );
  }
  console.log(`${name}: ${body.pages} pages, ${pdf.length} bytes`);
  show('image', times.image);
  show('confirmed (304)', times.cached);
  show('pdftoppm -png', times.poppler);
}

console.log(
  `Images of pages, ${WIDTH} pixels wide, compared with pdftoppm; load ${loadavg()[0]?.toFixed(1)} before; ${ROUNDS} rounds; p50 and p95 in ms`,
);
await measure('invoice', invoiceRequest);
await measure('book', { html: book(largeBook) });
console.log(`load ${loadavg()[0]?.toFixed(1)} after`);
rmSync(folder, { recursive: true });
process.exit();
