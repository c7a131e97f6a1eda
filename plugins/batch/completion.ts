import { DuplicateKeyError, scan, yieldToEventLoop, type Scan } from '../../src/plugin.ts';
import type { Generation } from '../render/contract.ts';
import type { Batch } from './contract.ts';
import { presentBatch } from './present.ts';
import { store, type BatchParts } from './service.ts';

const UNFINISHED: readonly Generation['status'][] = ['queued', 'processing'];

/** Longer than it may take from the hold of quota to the record of the batch. */
const PATIENCE_MS = 60_000;
const ABANDONED_FOR_MS = 24 * 60 * 60_000;

/** Makes the items of batches, ends batches, and puts right what crashes left. */
export class Completion {
  readonly #parts: BatchParts;

  constructor(parts: BatchParts) {
    this.#parts = parts;
    parts.quota.registerReconciler({
      prefix: 'batch_',
      graceMs: PATIENCE_MS,
      unitsSpent: (id) => this.#spentBy(id),
    });
  }

  /** Makes one item; the last one ends the batch. */
  async run(generationId: string): Promise<void> {
    const generation = await this.#parts.generations.complete(generationId);
    if (generation?.batchId) await this.#finish(generation.batchId);
  }

  /** Stores what batches lack that were accepted since a time, and ends those of them whose items have all ended. */
  async sweep(since = 0): Promise<void> {
    const { generations } = this.#parts;
    for (const status of ['open', 'ended'] as const)
      for await (const batch of this.#read({ where: { status }, from: since })) {
        if (batch.status === 'open') await store(this.#parts, batch);
        await this.#finish(batch.id);
      }
    const to = Date.now() - ABANDONED_FOR_MS;
    for await (const { id } of this.#read({ where: { status: 'abandoned' }, to })) {
      await generations.deleteInputs(id);
      await this.#parts.batches.delete({ id });
    }
  }

  /** Reads batches one at a time. An embedded database answers at once, and requests must have their turn between two. */
  async *#read(range: Omit<Scan<Batch>, 'by'>): AsyncGenerator<Batch> {
    for await (const page of scan(this.#parts.batches, { ...range, by: 'createdAt' }))
      for (const batch of page) {
        yield batch;
        await yieldToEventLoop();
      }
  }

  /**
   * Ends a batch whose items have all ended. Each step may be repeated without harm, and whatever dies before the last one is done
   * again by the job, which is still there, or by a sweep. The webhook goes after the record: who reads the batch on its receipt
   * finds it completed.
   */
  async #finish(id: string): Promise<void> {
    const { batches, generations, quota } = this.#parts;
    if ((await generations.count(id, UNFINISHED)) > 0) return;
    const batch = await batches.get(id);
    if (batch?.status !== 'open' && batch?.status !== 'ended') return;
    const ended = await generations.ofBatch(id);
    // A record that was not stored yet is not an item that has ended.
    if (ended.length < batch.generations.length) return;
    if (batch.status === 'open') {
      const spent = ended.filter(({ status }) => status === 'completed').length;
      await quota.settle({ usageId: batch.usageId, workId: id }, spent);
      await generations.deleteInputs(id);
      const status = batch.webhook === null ? 'completed' : 'ended';
      await batches.update({ id, status: 'open' }, { status, completedAt: Date.now() });
    }
    if (batch.webhook === null) return;
    await this.#announce({ ...batch, status: 'completed' }, ended);
    await batches.update({ id, status: 'ended' }, { status: 'completed' });
  }

  /** The message has the batch's id, so that there is one delivery, however often this is done. */
  async #announce(batch: Batch, generations: readonly Generation[]): Promise<void> {
    const { id, accountId, webhook: url } = batch;
    if (url === null) return;
    const type = 'batch.completed';
    const data = presentBatch({ batch, generations });
    await this.#parts.webhooks.send({
      id: `${type}:${id}`,
      accountId,
      url,
      type,
      data,
      timestamp: Date.now(),
    });
  }

  /** Tells the quota's sweep what became of a batch of which it holds units. */
  async #spentBy(id: string): Promise<number | undefined> {
    const batch = (await this.#parts.batches.get(id)) ?? (await this.#abandon(id));
    if (batch?.status === 'open') return undefined;
    if (batch?.status === 'ended' || batch?.status === 'completed')
      return this.#parts.generations.count(id, ['completed']);
    await this.#parts.generations.deleteInputs(id);
    return 0;
  }

  /**
   * Puts a record in the place of a batch that was begun and never accepted. Whoever began it and only hangs finds the id taken
   * and cannot accept it any more. Returns the batch when it was accepted in this very moment.
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
