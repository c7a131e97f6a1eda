import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../support/service/process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

interface Batch {
  status: string;
  completed: number;
  failed: number;
  generations: { id: string; status: string }[];
}

/**
 * Submits a batch of documents that wait for an image, sends SIGTERM while the first two are printed, and
 * returns the batch at the start and at the end of the next run. The image arrives after SIGTERM if the first
 * two are to finish.
 */
async function terminateAndRestart({
  itemCount,
  drainMs,
  finishes,
}: {
  itemCount: number;
  drainMs: number;
  finishes: boolean;
}): Promise<{ before: Batch; after: Batch }> {
  let gate = Promise.withResolvers<void>();
  await using receiver = new Receiver(async () => {
    await gate.promise;
    return new Response(null, { status: 404 });
  });
  const items = Array.from({ length: itemCount }, () => ({
    html: `<img src="${receiver.url('/image')}">`,
  }));
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  folders.push(folder);
  const env = {
    DATA_DIR: folder,
    RENDER_CONCURRENCY: '2',
    RENDER_TIMEOUT_MS: '60000',
    EGRESS_ALLOW: receiver.host,
    DRAIN_TIMEOUT_MS: `${drainMs}`,
    LOG_LEVEL: 'error',
  };
  const first = new ServiceProcess(env);
  let url = await first.ready();
  const headers = { authorization: `Bearer ${await first.firstKey()}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ items });
  const accepted = await fetch(`${url}/v1/generate/batch`, { method: 'POST', headers, body });
  expect(accepted.status).toBe(202);
  const { batch_id: id } = (await accepted.json()) as { batch_id: string };
  const read = async () => (await (await fetch(`${url}/v1/batches/${id}`, { headers })).json()) as Batch;
  const count = ({ generations }: Batch, status: string) =>
    generations.filter((generation) => generation.status === status).length;
  await until(async () => count(await read(), 'processing') === 2);
  first.kill('SIGTERM');
  await until(async () => !(await isReady(url)));
  if (finishes) gate.resolve();
  expect(await first.exited).toBe(0);

  gate = Promise.withResolvers();
  const second = new ServiceProcess(env);
  try {
    url = await second.ready();
    const before = await read();
    gate.resolve();
    await until(async () => (await read()).status === 'completed');
    return { before, after: await read() };
  } finally {
    second.kill('SIGTERM');
    await second.exited;
  }
}

test('SIGTERM: running items finish, no others start, and the rest is made after the next start', async () => {
  const { before, after } = await terminateAndRestart({ itemCount: 6, drainMs: 20_000, finishes: true });
  expect(before.completed).toBe(2);
  expect(after).toMatchObject({ completed: 6, failed: 0 });
});

test('SIGTERM: an item that exceeds the drain limit is made after the next start and does not fail', async () => {
  const { before, after } = await terminateAndRestart({ itemCount: 3, drainMs: 300, finishes: false });
  expect(before).toMatchObject({ completed: 0, failed: 0 });
  expect(after).toMatchObject({ completed: 3, failed: 0 });
});
