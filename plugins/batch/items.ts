import {
  FairQueue,
  insertMissing,
  invalid,
  newId,
  StoreUnavailableError,
  type Administration,
  type Collection,
  type Deletions,
  type EventBus,
  type FileStore,
  type Log,
  type Sealer,
} from '../../src/plugin.ts';
import { blankGeneration, DELETED_ITEM, GENERATION } from '../render/exports.ts';
import type {
  BatchJob,
  BatchJobResult,
  BatchRendering,
  DocumentRequest,
  Generation,
} from '../render/contract.ts';
import { MAX_INPUT_BYTES, type GenerationInput } from './collections.ts';
import type { Batch } from './contract.ts';
import { ItemInputs, type PlannedInput } from './item-inputs.ts';
import { readRequest, sizeOfRequest } from './stored-request.ts';

/** The services that {@link createItems} uses. */
export interface ItemParts {
  rendering: BatchRendering;
  generationInputs: Collection<GenerationInput>;
  files: Pick<FileStore, 'delete'>;
  deletions: Pick<Deletions, 'schedule'>;
  events: EventBus;
  sealer: Sealer;
  accounts: Pick<Administration['accounts'], 'get'>;
  log: Log;
}

/**
 * The items of batches. Each item is a generation that no caller waits for; its request is stored until the generation has ended.
 * Every step is idempotent, so that it can be repeated after a crash.
 */
export interface Items {
  /**
   * Validates a request as `POST /v1/generate` does, and plans its generation. Stores nothing.
   * @throws {AppError} VALIDATION_ERROR with the path of the field in the request.
   */
  plan(request: DocumentRequest): PlannedInput;
  /** Stores the requests of a batch. No caller can see them. */
  storeInputs(batchId: string, inputs: readonly PlannedInput[]): Promise<void>;
  /** Inserts the queued generations of a batch. Existing generations stay as they are. */
  enqueue(batch: Pick<Batch, 'id' | 'accountId' | 'createdAt' | 'generations'>): Promise<void>;
  /**
   * Makes a generation, stores its PDF, and ends the generation. When several calls make the same generation, exactly one ends it. Does
   * nothing if it has ended. After three attempts that died with their process or in which the service failed, or when its account is
   * suspended, the generation fails.
   * Returns the ended generation; `null` when it does not exist, or when another call has taken it over.
   * @throws when the service fails, the store, the file store or the browser is unavailable, or this process stops. Call it again later.
   */
  complete(id: string): Promise<Generation | null>;
  /** Reads the generations of a batch, in the order of its items. */
  ofBatch(batchId: string): Promise<Generation[]>;
  /** Counts the generations of a batch that have one of the statuses. */
  count(batchId: string, statuses: readonly Generation['status'][]): Promise<number>;
  /** Reads the ids of the generations of a batch that have been deleted. */
  deletedOf(batchId: string): Promise<string[]>;
  /** Reads the account of a generation; `undefined` when the generation does not exist, `''` for a deleted item. */
  accountOf(id: string): Promise<string | undefined>;
  /** Counts the queued generations of an account. */
  countQueued(accountId: string): Promise<number>;
  /** Cancels the queued generations of a batch. */
  cancel(batchId: string): Promise<void>;
  /** Deletes the stored requests of a batch. */
  deleteInputs(batchId: string): Promise<void>;
}

const MAX_ATTEMPTS = 3;
/** Limits the requests stored in several pieces that are in memory at once. */
const LONG_REQUESTS = { key: 'long requests', limit: 2 };
const OPEN = { in: ['queued', 'processing'] } as const;

type ReceiptDraft = NonNullable<BatchJob['receipt']>;
type InterruptedJob = Extract<BatchJobResult, { status: 'interrupted' }>;

/** The changes that end a generation. */
type End = Partial<Generation> & { status: 'completed' | 'failed' };

/** The result of an attempt. A failure of the service ends the generation only in the last attempt. */
interface Attempted {
  status: 'ended';
  outcome: End;
  isServiceFault: boolean;
}

/**
 * Creates the items of batches. A claim writes a new file id into the generation. An update that ends a generation names the file id that it
 * has read, so a generation ends once, and the PDF of an earlier attempt is never linked.
 */
