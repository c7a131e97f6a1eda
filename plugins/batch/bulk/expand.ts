import {
  AppError,
  explainTaskFailure,
  FileNotFoundError,
  RawJson,
  type FileStore,
  type Log,
  type PluginContext,
  type TaskClient,
} from '../../../src/plugin.ts';
import type { DocumentRequest, PlannedGeneration, PlannedInput } from '../../render/contract.ts';
import type { Batch, BulkBatch } from '../contract.ts';
import { isCanceled } from '../is-canceled.ts';
import type { BatchParts } from '../batch-parts.ts';
import { ownerOf, positionOf } from '../service.ts';
import type { BatchChunk, Chunks } from './chunks.ts';
import { DistinctNames, toFileName } from './file-names.ts';
import { itemId } from './item-id.ts';
import { linesOf } from './item-lines.ts';

type Jobs = PluginContext<unknown, object, never, never>['jobs'];

/** The services that {@link Expansion} uses. */
export interface ExpansionParts extends Pick<BatchParts, 'batches' | 'items' | 'queue'> {
  chunks: Chunks;
  files: Pick<FileStore, 'get'>;
  tasks: Pick<TaskClient<typeof import('./task.ts')>, 'renderNames'>;
  /** Erases the generations of a batch whose account is being erased. */
  eraseBatch: (batchId: string) => Promise<void>;
  /** Ends a batch whose items have ended. */
  finish: (batchId: string) => Promise<void>;
  jobs: Pick<Jobs, 'define'>;
  log: Log;
}

/**
 * Items are put into the queue while fewer of the batch are there. Few items in the queue keep the database
 * small, let later batches of the account take their turn, and are canceled quickly.
 */
const MAX_QUEUED = 200;
/** A batch with fewer items in the queue gets the next ones. */
const REFILL_BELOW = 100;
const NAMES_TIMEOUT_MS = 20_000;
/** The messages of a template of file names that exceeds a limit. */
export const NAME_FAILURES = {
  deadline: 'rendering the file names takes too long',
  memory: 'rendering the file names exceeds the memory limit',
  waiting: 'templates',
  failed: 'the file names could not be rendered',
  path: 'file_name',
};

/**
 * Puts the items of bulk batches into the queue, a chunk at a time. Each step can be repeated: the ids of the
 * generations and their names follow from the batch, so an item that a crash left half stored is stored once.
 */
export class Expansion {
  readonly #parts: ExpansionParts;
  readonly #queue: ReturnType<Jobs['define']>;
  readonly #running = new Map<string, Promise<void>>();

