import type { PagedFeature } from './feature.ts';
import { carriedRows } from './carried/carried-rows.ts';
import { footnoteCalls, footnotes } from './footnotes/feature.ts';
import { pageSizes } from './page-sizes/feature.ts';
import { references } from './references.ts';
import { runningStrings } from './running-strings.ts';
import { signatureFields } from './signature-fields.ts';

/**
 * The features of paged media, in the order in which they prepare a document. The sizes of pages come first,
 * because others read them. Calls of footnotes follow, because the text of a note is no part of a heading.
 * References estimate the page numbers of the prepared document, and footnotes come last, because they plan
 * where its pages end.
 */
export const PAGED_FEATURES: readonly PagedFeature[] = [
  pageSizes,
  footnoteCalls,
  runningStrings,
  signatureFields,
  carriedRows,
  references,
  footnotes,
];
