import type { DividedTable } from '../../carried/page/divide-table.ts';
import type { CarriedTable } from '../../carried/page/read-tables.ts';
import type { MeasuredFlow, Solid } from '../../page/measure-flow.ts';
import type { PagedFault } from '../../page/prepared.ts';
import type { FilledPage } from './fill-pages.ts';

/** A table with carried rows, which this module divides. */
export interface HandedTable extends CarriedTable {
  divided: DividedTable;
}

/** A row at the start or end of a part of a table, with the index of its page. */
export interface PlannedRow {
  row: HTMLElement;
  page: number;
  /** Names the table in errors. */
  path: string;
}

/** The planned pages of a document, and the flow of each section, measured at the width of its pages. */
export interface PagePlan {
  pages: readonly FilledPage[];
  flows: readonly MeasuredFlow[];
}

/** The tables with carried rows in a document with footnotes. */
export interface CarriedTables {
  /** Tells whether an element is in a row of `thead` or `tfoot` that is not only on the page of its note. */
  isRepeated(call: Element): boolean;
  /** Undoes the division, except where a page must end. `width` is the usual width of a page. */
  reset(width: number): void;
  /** Adds the ranges that no page end may cross, and the heights of the repeated rows. */
  constrain(flow: MeasuredFlow): PagedFault | undefined;
  /**
   * Divides the tables where the pages end. Returns whether the document changed, so that it must be measured
   * again.
   */
  divide(plan: PagePlan): boolean | { fault: PagedFault };
  /** Returns the rows whose pages show whether the tables are divided as planned. */
  plannedRows(plan: PagePlan): PlannedRow[];
}

/** Where a table begins. */
interface TableStart {
  /** The number of its first page. */
  page: number;
  /** The page on which the content before the table ends, and where the table would begin on it. */
  before: { page: number; top: number };
}

