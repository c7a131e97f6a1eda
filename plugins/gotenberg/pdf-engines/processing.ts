import type { Caller, PdfToolsService } from '../../pdf-tools/contract.ts';

/** The parts of the service that make PDFs. */
export interface Engines {
  /** A call of a form route is one. */
  caller: Caller;
  tools: PdfToolsService;
}

/** A PDF, and the name that it has in a zip archive: `report.pdf`. */
export interface NamedPdf {
  name: string;
  pdf: Uint8Array;
}

/** `splitMode`, `splitSpan` and `splitUnify`. */
export type Split = { mode: 'intervals'; span: number } | { mode: 'pages'; span: string; unify: boolean };

/** A watermark or a stamp: one value of `stampSource` with the other fields at its position. */
export interface Mark {
  source: 'text' | 'image' | 'pdf';
  expression: string;
  /** The uploaded file of an image or a PDF. */
  file: Uint8Array | undefined;
  /** A selection in the syntax of pdfcpu; empty for all pages. */
  pages: string;
  /** Options of pdfcpu, such as `rotation`, `scale` and `opacity`, whose names may be abbreviated. */
  options: Readonly<Record<string, string>>;
}

/** An item of an outline. */
export interface Bookmark {
  title: string;
  page: number;
  children?: readonly Bookmark[];
}

/** One outline for all PDFs, or one for each by the name of its file. */
export type Bookmarks = { all: readonly Bookmark[] } | { byFile: ReadonlyMap<string, readonly Bookmark[]> };

/** A value of `metadata`, by the name of an ExifTool tag. */
export type MetadataValue = string | number | boolean | readonly string[];

/** A file of `embeds`, with its entry in `embedsMetadata`. */
export interface Embed {
  name: string;
  data: Uint8Array;
  mimeType: string | undefined;
  relationship: string | undefined;
}

/** `facturxXml` and the fields about it. */
export interface FacturX {
  xml: Uint8Array;
  level: 'MINIMUM' | 'BASIC WL' | 'BASIC' | 'EN 16931' | 'EXTENDED' | 'XRECHNUNG';
  documentType: 'INVOICE' | 'ORDER' | 'ORDER_RESPONSE' | 'ORDER_CHANGE';
  version: string;
}

/** `userPassword`, `ownerPassword` and the `allow…` fields. One password is not empty. */
export interface Encryption {
  userPassword: string;
  ownerPassword: string;
  printing: boolean;
  copying: boolean;
  modifying: boolean;
  annotating: boolean;
  filling: boolean;
  assembling: boolean;
}

/**
 * The work on PDFs that the Chromium, LibreOffice and PDF routes share. Absent parts do nothing. Merging is
 * not one of them: the routes merge before.
 */
export interface Processing {
  split?: Split | undefined;
  watermarks?: readonly Mark[] | undefined;
  stamps?: readonly Mark[] | undefined;
  rotation?: { angle: 90 | 180 | 270; pages: string } | undefined;
  flatten?: boolean | undefined;
  /** The quality of images with `optimizeImages`. */
  imageQuality?: number | undefined;
  /** A level such as `PDF/A-2b`; empty for none. */
  pdfa?: string | undefined;
  pdfua?: boolean | undefined;
  bookmarks?: Bookmarks | undefined;
  metadata?: Readonly<Record<string, MetadataValue>> | undefined;
  embeds?: readonly Embed[] | undefined;
  facturX?: FacturX | undefined;
  encryption?: Encryption | undefined;
}

/** Merges PDFs in the given order. Returns a single PDF unchanged. */
export type MergePdfs = (engines: Engines, pdfs: readonly NamedPdf[]) => Promise<Uint8Array>;

/**
 * Runs the work on each PDF in Gotenberg's order. With a split, the results are the parts, named
 * `report_0.pdf`.
 * @throws {AppError} VALIDATION_ERROR for a PDF or a value that cannot be processed; NOT_IMPLEMENTED with a
 * sentence for a request that Platen does not support
 */
export type ProcessPdfs = (
  engines: Engines,
  pdfs: readonly NamedPdf[],
  processing: Processing,
) => Promise<NamedPdf[]>;
