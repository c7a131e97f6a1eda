import type { OfficeFormat } from '@platen/office-templates';
import type { Account, AccountData, RawJson, RouteInput, Listed, Page, Sealer } from '../../src/plugin.ts';
import type { MadePdf, PagedPdf, Proof, ReferencedFile, ResultProperties } from '../files/contract.ts';
import type { GenerateOptions, DocumentSigner, SnippetBox } from '../documents/contract.ts';
import type {
  DeliveredGeneration,
  Generation,
  GenerationFilter,
  LinkedGeneration,
  MadeGeneration,
  PlannedGeneration,
} from './generations/generation-record.ts';
import type { PageOptions } from './page/page-options.ts';
import type { Receipt } from './receipt/receipt.ts';
import type { Warning } from './receipt/warnings.ts';
import type { ImageOptions } from './image/schemas.ts';
import type { VariableSchema, VersionChoice } from '../templates/contract.ts';
import type { ReadUrlPatterns } from './url-patterns/url-patterns.ts';
import type { UrlSource } from './url/url-source.ts';

export type {
  DeliveredGeneration,
  Generation,
  GenerationFilter,
  LinkedGeneration,
  MadeGeneration,
  PlannedGeneration,
  ResultMediaType,
  StoredPdf,
} from './generations/generation-record.ts';
export type { PageException, PageFacts, PageMessage } from './page/page-facts.ts';
export type { PageCookie, PageFault, PageHeader, PageOptions } from './page/page-options.ts';
export type { SiblingFile } from './page/site.ts';
export type { MatchUrl, ReadUrlPatterns } from './url-patterns/url-patterns.ts';

/** The type of a document: a PDF, or the filled file of a template of this type. */
export type DocumentType = 'pdf' | OfficeFormat;

/**
 * The source of a document: HTML or GitHub-flavoured Markdown (Handlebars templates when there is `data`), a
 * stored template (its current version unless one is named), JSX or TSX whose default export is a React
 * component, with `data` as its props, or a web page.
 */
export type Source =
  | { html: string }
  | { templateId: string; templateVersion?: VersionChoice | undefined }
  | { react: string }
  | { markdown: string }
  | UrlSource;

/** A document to make. */
export interface DocumentRequest {
  source: Source;
  /** A JSON object, which the service process never parses. */
  data?: RawJson | undefined;
  /** The canonical locale of a template; see `readLocale`. */
  locale?: string | undefined;
  /** The checked translations of a template that is HTML or Markdown. A stored template has its own. */
  translationsJson?: string | undefined;
  /** CSS that is added at the end of the document's head. It is not a template. */
  styles?: string | undefined;
  options?: GenerateOptions | undefined;
  /** Set for an image in place of a PDF. `options` is then absent. */
  image?: ImageOptions | undefined;
  /** `pdf` when absent. */
  type?: DocumentType | undefined;
  output: 'url' | 'base64';
  /** The URL that receives a webhook when the generation ends. */
  webhook?: string | undefined;
  /** By default those of a request that names none. */
  properties?: ResultProperties | undefined;
}

/** A document to make, with what a plugin asks of its browser page. */
export interface PageRequest extends DocumentRequest {
  page?: PageOptions | undefined;
}

/** A document whose markup is read. */
export interface MarkupRequest extends Pick<PageRequest, 'styles' | 'page'> {
  account: Account;
  source: { html: string } | UrlSource;
  /** The media type whose styles apply; `screen` when absent. */
  media?: 'print' | 'screen' | undefined;
}

/**
 * Changes a printed PDF before it is stored.
 * @throws {AppError} VALIDATION_ERROR, for which the generation is recorded as failed
 */
export type FinishPdf = (printed: MadePdf) => Promise<MadePdf>;

/** A request for one PDF or image. */
export interface GenerateRequest extends PageRequest {
  account: Account;
  /** Only for a PDF. */
  finish?: FinishPdf | undefined;
  /**
   * The attempt to run a request with an `Idempotency-Key`. All attempts with a key make at most one
   * completed generation.
   */
  attempt?: RouteInput<unknown, unknown, unknown>['attempt'];
}

/** A document that {@link RenderService.printUnrecorded} makes. */
export interface UnrecordedRequest extends Pick<
  PageRequest,
  'source' | 'data' | 'locale' | 'translationsJson' | 'styles' | 'options'
> {
  accountId: string;
  /** The variables that the HTML declares. A stored template has its own. */
  schema?: VariableSchema | undefined;
  /** A longer document fails. */
  maxPages: number;
  /** The noun for the document in errors, such as `case`. */
  subject: string;
}

/** A PDF that is neither stored nor recorded. */
export interface UnrecordedPdf {
  pdf: Uint8Array;
  pages: number;
  warnings: readonly Warning[];
}

