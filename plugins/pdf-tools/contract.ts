import type { Account } from '../../src/plugin.ts';
import type { PdfInfo } from './info/read-info.ts';

export type { PdfInfo } from './info/read-info.ts';

/** How a resulting PDF is to be handed over: stored, or inline. */
export type Output = 'url' | 'base64';

/** A PDF as a caller sent it: base64, as a string or as the bytes of one. */
export type SentPdf = string | Uint8Array;

/** A visual signature: what it says, and where it is, in points from the lower left corner of the page as it is shown. */
export interface SignRequest {
  /** Whose turn it is while the stamp is drawn. */
  account: Account;
  pdf: SentPdf;
  name: string;
  reason?: string | undefined;
  location?: string | undefined;
  contact?: string | undefined;
  /** From 0; the first when absent. */
  page?: unknown;
  x?: number | undefined;
  y?: number | undefined;
  width?: number | undefined;
  height?: number | undefined;
}

/** A PDF that an operation made: stored under an id, or its bytes, which an answer carries in base64. */
export type ResultFile = { sizeBytes: number } & ({ fileId: string } | { bytes: Uint8Array });

/**
 * Operations on PDFs that callers send in base64, with the prefix of a data URL or without. All of them run in the tool process.
 * @throws {AppError} VALIDATION_ERROR naming the field for a file that is no PDF, is damaged beyond repair, needs a password, is larger
 * than 27,000,000 bytes or takes more time or memory than there is; RATE_LIMITED when too much work waits.
 */
export interface PdfToolsService {
  /** Joins whole documents in the given order. */
  merge(pdfs: readonly SentPdf[], output: Output): Promise<ResultFile>;
  /** Makes one document of each range of pages, first and last from 1; of every page without ranges. */
  split(
    pdf: SentPdf,
    ranges: readonly (readonly unknown[])[] | undefined,
    output: Output,
  ): Promise<ResultFile[]>;
  /**
   * Puts a visual signature on a page: a stamp, no cryptographic signature. Those that a file has stay valid.
   * @throws {AppError} NOT_IMPLEMENTED when the plugin `render`, which draws the stamp, is off.
   */
  sign(request: SignRequest, output: Output): Promise<ResultFile>;
  /** Says what is known about a PDF. */
  info(pdf: SentPdf): Promise<PdfInfo>;
  /** Makes a link to a stored result that holds 30 days. */
  link(fileId: string): Promise<string>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    'pdf-tools': PdfToolsService;
  }
}

declare module '../../src/errors.ts' {
  interface ErrorCodes {
    NOT_IMPLEMENTED: 501;
  }
}
