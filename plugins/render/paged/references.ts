import { toSource, type PagedFeature } from './feature.ts';
import { estimatePages } from './page/estimate-pages.ts';
import { formatCounter } from './page/format-counter.ts';
import { collectReferences } from './page/references.ts';

/**
 * The limits on references. Chromium looks for every target on every page, which takes about 2 microseconds
 * each. With two prints, the largest permitted product takes most of the time that a document has.
 */
const LIMITS = { maxTargets: 5_000, maxTargetsTimesPages: 2_000_000, maxLevels: 10 };

/** Two prints suffice unless the numbers change the number of lines, which takes a third. */
const MAX_PRINTS = 3;

/** Tables of contents and page numbers of other elements. */
export const references: PagedFeature = {
  name: 'references',
  words: ['data-toc', 'data-page-of', 'target-counter'],
  prepare: (settings) =>
    `(${toSource(collectReferences)})(${toSource({ ...LIMITS, ...settings })}, ${toSource(estimatePages)}, ${toSource(formatCounter)})`,
  limit: {
    maxPrints: MAX_PRINTS,
    explain: (element) =>
      `the page number of ${element} changes with each of ${MAX_PRINTS} prints; give page numbers a fixed width`,
  },
};
