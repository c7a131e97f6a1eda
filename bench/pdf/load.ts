import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { TestService } from '../../tests/support/service/service.ts';
import { readMemory } from '../process-tree.ts';
import { median } from '../statistics.ts';
import { platen } from './contestants.ts';

const SAMPLE_MS = 2;
const CONCURRENCY = 8;
const ROUNDS = 5;

/** Measures the peak memory of a sandbox process during its first merge and during five merges. */
export async function measurePeak(files: readonly string[]): Promise<void> {
  const inputMb = files.reduce((sum, file) => sum + Bun.file(file).size, 0) / 1e6;
  const sandbox = await startSandbox({ slots: 1 });
  const contestant = platen(sandbox);
  const { pids } = await sandbox.status();
  // Sequential tasks all run in the process that ran the first one.
  const largest = () => Math.max(...pids.map((pid) => readMemory(pid).rss));
  const idle = largest();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, largest());
  }, SAMPLE_MS);
  const folder = files[0]?.replace(/[^/]*$/, '') ?? '.';
  await contestant.merge(files, folder);
  const first = peak;
  for (let round = 0; round < 4; round++) await contestant.merge(files, folder);
  clearInterval(timer);
  await sandbox.close();
  const times = (megabytes: number) =>
    `${megabytes.toFixed(0)} MB, ${(megabytes / inputMb).toFixed(1)} times the input of ${inputMb.toFixed(0)} MB`;
  console.log(
    `memory of a sandbox process: idle ${idle.toFixed(0)} MB; peak of the first merge ${times(first)}; peak of five merges ${times(peak)}; goal: 8 times`,
  );
}

/**
 * Measures the event loop delay of the service during concurrent requests over HTTP. The client is another
 * process that is started before the measurement, because starting a process blocks the event loop for longer
 * than any of the requests.
 */
export async function measureLoopDelay(
  title: string,
  { path, body }: { path: string; body: unknown },
): Promise<void> {
  await using service = await TestService.start();
  const bodyFile = join(service.dataDir, 'body.json');
  await Bun.write(bodyFile, JSON.stringify(body));
  const client = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, 'client.ts'),
      service.url + path,
      service.key,
      bodyFile,
      String(CONCURRENCY),
      String(ROUNDS),
    ],
    { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' },
  );
  const lines = client.stdout.pipeThrough(new TextDecoderStream()).getReader();
  await lines.read();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  void client.stdin.write('go\n');
  await client.stdin.end();
  const { value = '' } = await lines.read();
  delay.disable();
  const tookMs = JSON.parse(value) as number[];
  const ms = (nanoseconds: number) => (nanoseconds / 1e6).toFixed(1);
  console.log(
    `${title}: event loop delay p50 ${ms(delay.percentile(50))} ms, p99 ${ms(delay.percentile(99))} ms, max ${ms(delay.max)} ms; median request ${median(tookMs).toFixed(0)} ms; goal: p99 below 20 ms`,
  );
}

/** Creates the body of a merge request. */
export function mergeBody(files: readonly string[], output: 'url' | 'base64' = 'url'): object {
  return { pdfs: files.map((file) => readFileSync(file, 'base64')), output };
}
