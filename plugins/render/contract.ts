import type {
  Account,
  AccountData,
  Collection,
  MadePdf,
  PagedPdf,
  Proof,
  RawJson,
  RouteInput,
  ReferencedFile,
  ResultMediaType,
  ResultProperties,
  GenerateOptions,
  DocumentSigner,
  SnippetBox,
} from '../../src/plugin.ts';
import type { Receipt, ReceiptDraft } from './receipt/receipt.ts';
import type { Receipts } from './receipt/receipts.ts';
import type { Warning } from './receipt/warnings.ts';
import type { ImageOptions } from './image/schemas.ts';
import type { UrlSource } from './url/url-source.ts';

/**
 * The source of a document: HTML or GitHub-flavoured Markdown (Handlebars templates when there is `data`), a stored template (its current
 * version unless one is named), JSX or TSX whose default export is a React component, with `data` as its props, or
 * a web page.
 */
export type Source =
  | { html: string }
  | { templateId: string; templateVersion?: number | undefined }
  | { react: string }
  | { markdown: string }
  | UrlSource;

/** A document to make. */
export interface DocumentRequest {
  source: Source;
  /** A JSON object, which the service process never parses. */
  data?: RawJson | undefined;
  /** CSS that is added at the end of the document's head. It is not a template. */
  styles?: string | undefined;
  options?: GenerateOptions | undefined;
  /** Set for an image in place of a PDF. `options` is then absent. */
  image?: ImageOptions | undefined;
  output: 'url' | 'base64';
  /** The URL that receives a webhook when the generation ends. */
  webhook?: string | undefined;
  properties?: ResultProperties | undefined;
}

/** Changes a printed PDF before it is stored. @throws {AppError} VALIDATION_ERROR, for which the generation is recorded as failed */
export type FinishPdf = (printed: MadePdf) => Promise<MadePdf>;

/** A request for one PDF or image. */
export interface GenerateRequest extends DocumentRequest {
  account: Account;
  /** Only for a PDF. */
  finish?: FinishPdf | undefined;
  /** The attempt to run a request with an `Idempotency-Key`. All attempts with a key make at most one completed generation. */
  attempt?: RouteInput<unknown, unknown, unknown>['attempt'];
}

/**
 * A generation as it is stored. Times are epoch milliseconds. The properties of the PDF are `null` until it is completed. Generations of
 * earlier releases have no {@link ResultProperties}.
 */
export interface Generation extends Partial<ResultProperties> {
  id: string;
  /** Empty for a deleted item of a batch, whose record remains because the counts of the batch depend on its status. */
  accountId: string;
  templateId: string | null;
  inputType: 'html' | 'template' | 'react' | 'markdown' | 'url';
  /** The media type of the result; absent for a PDF. */
  contentType?: ResultMediaType;
  /** Only items of batches are queued or canceled. */
  status: 'queued' | 'processing' | 'completed' | 'failed' | 'canceled';
  output: 'url' | 'base64';
  /** The file of the result. Until the generation is completed, the file may not exist. */
  fileId: string | null;
  /** Also `null` for an image. */
  pages: number | null;
  sizeBytes: number | null;
  generationTimeMs: number | null;
  /** Only for a PDF with claims such as PDF/A. */
  proof?: Proof | null;
  /** Absent until the generation is completed, and in generations of earlier releases. */
  warnings?: readonly Warning[];
  /** `CODE: message`; `null` unless the generation failed. */
  error: string | null;
  createdAt: number;
  /** The batch of the generation and its index there; `null` for a generation whose caller waited. */
  batchId: string | null;
  index: number | null;
  /** How many times a batch began to make it. */
  attempts: number;
}

