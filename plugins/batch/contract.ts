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
  /** Only of a bulk batch, whose `generations` are empty, because they do not fit into one document. */
  bulk?: BulkBatch | null;
  /** The archive or merged PDF of a bulk batch, once it is stored. */
  resultFileId?: string | null;
  /** Why a bulk batch has no archive or merged PDF: `CODE: message`. */
  resultError?: string | null;
  /** How often making the archive or merged PDF has failed. */
  resultFailures?: number;
}

/** The items of a bulk batch, whose data is stored in chunks. */
export interface BulkBatch {
  total: number;
  /** Names its chunks and the request that its items share. Each attempt to accept the batch has another. */
  uploadId: string;
  /** The number of invalid lines that were left out. */
  skipped: number;
  /** The properties of its generations, except their ids and file names. */
  planned: PlannedGeneration;
  /** The template of the file names. */
  fileName: string | null;
  result: 'links' | 'zip' | 'pdf';
  /** The origin of the caller's request, for the link in the webhook. */
  origin: string | null;
}

/** A batch and its generations, in the order of the items. */
export interface BatchProgress extends BatchSummary {
  /** Empty for a bulk batch. */
  generations: readonly Generation[];
}

/** A batch with the number of its items by status. All other items are queued. */
export interface BatchSummary {
  batch: Batch;
  processing: number;
  completed: number;
  failed: number;
  canceled: number;
  /** The link to the archive or merged PDF of a bulk batch; `null` while there is none. */
  resultUrl: string | null;
}

/** An item of a batch. */
export interface BatchItem {
  id: string;
  index: number;
  status: Generation['status'] | 'deleted';
  error: string | null;
  url: string | null;
  fileName: string | null;
  /** The number of warnings about the document. */
  warnings: number;
}

/** The items of a batch to read. */
export interface ItemFilter {
  status?: BatchItem['status'] | undefined;
  limit: number;
  offset: number;
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
  /** Lists the items of a batch, in the order of the file. @throws {AppError} NOT_FOUND */
  items(accountId: string, id: string, filter: ItemFilter): Promise<Listed<BatchItem>>;
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
