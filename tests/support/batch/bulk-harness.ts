import { createAcceptBulk } from '../../../plugins/batch/bulk/accept.ts';
import type { ReceivedItems } from '../../../plugins/batch/bulk/body/received-items.ts';
import { batchChunks, Chunks } from '../../../plugins/batch/bulk/chunks.ts';
import { Expansion } from '../../../plugins/batch/bulk/expand.ts';
import { BulkResults } from '../../../plugins/batch/bulk/result.ts';
import { renderName, renderNames } from '../../../plugins/batch/bulk/task.ts';
import { batchData } from '../../../plugins/batch/account-data.ts';
import type { Batch } from '../../../plugins/batch/contract.ts';
import { createBatchService } from '../../../plugins/batch/service.ts';
import { NO_PROPERTIES } from '../../../plugins/files/exports.ts';
import {
  createBatchErasure,
  createGenerationDeletion,
} from '../../../plugins/render/generations/delete-generations.ts';
import { noReceipts } from '../../../plugins/render/receipt/receipts.ts';
import { FileNotFoundError, type FileStore } from '../../../src/files/files.ts';
import type { Store } from '../../../src/store/store.ts';
import { account, openBatchHarness } from './harness.ts';

/** The numbers of items in the chunks of a batch. */
const CHUNKS = [2, 1, 2];
/** The number of items of a batch. */
export const BULK_TOTAL = 5;
/** The most items that may wait to be put into the queue. */
export const MAX_WAITING = 10;
/** The settings of a batch with an archive. */
export const BULK_SETTINGS = {
  template: 'tmpl_1',
  options: undefined,
  result: 'zip',
  fileName: 'Item {{name}}',
  onInvalid: 'reject',
  webhook: 'https://example.com/',
} as const;

/** Files in memory. */
export type MemoryFiles = Pick<FileStore, 'get' | 'put' | 'delete' | 'link'> & {
  stored: Map<string, Uint8Array>;
};

