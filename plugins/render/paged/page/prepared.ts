import type { PlacesOfPrint } from './places-of-print.ts';
import type { SectionPages } from './sections.ts';

/** The codes of errors about a document that features of paged media find. Each is a `RenderFailure`. */
export type PagedFaultCode = 'RENDER_FAILED' | 'NOTE_TOO_LONG';

/** A fault of the document: its message, with the code RENDER_FAILED, or with another code. */
export type PagedFault = string | { message: string; code: PagedFaultCode };

/** The result of a feature's `write` in the browser page. */
export interface Written {
  /** Whether the document changed, so that it must be printed again. */
  changed: boolean;
  /** The element that changed, for the error of a document that changes with each print. */
  element?: string;
  /**
   * True when the print only measured the document, and its pages had other content. Other features wait for
   * the next print.
   */
  isMeasurement?: boolean;
  /** The pages of the sections, for headers and footers. */
  sections?: SectionPages[];
  fault?: PagedFault;
}

/** The result of a feature's `prepare` in the browser page. */
export interface Prepared {
  fault?: PagedFault;
  /** Sizes of `@page` rules that the browser ignores. */
  unknownSizes?: string[];
  /** Changes the document after a print, when the feature depends on the printed pages. */
  write?(places: PlacesOfPrint): Written;
}