/** Filters a list of generations. Filtering by the batch of another account gives an empty list. */
export interface GenerationFilter {
  batchId?: string | undefined;
  status?: Generation['status'] | undefined;
  inputType?: Generation['inputType'] | undefined;
  reference?: string | undefined;
  templateId?: string | undefined;
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

/** The properties of a generation that are known before it is made. */
export type PlannedGeneration = Pick<
  Generation,
  'id' | 'inputType' | 'contentType' | 'templateId' | 'output'
> &
  Partial<ResultProperties>;

/** The properties of a generation that its stored PDF determines. */
export type StoredPdf = Pick<Generation, 'fileId' | 'pages' | 'sizeBytes' | 'proof' | 'warnings'>;

/** A generation that a batch makes. */
export interface BatchJob {
  generationId: string;
  accountId: string;
  request: DocumentRequest;
  /** The id under which the PDF is stored. */
  fileId: string;
  receipt: ReceiptDraft | undefined;
}

/**
 * The result of {@link BatchRendering.make}. `interrupted` means that the document is not at fault: a later call can succeed. It is
 * returned when the store, the file store or the browser is unavailable, and while this process stops. `failed` with `isServiceFault` means that
 * the service failed, for example because the browser crashed. A later call can succeed, unless the document causes the failure.
 */
export type BatchJobResult =
  | ({ status: 'completed' } & StoredPdf)
  | { status: 'failed'; error: string; isServiceFault: boolean }
  | { status: 'interrupted'; cause: unknown };

/**
 * The part of the render service that the batch plugin uses. This part validates requests and makes PDFs. The batch plugin inserts the
 * queued generations, claims them and ends them.
 */
export interface BatchRendering {
  /** The number of documents that this process prints at once. */
  readonly concurrency: number;
  readonly generations: Collection<Generation>;
  readonly receipts: Receipts;
  /**
   * Validates a request as {@link RenderService.generate} does, and plans its generation. Stores nothing.
   * @throws {AppError} VALIDATION_ERROR with the path of the field in the request.
   */
  plan(request: DocumentRequest): PlannedGeneration;
  /** Makes a PDF and stores it. Does not change the generation. Never rejects. */
  make(job: BatchJob): Promise<BatchJobResult>;
  /** Erases all generations of a batch with their files, including unfinished ones. */
  eraseBatch(batchId: string): Promise<void>;
}

/** The service of the render plugin. */
export interface RenderService {
  /**
   * Makes a PDF or an image, stores it and records the generation. Takes one unit of quota, and returns it if nothing is made. With `webhook`, the
   * delivery is stored before the promise settles, for a generation that is recorded.
   * @throws {AppError} for an invalid request. When rendering fails, the generation is recorded as failed, and the error has the same code
   * in `details`: VALIDATION_ERROR for a fault in the document, INTERNAL_ERROR for a fault of the service, UNAVAILABLE when a dependency is
   * unavailable.
   */
  generate(request: GenerateRequest): Promise<DeliveredGeneration>;
  /**
   * Draws snippets: a PDF with one page per box, with the box in the upper left corner. The text is real text in any script, in font
   * subsets that the pages share. Takes at most `MAX_SNIPPET_BOXES`. Uses no quota and records nothing.
   * @throws {AppError} RATE_LIMITED when the queue is full; INTERNAL_ERROR when drawing fails.
   */
  drawSnippets(accountId: string, boxes: readonly SnippetBox[]): Promise<Uint8Array>;
  /**
   * Prints HTML to check that it can be printed, and discards the PDF. Uses no quota and records nothing. A document that requests
   * a resource from the network fails.
   * @throws {AppError} RATE_LIMITED when the queue is full; VALIDATION_ERROR with a code in `details` when the document cannot be printed.
   */
  tryPrint(document: { accountId: string; html: string }): Promise<{ pages: number }>;
  /**
   * Reads a generation of an account. `reserveMemory` is called with the size of a PDF before it is read.
   * @throws {AppError} NOT_FOUND, also for a generation of another account.
   */
  get(accountId: string, id: string, reserveMemory?: (bytes: number) => void): Promise<DeliveredGeneration>;
  /** Reads the proof of a generation; `undefined` if its PDF has no claims. @throws {AppError} NOT_FOUND */
  proof(accountId: string, id: string): Promise<Proof | undefined>;
  /** Reads the receipt of a generation; `null` until the generation has ended, and again after 30 days. */
  receipt(generation: Generation): Promise<Receipt | null>;
  /** Lists the generations of an account, newest first, then by id. */
  list(
    accountId: string,
    query: GenerationFilter & { limit: number; offset: number },
  ): Promise<LinkedGeneration[]>;
  /**
   * Deletes a generation with its PDF, its receipt and its webhook deliveries. @throws {AppError} NOT_FOUND, also for a generation of
   * another account; CONFLICT for an item of a batch that has not ended.
   */
  delete(accountId: string, id: string): Promise<void>;
  /** Finds the stored PDF of a generation; `undefined` for an unknown id. @throws {AppError} NOT_FOUND if it has no PDF. */
  findPdf(accountId: string, id: string): Promise<ReferencedFile | undefined>;
  /**
   * Finds the PDF of a generation, to draw its pages. @throws {AppError} NOT_FOUND for an unknown id and a failed generation; CONFLICT for
   * one that has not ended; VALIDATION_ERROR for an image.
   */
  findPages(accountId: string, id: string): Promise<PagedPdf>;
  /** Reads the PDF or image of a completed generation. @throws {AppError} NOT_FOUND */
  readPdf(generation: Generation): Promise<Uint8Array>;
  /**
   * Validates options beyond their schema, with header and footer as they are printed.
   * @throws {AppError} VALIDATION_ERROR that names `options.<name>`
   */
  checkOptions(options: GenerateOptions): void;
  /** Accepts `options.protect` from now on. The plugin pdf-tools calls it when its setting says so. */
  allowProtection(): void;
  /** Accepts `options.signature` from now on. The plugin pdf-tools calls it. */
  useSigner(signer: DocumentSigner): void;
  readonly batch: BatchRendering;
  /** The generations as data of their accounts. */
  readonly accountData: AccountData;
  /** Returns those of the given files that generations refer to. */
  filesInUse(fileIds: readonly string[]): Promise<string[]>;
  /** Tells whether a file is the PDF of a generation of an account. */
  isFileOwner(accountId: string, fileId: string): Promise<boolean>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    render: RenderService;
  }
}

declare module '../../src/events.ts' {
  interface Events {
    'generation.completed': { generation: Generation };
    'generation.failed': { generation: Generation };
  }
}
