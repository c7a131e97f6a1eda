import type { Account } from '../../src/plugin.ts';
import type { GenerateOptions } from './schemas.ts';

/** What a document is made from: HTML as sent (a Handlebars template when there is `data`), or a stored template. */
export type Source = { html: string } | { templateId: string };

/** A request for one PDF. */
export interface GenerateRequest {
  account: Account;
  source: Source;
  data?: Record<string, unknown> | undefined;
  options?: GenerateOptions | undefined;
  output: 'url' | 'base64';
}

/** A generation as it is stored. Times are epoch milliseconds; result fields are `null` until completed. */
export interface Generation {
  id: string;
  accountId: string;
  templateId: string | null;
  inputType: 'html' | 'template' | 'react';
  status: 'queued' | 'processing' | 'completed' | 'failed';
  output: 'url' | 'base64';
  fileId: string | null;
  pages: number | null;
  sizeBytes: number | null;
  generationTimeMs: number | null;
  /** `CODE: what happened`, or `null`. */
  error: string | null;
  createdAt: number;
}

/** A piece of a page that is drawn for another plugin: the appearance of a stamp, or of a form field. */
export interface SnippetRequest {
  /** Whose turn it is. */
  accountId: string;
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

/** What the render plugin does for others. Every way to a document leads through `generate`. */
export interface RenderService {
  /**
   * Makes a PDF, stores it and records the generation. A unit of quota is taken, and given back when there is no PDF.
   * @throws {AppError} for what the caller got wrong, and INTERNAL_ERROR with the reason in `details` when the render failed
   * (the generation is then recorded as failed).
   */
  generate(request: GenerateRequest): Promise<Generation>;
  /**
   * Draws a snippet: a PDF of one page, in whose upper left corner the box of the wanted size is. Text of any script is text there,
   * in subsets of fonts. No quota is taken and nothing is recorded.
   * @throws {AppError} RATE_LIMITED when too much waits; INTERNAL_ERROR when it could not be drawn.
   */
  drawSnippet(snippet: SnippetRequest): Promise<Uint8Array>;
  /** Reads a generation of an account. @throws {AppError} NOT_FOUND, the same for another account's. */
  get(accountId: string, id: string): Promise<Generation>;
  /** Lists an account's generations, newest first, ties by id. */
  list(accountId: string, page: { limit: number; offset: number }): Promise<Generation[]>;
  /** Makes a link to the PDF that holds 30 days; `null` when there is none. */
  link(generation: Generation): Promise<string | null>;
  /** Reads the PDF in base64. */
  readBase64(generation: Generation): Promise<string>;
}

/** What the render plugin needs of a plugin that stores templates. */
export interface TemplateSource {
  /** Finds the current HTML of an account's template, or `null`. */
  findHtml(accountId: string, id: string): Promise<string | null>;
}

declare module '../../src/plugin.ts' {
  interface Services {
    render: RenderService;
    templates: TemplateSource;
  }
}

declare module '../../src/events.ts' {
  interface Events {
    'generation.completed': { generation: Generation };
    'generation.failed': { generation: Generation };
  }
}
