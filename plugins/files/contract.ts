import type { MarkedImageFormat } from '@platen/pdf/test-mark';
import type { ProvenClaim } from '@platen/pdf-standards';
import type { Account, FileStore, FileValue, Static, Listed, Page } from '../../src/plugin.ts';
import type { FileRecord } from './collections.ts';
import type { SendPageImage } from './page-images.ts';
import type { OutputChoice, PdfResponse } from './pdf-output.ts';
import type { ProofStep } from './proof/proof.ts';
import type { LoadedPdf, LoadRequest, ReferenceResolver } from './references.ts';
import type {
  ReadProperties,
  ResultProperties,
  ResultRequest,
  StoredMediaType,
} from './result-properties.ts';

export type { PagedPdf, SendPageImage } from './page-images.ts';
export type { Proof, Provenance } from './proof/proof.ts';
export type { ConfirmClaims, ProveClaims, ReadClaims } from './proof/provenance-draft.ts';
export type { ReferencedFile } from './references.ts';
export type { ResultProperties } from './result-properties.ts';

/** A PDF that an operation made. */
export interface MadePdf {
  pdf: Uint8Array;
  pages: number;
  /**
   * The claims, such as PDF/A, that a check has confirmed for exactly these bytes. They are stored with the
   * file as its proof.
   */
  claims?: readonly ProvenClaim[];
  /** The steps that made the PDF; by default the operation. Only for a PDF with claims. */
  steps?: readonly ProofStep[];
  /** Whether the input was marked for a test key, because the PDF must not be changed; see `markInput`. */
  isMarked?: boolean;
}

/**
 * Determines the type of an uploaded file that is not a PDF, such as `docx`, and returns its content;
 * `undefined` for a file that is no document, or that is not accepted.
 * @throws {AppError} VALIDATION_ERROR for the field `file`, if it is a damaged document
 */
export type AcceptUpload = (upload: {
  file: FileValue;
  fileName: string | undefined;
}) => Promise<{ type: string; content: Uint8Array } | undefined>;

/** The part of a handler's input on which the response depends. */
export interface DeliveryRequest {
  account: Account;
  request: Request;
  body: ResultRequest & { output?: Static<typeof OutputChoice> | undefined };
  /** When the handler was called, as of `performance.now()`. */
  startedAt: number;
}

/** A request with PDFs, and its account. */
export interface PdfRequest<Pdfs> extends LoadRequest {
  account: Account;
  body: Pdfs & ResultRequest;
}

/** A result: the operation that made it, and additional fields of the JSON response. */
export interface Result<Fields> extends MadePdf {
  operation: string;
  fields?: Fields;
}

/** An archive that an operation made, and the number of pages from which it was made. */
export interface MadeArchive {
  operation: string;
  zip: Uint8Array;
  pages: number;
}

/** Options of a list of files. */
export interface FileFilter extends Page {
  reference?: string | undefined;
  /** Only files that were made for a test key, or only others. */
  test?: boolean | undefined;
}

/**
 * Marks what is made for a test key. Marked pages show the outlines of the word TEST, and the metadata of the
 * file has the keyword TEST. The claims of a PDF, such as PDF/A, stay true.
 */
export interface TestMark {
  /**
   * Marks a PDF. Returns it unchanged if all its pages are marked, so that its signatures stay valid.
   * @throws {AppError} VALIDATION_ERROR for the field `pdf` if it must not be changed
   */
  markPdf(pdf: Uint8Array): Promise<Uint8Array>;
  /**
   * Marks an image. `quality` is from 1 to 100, for formats that have one. Errors name `field`, which
   * determines the size.
   */
  markImage(
    image: Uint8Array,
    options: { field: string; format: MarkedImageFormat; quality?: number | undefined },
  ): Promise<Uint8Array>;
  /**
   * Marks the input of an operation whose result must not be changed, such as a signed PDF, if the request
   * has a test key. Otherwise returns the input. Deliver the result with `isMarked`.
   * @throws like {@link markPdf}
   */
  markInput(pdf: LoadedPdf): Promise<LoadedPdf>;
  /**
   * Marks a result if the request has a test key, and confirms its claims again. `files.deliver` and
   * `files.deliverParts` call it.
   * @throws like {@link markPdf}
   */
  markResult<Made extends MadePdf>(made: Made): Promise<Made>;
}

