import {
  DuplicateKeyError,
  scan,
  workContext,
  yieldToEventLoop,
  type JsonValue,
  type Outcome,
} from '../../src/plugin.ts';
import type { Generation } from '../render/contract.ts';
import { removeFromMessage } from '../render/exports.ts';
import type { Batch } from './contract.ts';
import { countGenerations, presentBatch } from './present.ts';
import { isCanceled } from './is-canceled.ts';
import type { BatchParts } from './batch-parts.ts';
import { storeMissing } from './service.ts';
import { summarize } from './summarize.ts';

const COMPLETED = 'batch.completed' as const;
const UNFINISHED: readonly Generation['status'][] = ['queued', 'processing'];

/** The outcome of a batch that was not accepted, and of one for a test key. */
const NOTHING_COUNTED: Outcome = { completed: 0, failed: 0 };

/** Longer than accepting a batch takes, from the reservation of quota to the record. */
const GRACE_MS = 60_000;
/** How long the record of an abandoned batch is kept. */
const ABANDONED_FOR_MS = 24 * 60 * 60_000;

/** Makes the items of batches, ends batches, and repairs batches after crashes. */
export class Completion {
  readonly #parts: BatchParts;
  readonly #outbox: { report(batch: Batch): void };

  constructor(parts: BatchParts) {
    this.#parts = parts;
    this.#outbox = parts.webhooks.outbox({
      name: 'batches',
      collection: parts.batches,
      toEvent: (batch) => this.#toEvent(batch),
      complete: (data) => this.#completeEvent(data),
      onStored: ({ id }) => this.#removeDeleted(id),
    });
    parts.quota.registerReconciler({
      prefix: 'batch_',
      graceMs: GRACE_MS,
      outcomeOf: (id) => this.#outcomeOf(id),
    });
  }

  /** Makes one item. The last item ends its batch. */
  async run(generationId: string): Promise<void> {
    const { items } = this.#parts;
    const ended = await items.complete(generationId);
    if (!ended?.batchId) return;
    // Counted first, because the record of a batch can contain megabytes of metadata.
    const unfinished = await items.count(ended.batchId, UNFINISHED);
    await this.#parts.bulkJobs.refill(ended.batchId, ended.accountId, unfinished);
    if (unfinished === 0) await this.finish(ended.batchId);
  }

  /**
   * Repairs the batches that were accepted since a time: stores missing generations and jobs, and ends
   * batches whose items have ended.
   */
  async sweep(since = 0): Promise<void> {
    for (const status of ['open', 'ended'] as const)
      for await (const batch of this.#scan({ where: { status }, from: since })) {
        if (batch.status === 'open') await storeMissing(this.#parts, batch);
        await this.finish(batch.id);
      }
    const to = Date.now() - ABANDONED_FOR_MS;
    for await (const { id } of this.#scan({ where: { status: 'abandoned' }, to })) {
      await this.#deleteParts(id);
      await this.#parts.batches.delete({ id });
    }
  }

  /**
   * Reads batches one at a time. Yields to other requests in between, because the embedded database works in
   * this thread.
   */
  async *#scan(range: Omit<Parameters<typeof scan<Batch>>[1], 'by'>): AsyncGenerator<Batch> {
    for await (const page of scan(this.#parts.batches, { ...range, by: 'createdAt' }))
      for (const batch of page) {
        yield batch;
        await yieldToEventLoop();
      }
  }

  /**
   * Cancels the queued items of a canceled batch, and ends a batch whose items have all ended. Every step is
   * idempotent: after a crash, the job, which still exists, or a sweep repeats them. The webhook is sent
   * after the record is updated, so that a receiver that reads the batch finds it completed.
   */
  async finish(id: string): Promise<void> {
    const { batches, items, quota } = this.#parts;
    const batch = await batches.get(id);
    if (batch?.status !== 'open' && batch?.status !== 'ended') return;
    if (isCanceled(batch)) await items.cancel(id);
    if ((await items.count(id, UNFINISHED)) > 0) return;
    if (batch.status === 'open') {
      if (!(await this.#haveAllEnded(batch))) return;
      const count = (wanted: Generation['status']) => items.count(id, [wanted]);
      const outcome = { completed: await count('completed'), failed: await count('failed') };
      await quota.settle({ usageId: batch.usageId, workId: id }, batch.test ? NOTHING_COUNTED : outcome);
      await this.#deleteParts(id);
      const status = batch.webhook === null ? 'completed' : 'ended';
      const completedAt = Date.now();
      const change = { status, completedAt, unreportedAt: completedAt } as const;
      // Without its archive or PDF, which the deletion of a document deletes, the batch has not ended.
      const { resultFileId = null } = batch;
      const ended = await batches.update({ id, status: 'open', resultFileId }, change);
      if (ended) this.#outbox.report(ended);
    }
    if (batch.webhook === null) return;
    const ended = (await batches.get(id)) ?? batch;
    if (ended.status === 'open') return;
    await this.#sendWebhook(ended, batch.webhook);
    await batches.update({ id, status: 'ended' }, { status: 'completed' });
  }

  /**
   * Tells whether all items of an open batch have ended, given that none of the stored ones is open.
   * Otherwise, or if the archive or PDF of a bulk batch is still to be made, a job continues.
   */
  async #haveAllEnded(batch: Batch): Promise<boolean> {
    const { items, chunks, bulkJobs } = this.#parts;
    // A generation that is not stored yet has not ended.
    if (!batch.bulk) return (await items.countOf(batch.id)) >= batch.generations.length;
    if (isCanceled(batch)) return true;
    if (await chunks.isWaiting(batch.id, batch.bulk.uploadId)) {
      await bulkJobs.ensureExpanding(batch);
      return false;
    }
    // The last chunk may have been put into the queue since its items were counted.
    if ((await items.count(batch.id, UNFINISHED)) > 0) return false;
    const { resultFileId = null, resultError = null } = batch;
    if (batch.bulk.result === 'links' || resultFileId !== null || resultError !== null) return true;
    await bulkJobs.ensureResult(batch);
    return false;
  }

  /** Deletes what only an open batch needs. */
  async #deleteParts(id: string): Promise<void> {
    await this.#parts.items.deleteInputs(id);
    await this.#parts.chunks.delete(id);
  }

  /** Returns the event of a batch whose items have ended. */
  async #toEvent(batch: Batch) {
    const { id, accountId, unreportedAt } = batch;
    return {
      id: `${COMPLETED}:${id}`,
      accountId,
      type: COMPLETED,
      // A link would let everybody who can read the database read the documents.
      data: { ...(await this.#presentEnded(batch)), ...(batch.bulk && { result_url: null }) },
      timestamp: unreportedAt ?? Date.now(),
    };
  }

  /** Adds the link to the archive or PDF of a bulk batch to its event. */
  async #completeEvent(data: JsonValue): Promise<JsonValue> {
    const { batch_id: id } = data as { batch_id: string };
    const batch = await this.#parts.batches.get(id);
    if (!batch?.bulk) return data;
    return { ...(data as object), result_url: await this.#parts.linkResult(batch) };
  }

  async #presentEnded(ended: Batch) {
    const batch: Batch = { ...ended, status: 'completed' };
    if (batch.bulk) return presentBatch({ ...(await summarize(this.#parts, batch)), generations: [] });
    const generations = await this.#parts.items.ofBatch(batch.id);
    return presentBatch({ batch, ...countGenerations(generations), resultUrl: null, generations });
  }

  /** Removes items that were deleted since they were read, perhaps before there was a message to correct. */
  async #removeDeleted(id: string): Promise<void> {
    const deleted = await this.#parts.items.deletedOf(id);
    if (deleted.length > 0) await removeFromMessage(this.#parts.webhooks, id, new Set(deleted));
  }

  /**
   * Stores the delivery of the webhook. Its id derives from the id of the batch, so repeating this call
   * stores no second delivery.
   */
  async #sendWebhook(batch: Batch, url: string): Promise<void> {
    const { id, accountId } = batch;
    const type = COMPLETED;
    const data = await atOrigin(batch, () => this.#presentEnded(batch));
    await this.#parts.webhooks.send({
      id: `${type}:${id}`,
      accountId,
      url,
      type,
      data,
      timestamp: Date.now(),
    });
    await this.#removeDeleted(id);
  }

  /** Returns the outcome of a batch; `undefined` while it is open. */
  async #outcomeOf(id: string): Promise<Outcome | undefined> {
    const { batches, items } = this.#parts;
    const batch = (await batches.get(id)) ?? (await this.#abandon(id));
    if (batch?.status === 'open') return undefined;
    if (batch?.status === 'ended' || batch?.status === 'completed') {
      if (batch.test) return NOTHING_COUNTED;
      return { completed: await items.count(id, ['completed']), failed: await items.count(id, ['failed']) };
    }
    await this.#deleteParts(id);
    return NOTHING_COUNTED;
  }

  /**
   * Inserts an abandoned record for a batch that was never accepted. A process that is still accepting it
   * then finds the id taken and fails. Returns the batch if it was accepted at the same moment.
   */
  async #abandon(id: string): Promise<Batch | null> {
    try {
      await this.#parts.batches.insert({
        id,
        accountId: '',
        status: 'abandoned',
        generations: [],
        webhook: null,
        firstPlace: 0,
        usageId: '',
        idempotencyKey: null,
        createdAt: Date.now(),
        completedAt: null,
      });
      return null;
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      return this.#parts.batches.get(id);
    }
  }
}

/** Runs work whose links begin with the origin at which the caller reached the service. */
function atOrigin<T>({ bulk }: Batch, work: () => Promise<T>): Promise<T> {
  const context = workContext.getStore();
  const origin = bulk?.origin;
  return context && origin ? workContext.run({ ...context, origin }, work) : work();
}
