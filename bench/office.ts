// Prints how long conversions of office documents take, with a waiting process, without one, and with plain
// `soffice --convert-to`: bun bench/office.ts [file...]. Also prints the memory after fifty conversions.
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { residentBytes } from '@platen/runtime';
import { findOffice } from '../plugins/office/engine/installation.ts';
import { OfficePool } from '../plugins/office/engine/pool.ts';
import { docx, paragraph } from '../tests/support/office/documents.ts';

const ROUNDS = 5;
const MANY = 50;
/** How long the next process takes to be ready; a pause, so that it is waiting. */
const READY_MS = 4_000;

const installation = await findOffice(undefined);
if (!installation) throw new Error('LibreOffice is not installed');
const folder = mkdtempSync(join(tmpdir(), 'platen-bench-'));
const letter = join(folder, 'letter.docx');
await Bun.write(letter, docx(paragraph('Dear reader').repeat(40)));
const paths = process.argv.length > 2 ? process.argv.slice(2) : [letter];

const limits = { timeoutMs: 60_000, memoryBytes: 1e9, maxResultBytes: 27e6 };
const openPool = (size: number) => new OfficePool(installation, { size, limits, log: console });
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function convert(pool: OfficePool, path: string): Promise<void> {
  const file = await Bun.file(path).bytes();
  const extension = path.slice(path.lastIndexOf('.') + 1);
  const job = { file, extension, filter: undefined, password: undefined, options: {}, signal: undefined };
  const outcome = await pool.convert(job);
  if (!outcome.ok) throw new Error(`${path}: ${outcome.reason}`);
}

async function plain(path: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  const command = ['soffice', profile, '--headless', '--convert-to', 'pdf', '--outdir', folder, path];
  if ((await Bun.spawn(command, { stdout: 'ignore', stderr: 'ignore' }).exited) !== 0)
    throw new Error('soffice failed');
}

const warm = openPool(1);
const cold = openPool(0);
for (const path of paths) {
  // Creates the profiles.
  for (const first of [() => convert(warm, path), () => convert(cold, path), () => plain(path)])
    await first();
  const times: Record<'waiting' | 'cold' | 'plain', number[]> = { waiting: [], cold: [], plain: [] };
  for (let round = 0; round < ROUNDS; round += 1) {
    await Bun.sleep(READY_MS);
    times.waiting.push(await timed(() => convert(warm, path)));
    await Bun.sleep(READY_MS);
    times.cold.push(await timed(() => convert(cold, path)));
    times.plain.push(await timed(() => plain(path)));
  }
  const figures = Object.entries(times).map(([name, values]) => `${name} ${Math.round(median(values))} ms`);
  console.log(`${basename(path)}: ${figures.join(', ')} (load ${loadavg()[0]?.toFixed(1)})`);
}

const before = await residentBytes(process.pid);
const manyMs = await timed(async () => {
  for (let count = 0; count < MANY; count += 1) await convert(warm, paths[0] ?? letter);
});
const grownMb = ((await residentBytes(process.pid)) - before) / 1e6;
console.log(
  `${MANY} in a row: ${Math.round(manyMs / MANY)} ms each; the service process grew by ${grownMb.toFixed(0)} MB`,
);
await warm.close();
await cold.close();
rmSync(folder, { recursive: true, force: true });
