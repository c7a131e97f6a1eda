/**
 * Prints a document thousands of times over HTTP and samples the memory of the service alone, and of service,
 * sandbox and browser together, in five windows and at rest. Settings: `RENDERS` (5,000), `MAX_JOBS` (1,500),
 * after which the browser is replaced, and `REST_MS` (25,000).
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentNamed } from '../tests/documents/index.ts';
import { ServiceProcess } from '../tests/support/service/process.ts';
import { readMemory, readTreeMemory } from './process-tree.ts';

const RENDERS = Number(process.env['RENDERS'] ?? 5_000);
const MAX_JOBS = Number(process.env['MAX_JOBS'] ?? 1_500);
const WINDOWS = 5;
const CONCURRENCY = 4;
/** After this idle time the service has closed its idle pages. */
const REST_MS = Number(process.env['REST_MS'] ?? 25_000);

/** Samples of memory during one window, in MB. */
interface Window {
  service: number[];
  all: number[];
}

const html = documentNamed('invoice');
const dataDir = await mkdtemp(join(tmpdir(), 'platen-soak-'));
const config = join(dataDir, 'platen.config.json');
await writeFile(config, JSON.stringify({ plugins: { render: { maxJobsPerBrowser: MAX_JOBS } } }));
const service = new ServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error', PLATEN_CONFIG: config });
const url = await service.ready();
const key = await service.firstKey();

const windows = Array.from({ length: WINDOWS }, (): Window => ({ service: [], all: [] }));
let failures = 0;
let sent = 0;
const startedAt = performance.now();
await Promise.all(Array.from({ length: CONCURRENCY }, work));
const seconds = (performance.now() - startedAt) / 1000;

console.log(`Memory while ${RENDERS} documents are printed, in ${WINDOWS} windows:`);
console.table(
  windows.map((samples, index) => ({
    renders: `${(index * RENDERS) / WINDOWS + 1}-${((index + 1) * RENDERS) / WINDOWS}`,
    'service RSS MB': mean(samples.service),
    'all PSS MB, mean': mean(samples.all),
    'all PSS MB, max': Math.max(...samples.all),
  })),
);
const [, second, ...others] = windows;
const ratio = mean(others.at(-1)?.service ?? []) / mean(second?.service ?? []);
console.log(`${RENDERS} renders in ${seconds.toFixed(0)} s, ${failures} failures`);
console.log(`service RSS, last window / second window: ${ratio.toFixed(3)}`);
const metrics = await (await fetch(`${url}/metrics`)).text();
console.log(
  metrics
    .split('\n')
    .filter((line) => line.startsWith('platen_browser_recycles'))
    .join('\n'),
);
printTree('busy');
await Bun.sleep(REST_MS);
printTree('at rest');
service.kill('SIGTERM');
await service.exited;
await rm(dataDir, { recursive: true, force: true });

async function work(): Promise<void> {
  while (sent < RENDERS) {
    const number = sent++;
    const answer = await fetch(`${url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ html }),
    });
    if (answer.status !== 200) failures += 1;
    await answer.arrayBuffer();
    if (number % 50 !== 0) continue;
    const window = windows[Math.floor((number * WINDOWS) / RENDERS)];
    window?.service.push(readMemory(service.pid).rss);
    window?.all.push(readTreeMemory(service.pid).pss);
  }
}

function printTree(when: string): void {
  const { processes, rss, pss } = readTreeMemory(service.pid);
  console.log(
    `${when}: ${processes} processes, RSS ${rss} MB in sum (shared pages counted repeatedly), PSS ${pss} MB`,
  );
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
}
