import {
  AppError,
  DuplicateKeyError,
  newId,
  notFound,
  type Account,
  type Quota,
  findPage,
  mapListed,
} from '../../src/plugin.ts';
import { ofMode } from '../files/exports.ts';
import type { Batch, BatchProgress, BatchRequest, BatchService } from './contract.ts';
import { KEY_LIFETIME_MS } from './idempotency-key.ts';
import type { BatchParts } from './batch-parts.ts';
import { isCanceled } from './is-canceled.ts';
import { listItems } from './items.ts';
import { planAll } from './plan.ts';
import { countGenerations } from './present.ts';
import { summarize } from './summarize.ts';

/** The prefix of the ids of batches. */
export const ID_PREFIX = 'batch_';

/**
 * How far in the past the queue positions begin when the queue is empty: more milliseconds than an account
 * can have queued items.
 */
const POSITIONS_MS = 1_000_000;

/**
 * How often, and at which interval, {@link findConcurrent} looks for the record of a batch that reserved the
 * last units of quota.
 */
const CONCURRENT_LOOKUPS = 10;
const CONCURRENT_LOOKUP_MS = 100;

/** How long a caller whose items fill the queue should wait before the next attempt. */
const FULL_QUEUE_PAUSE_SECONDS = 10;

/**
 * Creates the service. A crash at any point of accepting a batch leaves either a batch that will be finished
 * or no batch, because the writes have this order:
 *
 * 1. The quota is reserved under the id of the batch; no units for a test key. From here on, the quota's
 * sweep finds a batch that was never accepted and abandons it (`completion.ts`).
 * 2. The requests of the items are stored, a few megabytes at a time. No caller can see them.
 * 3. The record of the batch is inserted. Its unique id and idempotency key accept the batch. It names
 * everything still to be stored.
 * 4. The generations and then the jobs are stored. Both are derived from the record, so any process can store
 * them again
 *    ({@link storeMissing}).
 *
 * `finish` cancels the queued items of a canceled batch, and ends a batch whose items have ended.
 */
