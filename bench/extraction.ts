/**
 * Measures `images`, `text` and `compress` over HTTP with multipart, in turn with pdftoppm, pdftotext and Ghostscript: `npm run
 * bench:extraction`. Prints medians of the time and of the CPU time, their ratios, and the size and similarity of compressed scans.
 * Settings: `ROUNDS` (5), `PAGES` (20) of the book for images.
 */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { book, largeBook } from '../tests/documents/book.ts';
import { rasterise } from '../tests/support/pdf.ts';
import { TestService } from '../tests/support/service.ts';
import { makeScan } from './extraction/scan.ts';
import { ssim } from './extraction/ssim.ts';
import { readTreeCpuMs } from './process-tree.ts';
import { median } from './statistics.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 5);
const PAGES = Number(process.env['PAGES'] ?? 20);
const SCAN_BYTES = 25_000_000;
const SSIM_DPI = 150;
const SSIM_PAGES = 4;

await using service = await TestService.start();
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));

async function post(operation: string, file: string, fields: Record<string, string>): Promise<Uint8Array> {
  const form = new FormData();
  form.set('pdf', Bun.file(file), 'a.pdf');
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const response = await fetch(`${service.url}/v1/pdf/${operation}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.key}` },
    body: form,
  });
  const bytes = await response.bytes();
  if (response.status !== 200) throw new Error(`${operation}: ${Buffer.from(bytes).toString()}`);
  return bytes;
}

async function run(...command: string[]): Promise<void> {
  const child = Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' });
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed`);
}

/** The cost of one run. */
interface Cost {
  wallMs: number;
  cpuMs: number;
}

async function measureOnce(work: () => Promise<unknown>): Promise<Cost> {
  const [cpu, wall] = [readTreeCpuMs(process.pid), performance.now()];
  await work();
  return { wallMs: performance.now() - wall, cpuMs: readTreeCpuMs(process.pid) - cpu };
}

async function compare(
  name: string,
  { platen, other, goal }: { platen: () => Promise<unknown>; other: () => Promise<unknown>; goal: number },
): Promise<void> {
  // Warms up the service.
  await platen();
  const [ours, theirs]: [Cost[], Cost[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    ours.push(await measureOnce(platen));
    theirs.push(await measureOnce(other));
  }
  const medianOf = (costs: Cost[], key: keyof Cost) => median(costs.map((cost) => cost[key]));
  const column = (key: keyof Cost) => {
    const [a, b] = [medianOf(ours, key), medianOf(theirs, key)];
    return `${a.toFixed(0).padStart(7)} ${b.toFixed(0).padStart(7)} ${(a / b).toFixed(2).padStart(6)}`;
  };
  console.log(
    `${name.padEnd(34)}${column('wallMs')}  ${column('cpuMs')}   goal for the ratio of times: ${goal}`,
  );
}

const [bookFile, partFile, scanFile] = ['book.pdf', 'part.pdf', 'scan.pdf'].map((name) =>
  join(folder, name),
) as [string, string, string];
writeFileSync(bookFile, await service.pdf({ html: book(largeBook) }));
await run('qpdf', bookFile, '--pages', bookFile, `1-${PAGES}`, '--', partFile);
writeFileSync(scanFile, await makeScan(readFileSync(bookFile), SCAN_BYTES));

console.log(`load ${loadavg()[0]?.toFixed(1)} before; ${ROUNDS} rounds; medians in ms: Platen, other, ratio`);
console.log(`${''.padEnd(34)}${'time'.padStart(21)}  ${'CPU time'.padStart(21)}`);
for (const type of ['png', 'jpeg'])
  await compare(`images, ${PAGES} pages, ${type} (pdftoppm)`, {
    platen: () => post('images', partFile, { type, dpi: '100', output: 'binary' }),
    other: () => run('pdftoppm', '-r', '100', `-${type}`, partFile, join(folder, 'image')),
    goal: 1.3,
  });
await compare('text of a book (pdftotext)', {
  platen: () => post('text', bookFile, {}),
  other: () => run('pdftotext', bookFile, join(folder, 'text.txt')),
  goal: 2,
});
if (Bun.which('gs') === null) console.log('compress: skipped, ghostscript is not installed');
else {
  const gsFile = join(folder, 'gs.pdf');
  const ebook = ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook'];
  await compare('compress a scan (gs /ebook)', {
    platen: () => post('compress', scanFile, { output: 'binary' }),
    other: () => run('gs', ...ebook, `-sOutputFile=${gsFile}`, scanFile),
    goal: 1.5,
  });
  const firstPages = async (pdf: Uint8Array) => {
    const [whole, part] = [join(folder, 'whole.pdf'), join(folder, 'first.pdf')];
    writeFileSync(whole, pdf);
    await run('qpdf', whole, '--pages', whole, `1-${SSIM_PAGES}`, '--', part);
    return rasterise(readFileSync(part), { dpi: SSIM_DPI });
  };
  const original = await firstPages(readFileSync(scanFile));
  const similarity = async (pdf: Uint8Array) => {
    const pages = await firstPages(pdf);
    const values = original.map((page, index) => ssim(page, pages[index] ?? page));
    return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(4);
  };
  const compressed = await post('compress', scanFile, { output: 'binary' });
  console.log(`scan of ${statSync(scanFile).size} bytes; goal: SSIM 0.95, and no larger than gs:`);
  console.log(`  Platen ${compressed.length} bytes, SSIM ${await similarity(compressed)}`);
  console.log(`  gs     ${statSync(gsFile).size} bytes, SSIM ${await similarity(readFileSync(gsFile))}`);
}
console.log(`load ${loadavg()[0]?.toFixed(1)} after`);
rmSync(folder, { recursive: true });
process.exit();
