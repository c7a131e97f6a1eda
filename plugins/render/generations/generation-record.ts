import type { Proof, ResultProperties } from '../../files/contract.ts';
import type { OFFICE_MEDIA_TYPES } from '../../documents/exports.ts';
import type { ImageFormat } from '../image/schemas.ts';
import type { Warning } from '../receipt/warnings.ts';

/** The media type of the result of a generation. */
export type ResultMediaType = 'application/pdf' | ImageMediaType | OfficeMediaType;

/** The media type of an image, or of labels for a printer. */
export type ImageMediaType = `image/${Exclude<ImageFormat, 'zpl'>}` | 'application/zpl';

type OfficeMediaType = (typeof OFFICE_MEDIA_TYPES)[keyof typeof OFFICE_MEDIA_TYPES];

/**
 * A generation as it is stored. Times are epoch milliseconds. The properties of the PDF are `null` until it
 * is completed.
 */
export interface Generation extends ResultProperties {
  id: string;
  /**
   * Empty for a deleted item of a batch, whose record remains because the counts of the batch depend on its
   * status.
   */
  accountId: string;
  templateId: string | null;
  inputType: 'html' | 'template' | 'react' | 'markdown' | 'url';
  /** The media type of the result; absent for a PDF. */
  contentType?: ResultMediaType;
  /** Only items of batches, and generations of requests with `async`, are queued or canceled. */
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
  output: 'url' | 'base64';
  /** The file of the result. Until the generation is completed, the file may not exist. */
  fileId: string | null;
  /** Also `null` for an image and for a filled office file. */
  pages: number | null;
  sizeBytes: number | null;
  generationTimeMs: number | null;
  /** Only for a PDF with claims such as PDF/A. */
  proof?: Proof | null;
  /** Absent until the generation is completed. */
  warnings?: readonly Warning[];
  /** `CODE: message`; `null` unless the generation failed. */
  error: string | null;
  createdAt: number;
  /** The batch of the generation and its index there; `null` for a generation outside batches. */
  batchId: string | null;
  index: number | null;
  /** How many times the service began to make a queued generation. */
  attempts: number;
  /**
   * When a request with `async` was accepted; until its quota is settled and its webhook is stored. Other
   * generations have neither this nor the two fields below.
   */
  openSince?: number | null;
  /** Identifies the month in which its quota is reserved. */
  usageId?: string;
  /** The URL that receives the result; as long as `openSince`. */
  webhook?: string | null;
  /** The origin of the caller's request, for the link in the webhook; as long as `openSince`. */
  origin?: string | null;
  /** When it ended; until its event is stored. Set by the write that ends it. */
  unreportedAt?: number | null;
}

/** Filters a list of generations. Filtering by the batch of another account gives an empty list. */
export interface GenerationFilter {
  batchId?: string | undefined;
  status?: Generation['status'] | undefined;
  inputType?: Generation['inputType'] | undefined;
  reference?: string | undefined;
  templateId?: string | undefined;
  /** Only generations for test keys, or only others. */
  test?: boolean | undefined;
  /** Epoch milliseconds of the earliest creation. */
  createdFrom?: number | undefined;
  /** Epoch milliseconds. The generations were created before this time. */
  createdBefore?: number | undefined;
}

/** A generation and a link to its PDF. `url` is `null` if the generation has no PDF. */
export interface LinkedGeneration {
  generation: Generation;
  url: string | null;
}

/** A generation with its PDF in the form that its request asked for: a link, or the bytes. */
export type DeliveredGeneration = LinkedGeneration | { generation: Generation; data: Uint8Array };

/** A generation that was just made. */
export type MadeGeneration = DeliveredGeneration & {
  /** Whether the PDF of an earlier request was repeated; absent while the cache is off. */
  cache?: 'hit' | 'miss' | undefined;
};

/** The properties of a generation that are known before it is made. */
export type PlannedGeneration = Pick<
  Generation,
  'id' | 'inputType' | 'contentType' | 'templateId' | 'output'
> &
  ResultProperties;

/** The properties of a generation that its stored PDF determines. */
export type StoredPdf = Pick<Generation, 'fileId' | 'pages' | 'sizeBytes' | 'proof' | 'warnings'>;
