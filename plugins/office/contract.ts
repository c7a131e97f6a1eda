import type { Account, FileValue } from '../../src/plugin.ts';
import type { OfficeOptions } from '../documents/contract.ts';

export type { OfficeOptions, OfficeView, OfficeWatermark } from '../documents/contract.ts';

/** A file to convert. */
export interface ConvertRequest {
  /** The account whose share of the pool is used. */
  account: Pick<Account, 'id'>;
  file: Uint8Array;
  /** The caller's name of the file. Its ending tells the type if the content does not. */
  fileName?: string | undefined;
  /** The ending of a type, such as `csv`, in place of the one of the content or name. */
  fileType?: string | undefined;
  /** Opens an encrypted document. */
  password?: string | undefined;
  options?: OfficeOptions | undefined;
  /** Ends the conversion. */
  signal?: AbortSignal | undefined;
}

/** A file of a request to convert: its bytes, or text with base64. */
export interface ConvertInput extends Omit<ConvertRequest, 'file'> {
  file: FileValue;
}

/** The service of the plugin. */
export interface OfficeService {
  /** The endings of all types that can be converted, in lower case without a dot. */
  readonly fileTypes: readonly string[];
  /** Whether LibreOffice is installed. */
  readonly isAvailable: boolean;
  /**
   * Converts a document to a PDF with tags, in a LibreOffice process of its own.
   * @throws {AppError} VALIDATION_ERROR naming `file` (encrypted, empty, truncated, of an unknown type, or
   * beyond a limit, which it names), `file_type`, `password` or `pages`; NOT_CONFIGURED without LibreOffice;
   * RATE_LIMITED if too many documents wait
   * @throws the reason of the signal when it aborts
   */
  convert(request: ConvertRequest): Promise<{ pdf: Uint8Array; pages: number }>;
  /** Converts a file of a request, as {@link convert} does. References must be resolved. */
  convertInput(request: ConvertInput): Promise<{ pdf: Uint8Array; pages: number }>;
  /**
   * Determines the type of a file of a request, and returns its content if it was sent as text or had to be
   * converted to UTF-8. Works without LibreOffice.
   * @throws {AppError} VALIDATION_ERROR naming `file` or `file_type`
   */
  inspect(
    file: Pick<ConvertInput, 'file' | 'fileName' | 'fileType'>,
  ): Promise<{ type: string; content: Uint8Array | undefined }>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    office: OfficeService;
  }
}
