import {
  FairQueue,
  insertMissing,
  invalid,
  newFileId,
  StoreUnavailableError,
  type Administration,
  type Collection,
  type Deletions,
  type EventBus,
  type FileStore,
  type Log,
  type Sealer,
} from '../../../src/plugin.ts';
import type { BatchPage, DocumentRequest, Generation, QueuedGenerations } from '../contract.ts';
import { DELETED_ITEM, GENERATION } from '../generations/delete-generations.ts';
import type { Delivery } from '../generations/delivery.ts';
import { blankGeneration, contentTypeOf } from '../generations/generation.ts';
import type { ReceiptDraft } from '../receipt/receipt.ts';
import type { Receipts } from '../receipt/receipts.ts';
import { MAX_INPUT_BYTES, type GenerationInput } from './collections.ts';
import type { QueuedJobResult, QueuedRendering } from './rendering.ts';
import { StoredInputs } from './stored-inputs.ts';
import { readRequest, sizeOfRequest } from './stored-request.ts';

/** The services that {@link createQueuedGenerations} uses. */
export interface QueuedParts {
  rendering: QueuedRendering;
  generations: Collection<Generation>;
  receipts: Receipts;
  generationInputs: Collection<GenerationInput>;
  /** Lets the requests that are stored in several pieces take turns. */
  longRequests: FairQueue;
  files: Pick<FileStore, 'delete'>;
  link: Delivery['link'];
  deletions: Pick<Deletions, 'schedule'>;
  events: EventBus;
  sealer: Sealer;
  accounts: Pick<Administration['accounts'], 'get'>;
  /** Stores the event of a generation whose last write has set `unreportedAt`. Nothing waits for it. */
  report: (generation: Generation) => void;
  log: Log;
}

const MAX_ATTEMPTS = 3;
/** Limits the requests stored in several pieces that are in memory at once. */
const LONG_REQUESTS = { key: 'long requests', limit: 2 };
const CANCELED_AT_ONCE = 100;
const OPEN = { in: ['queued', 'processing'] } as const;

type Filter = NonNullable<NonNullable<Parameters<Collection<Generation>['find']>[0]>['where']>;

type InterruptedJob = Extract<QueuedJobResult, { status: 'interrupted' }>;

/** The changes that end a generation. */
type End = Partial<Generation> & { status: 'completed' | 'failed' };

/** The result of an attempt. A failure of the service ends the generation only in the last attempt. */
interface Attempted {
  status: 'ended';
  outcome: End;
  isServiceFault: boolean;
}

/** Creates the queue in which requests that are stored in several pieces take turns. */
export function createLongRequests(): FairQueue {
  return new FairQueue({
    concurrency: LONG_REQUESTS.limit,
    // These limits apply to callers; queued generations wait without a limit.
    queueLimit: 0,
    maxWaitMs: 0,
    busyMessage: '',
  });
}

/**
 * Creates the queued generations of one kind. Claiming a generation writes a new file id into it. An update
 * that ends a generation names the file id that it has read, so a generation ends once, and the PDF of an
 * earlier attempt is never linked.
 */
