import { AppError, invalid, newFileId, TimeSlice, type StreamedBodyKind } from '../../../../src/plugin.ts';
import { MAX_BULK_BYTES } from '../schemas.ts';

/** A request body that is read while it arrives. */
export type BodyStream = Parameters<ReturnType<StreamedBodyKind['createStreamReader']>>[0];

/** The maximum number of items of a bulk batch. */
export const MAX_BULK_ITEMS = 10_000;
/** The largest data of an item in bytes. Its request, which is stored, may have 12,000,000. */
export const MAX_ITEM_BYTES = 8_000_000;
/** No file needs more. Each one takes time, although it is not stored. */
const MAX_BLANK_LINES = 100_000;
/** How many invalid lines a response names. */
const MAX_FAULTS = 100;

/** A chunk is stored when it has so many items or bytes. */
const CHUNK_ITEMS = 100;
const CHUNK_BYTES = 2_000_000;
/**
 * Files without a record are deleted 15 minutes after they were stored, so the record must be stored sooner.
 */
const MAX_UPLOAD_MS = 10 * 60_000;

const NEWLINE = Buffer.from('\n');

/** A stored part of the items of a batch: a file with the data of an item per line, as JSON. */
export interface StoredChunk {
  fileId: string;
  items: number;
}

/** A line of the file that is not an item. */
export interface LineFault {
  /** Counted from 1. */
  line: number;
  message: string;
}

/** The items of a body, which are stored. */
export interface ReceivedItems {
  total: number;
  chunks: readonly StoredChunk[];
  /** The number of invalid lines, and the first of them. */
  faultCount: number;
  faults: readonly LineFault[];
  /** The data of the first item. */
  first: Uint8Array | undefined;
  /** Deletes the stored items. */
  discard(): Promise<void>;
}

/** Stores the items of a body while it arrives, in files of a few megabytes. */
export class ItemWriter {
  readonly #files: BodyStream['files'];
  readonly #chunks: StoredChunk[] = [];
  readonly #faults: LineFault[] = [];
  readonly #startedAt = Date.now();
  readonly #slice = new TimeSlice();
  #faultCount = 0;
  #total = 0;
  #totalBytes = 0;
  #first: Uint8Array | undefined;
  #open: Uint8Array[] = [];
  #openItems = 0;
  #openBytes = 0;

  constructor(files: BodyStream['files']) {
    this.#files = files;
  }

  /**
   * Adds the data of an item: JSON without line breaks.
   * @throws {AppError} VALIDATION_ERROR for one item or byte too many, or when the upload takes too long
   */
  async add(json: Uint8Array): Promise<void> {
    this.#countLine();
    this.#totalBytes += json.length;
    // A row of CSV is stored with the names of its columns, so a small file can become a large one.
    if (this.#totalBytes > MAX_BULK_BYTES)
      throw invalid('file', `has items of more than ${MAX_BULK_BYTES} bytes in total, written as JSON`);
    this.#first ??= new Uint8Array(json);
    this.#total += 1;
    this.#open.push(json, NEWLINE);
    this.#openItems += 1;
    this.#openBytes += json.length;
    if (this.#openItems >= CHUNK_ITEMS || this.#openBytes >= CHUNK_BYTES) await this.#store();
    await this.proceed();
  }

  /** Notes a line that is not an item. @throws {AppError} VALIDATION_ERROR like `add` */
  async addFault(fault: LineFault): Promise<void> {
    this.#countLine();
    this.#faultCount += 1;
    if (this.#faults.length < MAX_FAULTS) this.#faults.push(fault);
    await this.proceed();
  }

  /**
   * Gives other work its turn. A reader also calls this when it has read something that it does not add.
   * @param blankLines how many the reader has skipped so far
   * @throws {AppError} VALIDATION_ERROR for too many, or when the upload takes too long
   */
  async proceed(blankLines = 0): Promise<void> {
    if (blankLines > MAX_BLANK_LINES) throw invalid('file', `has more than ${MAX_BLANK_LINES} blank lines`);
    this.#checkTime();
    if (this.#slice.isOver) await this.#slice.next();
  }

  /** Stores the rest. @throws {AppError} VALIDATION_ERROR when the upload took too long */
  async end(): Promise<ReceivedItems> {
    await this.#store();
    this.#checkTime();
    return {
      total: this.#total,
      chunks: this.#chunks,
      faultCount: this.#faultCount,
      faults: this.#faults,
      first: this.#first,
      discard: () => this.discard(),
    };
  }

  async discard(): Promise<void> {
    for (const { fileId } of this.#chunks.splice(0)) await this.#files.delete(fileId);
  }

  #countLine(): void {
    if (this.#total + this.#faultCount >= MAX_BULK_ITEMS)
      throw invalid('file', `has more than ${MAX_BULK_ITEMS} items`);
  }

  #checkTime(): void {
    if (Date.now() - this.#startedAt > MAX_UPLOAD_MS)
      throw new AppError(
        'VALIDATION_ERROR',
        'the body arrived too slowly: it must be complete in 10 minutes',
      );
  }

  async #store(): Promise<void> {
    if (this.#openItems === 0) return;
    const fileId = newFileId('txt');
    const content = Buffer.concat(this.#open);
    const items = this.#openItems;
    [this.#open, this.#openItems, this.#openBytes] = [[], 0, 0];
    // Noted first, so that a failed write leaves nothing.
    this.#chunks.push({ fileId, items });
    await this.#files.put(fileId, content);
  }
}
