import { toSource, type PagedFeature } from './feature.ts';
import { formatCounter } from './page/format-counter.ts';
import { applyRunningStrings } from './page/running-strings.ts';
import { findSections } from './page/sections.ts';

const MAX_CHAPTERS = 1_000;
const MAX_PRINTS = 3;

/** `string-set`, `string()`, and sections in margin boxes and in headers and footers. */
export const runningStrings: PagedFeature = {
  name: 'strings',
  words: ['string-set', /\bcounter\(\s*section-page/, /\bstring\(\s*section-title/],
  isNeededFor: ({ showsSections }) => showsSections,
  prepare: ({ showsSections }) =>
    `(${toSource(applyRunningStrings)})(${toSource({ maxChapters: MAX_CHAPTERS, showsSections })}, ${toSource(findSections)}, ${toSource(formatCounter)})`,
  limit: {
    maxPrints: MAX_PRINTS,
    explain: (element) => `the pages of ${element} change with each of ${MAX_PRINTS} prints`,
  },
};
