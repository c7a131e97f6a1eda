import { DuplicateKeyError } from '../../src/plugin.ts';
import type { Generation } from '../render/contract.ts';
import type { Batch } from './contract.ts';
import { presentBatch } from './present.ts';
import { store, type BatchParts } from './service.ts';

const UNFINISHED: readonly Generation['status'][] = ['queued', 'processing'];

/** Longer than it may take from the hold of quota to the record of the batch. */
const PATIENCE_MS = 60_000;
const ABANDONED_FOR_MS = 24 * 60 * 60_000;
const SWEEP_PAGE = 100;

/** Makes the items of batches, ends batches, and puts right what crashes left. */
export class Completion {
  readonly #parts: BatchParts;

  constructor(parts: BatchParts) {
    this.#parts = parts;
    parts.quota.know({ prefix: 'batch_', patienceMs: PATIENCE_MS, spentBy: (id) => this.#spentBy(id) });
  }

  /** Makes one item; the last one ends the batch. */
  async run(generationId: string): Promise<void> {
    const generation = await this.#parts.generations.complete(generationId);
    if (generation?.batchId) await this.#finish(generation.batchId);
  }

  /** Stores what accepted batches lack, and ends those whose items have all ended. */
  async sweep(): Promise<void> {
    const { batches, generations } = this.#parts;
    for (const status of ['open', 'ended'] as const) await this.#mend(status);
    const isOld = { status: 'abandoned', createdAt: { lte: Date.now() - ABANDONED_FOR_MS } } as const;
    for (let page: Batch[]; (page = await batches.find({ where: isOld, limit: SWEEP_PAGE })).length > 0;) {
      for (const { id } of page) {
        await generations.deleteInputs(id);
        await batches.delete({ id });
      }
    }
  }

  /** Goes through the batches in a state a page at a time. One that is passed over, as others end meanwhile, is for the next sweep. */
  async #mend(status: Batch['status']): Promise<void> {
    const order = { createdAt: 'asc', id: 'asc' } as const;
    for (let [offset, isLast] = [0, false]; !isLast;) {
      const page = await this.#parts.batches.find({ where: { status }, order, limit: SWEEP_PAGE, offset });
      for (const batch of page) {
        if (batch.status === 'open') await store(this.#parts, batch);
        const hasChanged = await this.#finish(batch.id);
        if (!hasChanged) offset += 1;
        // An embedded database answers at once, and requests must have their turn.
        await Bun.sleep(0);
      }
      isLast = page.length < SWEEP_PAGE;
    }
  }

  /**
   * Ends a batch whose items have all ended. Each step may be repeated without harm, and whatever dies before the last one is done
   * again by the job, which is still there, or by a sweep. The webhook goes after the record: who reads the batch on its receipt
   * finds it completed. Tells whether it is at its end now.
   */
  async #finish(id: string): Promise<boolean> {
    const { batches, generations, quota } = this.#parts;
    if ((await generations.count(id, UNFINISHED)) > 0) return false;
    const batch = await batches.get(id);
    if (batch?.status !== 'open' && batch?.status !== 'ended') return false;
    const ended = await generations.ofBatch(id);
    // A record that was not stored yet is not an item that has ended.
    if (ended.length < batch.generations.length) return false;
    if (batch.status === 'open') {
      const spent = ended.filter(({ status }) => status === 'completed').length;
      await quota.settle({ usageId: batch.usageId, workId: id }, spent);
      await generations.deleteInputs(id);
      const status = batch.webhook === null ? 'completed' : 'ended';
      await batches.update({ id, status: 'open' }, { status, completedAt: Date.now() });
    }
    if (batch.webhook === null) return true;
    await this.#announce({ ...batch, status: 'completed' }, ended);
    await batches.update({ id, status: 'ended' }, { status: 'completed' });
    return true;
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
