import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startTools } from '../../src/tools/pool.ts';
import { TestService } from '../../tests/support/service.ts';
import { readMemory } from '../process-tree.ts';
import { platen } from './contestants.ts';

const LOOK_MS = 2;
const MERGES_AT_ONCE = 8;
const ROUNDS = 5;

/** Measures the most memory that a tool process has while it merges files for the first time, and for the fifth. */
export async function measurePeak(files: readonly string[]): Promise<void> {
  const inputMb = files.reduce((sum, file) => sum + Bun.file(file).size, 0) / 1e6;
  const tools = await startTools({ threads: 1 });
  const contestant = platen(tools);
  const { pid = 0 } = await tools.status();
  const idle = readMemory(pid).rss;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, readMemory(pid).rss);
  }, LOOK_MS);
  const folder = files[0]?.replace(/[^/]*$/, '') ?? '.';
  await contestant.merge(files, folder);
  const first = peak;
  for (let round = 0; round < 4; round++) await contestant.merge(files, folder);
  clearInterval(timer);
  await tools.close();
  const times = (megabytes: number) =>
    `${megabytes.toFixed(0)} MB, ${(megabytes / inputMb).toFixed(1)} times its ${inputMb.toFixed(0)} MB`;
  console.log(
    `tool process: idle ${idle.toFixed(0)} MB; peak of the first merge ${times(first)}; of five ${times(peak)}`,
  );
}

/** Measures how long the service's event loop is held up while merges come in over HTTP, all at once. The client is another process. */
export async function measureLoopDelay(files: readonly string[], title: string): Promise<void> {
  await using service = await TestService.start();
  const body = JSON.stringify({ pdfs: files.map((file) => readFileSync(file, 'base64')) });
  const bodyFile = `${files[0]}.json`;
  await Bun.write(bodyFile, body);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const tookMs: number[] = [];
  delay.enable();
  for (let round = 0; round < ROUNDS; round++) {
    const clients = Array.from({ length: MERGES_AT_ONCE }, async () => {
      const startedAt = performance.now();
      const curl = Bun.spawn(
        [
          'curl',
          '-s',
          '-o',
          '/dev/null',
          '-w',
          '%{http_code}',
          '-H',
          `authorization: Bearer ${service.key}`,
          '-H',
          'content-type: application/json',
          '--data-binary',
          `@${bodyFile}`,
          `${service.url}/v1/pdf/merge`,
        ],
        { stdout: 'pipe', stderr: 'ignore' },
      );
      const status = await new Response(curl.stdout).text();
      if (status !== '200') throw new Error(`merge answered ${status}`);
      tookMs.push(performance.now() - startedAt);
    });
    await Promise.all(clients);
  }
  delay.disable();
  const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1);
  const median = tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length / 2)] ?? 0;
  console.log(
    `${title}: event loop delay p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms, most ${ms(delay.max)} ms; a merge took ${median.toFixed(0)} ms`,
  );
}
