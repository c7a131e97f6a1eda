import type { Collection, PluginContext, Quota, Webhooks } from '../../src/plugin.ts';
import type { QueuedGenerations } from '../render/contract.ts';
import type { Chunks } from './bulk/chunks.ts';
import type { Batch } from './contract.ts';

/** The services that batches need. */
export interface BatchParts {
  batches: Collection<Batch>;
  items: QueuedGenerations;
  /** The jobs that make the items, by the id of the generation. */
  queue: ReturnType<PluginContext<unknown, object, never, never>['jobs']['define']>;
  quota: Quota;
  webhooks: Webhooks;
  /** The items of bulk batches that are still to be put into the queue. */
  chunks: Pick<Chunks, 'isWaiting' | 'delete'>;
  /**
   * Stores the job that puts items of a bulk batch into the queue, and the one that makes its archive or PDF.
   */
  bulkJobs: {
    refill(batchId: string, accountId: string, unfinished: number): Promise<void>;
    ensureExpanding(batch: Batch): Promise<void>;
    ensureResult(batch: Batch): Promise<void>;
  };
  /** Returns the link to the archive or merged PDF of a batch. */
  linkResult(batch: Batch): Promise<string | null>;
  /** The maximum number of items of one account that may be queued. */
  maxQueuedItems: number;
}