  constructor(parts: ExpansionParts) {
    this.#parts = parts;
    this.#queue = parts.jobs.define({
      name: 'batch.expansion',
      concurrency: 2,
      run: (batchId) => this.run(batchId),
    });
  }

  /** Continues a batch whose queue has become short. */
  async refill(batchId: string, accountId: string, unfinished: number): Promise<void> {
    if (unfinished >= REFILL_BELOW || !(await this.#parts.chunks.isWaiting(batchId))) return;
    await this.#queue.runNow([batchId], { account: accountId });
  }

  /** Stores the job that continues a batch, unless it exists. */
  async ensureQueued({ id, accountId }: Pick<Batch, 'id' | 'accountId'>): Promise<void> {
    await this.#queue.ensureQueued([id], Date.now(), { account: accountId });
  }

  /** Fills the queue with items of a batch. In this process, one call for a batch works at a time. */
  async run(batchId: string): Promise<void> {
    for (let other = this.#running.get(batchId); other; other = this.#running.get(batchId))
      await other.catch(() => {});
    const running = this.#fill(batchId);
    this.#running.set(batchId, running);
    await running.finally(() => this.#running.delete(batchId));
  }

  async #fill(batchId: string): Promise<void> {
    const { batches, items, chunks, finish } = this.#parts;
    for (;;) {
      const batch = await batches.get(batchId);
      if (!batch?.bulk || batch.status !== 'open' || isCanceled(batch)) return this.#cleanUp(batchId, batch);
      const chunk = await chunks.next(batch.bulk.uploadId);
      // The last item may have ended before its chunk was marked.
      if (!chunk) return finish(batchId);
      if ((await items.count(batchId, ['queued', 'processing'])) >= MAX_QUEUED) return;
      await this.#expand(batch, batch.bulk, chunk);
    }
  }

  async #expand(batch: Batch, bulk: BulkBatch, chunk: BatchChunk): Promise<void> {
    const { batches, items, queue, chunks, log } = this.#parts;
    const { id, accountId, createdAt } = batch;
    const [lines, shared] = await Promise.all([this.#read(chunk), items.readRequest(bulk.uploadId)]);
    const names = await this.#nameFiles(bulk, chunk, lines ?? new Uint8Array());
    const generations = Array.from({ length: chunk.items }, (_, place) => ({
      ...bulk.planned,
      id: itemId(id, chunk.firstIndex + place),
      fileName: names[place] ?? null,
    }));
    // Items without a stored request fail.
    if (lines && shared) await this.#storeInputs(id, toInputs(generations, shared, lines));
    else log.error({ batch: id, chunk: chunk.number }, 'the stored data of a batch is missing');
    await items.enqueue({ id, accountId, createdAt, generations, firstIndex: chunk.firstIndex });
    // The batch may have been canceled or erased since it was read. No item has a job yet.
    const now = await batches.get(id);
    if (now?.status !== 'open' || isCanceled(now)) return this.#cleanUp(id, now);
    await queue.ensureQueued(
      generations.map((generation) => generation.id),
      (place) => positionOf(batch, chunk.firstIndex + place),
      ownerOf(batch),
    );
    await chunks.markExpanded(chunk);
  }

  /**
   * Cancels or erases the items that were stored while their batch was canceled or erased. Repeats it if the
   * process died in between.
   */
  async #cleanUp(batchId: string, batch: Batch | null): Promise<void> {
    const { items, chunks, eraseBatch } = this.#parts;
    if (batch === null || batch.status === 'abandoned') {
      await items.deleteInputs(batchId);
      await chunks.delete(batchId);
      return eraseBatch(batchId);
    }
    await items.cancel(batchId);
    // The items of an open batch that are being made need their requests.
    if (batch.status !== 'open') await items.deleteInputs(batchId);
  }

  /**
   * Stores the requests of items. Those of a chunk whose first generation exists are stored, and perhaps
   * deleted again.
   */
  async #storeInputs(batchId: string, inputs: readonly PlannedInput[]): Promise<void> {
    const { items } = this.#parts;
    const ids = inputs.map(({ planned }) => planned.id);
    if (await items.exists(ids[0] ?? '')) return;
    if ((await items.countInputs(ids)) === 0) return items.storeInputs(batchId, inputs);
    for (const input of inputs) {
      const { id } = input.planned;
      if ((await items.readInput(id)) !== undefined) continue;
      await items.deleteInput(id);
      await items.storeInputs(batchId, [input]);
    }
  }

  /** Reads the data of the items of a chunk; `undefined` if it is gone. */
  async #read({ fileId }: BatchChunk): Promise<Uint8Array | undefined> {
    const file = await this.#parts.files.get(fileId).catch((error: unknown) => {
      if (error instanceof FileNotFoundError) return undefined;
      throw error;
    });
    return file && new Response(file.stream).bytes();
  }

  /**
   * Returns the names of the files of a chunk, which differ from those of the earlier chunks. They are chosen
   * once, because rendering them may exceed its time in one attempt and not in another.
   */
  async #nameFiles(
    { fileName: template, total }: BulkBatch,
    chunk: BatchChunk,
    lines: Uint8Array,
  ): Promise<readonly (string | null)[]> {
    const { tasks, chunks } = this.#parts;
    if (template === null) return [];
    if (chunk.names) return chunk.names;
    const rendering = tasks.renderNames({ template, lines }, { timeoutMs: NAMES_TIMEOUT_MS });
    const rendered = await rendering.catch((error: unknown) => {
      const failure = explainTaskFailure(error, NAME_FAILURES);
      // A name that takes too long does not stop its batch.
      if (failure instanceof AppError && failure.code === 'VALIDATION_ERROR') return [];
      throw failure;
    });
    const distinct = new DistinctNames(await chunks.namesBefore(chunk));
    const names = Array.from({ length: chunk.items }, (_, place) => {
      const number = String(chunk.firstIndex + place + 1).padStart(String(total).length, '0');
      return distinct.take(toFileName(rendered[place] ?? '') ?? `${number}.pdf`);
    });
    return (await chunks.keepNames(chunk, names)) ?? names;
  }
}

/** Returns the request of each item: the one that the items share, with the data of a line. */
function toInputs(
  generations: readonly PlannedGeneration[],
  shared: DocumentRequest,
  lines: Uint8Array,
): PlannedInput[] {
  const data = linesOf(lines);
  return generations.map((planned, place) => ({
    planned,
    request: { ...shared, data: new RawJson(data[place] ?? new Uint8Array()) },
  }));
}
