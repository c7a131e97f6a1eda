import { describe, expect, test } from 'bun:test';
import { placeAfter } from './place-after.ts';
import { planFragments, type TableSizes } from './plan-fragments.ts';
import { isSamePlan, planTables, type PlannedTable } from './plan-tables.ts';

/** Pages have room for 50 rows. The plans leave 2 pixels for the rounding of Chromium. */
const PAGE_PX = 1_002;
const ROW_PX = 20;
const NEW_PAGE = { page: 1, top: 0 };
const UNDIVIDED = { breaks: [], beginsPage: false };

/** The sizes of a table with a heading of a row, which shows a row more on each page but the first. */
const sizesOf = (rows: number): TableSizes => ({
  before: 0,
  lead: ROW_PX,
  leadMargin: 0,
  after: 0,
  rows: Array.from({ length: rows }, () => ROW_PX),
  repeated: (isFirst) => (isFirst ? 0 : ROW_PX),
  mayBreak: Array.from({ length: rows }, () => true),
  mustBreak: Array.from({ length: rows }, () => false),
});

/** Tables one after the other, each below a heading that stays with it. */
function tablesOf(...rows: number[]): PlannedTable[] {
  return rows.map((count, index) => ({
    sizes: sizesOf(count),
    start: NEW_PAGE,
    plan: { ...UNDIVIDED, tall: [], end: NEW_PAGE },
    printedPlan: UNDIVIDED,
    between:
      index === 0 ? undefined : { from: 0, to: ROW_PX, ranges: [{ top: 0, bottom: ROW_PX }], forced: [] },
  }));
}

/** Plans tables after a print that shows where they begin. Returns where they begin next, and their breaks. */
function plan(tables: PlannedTable[], starts: { page: number; top: number }[]) {
  const printed = new Map(tables.map((table, index) => [table, starts[index] ?? NEW_PAGE]));
  planTables(tables, printed, { placeAfter, planFragments, isSamePlan, heightsFor: () => () => PAGE_PX });
  return tables.map(({ start, plan: { breaks, beginsPage } }) => [start.page, start.top, breaks, beginsPage]);
}

describe('planTables', () => {
  test('a table begins where the print shows it, if the table before it does not change', () => {
    expect(plan(tablesOf(10, 20), [NEW_PAGE, { page: 1, top: 333 }])).toEqual([
      [1, 0, [], false],
      [1, 333, [], false],
    ]);
  });

  test('a table that becomes longer moves the next one', () => {
    // Undivided, the first table ends after 10 rows of page 2, and divided after 11.
    expect(plan(tablesOf(60, 45), [NEW_PAGE, { page: 2, top: 220 }])).toEqual([
      [1, 0, [50], false],
      [2, 240, [38], false],
    ]);
  });

  test('a table without room for its first row begins a page with its heading, until it has room again', () => {
    const tables = tablesOf(98, 5);
    expect(plan(tables, [NEW_PAGE, { page: 2, top: 980 }])).toEqual([
      [1, 0, [50], false],
      [3, ROW_PX, [], true],
    ]);
    for (const table of tables) table.printedPlan = table.plan;
    const printed = [NEW_PAGE, { page: 3, top: ROW_PX }];
    expect(plan(tables, printed)[1]).toEqual([3, ROW_PX, [], true]);
    const [first] = tables;
    if (first) first.sizes = sizesOf(90);
    expect(plan(tables, printed)[1]).toEqual([2, 840, [], false]);
  });

  test('a table whose rows were not all printed moves the next one', () => {
    const tables = tablesOf(10, 20);
    const [first] = tables;
    if (first) first.printedPlan = undefined;
    expect(plan(tables, [NEW_PAGE, { page: 7, top: 333 }])[1]).toEqual([1, 220, [], false]);
  });
});

test.each([
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 3], false],
  [[1], [1, 2], false],
])('plans with breaks before %j and %j are the same: %s', (a, b, isSame) => {
  expect(isSamePlan({ ...UNDIVIDED, breaks: a }, { ...UNDIVIDED, breaks: b })).toBe(isSame);
  expect(isSamePlan({ ...UNDIVIDED, breaks: a }, { ...UNDIVIDED, breaks: b, beginsPage: true })).toBe(false);
});
