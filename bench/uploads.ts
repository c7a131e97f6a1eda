/**
 * Compares uploads: merging 20 files sent as multipart/form-data and as base64 in JSON, each with the result as a link and as a whole file;
 * and the memory of the service during a merge of 100 MB. `npm run bench:uploads [rounds]`. Memory on Linux only.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../tests/support/process.ts';
import { readMemory, readTreeCpuMs } from './process-tree.ts';
import { makeSample } from './pdf/samples.ts';

const ROUNDS = Number(process.argv[2] ?? 15);
const FILES = 20;
const SAMPLE_MS = 2;

const dataDir = mkdtempSync(join(tmpdir(), 'platen-bench-uploads-'));
const service = new ServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
try {
  const url = `${await service.ready()}/v1/pdf/merge`;
  await main({ url, authorization: `Bearer ${await service.firstKey()}` });
} finally {
  service.kill('SIGTERM');
  await service.exited;
  rmSync(dataDir, { recursive: true, force: true });
}

interface Target {
  url: string;
  authorization: string;
}

type Output = 'url' | 'whole';

async function main(target: Target): Promise<void> {
  await measureMemory(target);
  const rows = [];
  for (const [name, shape] of [
    ['5 pages, 20 kB of images', { pages: 5, imageBytes: 4_000 }],
    ['50 pages, 200 kB of images', { pages: 50, imageBytes: 4_000 }],
    ['2 pages, 1 MB of images', { pages: 2, imageBytes: 500_000 }],
  ] as const) {
    const files = Array.from({ length: FILES }, () => makeSample(shape));
    for (const output of ['url', 'whole'] as const) {
      const [base64, multipart] = await compare([
        () => sendBase64(target, files, output),
        () => sendMultipart(target, files, output),
      ]);
      rows.push({
        [`${FILES} files of`]: name,
        result: output,
        'base64 ms': describe(base64),
        'multipart ms': describe(multipart),
        ratio: (multipart.medianMs / base64.medianMs).toFixed(2),
        'CPU ratio': (multipart.cpuMs / base64.cpuMs).toFixed(2),
      });
    }
  }
  console.log(
    `Merging ${FILES} files sent as multipart or base64, median (minimum) of ${ROUNDS} rounds; goal for the ratio: 0.8; Bun ${Bun.version}`,
  );
  console.table(rows);
}

interface Times {
  minMs: number;
  medianMs: number;
  /** CPU time of the client, the service and its sandbox processes in all rounds. */
  cpuMs: number;
}

/** Measures two ways to send the files, which take turns. */
async function compare(ways: readonly [() => Promise<void>, () => Promise<void>]): Promise<[Times, Times]> {
  const times: [number[], number[]] = [[], []];
  const cpuMs: [number, number] = [0, 0];
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const index of [0, 1] as const) {
      const cpuBefore = readCpuMs();
      const begun = performance.now();
      await ways[index]();
      // The first round warms up.
      if (round === 0) continue;
      times[index].push(performance.now() - begun);
      cpuMs[index] += readCpuMs() - cpuBefore;
    }
  return [summarize(times[0], cpuMs[0]), summarize(times[1], cpuMs[1])];
}

async function sendBase64(target: Target, files: readonly Buffer[], output: Output): Promise<void> {
  const pdfs = files.map((file) => file.toString('base64'));
  const body = JSON.stringify({ pdfs, output: output === 'url' ? 'url' : 'base64' });
  const response = await post(target, body, { 'content-type': 'application/json' });
  const result = (await response.json()) as { data?: string };
  if (output === 'whole') Buffer.from(result.data ?? '', 'base64');
}

async function sendMultipart(target: Target, files: readonly Buffer[], output: Output): Promise<void> {
  const form = new FormData();
  for (const file of files) form.append('pdfs', new Blob([new Uint8Array(file)]), 'a.pdf');
  form.append('output', output === 'url' ? 'url' : 'binary');
  await (await post(target, form)).bytes();
}

async function post(
  { url, authorization }: Target,
  body: string | FormData,
  headers: Record<string, string> = {},
): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers: { authorization, ...headers }, body });
  if (!response.ok) throw new Error(`the service returned ${response.status}: ${await response.text()}`);
  return response;
}

/** Measures how much uploads of 100 MB raise the resident memory of the service, when they are rejected and when they are merged. */
async function measureMemory(target: Target): Promise<void> {
  const files = Array.from({ length: 4 }, () => makeSample({ pages: 1, imageBytes: 25_000_000 }));
  const rejected = [Buffer.alloc(25_000_000), ...files.slice(1)];
  for (const [name, send, sent] of [
    ['a rejected multipart upload', sendMultipart, rejected],
    ['a rejected base64 upload', sendBase64, rejected],
    ['a multipart merge', sendMultipart, files],
    ['a base64 merge', sendBase64, files],
  ] as const) {
    await Bun.sleep(2_000);
    const before = readMemory(service.pid).rss;
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, readMemory(service.pid).rss);
    }, SAMPLE_MS);
    await send(target, sent, 'url').catch((error: unknown) => {
      if (sent !== rejected) throw error;
    });
    clearInterval(timer);
    const rise = (peak - before).toFixed(0);
    console.log(`${name} of 100 MB: ${rise} MB more, from ${before.toFixed(0)} MB`);
  }
}

function readCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return readTreeCpuMs(service.pid) + (user + system) / 1_000;
}

function summarize(times: readonly number[], cpuMs: number): Times {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    minMs: sorted[0] ?? Number.NaN,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    cpuMs,
  };
}

function describe({ minMs, medianMs }: Times): string {
  return `${Math.round(medianMs)} (${Math.round(minMs)})`;
}
