import { makeZip } from 'client-zip';
import {
  AppError,
  explainTaskFailure,
  FileNotFoundError,
  LINK_LIFETIME_MS,
  newFileId,
  type Deletions,
  type FileStore,
  type Log,
  type PluginContext,
  type TaskClient,
} from '../../../src/plugin.ts';
import type { Generation } from '../../render/contract.ts';
import type { Batch, BulkBatch } from '../contract.ts';
import { isCanceled } from '../is-canceled.ts';
import type { BatchParts } from '../batch-parts.ts';
import type { MergedItem } from './result-task.ts';

type Jobs = PluginContext<unknown, object, never, never>['jobs'];

/** The services that {@link BulkResults} uses. */
export interface ResultParts extends Pick<BatchParts, 'batches' | 'items'> {
  files: Pick<FileStore, 'get' | 'put' | 'delete' | 'link'>;
  tasks: Pick<TaskClient<typeof import('./result-task.ts')>, 'mergeItems'>;
  deletions: Pick<Deletions, 'register' | 'schedule'>;
  /** Ends a batch whose items have ended. */
  finish: (batchId: string) => Promise<void>;
  jobs: Pick<Jobs, 'define'>;
  log: Log;
}

const FINAL_CODES: readonly string[] = ['VALIDATION_ERROR', 'INTERNAL_ERROR'];

const DELETION = 'batch-result';
const PAGE_SIZE = 100;
/** The limits of a merged PDF: those of other merged PDFs. */
const MAX_PDF_BYTES = 150_000_000;
const MAX_PAGES = 50_000;
/** Programs without Zip64 read archives of up to 4 GiB. */
const MAX_ZIP_BYTES = 4_000_000_000;
/** With the pauses between the attempts of a job, the last failure comes about a quarter of an hour later. */
const MAX_FAILURES = 20;
const MERGE_TIMEOUT_MS = 180_000;
const MERGE_FAILURES = {
  deadline: `merging the documents takes longer than ${MERGE_TIMEOUT_MS / 1000} s; use "zip"`,
  memory: 'merging the documents exceeds the memory limit; use "zip"',
  waiting: 'PDFs',
  failed: 'the documents could not be merged',
  path: 'result',
};
/** The earliest date of the format. It is fixed, so that a repeated attempt makes the same archive. */
const MODIFIED_AT = new Date(1980, 0, 1);

/** A document of a batch. */
interface MadeItem {
  fileId: string;
  name: string;
  sizeBytes: number;
  pages: number;
}

/**
 * Makes the archives and merged PDFs of bulk batches whose items have ended. Each attempt stores a file of
 * its own; the record of the batch takes the first, and the files of other attempts are deleted.
 */
export class BulkResults {
  readonly #parts: ResultParts;
  readonly #queue: ReturnType<Jobs['define']>;