function memoryFiles(): MemoryFiles {
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

/** What a test does at a point of the work, such as a request of a caller or the death of the process. */
export interface BulkHooks {
  /** Before the requests of the items of a chunk are stored. */
  beforeInputs?: (() => Promise<void>) | undefined;
  /** After the generations of a chunk are stored, and before their jobs are. */
  afterEnqueue?: (() => Promise<void>) | undefined;
  /** Before the end of a batch looks for chunks that are not in the queue. */
  beforeIsWaiting?: (() => Promise<void>) | undefined;
  /** After the archive is stored, and before the batch ends. */
  afterResult?: (() => Promise<void>) | undefined;
  renderNames?: typeof renderNames | undefined;
}

/** Opens the parts of bulk batches on a store. The test runs the jobs. */
export async function openBulk(store: Store, files: MemoryFiles = memoryFiles()) {
  const harness = await openBatchHarness(store);
  const { parts, completion, items, generations, quota } = harness;
  const { webhooks } = parts;
  const hooks: BulkHooks = {};
  harness.makePdf = async ({ fileId }) => {
    files.stored.set(fileId, Buffer.from('%PDF-'));
    return { fileId, pages: 1, sizeBytes: 5 };
  };
  const chunks = new Chunks(await store.collection(batchChunks), files);
  const jobs = { define: () => ({ ...parts.queue, ensureQueued: async () => {} }) };
  const finish = (id: string) => completion.finish(id);
  const shared = { ...parts, chunks, files, finish, jobs, log: harness.log };
  const deletions = { register() {}, schedule: async () => {}, cancel: async () => {} };
  const generationParts = { generations, receipts: noReceipts, files, webhooks, deletions };
  const eraseBatch = createBatchErasure(generationParts);
  // The harness has no templates.
  items.plan = async (_, request) => ({
    planned: { id: 'gen_0', inputType: 'template', templateId: 'tmpl_1', output: 'url', ...NO_PROPERTIES },
    request,
  });
  const expansion = new Expansion({
    ...shared,
    items: {
      ...items,
      async storeInputs(...given) {
        await hooks.beforeInputs?.();
        await items.storeInputs(...given);
      },
      async enqueue(batch) {
        await items.enqueue(batch);
        await hooks.afterEnqueue?.();
      },
    },
    tasks: { renderNames: async (input) => (hooks.renderNames ?? renderNames)(input) },
    eraseBatch,
  });
  const results = new BulkResults({
    ...shared,
    async finish(id) {
      await hooks.afterResult?.();
      await finish(id);
    },
    tasks: {
      mergeItems: async () => {
        throw new Error('the test makes archives');
      },
    },
    deletions,
  });
  parts.chunks = {
    async isWaiting(...given) {
      await hooks.beforeIsWaiting?.();
      return chunks.isWaiting(...given);
    },
    delete: (id) => chunks.delete(id),
  };
  parts.linkResult = (batch) => results.link(batch);
  const accept = createAcceptBulk({
    ...shared,
    files: { readProperties: () => NO_PROPERTIES },
    rendering: { pin: async (_, request) => request },
    tasks: { renderName: async (input) => renderName(input) },
    maxBulkItems: MAX_WAITING,
    begin: async () => {},
  });
  const data = [...batchData({ ...shared, rendering: { eraseBatch }, chunks, webhooks }), chunks.accountData];

  return {
    [Symbol.asyncDispose]: () => harness[Symbol.asyncDispose](),
    harness,
    hooks,
    files,
    chunks,
    expansion,
    results,
    service: createBatchService(parts, finish),
    accept,
    /** Stores the items, as the reader of a body does. */
    async receive(): Promise<ReceivedItems> {
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
      return { total: BULK_TOTAL, chunks: stored, faultCount: 0, faults: [], first, discard };
    },
    /** Does what the jobs and sweeps of a service do. */
    async work(batchId: string): Promise<void> {
      for (let round = 0; round < 3; round += 1) {
        await completion.sweep();
        await expansion.run(batchId);
        for (const { id } of await items.openOf(batchId)) await completion.run(id);
        await results.run(batchId);
      }
      await completion.sweep();
    },
    /** Makes the items that are in the queue. */
    async makeQueued(batchId: string): Promise<void> {
      for (const { id } of await items.openOf(batchId)) await completion.run(id);
    },
    /** Deletes documents, as `DELETE /v1/generations/:id` does. */
    deleteItems: createGenerationDeletion({
      ...generationParts,
      onItemsDeleted: (batchId) => results.deleteWith(batchId),
    }),
    /** Erases the data of the account. Jobs are not part of it. */
    async erase(): Promise<void> {
      for (const kind of data.toReversed()) await kind.delete(account.id);
    },
    /** Counts what must not be left of a batch that has ended or is erased. */
    async remains() {
      return {
        requests: await harness.inputs.count(),
        waiting: await chunks.countWaiting(account.id),
        queued: await items.countQueued(account.id),
        // A sweep deletes the files that no chunk names.
        lines: await chunks.filesInUse([...files.stored.keys()]),
        held: await quota.heldFor(account),
      };
    },
  };
}

/** What is left of a batch that has ended. */
export const NOTHING = { requests: 0, waiting: 0, queued: 0, lines: [], held: [] };

/** Accepts a batch. */
export async function acceptBulk(
  bulk: Awaited<ReturnType<typeof openBulk>>,
  {
    result = BULK_SETTINGS.result,
    attempt,
  }: { result?: 'links' | 'zip'; attempt?: { workId: string; isRetry: boolean } } = {},
): Promise<Batch['id']> {
  const settings = { ...BULK_SETTINGS, result };
  return (await bulk.accept({ account, settings, items: await bulk.receive(), attempt })).batchId;
}

/** Reads how many units an account has used. */
export async function usageOf(store: Store) {
  return (await store.collection<{ id: string; used: number; holds: object }>({ name: 'usage' })).find();
}
