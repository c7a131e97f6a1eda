import type { Base64Pdf, PdfInfo } from '@platen/pdf';
import type { Account } from '../../src/plugin.ts';
import type { Output, ResultFile } from './exchange.ts';

export type { Base64Pdf, PdfInfo } from '@platen/pdf';
export {
  handOver,
  linkTo,
  ONE_PDF_BYTES,
  presentFile,
  settle,
  taskLimits,
  type Output,
  type ResultFile,
} from './exchange.ts';
export { FileAnswer, OutputChoice, Pdf } from './exchange-schemas.ts';

/** A visual signature: what it says, and where it is, in points from the lower left corner of the page as it is shown. */
export interface SignRequest {
  /** Whose turn it is while the stamp is drawn. */
  account: Account;
  pdf: Base64Pdf;
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

/** A conversion to PDF/A-1b. Metadata that are absent stay what they are. */
export interface ArchiveRequest {
  pdf: Base64Pdf;
  title?: string | undefined;
  author?: string | undefined;
  subject?: string | undefined;
  /** Convert a signed document as well; its signatures become pictures. */
  allowSignatureLoss?: boolean | undefined;
}

/**
 * Operations on PDFs that callers send in base64, with the prefix of a data URL or without. All of them run in the tool process.
 * @throws {AppError} VALIDATION_ERROR naming the field for a file that is no PDF, is damaged beyond repair, needs a password, is larger
 * than 27,000,000 bytes or takes more time or memory than there is; RATE_LIMITED when too much work waits.
 */
export interface PdfToolsService {
  /** Joins whole documents in the given order. */
  merge(pdfs: readonly Base64Pdf[], output: Output): Promise<ResultFile>;
  /** Makes one document of each range of pages, first and last from 1; of every page without ranges. */
  split(
    pdf: Base64Pdf,
    ranges: readonly (readonly unknown[])[] | undefined,
    output: Output,
  ): Promise<ResultFile[]>;
  /**
   * Puts a visual signature on a page: a stamp, no cryptographic signature. Those that a file has stay valid.
   * @throws {AppError} NOT_IMPLEMENTED when the plugin `render`, which draws the stamp, is off.
   */
  sign(request: SignRequest, output: Output): Promise<ResultFile>;
  /**
   * Converts a PDF to PDF/A-1b (ISO 19005-1). What comes back was checked clause by clause; what is PDF/A-1b already comes back as it
   * is, unless other metadata are wanted.
   * @throws {AppError} VALIDATION_ERROR with a detail for each clause, when it cannot be made to conform; for a signed one, unless its
   * signatures may go.
   */
  archive(request: ArchiveRequest, output: Output): Promise<ResultFile>;
  /** Says what is known about a PDF. */
  info(pdf: Base64Pdf): Promise<PdfInfo>;
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
