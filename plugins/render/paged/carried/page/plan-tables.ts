import type { Between, placeAfter } from './place-after.ts';
import type { FragmentPlan, PagePlace, planFragments, TableSizes } from './plan-fragments.ts';

/** How the last print divided a table, and where the table ended in it, if that is known. */
export type PrintedPlan = Pick<FragmentPlan, 'breaks' | 'beginsPage'> & Partial<Pick<FragmentPlan, 'end'>>;

/** A table with the plan for the next print. */
export interface PlannedTable {
  sizes: TableSizes;
  /** Where it begins. */
  start: PagePlace;
  plan: FragmentPlan;
  /** The plan of the last print; undefined when it showed only some of the rows. */
  printedPlan: PrintedPlan | undefined;
  /** The content after the table before it; undefined for the first table. */
  between: Between | undefined;
}

/** The functions that {@link planTables} uses. */
export interface PlanParts<Table> {
  placeAfter: typeof placeAfter;
  planFragments: typeof planFragments;
  isSamePlan: typeof isSamePlan;
  /** Returns the function for the heights of the pages on which a table may be. */
  heightsFor: (table: Table) => (page: number) => number;
}

/**
 * Tells whether two plans divide a table in the same way.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function isSamePlan(a: PrintedPlan | undefined, b: PrintedPlan | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.beginsPage === b.beginsPage &&
    a.breaks.length === b.breaks.length &&
    a.breaks.every((row, index) => row === b.breaks[index])
  );
}

/**
 * Plans the tables of a document. A table begins where the last print shows it, unless a table before it ends
 * elsewhere now.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 * @param printed where the tables begin in the last print
 */
export function planTables<Table extends PlannedTable>(
  tables: readonly Table[],
  printed: ReadonlyMap<Table, PagePlace>,
  parts: PlanParts<Table>,
): void {
  /** The room that a table needs beyond its first rows to return to the page before. */
  const SPARE_PX = 30;
  /** Tells whether a table ends in the next print where it ended in the last one. */
  const isUnmoved = (table: Table): boolean => {
    const { plan, printedPlan, start } = table;
    const isNear = (a: PagePlace, b = a) => a.page === b.page && Math.abs(a.top - b.top) < 1;
    return (
      parts.isSamePlan(plan, printedPlan) &&
      isNear(start, printed.get(table)) &&
      isNear(plan.end, printedPlan?.end)
    );
  };

  let before: Table | undefined;
  for (const table of tables) {
    const { between, sizes, printedPlan } = table;
    const shown = printed.get(table) ?? table.start;
    const isBegun = printedPlan?.beginsPage === true;
    const pageTop = sizes.leadMargin + sizes.lead;
    const planFrom = (start: PagePlace) => parts.planFragments(sizes, start, parts.heightsFor(table));
    if (before && between && !isUnmoved(before)) {
      table.start = parts.placeAfter(between, before.plan.end, parts.heightsFor(before));
      table.plan = planFrom(table.start);
      // A table that began a page returns to the page before only if there is room to spare.
      const tight = planFrom({ page: table.start.page, top: table.start.top + SPARE_PX });
      if (isBegun && tight.beginsPage) table.plan = tight;
      if (table.plan.beginsPage) table.start = { page: table.start.page + 1, top: pageTop };
    } else if (isBegun) {
      table.start = { page: shown.page, top: pageTop };
      table.plan = { ...planFrom(table.start), beginsPage: true };
    } else {
      table.plan = planFrom(shown);
      table.start = table.plan.beginsPage ? { page: shown.page + 1, top: pageTop } : shown;
    }
    before = table;
  }
}
