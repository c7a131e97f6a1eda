import { DuplicateKeyError, scan, yieldToEventLoop, type Outcome } from '../../src/plugin.ts';
import type { Generation } from '../render/contract.ts';
import { removeFromMessage } from '../render/exports.ts';
import type { Batch } from './contract.ts';
import { presentBatch } from './present.ts';
import { isCanceled, storeMissing, type BatchParts } from './service.ts';

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
    const batchId = (await items.complete(generationId))?.batchId;
    // Counted first, because the record of a batch can contain megabytes of metadata.
    if (batchId && (await items.count(batchId, UNFINISHED)) === 0) await this.finish(batchId);
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
      await this.#parts.items.deleteInputs(id);
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
    const generations = await items.ofBatch(id);
    // A generation that is not stored yet has not ended.
    if (generations.length < batch.generations.length) return;
    if (batch.status === 'open') {
      const count = (wanted: Generation['status']) =>
        generations.filter(({ status }) => status === wanted).length;
      const outcome = { completed: count('completed'), failed: count('failed') };
      await quota.settle({ usageId: batch.usageId, workId: id }, batch.test ? NOTHING_COUNTED : outcome);
      await items.deleteInputs(id);
      const status = batch.webhook === null ? 'completed' : 'ended';
      const completedAt = Date.now();
      const change = { status, completedAt, unreportedAt: completedAt } as const;
      const ended = await batches.update({ id, status: 'open' }, change);
      if (ended) this.#outbox.report(ended);
    }
    if (batch.webhook === null) return;
    await this.#sendWebhook(batch, batch.webhook, generations);
    await batches.update({ id, status: 'ended' }, { status: 'completed' });
  }

  /** Returns the event of a batch whose items have ended. */
  async #toEvent(batch: Batch) {
    const { id, accountId, unreportedAt } = batch;
    const generations = await this.#parts.items.ofBatch(id);
    return {
      id: `${COMPLETED}:${id}`,
      accountId,
      type: COMPLETED,
      data: presentBatch({ batch: { ...batch, status: 'completed' }, generations }),
      timestamp: unreportedAt ?? Date.now(),
    };
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
  async #sendWebhook(batch: Batch, url: string, generations: readonly Generation[]): Promise<void> {
    const { id, accountId } = batch;
    const type = COMPLETED;
    const data = presentBatch({ batch: { ...batch, status: 'completed' }, generations });
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
    await items.deleteInputs(id);
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
