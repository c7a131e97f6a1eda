import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { createAcceptBulk } from '../../plugins/batch/bulk/accept.ts';
import { batchChunks, Chunks } from '../../plugins/batch/bulk/chunks.ts';
import { Expansion } from '../../plugins/batch/bulk/expand.ts';
import { BulkResults } from '../../plugins/batch/bulk/result.ts';
import { renderName, renderNames } from '../../plugins/batch/bulk/task.ts';
import { createBatchService } from '../../plugins/batch/service.ts';
import { NO_PROPERTIES } from '../../plugins/files/exports.ts';
import { FileNotFoundError, type FileStore } from '../../src/files/files.ts';
import type { Store } from '../../src/store/store.ts';
import { account, failure, openBatchHarness } from '../support/batch/harness.ts';
import { deployments } from '../support/jobs/job-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';

setDefaultTimeout(60_000);

const CHUNKS = [2, 1, 2];
const TOTAL = 5;
const SETTINGS = {
  template: 'tmpl_1',
  options: undefined,
  result: 'zip',
  fileName: 'Item {{name}}',
  onInvalid: 'reject',
  webhook: 'https://example.com/',
} as const;

/** Files in memory. */
function memoryFiles(): Pick<FileStore, 'get' | 'put' | 'delete' | 'link'> & {
  stored: Map<string, Uint8Array>;
} {
  const stored = new Map<string, Uint8Array>();
  return {
    stored,
    async put(id, content) {
      const bytes = await new Response(content as Uint8Array<ArrayBuffer>).bytes();
      stored.set(id, bytes);
      return bytes.length;
    },
    async get(id) {
      const bytes = stored.get(id);
      if (!bytes) throw new FileNotFoundError(id);
      const stream = new Response(bytes as Uint8Array<ArrayBuffer>).body as ReadableStream<Uint8Array>;
      return { stream, sizeBytes: bytes.length };
    },
    delete: async (id) => void stored.delete(id),
    link: async (id) => `https://example.com/${id}`,
  };
}

/** Opens the parts of bulk batches on a store. The test runs the jobs. */
async function openBulk(store: Store) {
  const harness = await openBatchHarness(store);
  const { parts, completion, items } = harness;
  const files = memoryFiles();
  harness.makePdf = async ({ fileId }) => {
    files.stored.set(fileId, Buffer.from('%PDF-'));
    return { fileId, pages: 1, sizeBytes: 5 };
  };
  const chunks = new Chunks(await store.collection(batchChunks), files);
  const jobs = { define: () => ({ ...parts.queue, ensureQueued: async () => {} }) };
  const finish = (id: string) => completion.finish(id);
  const shared = { ...parts, chunks, files, finish, jobs, log: harness.log };
  const expansion = new Expansion({
    ...shared,
    tasks: { renderNames: async (input) => renderNames(input) },
    eraseBatch: async () => {},
  });
  const results = new BulkResults({
    ...shared,
    tasks: {
      mergeItems: async () => {
        throw new Error('the test makes archives');
      },
    },
    deletions: { register() {}, schedule: async () => {} },
  });
  parts.chunks = chunks;
  parts.linkResult = (batch) => results.link(batch);
  const accept = createAcceptBulk({
    ...shared,
    files: { readProperties: () => NO_PROPERTIES },
    rendering: { pin: async (_, request) => request },
    tasks: { renderName: async (input) => renderName(input) },
    maxBulkItems: 10,
    begin: (batch) => expansion.run(batch.id),
  });
  // The harness has no templates.
  items.plan = async (_, request) => ({
    planned: { id: 'gen_0', inputType: 'template', templateId: 'tmpl_1', output: 'url', ...NO_PROPERTIES },
    request,
  });
  /** Does what the jobs and sweeps of a service do. */
  async function work(batchId: string): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      await completion.sweep();
      await expansion.run(batchId);
      for (const { id } of await items.openOf(batchId)) await completion.run(id);
      await results.run(batchId);
    }
    await completion.sweep();
  }
  /** Stores the items, as the reader of a body does. */
  async function receive() {
    let next = 0;
    const stored: { fileId: string; items: number }[] = [];
    for (const count of CHUNKS) {
      const lines = Array.from({ length: count }, () => `${JSON.stringify({ name: (next += 1) % 3 })}\n`);
      const fileId = `file_txt_${crypto.randomUUID().replaceAll('-', '').slice(0, 24)}`;
      await files.put(fileId, Buffer.from(lines.join('')));
      stored.push({ fileId, items: count });
    }
    const first = Buffer.from('{"name":1}');
    const discard = async () => stored.forEach(({ fileId }) => files.stored.delete(fileId));
    return { total: TOTAL, chunks: stored, faultCount: 0, faults: [], first, discard };
  }
  return { harness, files, chunks, accept, receive, work, service: createBatchService(parts, finish) };
}

