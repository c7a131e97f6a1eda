import { afterEach, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../support/process.ts';
import { until } from '../support/receiver.ts';

setDefaultTimeout(60_000);
const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const busyFor = (ms: number) => ({
  html: `<script>for (const end = Date.now() + ${ms}; Date.now() < end;);</script>`,
});

interface Batch {
  status: string;
  completed: number;
  failed: number;
  generations: { id: string; status: string }[];
}

/** Submits a batch, sends SIGTERM while its first items run, and returns the batch at the start and at the end of the next run. */
async function terminateAndRestart(
  items: readonly object[],
  drainMs: number,
): Promise<{ before: Batch; after: Batch }> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  folders.push(folder);
  const env = {
    DATA_DIR: folder,
    RENDER_CONCURRENCY: '2',
    DRAIN_TIMEOUT_MS: `${drainMs}`,
    LOG_LEVEL: 'error',
  };
  const first = new ServiceProcess(env);
  let url = await first.ready();
  const [, key = ''] = /shown only once\): (\S+)/.exec(first.stdout) ?? [];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ items });
  const accepted = await fetch(`${url}/v1/generate/batch`, { method: 'POST', headers, body });
  expect(accepted.status).toBe(202);
  const { batch_id: id } = (await accepted.json()) as { batch_id: string };
  const read = async () => (await (await fetch(`${url}/v1/batches/${id}`, { headers })).json()) as Batch;
  const count = ({ generations }: Batch, status: string) =>
    generations.filter((generation) => generation.status === status).length;
  await until(async () => count(await read(), 'processing') === 2);
  first.kill('SIGTERM');
  expect(await first.exited).toBe(0);

  // The batch is read before the second process has finished another item.
  const second = new ServiceProcess(env);
  try {
    url = await second.ready();
    const before = await read();
    await until(async () => (await read()).status === 'completed');
    return { before, after: await read() };
  } finally {
    second.kill('SIGTERM');
    await second.exited;
  }
}

test('SIGTERM: running items finish, no others start, and the rest is made after the next start', async () => {
  const items = Array.from({ length: 6 }, () => busyFor(800));
  const { before, after } = await terminateAndRestart(items, 20_000);
  expect(before.completed).toBe(2);
  expect(after).toMatchObject({ completed: 6, failed: 0 });
});

test('SIGTERM: an item that exceeds the drain limit is made after the next start and does not fail', async () => {
  const items = Array.from({ length: 3 }, () => busyFor(1_500));
  const { before, after } = await terminateAndRestart(items, 300);
  expect(before).toMatchObject({ completed: 0, failed: 0 });
  expect(after).toMatchObject({ completed: 3, failed: 0 });
});