/**
 * Loads the PDFs of requests, and stores and delivers results. Each stored PDF has a record, which
 * `/v1/files` shows.
 */
export interface FilesService extends TestMark {
  /**
   * Registers the ids of stored PDFs that requests may have in place of a PDF: the functions that find their
   * files, by the prefix of the ids, such as `gen_`. Call it in `setup`.
   * @param plugin the name of the plugin that stores the PDFs
   * @throws {ConfigError} for a prefix that is already registered; the message names both plugins
   */
  registerReferences(plugin: string, resolvers: Readonly<Record<string, ReferenceResolver>>): void;
  /**
   * Returns the PDF in the field `pdf` of a request. An id of a file or generation is replaced by the file.
   * The properties of the result are validated here, before any work.
   * @throws {AppError} NOT_FOUND for an unknown id; VALIDATION_ERROR for a file that is too large or an
   * invalid property; RATE_LIMITED when memory is short
   */
  load(request: PdfRequest<{ pdf: FileValue }>): Promise<LoadedPdf>;
  /** Returns the PDF in another field of a request, as {@link load} does. */
  loadField(request: LoadRequest, path: string, source: FileValue): Promise<LoadedPdf>;
  /** Returns a document in a field as {@link loadField} does. A stored document need not be a PDF. */
  loadDocument(request: LoadRequest, path: string, source: FileValue): Promise<FileValue>;
  /**
   * Lets `POST /v1/files` accept other files than PDFs. Call it in `setup`.
   * @throws {ConfigError} if another plugin has called it
   */
  acceptUploads(accept: AcceptUpload): void;
  /** Calls the function of {@link acceptUploads}; `undefined` if no plugin accepts the file. */
  acceptUpload: AcceptUpload;
  /** Returns the PDFs in the field `pdfs` of a request, as {@link load} does. */
  loadAll(request: PdfRequest<{ pdfs: readonly FileValue[] }>): Promise<LoadedPdf[]>;
  /**
   * Stores a result and returns the response: JSON with a link or base64, or the file itself if the request
   * asks for it.
   */
  deliver<Fields extends object = object>(
    request: DeliveryRequest,
    result: Result<Fields>,
  ): Promise<(Static<typeof PdfResponse> & Fields) | Response>;
  /** Stores a zip archive and returns the response, as {@link deliver} does for a PDF. */
  deliverArchive(
    request: DeliveryRequest,
    archive: MadeArchive,
  ): Promise<Static<typeof PdfResponse> | Response>;
  /** Stores several results and returns the response: JSON, or a zip archive if the request asks for it. */
  deliverParts(
    request: DeliveryRequest,
    operation: string,
    parts: readonly MadePdf[],
  ): Promise<{ parts: Static<typeof PdfResponse>[]; total: number } | Response>;
  /** Stores a file with its record. */
  save(file: {
    account: Account;
    operation: string;
    pdf: Uint8Array;
    pages: number | null;
    claims?: MadePdf['claims'];
    steps?: MadePdf['steps'];
    properties: ResultProperties;
    mediaType?: StoredMediaType;
    /** The type of an uploaded document that is not a PDF, such as `docx`, in place of the media type. */
    documentType?: string;
  }): Promise<FileRecord>;
  readProperties: ReadProperties;
  /** Reads a record. @throws {AppError} NOT_FOUND, also for another account's file */
  get(accountId: string, id: string): Promise<FileRecord>;
  has(accountId: string, id: string): Promise<boolean>;
  /** Lists records, newest first. */
  list(accountId: string, filter: FileFilter): Promise<Listed<FileRecord>>;
  /** Opens the content of a file. @throws {AppError} NOT_FOUND */
  open(record: FileRecord): ReturnType<FileStore['get']>;
  /**
   * Deletes a record and its file.
   * @throws {AppError} NOT_FOUND if it does not exist, or another call has deleted it
   */
  remove(accountId: string, id: string): Promise<void>;
  /**
   * Returns a link that downloads a file under its name. The link is valid for 30 days, or until the file
   * expires.
   */
  link(record: Pick<FileRecord, 'id' | 'expiresAt' | 'fileName'>): Promise<string>;
  /** Responds to a request for the image of a page of a stored PDF. */
  sendPageImage: SendPageImage;
}

declare module '../../src/plugin.ts' {
  interface Services {
    files: FilesService;
  }
}