/** A planned generation and its request. */
export interface PlannedInput {
  planned: PlannedGeneration;
  request: DocumentRequest;
}

/**
 * The generations that no caller waits for, such as the items of batches. The request of each is stored until
 * the generation has ended. Every step is idempotent, so that it can be repeated after a crash.
 */
export interface QueuedGenerations {
  /**
   * Validates a request as {@link RenderService.generate} does, and plans its generation. Stores nothing.
   * @throws {AppError} VALIDATION_ERROR with the path of the field in the request.
   */
  plan(accountId: string, request: DocumentRequest): Promise<PlannedInput>;
  /**
   * Stores the requests of a batch, or of generations outside batches under the id of their account. No
   * caller can see them.
   */
  storeInputs(batchId: string, inputs: readonly PlannedInput[]): Promise<void>;
  /** Counts the generations whose requests are stored. */
  countInputs(generationIds: readonly string[]): Promise<number>;
  /**
   * Reads the stored request of a generation as JSON text, in which URLs and passwords are encrypted;
   * `undefined` if it has been deleted.
   */
  readInput(generationId: string): Promise<string | undefined>;
  /** Reads the stored request of a generation; `undefined` if it has been deleted or is unreadable. */
  readRequest(generationId: string): Promise<DocumentRequest | undefined>;
  /** Inserts the queued generations of a batch. Existing generations stay as they are. */
  enqueue(batch: {
    id: string;
    accountId: string;
    createdAt: number;
    generations: readonly PlannedGeneration[];
    /** The index of the first generation in the batch; 0 when absent. */
    firstIndex?: number;
  }): Promise<void>;
  /**
   * Makes a generation, stores its PDF, and ends the generation. When several calls make the same generation,
   * exactly one ends it. Does nothing if it has ended. After three attempts that died with their process or
   * in which the service failed, or when its account is suspended, the generation fails. Returns the ended
   * generation; `null` when it does not exist, or when another call has taken it over.
   * @throws when the service fails, the store, the file store or the browser is unavailable, or this process
   * stops. Call it again later.
   */
  complete(id: string): Promise<Generation | null>;
  /** Reads the generations of a batch, in the order of its items. */
  ofBatch(batchId: string): Promise<Generation[]>;
  /** Reads some generations of a batch with their links, in the order of its items. */
  pageOf(batchId: string, page: BatchPage): Promise<LinkedGeneration[]>;
  /** Reads the generations of a batch that have not ended. */
  openOf(batchId: string): Promise<Generation[]>;
  /** Counts the generations of a batch; only those with the status, except deleted ones, if it is given. */
  countOf(batchId: string, status?: Generation['status'] | 'deleted'): Promise<number>;
  /** Tells whether a generation is stored. */
  exists(id: string): Promise<boolean>;
  /** Counts the generations of a batch that have one of the statuses. */
  count(batchId: string, statuses: readonly Generation['status'][]): Promise<number>;
  /** Reads the ids of the generations of a batch that have been deleted. */
  deletedOf(batchId: string): Promise<string[]>;
  /** Counts the queued generations of an account. */
  countQueued(accountId: string): Promise<number>;
  /** Counts those of them that belong to no batch. */
  countQueuedRequests(accountId: string): Promise<number>;
  /** Cancels the queued generations of a batch. */
  cancel(batchId: string): Promise<void>;
  /** Deletes the stored requests of a batch, or those of an account outside batches. */
  deleteInputs(batchId: string): Promise<void>;
  /** Deletes the stored request of a generation. */
  deleteInput(generationId: string): Promise<void>;
}

/** The generations of a batch to read. */
export interface BatchPage {
  /** Only those with this status, except deleted ones; or only deleted ones. */
  status?: Generation['status'] | 'deleted' | undefined;
  /** The number of matching generations to skip. */
  offset: number;
  limit: number;
}

/** The part of the render service that the batch plugin uses. */
export interface BatchRendering {
  /** The number of documents that this process prints at once. */
  readonly concurrency: number;
  /**
   * Opens the items of batches. `sealer` encrypts the URLs and passwords in their stored requests. Call it
   * once, in `setup`.
   */
  openItems(sealer: Sealer): QueuedGenerations;
  /**
   * Returns a request whose stored template has the version of this moment, and checks its signature.
   * @throws {AppError} NOT_FOUND for an unknown template
   */
  pin(accountId: string, request: DocumentRequest): Promise<DocumentRequest>;
  /**
   * Registers a function that deletes everything else that contains documents of a batch. It is called when
   * documents of the batch are deleted, before their deletion ends, and may be called again. Call this once,
   * in `setup`.
   */
  useItemDeletion(deletion: (batchId: string) => Promise<void>): void;
  /** Erases all generations of a batch with their files, including unfinished ones. */
  eraseBatch(batchId: string): Promise<void>;
}