export function createQueuedGenerations({
  rendering,
  generations,
  receipts,
  longRequests,
  files,
  link,
  deletions,
  events,
  sealer,
  accounts,
  report,
  log,
  ...parts
}: QueuedParts): QueuedGenerations {
  const inputs = new StoredInputs(parts.generationInputs, sealer);
  /** The generations that this process has claimed and could not release yet, with their file ids. */
  const unreleased = new Map<string, string>();

  /**
   * Claims a generation, even from a call that died or hangs. Returns `null` when another call was faster.
   */
  async function claim(before: Generation, fileId: string): Promise<Generation | null> {
    const { id, attempts } = before;
    const claimed = await generations.update(
      { id, attempts, fileId: before.fileId, status: OPEN },
      { status: 'processing', attempts: attempts + 1, fileId },
    );
    if (claimed && before.fileId !== null) await deleteFile(before.fileId);
    return claimed;
  }

  /**
   * Gives a claimed generation back after an interruption: a dependency was unavailable, or this process
   * stopped. The attempt does not count. The same failure may prevent this write; then the next call in this
   * process repeats it.
   */
  async function release(
    id: string,
    { fileId, attempts }: { fileId: string; attempts: number },
  ): Promise<void> {
    await generations.update(
      { id, fileId, attempts, status: 'processing' },
      { status: 'queued', attempts: attempts - 1 },
    );
    unreleased.delete(id);
  }

  /**
   * Puts a claimed generation back into the queue. The attempt counts. Returns false when another call has
   * taken the generation over.
   */
  async function requeue({ id, fileId, attempts }: Generation): Promise<boolean> {
    const claimed = { id, fileId, attempts, status: 'processing' } as const;
    return (await generations.update(claimed, { status: 'queued' })) !== null;
  }

  /** Ends a generation. Returns false when it was ended or claimed by another call. */
  async function end({ id, fileId }: Generation, outcome: End, receipt = receipts.begin()): Promise<boolean> {
    const change = { ...outcome, unreportedAt: Date.now() };
    const ended = await generations.update({ id, fileId, status: OPEN }, change);
    if (ended === null) return false;
    report(ended);
    if (outcome.status === 'failed' && fileId !== null) await deleteFile(fileId);
    await Promise.all([inputs.delete(id), receipts.save(id, receipt)]);
    if (outcome.status === 'failed')
      log.warn({ generation: id, reason: errorCodeOf(outcome) }, 'render failed');
    await events.emit(`generation.${outcome.status}`, { generation: ended });
    return true;
  }

  /**
   * Ends a generation that this call has claimed, or deletes the file of this call if another call was first.
   */
  async function endOwn(
    generation: Generation,
    outcome: End,
    receipt: ReceiptDraft | undefined,
  ): Promise<boolean> {
    if (await end(generation, outcome, receipt)) return true;
    if (generation.fileId !== null) await deleteFile(generation.fileId);
    return false;
  }

  /** Deletes a file. A file that cannot be deleted only takes up space. */
  async function deleteFile(fileId: string): Promise<void> {
    await files
      .delete(fileId)
      .catch((error: unknown) => log.warn({ err: error, file: fileId }, 'a file was not deleted'));
  }

  /** Reads the stored request of a generation; `undefined` when it is gone or unreadable. */
  async function readInput(id: string): Promise<DocumentRequest | undefined> {
    return openInput(id, await inputs.read(id));
  }

  /** Reads a request from its stored text, like {@link readInput}. */
  async function openInput(id: string, text: string | undefined): Promise<DocumentRequest | undefined> {
    if (text === undefined) return undefined;
    return readRequest(id, text, sealer).catch((error: unknown) => {
      log.error({ err: error, generation: id }, 'a stored request is unreadable');
      return undefined;
    });
  }

  /**
   * Makes the PDF of a claimed generation. Long requests take turns, because each takes megabytes while it
   * waits for the browser.
   */
  async function make(
    generation: Generation,
    fileId: string,
    receipt: ReceiptDraft | undefined,
  ): Promise<Attempted | InterruptedJob> {
    const { id, accountId: account } = generation;
    const { isLong, text } = await inputs.readShort(id);
    const destination = { fileId, receipt };
    if (!isLong) return makeNow(generation, await openInput(id, text), destination);
    return longRequests.run({ account, urgency: 'batch', resources: [LONG_REQUESTS] }, async () =>
      makeNow(generation, await readInput(id), destination),
    );
  }

  async function makeNow(
    { id, accountId, test }: Generation,
    request: DocumentRequest | undefined,
    { fileId, receipt }: { fileId: string; receipt: ReceiptDraft | undefined },
  ): Promise<Attempted | InterruptedJob> {
    const isTest = test === true;
    const startedAt = Date.now();
    if (request === undefined) {
      const outcome = failed('RENDER_FAILED: the stored request is missing or unreadable');
      return { status: 'ended', outcome, isServiceFault: false };
    }
    const result = await rendering.make({ generationId: id, accountId, isTest, fileId, request, receipt });
    if (result.status === 'interrupted') return result;
    const hasFailed = result.status === 'failed';
    const outcome = {
      ...(hasFailed ? failed(result.error) : result),
      generationTimeMs: Date.now() - startedAt,
    };
    return { status: 'ended', outcome, isServiceFault: hasFailed && result.isServiceFault };
  }

  /**
   * Claims a generation, makes its PDF, and ends it. Returns false when another call has taken the generation
   * over.
   */
  async function attempt(before: Generation): Promise<boolean> {
    const fileId = newFileId(contentTypeOf(before));
    let failure: unknown;
    try {
      const claimed = await claim(before, fileId);
      if (claimed === null) return false;
      const receipt = receipts.begin();
      const result = await make(claimed, fileId, receipt);
      if (result.status === 'interrupted') failure = result.cause;
      else if (!result.isServiceFault || claimed.attempts === MAX_ATTEMPTS)
        return await endOwn(claimed, result.outcome, receipt);
      else if (await requeue(claimed)) throw toRetryError(claimed, result.outcome);
      else return false;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      failure = error;
    }
    unreleased.set(before.id, fileId);
    await release(before.id, { fileId, attempts: before.attempts + 1 }).catch(() => {});
    throw failure;
  }

  return {
    async plan(accountId, given) {
      const { planned, request } = await rendering.plan(accountId, given);
      if (sizeOfRequest(planned.id, request, sealer) > MAX_INPUT_BYTES)
        throw invalid('', `a queued request must have at most ${MAX_INPUT_BYTES} bytes of JSON`);
      return { planned, request };
    },
    storeInputs: (batchId, planned) => inputs.store(batchId, planned),
    countInputs: (ids) => inputs.count(ids),
    readInput: (id) => inputs.read(id),
    readRequest: readInput,
    async enqueue({ id: batchId, accountId, createdAt, generations: planned, firstIndex = 0 }) {
      const drafts = planned.map((generation, place): Generation => {
        const index = firstIndex + place;
        return { ...blankGeneration(generation), accountId, createdAt, status: 'queued', batchId, index };
      });
      // Scheduled before the records are stored, so that no record outlives its lifetime.
      const expiring = drafts.flatMap(({ id, expiresAt }) =>
        typeof expiresAt === 'number' ? [{ id, at: expiresAt }] : [],
      );
      if (expiring.length > 0) await deletions.schedule(GENERATION, expiring);
      const indexes = { gte: firstIndex, lt: firstIndex + drafts.length };
      await insertMissing(generations, drafts, () =>
        generations.find({ where: { batchId, index: indexes } }),
      );
    },
    async complete(id) {
      for (let wasOvertaken = false; ;) {
        const before = await generations.get(id);
        if (before === null || (before.status !== 'queued' && before.status !== 'processing')) {
          unreleased.delete(id);
          return before;
        }
        // This process hung past its lease. Claiming the generation again would cost both calls an attempt.
        if (wasOvertaken && before.status === 'processing') return null;
        const fileId = unreleased.get(id);
        if (fileId !== undefined) {
          await release(id, { fileId, attempts: before.attempts });
        } else if (before.attempts >= MAX_ATTEMPTS) {
          await end(
            before,
            failed(`RENDER_FAILED: the service stopped ${MAX_ATTEMPTS} times while making this PDF`),
          );
        } else if ((await accounts.get(before.accountId))?.suspendedAt) {
          await end(before, failed('FORBIDDEN: the account was suspended before this document was made'));
        } else {
          wasOvertaken = !(await attempt(before));
        }
      }
    },
    ofBatch: async (batchId) =>
      (await generations.find({ where: { batchId } })).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)),
    async pageOf(batchId, { status, offset, limit }) {
      const page = { where: inStatus(batchId, status), order: { index: 'asc' }, offset, limit } as const;
      return Promise.all((await generations.find(page)).map(link));
    },
    openOf: (batchId) => generations.find({ where: { batchId, status: OPEN }, order: { index: 'asc' } }),
    countOf: (batchId, status) => generations.count(inStatus(batchId, status)),
    exists: async (id) => (await generations.count({ id })) > 0,
    count: (batchId, statuses) => generations.count({ batchId, status: { in: statuses } }),
    deletedOf: async (batchId) =>
      (await generations.find({ where: { batchId, ...DELETED_ITEM } })).map(({ id }) => id),
    countQueued: (accountId) => generations.count({ accountId, status: 'queued' }),
    countQueuedRequests: (accountId) => generations.count({ accountId, status: 'queued', batchId: null }),
    async cancel(batchId) {
      for (;;) {
        const waiting = { batchId, status: 'queued' } as const;
        const queued = await generations.find({ where: waiting, limit: CANCELED_AT_ONCE });
        if (queued.length === 0) return;
        // Together, because the embedded database then writes them in one transaction.
        const canceled = await Promise.all(
          queued.map(({ id }) => generations.update({ id, status: 'queued' }, { status: 'canceled' })),
        );
        await Promise.all(canceled.map(async (changed) => changed && inputs.delete(changed.id)));
      }
    },
    deleteInputs: (batchId) => inputs.deleteBatch(batchId),
    deleteInput: (id) => inputs.delete(id),
  };
}

/** Returns the filter of the generations of a batch that have a status. A deleted one has no account. */
function inStatus(batchId: string, status: BatchPage['status']): Filter {
  if (status === undefined) return { batchId };
  return status === 'deleted'
    ? { batchId, ...DELETED_ITEM }
    : { batchId, status, accountId: { gt: DELETED_ITEM.accountId } };
}

/** Describes a failed attempt. */
function toRetryError({ attempts }: Generation, outcome: End): Error {
  return new Error(`attempt ${attempts} of ${MAX_ATTEMPTS} failed: ${errorCodeOf(outcome)}`);
}

/** Returns the code of an error without its message, which may quote the document. */
function errorCodeOf({ error }: End): string | undefined {
  return error?.split(':')[0];
}

function failed(error: string): End {
  return { status: 'failed', error, fileId: null };
}
