/** A sign that the document is not as its author meant it. */
export interface Finding {
  /** A code of `docs/receipts.md`, or `FILE_MISSING`, `FILE_OUTSIDE`, `SCRIPT` or `CONSOLE`. */
  code: string;
  message: string;
  /** The file and line of the cause, such as `template.html:12`, if it is known. */
  place: string | null;
  /** The places on the pages, if they are known. */
  marks: Mark[];
}

/** A box on a page in points, from the lower left corner of the page; or the right edge of all pages. */
export type Mark =
  | { kind: 'box'; page: number; x: number; y: number; width: number; height: number }
  | { kind: 'edge' };

/** The last print of the document. */
export interface PrintedPages {
  /** Counts the prints, from 1. It is part of the addresses of the page images. */
  version: number;
  pages: number;
  /** The distinct sizes of the pages in points; empty until they are known. */
  sizes: { width: number; height: number }[];
  findings: Finding[];
  /** How long the print took. */
  milliseconds: number;
}

/** Why the document cannot be printed now. The last good pages stay. */
export interface Failure {
  message: string;
  /** The file and line, if they are known. */
  place: string | null;
  /** The lines around the fault. */
  excerpt: { line: number; text: string; isFault: boolean }[];
}

/** The state that the page of `platen dev` shows. */
export interface DevState {
  /** The documents of the folder, and the position of the document that is shown. */
  documents: string[];
  selected: number;
  isBusy: boolean;
  printed: PrintedPages | null;
  failure: Failure | null;
}
