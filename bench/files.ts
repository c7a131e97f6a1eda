/** Measures writes, reads and links of both file store drivers, disk and S3, in one run: `npm run bench:files`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startS3Server } from '../scripts/servers/s3.mjs';
import { createDiskFiles } from '../src/files/disk.ts';
import type { FileStore } from '../src/files/files.ts';
import { createS3Files } from '../src/files/s3.ts';

const smallBytes = 60_000;
const largeMebibytes = 50;

const directory = mkdtempSync(join(tmpdir(), 'platen-bench-files-'));
const server = await startS3Server();
server.makeBucket('bench');
const drivers: Record<string, FileStore> = {
  disk: createDiskFiles({ directory, sign: () => '' }),
  s3: createS3Files({ ...server, bucket: 'bench' }),
};

function largeStream(): ReadableStream<Uint8Array> {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      if (sent === largeMebibytes) return controller.close();
      controller.enqueue(new Uint8Array(1024 * 1024).fill(sent));
      sent += 1;
    },
  });
}

async function read(files: FileStore, id: string): Promise<void> {
  for await (const _ of (await files.get(id)).stream);
}

/** Repeats a step and returns the median and the 95th percentile in milliseconds. */
async function measure(times: number, step: (index: number) => Promise<unknown>): Promise<string> {
  await step(0);
  const tookMs: number[] = [];
  for (let index = 1; index <= times; index += 1) {
    const start = performance.now();
    await step(index);
    tookMs.push(performance.now() - start);
  }
  tookMs.sort((a, b) => a - b);
  const at = (share: number) => (tookMs[Math.floor(tookMs.length * share)] ?? Number.NaN).toFixed(2);
  return `${at(0.5)} / ${at(0.95)}`;
}

/** Returns the number of small files written per second at a concurrency of 8. */
async function putRate(files: FileStore, content: Uint8Array): Promise<number> {
  const total = 800;
  let started = 0;
  const start = performance.now();
  const writer = async () => {
    while (started < total) {
      started += 1;
      await files.put(`file_rate${String(started).padStart(8, '0')}`, content);
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
  return Math.round((total / (performance.now() - start)) * 1000);
}

const small = crypto.getRandomValues(new Uint8Array(smallBytes));
const idOf = (index: number) => `file_bench${String(index).padStart(8, '0')}`;
const link = (files: FileStore) => files.link('file_bench00000001', { expiresAt: Date.now() + 60_000 });
const results = [];
for (const [name, files] of Object.entries(drivers)) {
  const smallPut = await measure(200, (index) => files.put(idOf(index), small));
  const smallGet = await measure(200, (index) => read(files, idOf(index)));
  const linkMs = await measure(200, () => link(files));
  const rate = await putRate(files, small);
  const rssBefore = process.memoryUsage().rss;
  const largePut = await measure(5, () => files.put('file_large000', largeStream()));
  const grown = Math.round((process.memoryUsage().rss - rssBefore) / 1024 / 1024);
  const largeGet = await measure(5, () => read(files, 'file_large000'));
  results.push({
    driver: name,
    'put 60 kB': smallPut,
    'get 60 kB': smallGet,
    'puts/s, 8 concurrent': rate,
    link: linkMs,
    [`put ${largeMebibytes} MiB`]: largePut,
    [`get ${largeMebibytes} MiB`]: largeGet,
    'RSS growth, MiB': grown,
  });
}
console.log(
  'File store drivers: milliseconds, median / p95; the RSS growth is that of this process during the large writes',
);
console.table(results);
await server.dispose();
rmSync(directory, { recursive: true, force: true });
process.exit();
