import { PLACE_LINK } from '../../pdf-scan.ts';
import { STATE, toSource, type PagedFeature } from '../feature.ts';
import { joinRanges } from '../page/join-ranges.ts';
import { measureFlow } from '../page/measure-flow.ts';
import { carryRows } from './page/carry-rows.ts';
import { createDecimals } from './page/decimals.ts';
import { divideTable } from './page/divide-table.ts';
import { placeAfter } from './page/place-after.ts';
import { planFragments } from './page/plan-fragments.ts';
import { isSamePlan, planTables } from './page/plan-tables.ts';
import { readTables } from './page/read-tables.ts';

/** The first print shows where the tables are, the second one is divided, and the third one corrects it. */
const MAX_PRINTS = 3;

const PAGE_FUNCTIONS = {
  readTables,
  createDecimals,
  divideTable,
  planFragments,
  placeAfter,
  planTables,
  isSamePlan,
  measureFlow,
  joinRanges,
};

const PARTS = `{ ${Object.entries(PAGE_FUNCTIONS)
  .map(([name, part]) => `${name}: ${toSource(part)}`)
  .join(', ')}, placeLink: ${JSON.stringify(PLACE_LINK)} }`;

/** Subtotals, and rows of `thead` and `tfoot` that show on some pages of their table only. */
export const carriedRows: PagedFeature = {
  name: 'carriedRows',
  words: ['data-subtotal', 'data-carried-forward', 'data-brought-forward', 'data-show-on'],
  measures: true,
  prepare: () => `(${toSource(carryRows)})(${PARTS})`,
  limit: {
    maxPrints: MAX_PRINTS,
    explain: (element) =>
      `the rows of ${element} do not fit on their pages after ${MAX_PRINTS} prints; its size depends on the pages that it is on, or its surroundings have headers and footers of their own`,
  },
};

/** Page numbers in the copied rows. References write them into the original rows. */
export const carriedPageNumbers: PagedFeature = {
  name: 'carriedPageNumbers',
  words: ['data-page-of', 'target-counter'],
  prepare: () =>
    `((rows) => rows?.refresh ? { write: () => ({ changed: rows.refresh() }) } : {})(${STATE}[${JSON.stringify(carriedRows.name)}])`,
  limit: {
    maxPrints: MAX_PRINTS,
    explain: () => `the page numbers in the rows of a table change with each of ${MAX_PRINTS} prints`,
  },
};
