import {
  AppError,
  DuplicateKeyError,
  newId,
  notFound,
  type Account,
  type Collection,
  type JobOwner,
  type JobQueue,
  type Quota,
  type Reservation,
  type Webhooks,
} from '../../src/plugin.ts';
import type { BackgroundGenerations } from '../render/contract.ts';
import type { Batch, BatchRequest, BatchService } from './contract.ts';
import { KEY_LIFETIME_MS } from './idempotency-key.ts';
import { planAll } from './plan.ts';

/** What the service works with. */
export interface BatchParts {
  batches: Collection<Batch>;
  generations: BackgroundGenerations;
  /** Jobs by the id of the generation. */
  queue: JobQueue;
  quota: Quota;
  webhooks: Webhooks;
  /** How many items of one account may wait. */
  maxQueuedItems: number;
}

const ID_PREFIX = 'batch_';

/** How far back the places begin when nothing waits: longer than the longest queue of an account has items, at a millisecond each. */
const PLACES_MS = 1_000_000;

/** How often the record of the one who took the last units of quota with the same key is looked for, and how long between. */
const RIVAL_LOOKS = 10;
const RIVAL_LOOK_MS = 100;

/** When a caller whose items fill the queue may try again. */
const FULL_QUEUE_PAUSE_SECONDS = 10;

/**
 * Accepts batches. The order of the writes makes a batch that is whole or none at all of whatever a crash leaves:
 *
 * 1. The hold of quota, under the batch's id. From here on a sweep finds what was begun ({@link abandon}).
 * 2. What the items are made from, a few megabytes at a time. Nobody sees it: an item shows in no list before its batch is accepted.
 * 3. The batch's record, which accepts it, by its unique id and idempotency key. It names all that is still to be stored.
 * 4. Generations, then jobs: derived from the record, so that whoever comes by may store them again ({@link store}).
 */
export function createBatchService(parts: BatchParts): BatchService {
  const { batches, generations, queue, quota, webhooks, maxQueuedItems } = parts;
  /** Batches that are being accepted here, by account and key. */
  const underWay = new Map<string, Promise<Batch>>();

  async function accept(request: BatchRequest): Promise<{ batch: Batch; replayed: boolean }> {
    const { account, webhook, idempotencyKey } = request;
    if (webhook !== null) webhooks.check('webhook', webhook);
    const inputs = await planAll(generations, request.items);
    const queued = await generations.countQueued(account.id);
    if (queued + inputs.length > maxQueuedItems) {
      throw new AppError(
        'RATE_LIMITED',
        `${queued} items of this account wait already; with ${inputs.length} more they would be over ${maxQueuedItems}`,
        { retryAfterSeconds: FULL_QUEUE_PAUSE_SECONDS },
      );
    }
    const front = (await queue.front()) ?? Date.now() - PLACES_MS;
    const id = newId(ID_PREFIX);
    let reservation: Reservation;
    try {
      reservation = await quota.reserve(account, id, inputs.length);
    } catch (error) {
      const rival = await findRival(account, idempotencyKey);
      if (rival) return { batch: rival, replayed: true };
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
      idempotencyKey,
      createdAt: Date.now(),
      completedAt: null,
    };
    try {
      await generations.storeInputs(id, inputs);
      await batches.insert(batch);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      await generations.deleteInputs(id);
      await quota.settle(reservation, 0);
      return { batch: await winner(batch), replayed: true };
    }
    await generations.enqueue(batch);
    await queue.add(
      batch.generations.map((generation) => generation.id),
      (index) => placeOf(batch, index),
      ownerOf(batch),
    );
    return { batch, replayed: false };
  }

  /** Finds the batch that took the key first. */
  async function winner({ accountId, idempotencyKey }: Batch): Promise<Batch> {
    const won = idempotencyKey === null ? null : await findByKey(accountId, idempotencyKey);
    if (won) return won;
    // The id itself was taken: this process hung for so long that a sweep gave the batch up.
    throw new AppError('UNAVAILABLE', 'the batch could not be stored in time', { retryAfterSeconds: 1 });
  }

  /**
   * Finds the batch of another replica that took units with the same key, so that both callers get the same answer. There is
   * something to wait for only while somebody has units for a batch that has no record yet.
   */
  async function findRival(account: Account, key: string | null): Promise<Batch | null> {
    if (key === null) return null;
    for (let look = 1; ; look += 1) {
      const begun = (await quota.heldFor(account)).filter((workId) => workId.startsWith(ID_PREFIX));
      const accepted = await batches.count({ id: { in: begun } });
      // After the count: a batch that was accepted before it is found.
      const rival = await findByKey(account.id, key);
      if (rival || accepted === begun.length || look === RIVAL_LOOKS) return rival;
      await Bun.sleep(RIVAL_LOOK_MS);
    }
  }

  async function findByKey(accountId: string, idempotencyKey: string): Promise<Batch | null> {
    const [found] = await batches.find({ where: { accountId, idempotencyKey }, limit: 1 });
    if (!found) return null;
    if (found.createdAt <= Date.now() - KEY_LIFETIME_MS) {
      await batches.update({ id: found.id, idempotencyKey }, { idempotencyKey: null });
      return null;
    }
    // Whoever accepted it may have died before it was whole; the answer promises that it is.
    if (found.status === 'open') await store(parts, found);
    return found;
  }

  return {
    findByKey,
    async submit(request) {
      const { account, idempotencyKey } = request;
      if (idempotencyKey === null) return accept(request);
      const name = `${account.id} ${idempotencyKey}`;
      for (let before = underWay.get(name); before; before = underWay.get(name)) {
        const batch = await before.catch(() => null);
        if (batch) return { batch, replayed: true };
      }
      const accepting = accept(request);
      const accepted = accepting.then(({ batch }) => batch);
      underWay.set(name, accepted);
      await accepted.catch(() => {}).finally(() => underWay.delete(name));
      return accepting;
    },
    async get(accountId, id) {
      const batch = await batches.get(id);
      if (batch?.accountId !== accountId) throw notFound('batch');
      return { batch, generations: await generations.ofBatch(id) };
    },
  };
}

/**
 * Gives each item of a batch its place in the queue, so that accounts take turns: the first item of an account goes beside whatever is
 * next, each one that the account has queued before it goes a place later. Nobody's hundredth item goes before the second of
 * somebody who came after it, however long items take. Places are past times, a millisecond each: they order items and hold none back.
 */
function placeOf({ createdAt, firstPlace }: Batch, index: number): number {
  return Math.min(createdAt, firstPlace + index);
}

/** The jobs of a batch count for its account. */
function ownerOf({ accountId }: Batch): JobOwner {
  return { account: accountId };
}

/** Stores what an accepted batch lacks: generations that have no record, jobs of those that have not ended. */
export async function store({ generations, queue }: BatchParts, batch: Batch): Promise<void> {
  let stored = await generations.ofBatch(batch.id);
  if (stored.length < batch.generations.length) {
    await generations.enqueue(batch);
    stored = await generations.ofBatch(batch.id);
  }
  const open = stored.filter(({ status }) => status === 'queued' || status === 'processing');
  await queue.restore(
    open.map(({ id }) => id),
    (index) => placeOf(batch, open[index]?.index ?? index),
    ownerOf(batch),
  );
}
