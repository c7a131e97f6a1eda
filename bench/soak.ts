/**
 * Prints a document some thousand times through HTTP and watches memory: the service's own, and that of service, tool process and
 * browser together, before, during and after, in rest. RENDERS sets how many (2,000).
 */
import { plainDocuments } from '../tests/documents/index.ts';
import { ServiceProcess } from '../tests/support/process.ts';
import { readMemory, readTreeMemory } from './process-tree.ts';

const RENDERS = Number(process.env['RENDERS'] ?? 2_000);
const WINDOW = RENDERS / 4;
const CONCURRENCY = 4;
/** After this long without work the service has closed its idle pages. */
const REST_MS = Number(process.env['REST_MS'] ?? 25_000);

const html = plainDocuments.find(({ name }) => name === 'invoice')?.html ?? '';
const dataDir = `${process.env['TMPDIR'] ?? '/tmp'}/platen-soak-${process.pid}`;
const service = new ServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
const url = await service.ready();
const key = /shown this once: (\S+)/.exec(service.stdout)?.[1] ?? '';

const windows: number[][] = [[], [], [], []];
let failures = 0;
let sent = 0;
const startedAt = performance.now();
await Promise.all(Array.from({ length: CONCURRENCY }, work));
const seconds = (performance.now() - startedAt) / 1000;

console.table(
  windows.map((samples, index) => ({
    renders: `${index * WINDOW + 1}-${(index + 1) * WINDOW}`,
    'service RSS MB': mean(samples),
  })),
);
const [, second = [], , last = []] = windows;
console.log(`${RENDERS} renders in ${seconds.toFixed(0)} s, ${failures} failures`);
console.log(`service RSS, last quarter against the second: ${(mean(last) / mean(second)).toFixed(3)}`);
printTree('busy');
await Bun.sleep(REST_MS);
printTree('at rest');
service.kill('SIGTERM');
await service.exited;
await Bun.$`rm -rf ${dataDir}`.quiet();

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
    if (number % 25 === 0) windows[Math.floor(number / WINDOW)]?.push(readMemory(service.pid).rss);
  }
}

function printTree(when: string): void {
  const { processes, rss, pss } = readTreeMemory(service.pid);
  console.log(
    `${when}: ${processes} processes, RSS ${rss} MB added up (shared pages count for each), PSS ${pss} MB`,
  );
}

function mean(values: readonly number[]): number {
  return Math.round(values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length));
}