/**
 * Divides tables with carried rows where the plan of the footnotes ends pages. A first plan reserves room for
 * the repeated rows. The divided tables are measured again, because the repeated rows may widen columns.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function createCarriedTables(handed: readonly HandedTable[]): CarriedTables {
  /** Positions of rows may be inexact by less than this. */
  const TOLERANCE = 2;
  /** The first increase of the room that a table keeps free; each further one doubles it. */
  const MIN_RESERVE_PX = 8;
  /** Each table after the first may move when a table before it is divided. */
  const MAX_PASSES = 6 + 2 * handed.length;
  const documentElement = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement');
  const root = documentElement?.get?.call(document) as HTMLElement;

  const tables = handed.map((table) => ({
    ...table,
    breaks: [] as number[],
    forced: [] as number[],
    /** The rows before which no page may end. */
    joined: [] as HTMLElement[],
    ends: { first: undefined as HTMLElement | undefined, ends: [] as HTMLElement[] },
    /** The heights above and below its rows that stay with the first and the last one. */
    above: 0,
    below: 0,
    /** The heights of the repeated rows at the top and at the end of a page. */
    headHeight: 0,
    footHeight: 0,
    /** The height of the content that did not fit on its page in earlier plans. */
    reserve: 0,
    /** Whether the columns are wider when the table is divided, so that its rows are taller. */
    isWide: false,
    /** Where the table begins in the plan by which it is divided; undefined until it is planned. */
    start: undefined as TableStart | undefined,
  }));
  type Table = (typeof tables)[number];
  let passes = 0;

  const divideAt = (table: Table, breaks: number[], widens = false): void => {
    table.breaks = breaks;
    table.ends = table.divided.divide(breaks, widens);
  };

  const isRepeated = (call: Element): boolean => {
    const row = Element.prototype.closest.call(call, 'tr');
    const table = tables.find(({ head, foot }) => row && [head, foot].includes(row.parentElement as never));
    if (!row || !table) return false;
    const { shows } = table;
    // The number of a note in a head is on each page, and the note on the first.
    if (row.parentElement === table.head) return !shows(row, true, true) || !shows(row, true, false);
    return (
      !shows(row, true, true) ||
      !shows(row, false, true) ||
      shows(row, true, false) ||
      shows(row, false, false)
    );
  };

  /** Makes a table undivided again, apart from forced breaks. */
  const undo = (table: Table): void => {
    table.start = undefined;
    divideAt(table, table.forced, table.isWide);
  };

  /** Returns the height of the rows of `thead` or `tfoot` on the tallest of some fragments. */
  const heightOf = (
    { divided, shows }: Table,
    section: HTMLTableSectionElement | null,
    fragments: readonly (readonly [isFirst: boolean, isLast: boolean])[],
  ): number => {
    const rows = section ? [...section.rows] : [];
    const heights = fragments.map(([isFirst, isLast]) =>
      rows
        .filter((row) => shows(row, isFirst, isLast))
        .reduce((height, row) => height + divided.repeatedHeight(row), 0),
    );
    return Math.max(...heights);
  };

  const reset = (width: number): void => {
    passes = 0;
    const { width: inline } = root.style;
    const priority = root.style.getPropertyPriority('width');
    for (const { divided } of tables) {
      divided.divide([]);
      divided.showAll(true);
    }
    root.style.setProperty('width', `${width}px`, 'important');
    for (const table of tables) {
      const { mustBreak, mayBreak, before, lead, after } = table.divided.measure();
      table.above = lead + before;
      table.below = after;
      table.forced = mustBreak.flatMap((must, row) => (must && row > 0 ? [row] : []));
      table.joined = table.rows.filter((_, row) => mayBreak[row] === false && mustBreak[row] !== true);
      table.headHeight = heightOf(table, table.head, [
        [false, false],
        [false, true],
      ]);
      table.footHeight = heightOf(table, table.foot, [
        [true, false],
        [false, false],
      ]);
    }
    root.style.setProperty('width', inline, priority);
    tables.forEach(undo);
  };

  /** The places of the rows of each flow. */
  const placesOf = new WeakMap<MeasuredFlow, ReadonlyMap<Element, Solid>>();
  const placesIn = (flow: MeasuredFlow): ReadonlyMap<Element, Solid> => {
    const known = placesOf.get(flow);
    if (known) return known;
    const units = flow.flows[0]?.units ?? [];
    const places = new Map<Element, Solid>(
      units.filter(({ kind }) => kind === 'row').map((unit) => [unit.element, unit]),
    );
    placesOf.set(flow, places);
    return places;
  };
  /** Returns the visible rows of a table in the order of the document, with their places. */
  const rowsIn = (flow: MeasuredFlow, { element }: Table): { row: Element; place: Solid }[] => {
    const places = placesIn(flow);
    return [...Element.prototype.querySelectorAll.call(element, 'tr')].flatMap((row) => {
      const place = places.get(row);
      return place && Element.prototype.closest.call(row, 'table') === element ? [{ row, place }] : [];
    });
  };

  /** Returns the index of the page with a row; -1 for a row that is not shown. */
  const pageOf = (row: Element, { pages, flows }: PagePlan): number =>
    pages.findLastIndex(({ section, top }) => {
      const flow = flows[section];
      const place = flow && placesIn(flow).get(row);
      const begin = Math.max(top, flow?.sections[section]?.top ?? 0);
      return place !== undefined && place.top >= begin - TOLERANCE;
    });

  const sectionOf = (row: Element): string => row.parentElement?.localName ?? '';
  /** Tells whether a row begins a part of its table on another page. */
  const begins = (row: Element): boolean =>
    row instanceof HTMLElement && row.style.getPropertyValue('break-before') === 'page';
  const constrain = (flow: MeasuredFlow): PagedFault | undefined => {
    for (const table of tables) {
      const { element, path, joined, above, below, headHeight, footHeight, reserve } = table;
      const rows = rowsIn(flow, table);
      const [first, last] = [rows[0], rows.at(-1)];
      if (!first || !last) {
        if (Element.prototype.getClientRects.call(element).length === 0) continue;
        return `${path}: in a document with footnotes, a table with carried rows must not be in a table cell, a float, a grid or a flexible row`;
      }
      const keep = (from: number, to: number) => flow.soft.push({ top: from, bottom: to });
      if (above > 1) keep(first.place.top - above, first.place.top + 1);
      if (below > 1) keep(last.place.bottom - 1, last.place.bottom + below);
      const stuck = new Set<Element>(joined);
      for (const [index, { row, place }] of rows.entries()) {
        const before = rows[index - 1];
        if (!before || begins(row)) continue;
        const isEnd = sectionOf(before.row) === 'thead' || sectionOf(row) === 'tfoot';
        // A part of a divided table fits on a page.
        if (table.start || isEnd || stuck.has(row)) keep(before.place.bottom - 1, place.top + 1);
      }
      flow.tables.push({
        top: first.place.top,
        bottom: last.place.bottom + below,
        // A divided table contains its repeated rows.
        headHeight: table.start ? 0 : headHeight,
        footHeight: table.start ? 0 : footHeight + reserve,
        spare: TOLERANCE,
      });
    }
    return undefined;
  };

  /** The end of a page, with the position of the content after it, and the row that begins there. */
  interface PageEnd {
    page: FilledPage;
    next: number;
    row: Element | undefined;
  }
  /** Returns the ends of pages within a table. */
  const endsWithin = (table: Table, { pages, flows }: PagePlan): PageEnd[] => {
    const found: PageEnd[] = [];
    const rowsOf = new Map<MeasuredFlow, { row: Element; place: Solid }[]>();
    for (const page of pages) {
      const flow = flows[page.section];
      const { next } = page;
      if (!flow || next === undefined) continue;
      const rows = rowsOf.get(flow) ?? rowsIn(flow, table);
      rowsOf.set(flow, rows);
      const [first, last] = [rows[0], rows.at(-1)];
      if (!first || !last) continue;
      if (next <= first.place.top + TOLERANCE || next >= last.place.bottom - TOLERANCE) continue;
      let [low, high] = [0, rows.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((rows[middle]?.place.top ?? Infinity) >= next - TOLERANCE) high = middle;
        else low = middle + 1;
      }
      const at = rows[low];
      const isAtTop = at && Math.abs(at.place.top - next) < TOLERANCE;
      found.push({ page, next, row: isAtTop ? at.row : undefined });
    }
    return found;
  };

  const tallFault = ({ path }: Table): { fault: PagedFault } => ({
    fault: `${path}: in a document with footnotes, each row of a table with carried rows must fit on a page together with its footnotes and the repeated rows`,
  });

  /** Tells whether a row of a table is taller than its page. */
  const hasTallRow = (table: Table, { pages, flows }: PagePlan): boolean =>
    pages.some(({ section, top, bottom, area }) => {
      if (bottom - top <= area.height + TOLERANCE) return false;
      const flow = flows[section];
      return (
        flow !== undefined &&
        rowsIn(flow, table).some(({ place }) => place.top < bottom && place.bottom > top)
      );
    });

  /** Prepares a new plan for a table with a part that was taller than planned. */
  const makeRoom = (table: Table, end: PageEnd | undefined, { flows }: PagePlan): void => {
    if (!table.isWide) {
      table.isWide = true;
      return;
    }
    let excess = 0;
    const flow = end && flows[end.page.section];
    if (flow) {
      const { section, top, area } = end.page;
      const bottom = rowsIn(flow, table).at(-1)?.place.bottom ?? 0;
      excess = Math.min(flow.sections[section + 1]?.top ?? Infinity, bottom) - top - area.height;
    }
    table.reserve += Math.max(excess, MIN_RESERVE_PX, table.reserve);
  };

  const startOf = (table: Table, plan: PagePlan): TableStart => {
    const { pages, flows } = plan;
    const first = flows[0] && rowsIn(flows[0], table)[0]?.row;
    const index = first ? pageOf(first, plan) : -1;
    const own = pages[index];
    const place = own && first && placesIn(flows[own.section] as MeasuredFlow).get(first);
    if (!place) return { page: 0, before: { page: 0, top: 0 } };
    const before = pages[index - 1];
    const isMovable = before?.section === own.section && place.top - table.above <= own.top + TOLERANCE;
    const page = isMovable ? before : own;
    const top = page.headHeight + place.top - page.top;
    return { page: own.number, before: { page: page.number, top } };
  };

  /** Divides a table where pages end. */
  const divideTable = (table: Table, ends: readonly PageEnd[]): boolean => {
    const numbers = new Map<Element, number>(table.rows.map((row, index) => [row, index]));
    const breaks = new Set(table.forced);
    for (const { row } of ends) {
      const number = row && numbers.get(row);
      if (number === undefined || number === 0) return false;
      breaks.add(number);
    }
    divideAt(
      table,
      [...breaks].sort((a, b) => a - b),
    );
    return true;
  };

  const divide: CarriedTables['divide'] = (plan) => {
    passes += 1;
    let hasChanged = false;
    for (const [index, table] of tables.entries()) {
      if (hasTallRow(table, plan)) return tallFault(table);
      const ends = endsWithin(table, plan);
      const start = startOf(table, plan);
      if (!table.start) {
        table.start = start;
        if (ends.length === 0 && !table.isWide) continue;
        hasChanged = true;
        if (!divideTable(table, ends)) return tallFault(table);
        continue;
      }
      const [first] = ends;
      const { before } = table.start;
      const isMoved =
        start.before.page !== before.page || Math.abs(start.before.top - before.top) > TOLERANCE;
      // A first part that is taller than planned moves to the next page.
      const isTaller = first !== undefined || (!isMoved && start.page !== table.start.page);
      const mayReturn = isMoved && table.breaks.length > table.forced.length && passes < MAX_PASSES;
      if (!isTaller && !mayReturn) continue;
      if (passes >= MAX_PASSES) return tallFault(table);
      if (!isMoved) makeRoom(table, first, plan);
      // The tables after it may move as well.
      tables.slice(index).forEach(undo);
      return true;
    }
    return hasChanged;
  };

  const plannedRows: CarriedTables['plannedRows'] = (plan) =>
    tables.flatMap(({ ends: { first, ends }, path }) =>
      [first, ...ends].flatMap((row) => {
        const page = row ? pageOf(row, plan) : -1;
        return row && page >= 0 ? [{ row, page, path }] : [];
      }),
    );
  return { isRepeated, reset, constrain, divide, plannedRows };
}
