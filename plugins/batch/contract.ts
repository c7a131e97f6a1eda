import type { Account, Listed, Page } from '../../src/plugin.ts';
import type { DocumentRequest, Generation, PlannedGeneration } from '../render/contract.ts';

/** A batch as it is stored. Times are epoch milliseconds. */
export interface Batch {
  id: string;
  accountId: string;
  /**
   * `open` until every item has ended and the quota is settled; `ended` until the delivery of its webhook is
   * stored (callers see `completed`); `abandoned` for a batch that was never accepted.
   */
  status: 'open' | 'ended' | 'completed' | 'abandoned';
  /** In the order of the items. */
  generations: readonly PlannedGeneration[];
  webhook: string | null;
  /**
   * The queue position of the first item; the others follow. It is stored so that items keep their positions
   * when a sweep adds their jobs.
   */
  firstPlace: number;
  /** Identifies the month in which its quota is reserved. */
  usageId: string;
  /** Unique per account, for 24 hours from `createdAt`. */
  idempotencyKey: string | null;
  /** The keyed hash of the request; absent without a key. */
  requestDigest?: string | null;
  createdAt: number;
  completedAt: number | null;
  /**
   * When the caller canceled it; absent or `null` otherwise. Its queued items are then canceled; after a
   * crash, a sweep cancels them.
   */
  canceledAt?: number | null;
  /** True if it was submitted with a test key; absent otherwise. */
  test?: true | null;
  /** When its last item ended; until its event is stored. */
  unreportedAt?: number | null;
}

/** A batch and its generations, in the order of the items. */
export interface BatchProgress {
  batch: Batch;
  generations: readonly Generation[];
}

/** A batch with the number of its items by status. All other items are queued. */
export interface BatchSummary {
  batch: Batch;
  processing: number;
  completed: number;
  failed: number;
  canceled: number;
}

/** Options of a list of batches. */
export interface BatchFilter extends Page {
  /** Only batches for test keys, or only others. */
  test?: boolean | undefined;
}

/** A request for a batch. */
export interface BatchRequest {
  account: Account;
  items: readonly DocumentRequest[];
  webhook: string | null;
  idempotencyKey: string | null;
  requestDigest?: string | undefined;
}

/** The service of the batch plugin. */
export interface BatchService {
  /**
   * Accepts a batch. Once the promise resolves, every item is made exactly once, even after crashes. Reserves
   * quota for all items or none; none for items whose `properties` are those of a test key. `replayed` is
   * true when a batch with this idempotency key was accepted in the past 24 hours; then that batch is
   * returned.
   * @throws {AppError} VALIDATION_ERROR that names the item and the field; USAGE_LIMIT_EXCEEDED; RATE_LIMITED
   * when the account has too many queued items.
   */
  submit(request: BatchRequest): Promise<{ batch: Batch; replayed: boolean }>;
  /** Finds the batch that an account submitted with a key in the past 24 hours. */
  findByKey(accountId: string, idempotencyKey: string): Promise<Batch | null>;
  /** Reads a batch of an account. @throws {AppError} NOT_FOUND, also for a batch of another account. */
  get(accountId: string, id: string): Promise<BatchProgress>;
  /** Lists the batches of an account, newest first, then by id. */
  list(accountId: string, filter: BatchFilter): Promise<Listed<BatchSummary>>;
  /**
   * Cancels the items of a batch that are still queued and releases their quota. Items that are being made
   * are finished. Does nothing if the batch has ended or is canceled.
   * @throws {AppError} NOT_FOUND, also for a batch of another account.
   */
  cancel(accountId: string, id: string): Promise<BatchProgress>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    batch: BatchService;
  }
}
