import type { Account, RawJson } from '../../src/plugin.ts';
import type { Receipt } from './receipt/receipt.ts';
import type { GenerateOptions } from './schemas.ts';

export { presentEvent } from './present.ts';
export { escapeText } from './snippet.ts';
export { checkOptions } from './check-options.ts';
export { documentFields, GenerateOptions } from './schemas.ts';

/**
 * What a document is made from: HTML as sent (a Handlebars template when there is `data`), a stored template (its current version
 * when none is named), or JSX or TSX whose default export is a React component with `data` as its props.
 */
export type Source =
  | { html: string }
  | { templateId: string; templateVersion?: number | undefined }
  | { react: string };

/** What one PDF is made from and how. */
export interface DocumentRequest {
  source: Source;
  /** A JSON object, which no part of the service's own process parses. */
  data?: RawJson | undefined;
  /** CSS that is added at the end of the document's head. */
  styles?: string | undefined;
  options?: GenerateOptions | undefined;
  output: 'url' | 'base64';
  /** Where to tell of the end of the generation. */
  webhook?: string | undefined;
}

/** A request for one PDF. */
export interface GenerateRequest extends DocumentRequest {
  account: Account;
}

/** A generation as it is stored. Times are epoch milliseconds; result fields are `null` until completed. */
export interface Generation {
  id: string;
  accountId: string;
  templateId: string | null;
  inputType: 'html' | 'template' | 'react';
  status: 'queued' | 'processing' | 'completed' | 'failed';
  output: 'url' | 'base64';
  /** Where the PDF is, or while it is being made is to be: then there may be no such file yet. */
  fileId: string | null;
  pages: number | null;
  sizeBytes: number | null;
  generationTimeMs: number | null;
  /** `CODE: what happened`, or `null`. */
  error: string | null;
  createdAt: number;
  /** The batch that it belongs to, and its place in it; `null` for one that was made while its caller waited. */
  batchId: string | null;
  index: number | null;
  /** How many times its making in the background was begun. */
  attempts: number;
}

/** Narrows a list of generations; a batch of another account has none. */
export interface GenerationFilter {
  batchId?: string | undefined;
  status?: Generation['status'] | undefined;
  inputType?: Generation['inputType'] | undefined;
}

/** A generation of a batch before it is made, without what it is made from. */
export type PlannedGeneration = Pick<Generation, 'id' | 'inputType' | 'templateId' | 'output'>;

/** A batch, as its generations know it. */
export interface BatchOfGenerations {
  id: string;
  accountId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  /** In the order of the items. */
  generations: readonly PlannedGeneration[];
}

/** A planned generation, and what it is made from, as text to be stored. */
export interface PlannedInput {
  planned: PlannedGeneration;
  input: string;
}

/**
 * Generations that are made in the background, one at a time by whoever calls `complete`. Each step may be repeated after a crash
 * and does no harm then.
 */
export interface BackgroundGenerations {
  /** How many documents this process makes at once. */
  readonly concurrency: number;
  /**
   * Checks a request as `generate` does before it makes anything, and plans its generation; nothing is stored.
   * @throws {AppError} VALIDATION_ERROR with the path of the field in the request.
   */
  plan(request: DocumentRequest): PlannedInput;
  /** Stores what the generations of a batch are made from. Nobody sees them yet. */
  storeInputs(batchId: string, inputs: readonly PlannedInput[]): Promise<void>;
  /** Adds the queued generations of a batch; those that are there already stay as they are. */
  enqueue(batch: BatchOfGenerations): Promise<void>;
  /**
   * Makes a generation, stores its PDF and ends it, once: of several that make the same one, one ends it. Does nothing when it has
   * ended. At most three attempts may die with their process.
   * Returns it as it has ended, or `null` when there is none, or when another call took it from this one and has it now.
   * @throws when store or file store are away, or this process stops: then it is to be called again.
   */
  complete(id: string): Promise<Generation | null>;
  /** Reads the generations of a batch in the order of its items. */
  ofBatch(batchId: string): Promise<Generation[]>;
  /** Counts those of a batch that have one of these states. */
  count(batchId: string, statuses: readonly Generation['status'][]): Promise<number>;
  /** Reads whose generation it is; `undefined` when there is none. */
  accountOf(id: string): Promise<string | undefined>;
  /** Counts the queued generations of an account. */
  countQueued(accountId: string): Promise<number>;
  /** Deletes what is left of what the generations of a batch are made from. */
  deleteInputs(batchId: string): Promise<void>;
}

/** A piece of a page that is drawn for another plugin: the appearance of a stamp, or of a form field. */
export interface SnippetBox {
  /** Markup that needs neither scripts nor a network. What a caller sent stands in it as text: `&`, `<`, `>` and quotes escaped. */
  html: string;
  widthPt: number;
  heightPt: number;
  /**
   * The text gets the largest size from `maxPt` to `minPt` (lengths in `em` follow it) at which all fits. Where nothing fits, the
   * text of elements with `data-cut="1"` and up is cut and ends in an ellipsis, the highest number first.
   */
  fit?: { minPt: number; maxPt: number } | undefined;
}

/** The most boxes that are drawn at once. */
export const MAX_SNIPPET_BOXES = 500;

/** What the render plugin does for others. Every way to a PDF leads through `generate` or `background`, which print by the same code. */
export interface RenderService {
  /**
   * Makes a PDF, stores it and records the generation. A unit of quota is taken, and given back when there is no PDF.
   * With `webhook`, the delivery is stored when the promise settles, for a generation that is recorded.
   * @throws {AppError} for what the caller got wrong, and INTERNAL_ERROR with the reason in `details` when the render failed
   * (the generation is then recorded as failed).
   */
  generate(request: GenerateRequest): Promise<Generation>;
  /**
   * Draws snippets: a PDF with a page for each box, in whose upper left corner it is. Text of any script is text there, in subsets of
   * fonts that the pages share. At most {@link MAX_SNIPPET_BOXES}. No quota is taken and nothing is recorded.
   * @throws {AppError} RATE_LIMITED when too much waits; INTERNAL_ERROR when they could not be drawn.
   */
  drawSnippets(accountId: string, boxes: readonly SnippetBox[]): Promise<Uint8Array>;
  /**
   * Prints HTML to see that it can be printed, and throws the PDF away. No quota is taken, nothing is recorded, and a document that asks
   * for the network fails.
   * @throws {AppError} RATE_LIMITED when too much waits; INTERNAL_ERROR with the reason in `details` when there is no PDF.
   */
  tryPrint(document: { accountId: string; html: string }): Promise<{ pages: number }>;
  /** Reads a generation of an account. @throws {AppError} NOT_FOUND, the same for another account's. */
  get(accountId: string, id: string): Promise<Generation>;
  /** Reads what is known of the making of a generation; `null` when it has not ended, or did so over 30 days ago. */
  receipt(generation: Generation): Promise<Receipt | null>;
  /** Lists an account's generations, newest first, ties by id. */
  list(accountId: string, query: GenerationFilter & { limit: number; offset: number }): Promise<Generation[]>;
  readonly background: BackgroundGenerations;
  /** Makes a link to the PDF that holds 30 days; `null` when there is none. */
  link(generation: Generation): Promise<string | null>;
  /** Reads the PDF. */
  readPdf(generation: Generation): Promise<Uint8Array>;
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