async function usageOf(store: Store) {
  return (await store.collection<{ id: string; used: number; holds: object }>({ name: 'usage' })).find();
}

describe.each(deployments)('a bulk batch on %s', (_, open) => {
  test('is made exactly once, whichever write the process dies at', async () => {
    let dieAt = 0;
    for (let isComplete = false; !isComplete;) {
      dieAt += 1;
      await using deployment = await open();
      const dying = new DyingProcess();
      const bulk = await openBulk(dying.store(deployment.store));
      await using harness = bulk.harness;
      const attempt = { workId: 'work', isRetry: false };
      const request = { account, settings: SETTINGS, attempt };
      dying.revive({ dieAt });
      const run = async () => {
        const { batchId: id } = await bulk.accept({ ...request, items: await bulk.receive() });
        await bulk.work(id);
      };
      const outcome = await failure(run());
      isComplete = outcome === 'none';
      if (!isComplete) expect(outcome).toBe('the process died');
      dying.revive();
      // The client repeats its request, as it got no response.
      const again = { ...request, attempt: { ...attempt, isRetry: true }, items: await bulk.receive() };
      const { batchId } = await bulk.accept(again);
      await bulk.work(batchId);

      const made = await harness.items.ofBatch(batchId);
      expect([dieAt, made.map(({ status, index, fileName }) => [status, index, fileName])]).toEqual([
        dieAt,
        ['Item 1', 'Item 2', 'Item 0', 'Item 1 (2)', 'Item 2 (2)'].map((name, index) => [
          'completed',
          index,
          `${name}.pdf`,
        ]),
      ]);
      const { batch, resultUrl } = await bulk.service.get(account.id, batchId);
      expect([batch.status, harness.sent]).toEqual(['completed', [`batch.completed:${batchId}`]]);
      const archive = bulk.files.stored.get(resultUrl?.split('/').at(-1) ?? '');
      expect(Object.keys(unzipSync(archive ?? new Uint8Array()))).toEqual(
        made.map(({ fileName }) => fileName ?? ''),
      );
      expect([await harness.inputs.count(), await bulk.chunks.countWaiting(account.id)]).toEqual([0, 0]);
      expect(await usageOf(deployment.store)).toEqual([expect.objectContaining({ used: TOTAL, holds: {} })]);
    }
    expect(dieAt).toBeGreaterThan(30);
  });

  test('leaves nothing when the process dies before its record and no request is repeated', async () => {
    await using deployment = await open();
    const dying = new DyingProcess();
    const bulk = await openBulk(dying.store(deployment.store));
    await using harness = bulk.harness;
    const items = await bulk.receive();
    // The usage, the hold, the chunks; dead before the request that the items share.
    dying.revive({ dieAt: 4 });
    expect(await failure(bulk.accept({ account, settings: SETTINGS, items, attempt: undefined }))).toBe(
      'the process died',
    );
    dying.revive();
    expect(await bulk.chunks.countWaiting(account.id)).toBe(TOTAL);
    await harness.quota.sweep(0);
    expect([await harness.inputs.count(), await bulk.chunks.countWaiting(account.id)]).toEqual([0, 0]);
    expect([...bulk.files.stored.keys()]).toEqual([]);
    expect(await usageOf(deployment.store)).toEqual([expect.objectContaining({ used: 0, holds: {} })]);
  });

  test('is refused beyond the items that may wait, and leaves nothing', async () => {
    await using deployment = await open();
    const bulk = await openBulk(deployment.store);
    await using harness = bulk.harness;
    const many = { ...(await bulk.receive()), total: 11 };
    const refused = bulk.accept({ account, settings: SETTINGS, items: many, attempt: undefined });
    expect(await failure(refused)).toContain('the limit of 10');
    expect([bulk.files.stored.size, await harness.parts.batches.count()]).toEqual([0, 0]);
  });
});