  constructor(parts: ResultParts) {
    this.#parts = parts;
    this.#queue = parts.jobs.define({
      name: 'batch.result',
      concurrency: 1,
      run: (batchId) => this.run(batchId),
    });
    parts.deletions.register(DELETION, (ids) => this.#deleteExpired(ids));
  }

  /** Stores the job that makes the result of a batch, unless it exists. */
  async ensureQueued({ id, accountId }: Pick<Batch, 'id' | 'accountId'>): Promise<void> {
    await this.#queue.ensureQueued([id], Date.now(), { account: accountId });
  }

  /** Returns a link to the result of a batch; `null` if there is none. */
  async link({ bulk, resultFileId = null, status }: Batch): Promise<string | null> {
    if (!bulk || resultFileId === null || status === 'open') return null;
    const expiresAt = Math.min(Date.now() + LINK_LIFETIME_MS, bulk.planned.expiresAt ?? Infinity);
    return this.#parts.files.link(resultFileId, { expiresAt, fileName: `batch.${bulk.result}` });
  }

  /** Deletes the result of a batch, because a document in it was deleted. */
  async deleteWith(batchId: string): Promise<void> {
    const { batches, files } = this.#parts;
    const batch = await batches.get(batchId);
    // A job that is making the result sees that a document was deleted.
    if (!batch?.resultFileId) return;
    const { accountId, resultFileId } = batch;
    // The result of an open batch is made again without the document.
    if (await batches.update({ id: batchId, status: 'open', resultFileId }, { resultFileId: null })) {
      await this.#queue.runNow([batchId], { account: accountId });
      return files.delete(resultFileId);
    }
    await files.delete(resultFileId);
    const resultError =
      'RESULT_DELETED: a document of the batch was deleted, and therefore the file with all';
    await batches.update({ id: batchId }, { resultFileId: null, resultError });
  }

  async run(batchId: string): Promise<void> {
    const { batches, finish } = this.#parts;
    const batch = await batches.get(batchId);
    if (!batch?.bulk || batch.status !== 'open') return;
    if (!isCanceled(batch) && !batch.resultFileId && !batch.resultError) await this.#make(batch, batch.bulk);
    await finish(batchId);
  }

  async #make(batch: Batch, bulk: BulkBatch): Promise<void> {
    const { id } = batch;
    const { batches, items, files, deletions } = this.#parts;
    const deletedBefore = await items.countOf(id, 'deleted');
    const fileId = newFileId(bulk.result === 'zip' ? 'application/zip' : 'application/pdf');
    const error = await this.#store(fileId, id, bulk).catch((cause: unknown) => this.#fail(batch, cause));
    const { expiresAt } = bulk.planned;
    // Scheduled first, so that no file outlives its lifetime.
    if (expiresAt !== null) await deletions.schedule(DELETION, [{ id, at: expiresAt }]);
    const undecided = {
      id,
      status: 'open',
      canceledAt: null,
      resultFileId: null,
      resultError: null,
    } as const;
    const change =
      error === undefined ? { resultFileId: fileId } : { resultError: `RESULT_FAILED: ${error}` };
    const taken = await batches.update(undecided, change);
    if (!taken || error !== undefined) return files.delete(fileId);
    if ((await items.countOf(id, 'deleted')) === deletedBefore) return;
    // The file may contain a document that has been deleted since.
    await batches.update({ id, resultFileId: fileId }, { resultFileId: null });
    await files.delete(fileId);
    throw new Error('a document was deleted while the result of its batch was made');
  }

  /** Returns the message of a failure that ends the attempts. Throws another one, so that the job repeats. */
  async #fail({ id, resultFailures = 0 }: Batch, cause: unknown): Promise<string> {
    const { batches, log } = this.#parts;
    const failures = resultFailures + 1;
    // A later attempt would fail as well: the documents exceed a limit, or the merge has a fault.
    const isFinal = cause instanceof AppError && FINAL_CODES.includes(cause.code);
    if (!isFinal && failures < MAX_FAILURES) {
      await batches.update({ id, status: 'open' }, { resultFailures: failures });
      throw cause;
    }
    log.warn({ err: cause, batch: id }, 'the result of a batch was not made');
    return isFinal ? cause.message : 'the file could not be stored';
  }

  /** Stores the result. Returns why there is none. */
  async #store(fileId: string, batchId: string, bulk: BulkBatch): Promise<string | undefined> {
    if ((await this.#parts.items.countOf(batchId, 'completed')) === 0) return 'no document was made';
    if (bulk.result === 'zip') {
      let bytes = 0;
      for await (const { sizeBytes } of this.#made(batchId, bulk)) bytes += sizeBytes;
      if (bytes > MAX_ZIP_BYTES) return `the archive would have more than ${MAX_ZIP_BYTES} bytes`;
      await this.#parts.files.put(fileId, makeZip(this.#entries(batchId, bulk)));
      return undefined;
    }
    const pdf = await this.#merge(batchId, bulk);
    if (typeof pdf === 'string') return pdf;
    await this.#parts.files.put(fileId, pdf);
    return undefined;
  }

  /** Yields the entries of the archive. A file is opened when the ones before it are written. */
  async *#entries(batchId: string, bulk: BulkBatch) {
    for await (const { fileId, name } of this.#made(batchId, bulk)) {
      const file = await this.#open(fileId);
      if (file) yield { name, lastModified: MODIFIED_AT, input: file.stream };
    }
  }

  /** Merges the documents in the sandbox, which reads those that are on a disk of this machine itself. */
  async #merge(batchId: string, bulk: BulkBatch): Promise<Uint8Array | string> {
    const items: MergedItem[] = [];
    let [bytes, pages] = [0, 0];
    for await (const made of this.#made(batchId, bulk)) {
      bytes += made.sizeBytes;
      pages += made.pages;
      if (bytes > MAX_PDF_BYTES || pages > MAX_PAGES)
        return `the merged PDF would have more than ${MAX_PDF_BYTES} bytes or ${MAX_PAGES} pages; use "zip"`;
      const file = await this.#open(made.fileId);
      if (!file) continue;
      const title = made.name.slice(0, -'.pdf'.length);
      if (file.path !== undefined) await file.stream.cancel();
      const pdf = file.path === undefined ? await new Response(file.stream).bytes() : { path: file.path };
      items.push({ pdf, title });
    }
    const merging = this.#parts.tasks.mergeItems({ items }, { timeoutMs: MERGE_TIMEOUT_MS });
    const merged = await merging.catch((error: unknown) => {
      throw explainTaskFailure(error, MERGE_FAILURES);
    });
    return merged.ok
      ? merged.value
      : `${merged.part === undefined ? '' : `${merged.part}: `}${merged.message}`;
  }

  /** Yields the documents of a batch in order, read a page at a time. */
  async *#made(batchId: string, { total }: BulkBatch): AsyncGenerator<MadeItem> {
    for (let offset = 0; ; offset += PAGE_SIZE) {
      const page = { status: 'completed', offset, limit: PAGE_SIZE } as const;
      const found = await this.#parts.items.pageOf(batchId, page);
      for (const { generation } of found) yield* madeItem(generation, total);
      if (found.length < PAGE_SIZE) return;
    }
  }

  /** Opens a file; `undefined` if it has been deleted meanwhile. */
  async #open(fileId: string) {
    return this.#parts.files.get(fileId).catch((error: unknown) => {
      if (error instanceof FileNotFoundError) return undefined;
      throw error;
    });
  }

  async #deleteExpired(ids: readonly string[]): Promise<readonly string[]> {
    const { batches, files } = this.#parts;
    const early: string[] = [];
    for (const id of ids) {
      const batch = await batches.get(id);
      if (batch?.status === 'open') early.push(id);
      else if (batch?.resultFileId) {
        await files.delete(batch.resultFileId);
        await batches.update({ id }, { resultFileId: null });
      }
    }
    return early;
  }
}

function* madeItem(
  { index, fileId, fileName, sizeBytes, pages }: Generation,
  total: number,
): Generator<MadeItem> {
  if (fileId === null) return;
  const number = String((index ?? 0) + 1).padStart(String(total).length, '0');
  yield { fileId, name: fileName ?? `${number}.pdf`, sizeBytes: sizeBytes ?? 0, pages: pages ?? 0 };
}
