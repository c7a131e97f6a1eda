import { NOTE_DESTINATIONS } from '@platen/pdf-standards/note-destinations';
import { carriedRows } from '../carried/carried-rows.ts';
import { STATE, toSource, type PagedFeature } from '../feature.ts';
import { collectNotes } from './page/collect-notes.ts';
import { comparePrint } from './page/compare-print.ts';
import { fillPages } from './page/fill-pages.ts';
import { layOutNotes, type NoteParts } from './page/lay-out-notes.ts';
import { joinRanges } from '../page/join-ranges.ts';
import { measureFlow } from '../page/measure-flow.ts';
import { createCarriedTables } from './page/carried-tables.ts';
import { createNoteAreas } from './page/note-areas.ts';
import { readPageAreas } from './page/page-areas.ts';
import { createPlacedRows } from './page/placed-rows.ts';
import { pinPages } from './page/pin-pages.ts';

/**
 * The limits on footnotes. Chromium looks for each call and note on every page, which takes about 2
 * microseconds each.
 */
const LIMITS = { maxNotes: 2_000, maxTargetsTimesPages: 2_000_000 };

/** One print suffices if the pages are as planned. */
const MAX_PRINTS = 3;

const PARTS: NoteParts = {
  readPageAreas,
  createCarriedTables,
  createPlacedRows,
  createNoteAreas,
  measureFlow,
  fillPages,
  joinRanges,
  pinPages,
  comparePrint,
};

const WORDS = ['data-footnote'] as const;
const CALLS = 'footnote calls';

/** Replaces footnotes with their calls. */
export const footnoteCalls: PagedFeature = {
  name: CALLS,
  words: WORDS,
  prepare: () => `(${toSource(collectNotes)})(${toSource({ ...LIMITS, ...NOTE_DESTINATIONS })})`,
};

/** Puts the collected footnotes at the foot of their pages. */
export const footnotes: PagedFeature = {
  name: 'footnotes',
  words: WORDS,
  prepare: (settings) => {
    const parts = Object.entries(PARTS).map(([name, part]: [string, object]) => `${name}: ${toSource(part)}`);
    return `(${toSource(layOutNotes)})(${toSource({ ...LIMITS, ...settings })}, { ${parts.join()} }, ${STATE}[${JSON.stringify(CALLS)}], ${STATE}[${JSON.stringify(carriedRows.name)}])`;
  },
  limit: {
    maxPrints: MAX_PRINTS,
    explain: (element) =>
      `${element}: its page differs from the planned one in each of ${MAX_PRINTS} prints; begin a page before it, or simplify the layout around it`,
  },
};
