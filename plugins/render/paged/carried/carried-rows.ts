import { PLACE_LINK } from '../../pdf-scan.ts';
import { toSource, type PagedFeature } from '../feature.ts';
import { carryRows } from './page/carry-rows.ts';
import { createDecimals } from './page/decimals.ts';
import { divideTable } from './page/divide-table.ts';
import { planFragments } from './page/plan-fragments.ts';
import { readTables } from './page/read-tables.ts';

/** The first print shows where the tables are, the second one is divided, and the third one corrects it. */
const MAX_PRINTS = 3;

const PARTS = `{ ${Object.entries({ readTables, createDecimals, divideTable, planFragments })
  .map(([name, part]) => `${name}: ${toSource(part)}`)
  .join(', ')}, placeLink: ${JSON.stringify(PLACE_LINK)} }`;

/** Subtotals, and rows of `thead` and `tfoot` that show on some pages of their table only. */
export const carriedRows: PagedFeature = {
  name: 'carriedRows',
  words: ['data-subtotal', 'data-carried-forward', 'data-brought-forward', 'data-show-on'],
  prepare: () => `(${toSource(carryRows)})(${PARTS})`,
  maxPrints: MAX_PRINTS,
  explainUnsettled: (element) =>
    `the rows of ${element ?? 'a table'} do not fit on their pages after ${MAX_PRINTS} prints; its size depends on the pages that it is on, or its surroundings have headers and footers of their own`,
};
