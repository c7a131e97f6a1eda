/**
 * Compares merging and splitting with qpdf, mutool, pdftk and pdf-lib, which take turns in one run; then page
 * operations over HTTP with qpdf. Also measures the peak memory of a sandbox process and the event loop delay
 * of the service: `npm run bench:pdf [rounds]`.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../src/sandbox/sandbox.ts';
import { emptyFolder, pdfLib, platen, programs, type Contestant } from './pdf/contestants.ts';
import { measureLoopDelay, measurePeak, mergeBody } from './pdf/load.ts';
import { raceOverHttp } from './pdf/over-http.ts';
import { makeSample } from './pdf/samples.ts';
import { median } from './statistics.ts';

/** A contestant that takes longer in one round skips the remaining rounds. */
const TOO_SLOW_MS = 10_000;
const ROUNDS = Number(process.argv[2] ?? 7);

const folder = mkdtempSync(join(tmpdir(), 'platen-bench-pdf-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const small = Array.from({ length: 20 }, (_, index) =>
    write(`small-${index}`, { pages: 50, imageBytes: 4_000 }),
  );
  const compact = Array.from({ length: 20 }, (_, index) =>
    write(`compact-${index}`, { pages: 50, imageBytes: 4_000, compact: true }),
  );
  const long = write('long', { pages: 500, imageBytes: 4_000 });
  const images = [
    write('images', { pages: 50, imageBytes: 490_000 }),
    write('one', { pages: 1, imageBytes: 0 }),
  ];

  const sandbox = await startSandbox();
  const contestants: Contestant[] = [platen(sandbox), ...programs(), pdfLib()];
  console.log(
    `${availableParallelism()} cores, Bun ${Bun.version}, median (minimum) of ${ROUNDS} rounds in ms; ratio: Platen's time divided by the contestant's`,
  );
  await compare('merge 20 x 50 pages', contestants, (contestant, to) => contestant.merge(small, to));
  await compare('merge 20 x 50 pages, object streams', contestants, (contestant, to) =>
    contestant.merge(compact, to),
  );
  await compare('split 500 pages', contestants, (contestant, to) => contestant.split(long, to));
  await compare('merge 25 MB of images', contestants, (contestant, to) => contestant.merge(images, to));
  await sandbox.close();
  await raceOverHttp(long, folder, ROUNDS);
  await measurePeak(images);
  const path = '/v1/pdf/merge';
  await measureLoopDelay('8 merges of 2 x 50 pages concurrently', {
    path,
    body: mergeBody(small.slice(0, 2)),
  });
  await measureLoopDelay('8 merges of 25 MB concurrently', { path, body: mergeBody(images) });
  await measureLoopDelay('the same, base64 in the response', { path, body: mergeBody(images, 'base64') });
}

function write(name: string, shape: Parameters<typeof makeSample>[0]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${name}.pdf`);
  writeFileSync(file, makeSample(shape));
  return file;
}

async function compare(
  title: string,
  contestants: readonly Contestant[],
  job: (contestant: Contestant, folder: string) => Promise<void>,
): Promise<void> {
  const times = new Map<string, number[]>();
  const bytes = new Map<string, number>();
  const slow = new Set<string>();
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contestant of contestants.filter(({ name }) => !slow.has(name))) {
      const to = emptyFolder(folder);
      const startedAt = performance.now();
      try {
        await job(contestant, to);
      } catch (error) {
        if (round === 0) console.log(`  ${contestant.name}: ${String(error)}`);
        continue;
      }
      const took = performance.now() - startedAt;
      if (took > TOO_SLOW_MS) slow.add(contestant.name);
      bytes.set(
        contestant.name,
        readdirSync(to).reduce((sum, name) => sum + statSync(join(to, name)).size, 0),
      );
      // The first round warms up.
      if (round > 0 || took > TOO_SLOW_MS)
        times.set(contestant.name, [...(times.get(contestant.name) ?? []), took]);
    }
  }
  console.log(title);
  const platenMs = median(times.get('Platen') ?? []);
  for (const [name, took] of times) {
    const size = ((bytes.get(name) ?? 0) / 1e6).toFixed(1);
    const ratio = name === 'Platen' ? '' : `   ratio ${(platenMs / median(took)).toFixed(2)}`;
    console.log(
      `  ${name.padEnd(16)} ${median(took).toFixed(0).padStart(6)} (${Math.min(...took).toFixed(0)})   ${size} MB${ratio}`,
    );
  }
}
