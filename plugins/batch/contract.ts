import type { Account } from '../../src/plugin.ts';
import type { DocumentRequest, Generation, PlannedGeneration } from '../render/contract.ts';

/** A batch as it is stored. Times are epoch milliseconds. */
export interface Batch {
  id: string;
  accountId: string;
  /**
   * `open` until every item has ended and the quota is settled; `ended` while its webhook is still to be stored, which callers see as
   * `completed`; `abandoned` stands in the place of one that was never accepted.
   */
  status: 'open' | 'ended' | 'completed' | 'abandoned';
  /** In the order of the items. */
  generations: readonly PlannedGeneration[];
  webhook: string | null;
  /** The place of its first item in the queue, the others follow it: its items keep their turns, whoever stores their jobs, and when. */
  firstPlace: number;
  /** The month from which its units of quota are held. */
  usageId: string;
  /** Unique in an account, for 24 hours from `createdAt`. */
  idempotencyKey: string | null;
  createdAt: number;
  completedAt: number | null;
}

/** A batch and what became of its items, in their order. */
export interface BatchProgress {
  batch: Batch;
  generations: readonly Generation[];
}

/** What a caller submits. */
export interface BatchRequest {
  account: Account;
  items: readonly DocumentRequest[];
  webhook: string | null;
  idempotencyKey: string | null;
}

/** What the batch plugin does for others. */
export interface BatchService {
  /**
   * Accepts a batch: when the promise resolves, each item will be made once, whatever dies. Quota is taken for all or none.
   * `replayed` tells that a batch with this idempotency key was accepted within 24 hours before; it is the one that is returned.
   * @throws {AppError} VALIDATION_ERROR that names the item and the field; USAGE_LIMIT_EXCEEDED.
   */
  submit(request: BatchRequest): Promise<{ batch: Batch; replayed: boolean }>;
  /** Finds the batch that an account submitted with a key within the last 24 hours. */
  findByKey(accountId: string, idempotencyKey: string): Promise<Batch | null>;
  /** Reads a batch of an account. @throws {AppError} NOT_FOUND, the same for another account's. */
  get(accountId: string, id: string): Promise<BatchProgress>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    batch: BatchService;
  }
}
