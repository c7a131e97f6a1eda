import { toSource, type PagedFeature } from './feature.ts';
import { applyRunningStrings } from './page/running-strings.ts';

const LIMITS = { maxChapters: 1_000 };

/** `string-set` and `string()`. */
export const runningStrings: PagedFeature = {
  name: 'strings',
  words: ['string-set'],
  prepare: () => `(${toSource(applyRunningStrings)})(${toSource(LIMITS)})`,
};
