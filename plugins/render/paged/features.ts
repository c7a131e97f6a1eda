import type { PagedFeature } from './feature.ts';
import { carriedPageNumbers, carriedRows } from './carried/carried-rows.ts';
import { footnoteCalls, footnotes } from './footnotes/feature.ts';
import { pageSizes } from './page-sizes/feature.ts';
import { references } from './references.ts';
import { runningStrings } from './running-strings.ts';
import { signatureFields } from './signature-fields.ts';

/**
 * The features of paged media, in the order in which they prepare a document. Page sizes come first, because
 * other features read them. Footnote calls follow, so that headings do not contain the text of notes.
 * References estimate the page numbers of the prepared document, and carried rows repeat them. Footnotes come
 * last, because they plan where its pages end.
 */
export const PAGED_FEATURES: readonly PagedFeature[] = [
  pageSizes,
  footnoteCalls,
  runningStrings,
  signatureFields,
  carriedRows,
  references,
  carriedPageNumbers,
  footnotes,
];