export function createBatchService(
  parts: BatchParts,
  finish: (batchId: string) => Promise<void>,
): BatchService {
  const { batches, items, queue, quota, webhooks, maxQueuedItems } = parts;
  /** The batches that this process is accepting, by account and key. */
  const accepting = new Map<string, Promise<Batch>>();

  async function accept(request: BatchRequest): Promise<{ batch: Batch; replayed: boolean }> {
    const { account, webhook, idempotencyKey } = request;
    if (webhook !== null) webhooks.check('webhook', webhook);
    const inputs = await planAll(items, account.id, request.items);
    const isTest = inputs.some(({ planned }) => planned.test === true);
    const queued = await items.countQueued(account.id);
    if (queued + inputs.length > maxQueuedItems) {
      throw new AppError(
        'RATE_LIMITED',
        `the account has ${queued} queued items; ${inputs.length} more would exceed the limit of ${maxQueuedItems}`,
        { retryAfterSeconds: FULL_QUEUE_PAUSE_SECONDS },
      );
    }
    const front = await frontOf(queue);
    const id = newId(ID_PREFIX);
    let reservation: Awaited<ReturnType<Quota['reserve']>>;
    try {
      reservation = await quota.reserve(account, id, isTest ? 0 : inputs.length);
    } catch (error) {
      const concurrent = await findConcurrent(account, idempotencyKey);
      if (concurrent) return { batch: concurrent, replayed: true };
      throw error;
    }
    const batch: Batch = {
      id,
      accountId: account.id,
      status: 'open',
      generations: inputs.map(({ planned }) => planned),
      webhook,
      firstPlace: front + queued,
      usageId: reservation.usageId,
      ...(isTest && { test: true }),
      idempotencyKey,
      ...(request.requestDigest !== undefined && { requestDigest: request.requestDigest }),
      createdAt: Date.now(),
      completedAt: null,
      canceledAt: null,
    };
    try {
      await items.storeInputs(id, inputs);
      await batches.insert(batch);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      await items.deleteInputs(id);
      await quota.settle(reservation, { completed: 0, failed: 0 });
      return { batch: await findAccepted(batch), replayed: true };
    }
    await items.enqueue(batch);
    await queue.add(
      batch.generations.map((generation) => generation.id),
      (index) => positionOf(batch, index),
      ownerOf(batch),
    );
    return { batch, replayed: false };
  }

  async function find(accountId: string, id: string): Promise<Batch> {
    const batch = await batches.get(id);
    if (batch?.accountId !== accountId) throw notFound('batch');
    return batch;
  }

  async function readProgress(batch: Batch): Promise<BatchProgress> {
    if (batch.bulk) return { ...(await summarize(parts, batch)), generations: [] };
    const generations = await items.ofBatch(batch.id);
    return { batch, ...countGenerations(generations), resultUrl: null, generations };
  }

  /**
   * Returns the accepted batch with the same idempotency key.
   * @throws {AppError} UNAVAILABLE if it does not exist
   */
  async function findAccepted({ accountId, idempotencyKey }: Batch): Promise<Batch> {
    const accepted = idempotencyKey === null ? null : await findByKey(accountId, idempotencyKey);
    if (accepted) return accepted;
    // The id is the duplicate: this process hung for so long that a sweep abandoned the batch.
    throw new AppError('UNAVAILABLE', 'the batch could not be stored in time', { retryAfterSeconds: 1 });
  }

  /**
   * Finds the batch of another replica that reserved quota with the same key, so that both callers get the
   * same response. Waits only while the account holds quota for a batch whose record is not stored yet.
   */
  async function findConcurrent(account: Account, key: string | null): Promise<Batch | null> {
    if (key === null) return null;
    for (let lookup = 1; ; lookup += 1) {
      const begun = (await quota.heldFor(account)).filter((workId) => workId.startsWith(ID_PREFIX));
      const accepted = await batches.count({ id: { in: begun } });
      // Looked up after the count, so that a batch accepted before the count is found.
      const concurrent = await findByKey(account.id, key);
      if (concurrent || accepted === begun.length || lookup === CONCURRENT_LOOKUPS) return concurrent;
      await Bun.sleep(CONCURRENT_LOOKUP_MS);
    }
  }

  async function findByKey(accountId: string, idempotencyKey: string): Promise<Batch | null> {
    const [found] = await batches.find({ where: { accountId, idempotencyKey }, limit: 1 });
    if (!found) return null;
    if (found.createdAt <= Date.now() - KEY_LIFETIME_MS) {
      await batches.update({ id: found.id, idempotencyKey }, { idempotencyKey: null });
      return null;
    }
    // The process that accepted it may have died in step 4. The response promises that the batch is complete.
    if (found.status === 'open') await storeMissing(parts, found);
    return found;
  }

  return {
    findByKey,
    async submit(request) {
      const { account, idempotencyKey } = request;
      if (idempotencyKey === null) return accept(request);
      const name = `${account.id} ${idempotencyKey}`;
      for (let earlier = accepting.get(name); earlier; earlier = accepting.get(name)) {
        const batch = await earlier.catch(() => null);
        if (batch) return { batch, replayed: true };
      }
      const accepted = accept(request);
      const batch = accepted.then((result) => result.batch);
      accepting.set(name, batch);
      await batch.catch(() => {}).finally(() => accepting.delete(name));
      return accepted;
    },
    get: async (accountId, id) => readProgress(await find(accountId, id)),
    items: async (accountId, id, filter) => listItems(parts, await find(accountId, id), filter),
    async cancel(accountId, id) {
      const batch = await find(accountId, id);
      // From here on a sweep completes the cancellation.
      if (batch.status === 'open' && !isCanceled(batch))
        await batches.update({ id, status: 'open' }, { canceledAt: Date.now() });
      await finish(id);
      return readProgress((await batches.get(id)) ?? batch);
    },
    async list(accountId, { test, ...page }) {
      const where = { accountId, ...ofMode(test) };
      const found = await findPage(batches, { where, at: (id) => ({ accountId, id }), page });
      return mapListed(found, (batch) => summarize(parts, batch));
    },
  };
}

/**
 * Returns the queue position of an item, so that accounts take turns: the first item of an account is next in
 * the queue, and each further item that the account has queued comes one position later. Therefore the
 * hundredth item of one account never goes before the second item of an account that came later, however long
 * items take. A position is a time in the past, in milliseconds: it orders the items and delays none.
 */
export function positionOf({ createdAt, firstPlace }: Batch, index: number): number {
  return Math.min(createdAt, firstPlace + index);
}

/** Returns the owner of the jobs of a batch. */
export function ownerOf({ accountId }: Batch) {
  return { account: accountId };
}

/** Returns the queue position of the item that is next. */
export async function frontOf(queue: Pick<BatchParts['queue'], 'nextPosition'>): Promise<number> {
  return (await queue.nextPosition()) ?? Date.now() - POSITIONS_MS;
}

/**
 * Completes an accepted batch after a crash: stores missing generations, and the jobs of generations that
 * have not ended.
 */
export async function storeMissing(
  { items, queue }: Pick<BatchParts, 'items' | 'queue'>,
  batch: Batch,
): Promise<void> {
  // The items of a bulk batch that are not stored have an expansion.
  let stored = await (batch.bulk ? items.openOf(batch.id) : items.ofBatch(batch.id));
  if (stored.length < batch.generations.length) {
    await items.enqueue(batch);
    stored = await items.ofBatch(batch.id);
  }
  const open = stored.filter(({ status }) => status === 'queued' || status === 'processing');
  await queue.ensureQueued(
    open.map(({ id }) => id),
    (index) => positionOf(batch, open[index]?.index ?? index),
    ownerOf(batch),
  );
}