/** The service of the render plugin. */
export interface RenderService {
  /**
   * Makes a PDF or an image, stores it and records the generation. Takes one unit of quota, and returns it if
   * nothing is made. A request whose `properties` are those of a test key takes none, and its result is
   * marked. With `webhook`, the delivery is stored before the promise settles, for a generation that is
   * recorded.
   * @throws {AppError} for an invalid request. When rendering fails, the generation is recorded as failed,
   * and the error has the same code in `details`: VALIDATION_ERROR for a fault in the document,
   * INTERNAL_ERROR for a fault of the service, UNAVAILABLE when a dependency is unavailable.
   */
  generate(request: GenerateRequest): Promise<MadeGeneration>;
  /**
   * Accepts a request whose caller does not wait, and returns its generation, which is queued. Once the
   * promise resolves, the generation is made exactly once, even after crashes. Takes one unit of quota, which
   * a generation that fails or is deleted returns. A stored template is used in the version of this moment.
   * @throws {AppError} for an invalid request; RATE_LIMITED when the account has too many queued generations.
   */
  submit(request: Omit<GenerateRequest, 'finish' | 'page'>): Promise<Generation>;
  /**
   * Draws snippets: a PDF with one page per box, with the box in the upper left corner. The text is real text
   * in any script, in font subsets that the pages share. Takes at most `MAX_SNIPPET_BOXES`. Uses no quota and
   * records nothing.
   * @throws {AppError} RATE_LIMITED when the queue is full; INTERNAL_ERROR when drawing fails.
   */
  drawSnippets(accountId: string, boxes: readonly SnippetBox[]): Promise<Uint8Array>;
  /**
   * Loads HTML or a web page, and returns the markup of the document after its scripts have run. Uses no
   * quota and records nothing.
   * @throws {AppError} like {@link tryPrint}
   */
  readMarkup(request: MarkupRequest): Promise<string>;
  /**
   * Converts GitHub-flavoured Markdown to HTML without a head and styles.
   * @throws {AppError} VALIDATION_ERROR for Markdown that is too long.
   */
  renderMarkdown(markdown: string): Promise<string>;
  /**
   * Reads patterns of a caller for the URLs of a page, such as those to which a header is sent.
   * @throws {AppError} when the service is busy.
   */
  readUrlPatterns: ReadUrlPatterns;
  /**
   * Makes a PDF like {@link generate}, but neither stores nor records it, and uses no quota. It is not
   * protected, not signed and not marked for a test key. HTML is a template even without data, and errors
   * name its field `html_content`. It waits behind the callers in a job, and among them in a request.
   * @throws {AppError} VALIDATION_ERROR for every fault of the document, with its code in `details`;
   * NOT_FOUND for an unknown template; RATE_LIMITED when the queue is full; INTERNAL_ERROR when the service
   * fails; UNAVAILABLE when a dependency is unavailable.
   */
  printUnrecorded(request: UnrecordedRequest): Promise<UnrecordedPdf>;
  /** Whether documents can ask for an earlier browser. */
  readonly hasEarlierBrowser: boolean;
  /**
   * Returns the full version of Chromium in this process, such as `141.0.7390.122`. Starts it if necessary;
   * with `launch: false`, returns `undefined` in place of a start. @throws if it cannot start
   */
  browserVersion(options?: { launch?: boolean }): Promise<string | undefined>;
  /**
   * Prints HTML to check that it can be printed, and discards the PDF. Uses no quota and records nothing. A
   * document that requests a resource from the network fails.
   * @throws {AppError} RATE_LIMITED when the queue is full; VALIDATION_ERROR with a code in `details` when
   * the document cannot be printed.
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
  list(accountId: string, query: GenerationFilter & Page): Promise<Listed<LinkedGeneration>>;
  /**
   * Deletes a generation with its PDF, its receipt and its webhook deliveries. A generation of a request with
   * `async` that is still queued is not made.
   * @throws {AppError} NOT_FOUND, also for a generation of another account; CONFLICT for one that is being
   * made, and for an item of a batch that has not ended.
   */
  delete(accountId: string, id: string): Promise<void>;
  /**
   * Finds the stored PDF of a generation; `undefined` for an unknown id.
   * @throws {AppError} NOT_FOUND if it has no PDF.
   */
  findPdf(accountId: string, id: string): Promise<ReferencedFile | undefined>;
  /**
   * Finds the PDF of a generation, to draw its pages.
   * @throws {AppError} NOT_FOUND for an unknown id and a failed generation; CONFLICT for
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
  /** The generations, and the requests of those that are queued, as data of their accounts. */
  readonly accountData: readonly AccountData[];
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

declare module '../../src/event-bus.ts' {
  interface Events {
    'generation.completed': { generation: Generation };
    'generation.failed': { generation: Generation };
  }
}