export function createItems({
  rendering,
  files,
  deletions,
  events,
  sealer,
  accounts,
  log,
  ...parts
}: ItemParts): Items {
  const { generations, receipts } = rendering;
  const inputs = new ItemInputs(parts.generationInputs, sealer);
  const longRequests = new FairQueue({
    concurrency: LONG_REQUESTS.limit,
    // These limits apply to callers; batches wait without a limit.
    queueLimit: 0,
    maxWaitMs: 0,
    busyMessage: '',
  });
  /** Claims of this process that could not be released yet: the file id of the claim, by generation. */
  const unreleased = new Map<string, string>();

  /** Claims a generation, even from a call that died or hangs. Returns `null` when another call was faster. */
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
   * Undoes a claim after an interruption: a dependency was unavailable, or this process stopped. The attempt does not count. The same
   * failure may prevent this write; then the next call in this process repeats it.
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

  /** Puts a claimed generation back into the queue. The attempt counts. Returns false when another call has taken the generation over. */
  async function requeue({ id, fileId, attempts }: Generation): Promise<boolean> {
    const claimed = { id, fileId, attempts, status: 'processing' } as const;
    return (await generations.update(claimed, { status: 'queued' })) !== null;
  }

  /** Ends a generation. Returns false when it was ended or claimed by another call. */
  async function end({ id, fileId }: Generation, outcome: End, receipt = receipts.begin()): Promise<boolean> {
    const ended = await generations.update({ id, fileId, status: OPEN }, outcome);
    if (ended === null) return false;
    if (outcome.status === 'failed' && fileId !== null) await deleteFile(fileId);
    await Promise.all([inputs.delete(id), receipts.save(id, receipt)]);
    if (outcome.status === 'failed')
      log.warn({ generation: id, reason: errorCodeOf(outcome) }, 'render failed');
    await events.emit(`generation.${outcome.status}`, { generation: ended });
    return true;
  }

  /** Ends a generation that this call has claimed, or deletes the file of this call if another call was first. */
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
    const input = await inputs.read(id);
    if (input === undefined) return undefined;
    return readRequest(id, input, sealer).catch((error: unknown) => {
      log.error({ err: error, generation: id }, 'a stored request is unreadable');
      return undefined;
    });
  }

  /** Makes the PDF of a claimed generation. Long requests take turns, because each takes megabytes while it waits for the browser. */
  async function make(
    generation: Generation,
    fileId: string,
    receipt: ReceiptDraft | undefined,
  ): Promise<Attempted | InterruptedJob> {
    const work = () => makeNow(generation, fileId, receipt);
    if (!(await inputs.isLong(generation.id))) return work();
    const { accountId: account } = generation;
    return longRequests.run({ account, urgency: 'batch', resources: [LONG_REQUESTS] }, work);
  }

  async function makeNow(
    { id, accountId }: Generation,
    fileId: string,
    receipt: ReceiptDraft | undefined,
  ): Promise<Attempted | InterruptedJob> {
    const startedAt = Date.now();
    const request = await readInput(id);
    if (request === undefined) {
      const outcome = failed('RENDER_FAILED: the stored request of this item is missing or unreadable');
      return { status: 'ended', outcome, isServiceFault: false };
    }
    const result = await rendering.make({ generationId: id, accountId, fileId, request, receipt });
    if (result.status === 'interrupted') return result;
    const hasFailed = result.status === 'failed';
    const outcome = {
      ...(hasFailed ? failed(result.error) : result),
      generationTimeMs: Date.now() - startedAt,
    };
    return { status: 'ended', outcome, isServiceFault: hasFailed && result.isServiceFault };
  }

  /** Claims a generation, makes its PDF, and ends it. Returns false when another call has taken the generation over. */
  async function attempt(before: Generation): Promise<boolean> {
    const fileId = newId('file_');
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
    plan(request) {
      const planned = rendering.plan(request);
      if (sizeOfRequest(planned.id, request, sealer) > MAX_INPUT_BYTES)
        throw invalid('', `must be at most ${MAX_INPUT_BYTES} bytes of JSON`);
      return { planned, request };
    },
    storeInputs: (batchId, planned) => inputs.store(batchId, planned),
    async enqueue({ id: batchId, accountId, createdAt, generations: planned }) {
      const drafts = planned.map((generation, index): Generation => {
        return { ...blankGeneration(generation), accountId, createdAt, status: 'queued', batchId, index };
      });
      // Scheduled before the records are stored, so that no record outlives its lifetime.
      const expiring = drafts.flatMap(({ id, expiresAt }) =>
        typeof expiresAt === 'number' ? [{ id, at: expiresAt }] : [],
      );
      if (expiring.length > 0) await deletions.schedule(GENERATION, expiring);
      await insertMissing(generations, drafts, () => generations.find({ where: { batchId } }));
    },
    async complete(id) {
      for (let lostClaim = false; ;) {
        const before = await generations.get(id);
        if (before === null || (before.status !== 'queued' && before.status !== 'processing')) {
          unreleased.delete(id);
          return before;
        }
        // This process hung past its lease. Claiming the generation again would cost both calls an attempt.
        if (lostClaim && before.status === 'processing') return null;
        const fileId = unreleased.get(id);
        if (fileId !== undefined) {
          await release(id, { fileId, attempts: before.attempts });
        } else if (before.attempts >= MAX_ATTEMPTS) {
          await end(
            before,
            failed(`RENDER_FAILED: the service stopped ${MAX_ATTEMPTS} times while making this PDF`),
          );
        } else if ((await accounts.get(before.accountId))?.suspendedAt) {
          await end(before, failed('FORBIDDEN: the account was suspended before this item was made'));
        } else {
          lostClaim = !(await attempt(before));
        }
      }
    },
    ofBatch: async (batchId) =>
      (await generations.find({ where: { batchId } })).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)),
    count: (batchId, statuses) => generations.count({ batchId, status: { in: statuses } }),
    deletedOf: async (batchId) =>
      (await generations.find({ where: { batchId, ...DELETED_ITEM } })).map(({ id }) => id),
    accountOf: async (id) => (await generations.get(id))?.accountId,
    countQueued: (accountId) => generations.count({ accountId, status: 'queued' }),
    async cancel(batchId) {
      for (;;) {
        const canceled = await generations.update({ batchId, status: 'queued' }, { status: 'canceled' });
        if (canceled === null) return;
        await inputs.delete(canceled.id);
      }
    },
    deleteInputs: (batchId) => inputs.deleteBatch(batchId),
  };
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
