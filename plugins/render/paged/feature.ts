import type { Paper } from './page/estimate-pages.ts';

/** Where the browser page keeps the prepared features, by their names, between two prints. */
export const STATE = 'globalThis.platenPaged';

/** The layout of a document that is prepared for printing. */
export interface PagedSettings {
  paper: Paper;
  firstPageNumber: number;
  /** Whether the header or footer shows the sections of the document. */
  showsSections: boolean;
  /** The size of the content relative to its CSS size. */
  scale: number;
  /** Whether `@page { size }` in the document replaces the size of the paper. */
  usesPageSize: boolean;
  /** Whether the document is printed on one page that is as tall as its content. */
  isSinglePage: boolean;
}

/** How many prints a feature may take. */
export interface PrintLimit {
  /** `write` may change the document after each of these prints but the last. */
  maxPrints: number;
  /** Returns the message for a document that `write` changes after the last print. */
  explain: (element: string) => string;
}

/** A feature of paged media that Chromium does not have. */
export interface PagedFeature {
  /** The key of the feature in the browser page. */
  name: string;
  /**
   * The words by which the feature is recognized in HTML. A document without them is printed without the
   * scripts of the feature.
   */
  words: readonly (string | RegExp)[];
  /** A word that the HTML must contain as well. */
  within?: string;
  /** Tells whether the header or footer needs the feature, whatever the document contains. */
  isNeededFor?: (headers: Pick<PagedSettings, 'showsSections'>) => boolean;
  /**
   * Returns an expression for the browser page, in a world that the document cannot modify and in the media
   * type of the print. It prepares the loaded document, and its value is a `Prepared` of `page/prepared.ts`.
   */
  prepare(settings: PagedSettings): string;
  /** Whether its first print may only measure the document, so that it writes before the others. */
  measures?: boolean;
  /** The limit on prints. Absent for a feature without `write`. */
  limit?: PrintLimit;
}

/** Returns the source text of a value for the browser page: of a self-contained function, or of data. */
export function toSource(value: object): string {
  return typeof value === 'function' ? String(value) : JSON.stringify(value);
}
