import type { HandedTable } from '../../carried/page/carry-rows.ts';
import type { MeasuredFlow } from '../../page/measure-flow.ts';
import type { PagedFault } from '../../page/prepared.ts';
import type { PageEnd, PagePlan, PlacedRow, PlacedRows } from './placed-rows.ts';

/** A row at the start or end of a part of a table, with the index of its page. */
export interface PlannedRow {
  row: HTMLElement;
  page: number;
  /** Names the table in errors. */
  path: string;
}

/** The tables with carried rows in a document with footnotes. */
export interface CarriedTables {
  /**
   * Tells whether an element is in a row that cannot have a footnote: of `thead` but not on the first page,
   * or of `tfoot` and not only on the last page.
   */
  refusesNote(call: Element): boolean;
  /** Undoes the division, except where a page must end. Measures the repeated rows at the widths of pages. */
  reset(): void;
  /** Tells whether a flow had a width at which the repeated rows are not measured. */
  hasNewWidth(): boolean;
  /** Adds to a flow of this width the ranges that no page end may cross, and the heights of repeated rows. */
  constrain(flow: MeasuredFlow, width: number): PagedFault | undefined;
  /**
   * Divides the tables where the pages end. Returns whether the document changed, so that it must be measured
   * again.
   */
  divide(plan: PagePlan): boolean | { fault: PagedFault };
  /** Returns the rows whose pages show whether the tables are divided as planned. */
  plannedRows(plan: PagePlan): PlannedRow[];
}

/** The heights of a table on pages of a width. */
interface RepeatedSizes {
  /** The heights above and below its rows that stay with the first and the last one. */
  above: number;
  below: number;
  /** The heights of the repeated rows at the top and at the end of a page. */
  head: number;
  foot: number;
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
 * @param usualWidth the width of most pages in CSS pixels
 */
export function createCarriedTables(
  handed: readonly HandedTable[],
  rows: PlacedRows,
  usualWidth: number,
): CarriedTables {
  /** Positions of rows may be inexact by less than this. */
  const TOLERANCE = 2;
  /** The first increase of the room that a table keeps free; each further one doubles it. */
  const MIN_RESERVE_PX = 8;
  /** Each table after the first may move when a table before it is divided. */
  const MAX_PASSES = 6 + 2 * handed.length;
  const documentElement = Object.getOwnPropertyDescriptor(Document.prototype, 'documentElement');
  const root = documentElement?.get?.call(document) as HTMLElement;
  const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement');
  // A field of a form can replace a property of the form.
  const parentOf = (node: Node): Element | null => parentElement?.get?.call(node) as Element | null;

  const tables = handed.map((table) => ({
    ...table,
    breaks: [] as number[],
    forced: [] as number[],
    /** The rows before which no page may end. */
    joined: [] as HTMLElement[],
    ends: { first: undefined as HTMLElement | undefined, ends: [] as HTMLElement[] },
    sizes: new Map<number, RepeatedSizes>(),
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

  const refusesNote = (call: Element): boolean => {
    for (let row: Element | null = call; row; row = parentOf(row)) {
      const section = parentOf(row);
      const table = tables.find(
        ({ head, foot }) => section !== null && (section === head || section === foot),
      );
      if (!table) continue;
      const [single, first, middle, last] = [
        table.shows(row, true, true),
        table.shows(row, true, false),
        table.shows(row, false, false),
        table.shows(row, false, true),
      ];
      // The number of a note in a head is on each page, and the note on the first.
      return section === table.head ? !single || !first : !single || !last || first || middle;
    }
    return false;
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
    const shown = section ? [...section.rows] : [];
    const heights = fragments.map(([isFirst, isLast]) =>
      shown
        .filter((row) => shows(row, isFirst, isLast))
        .reduce((height, row) => height + divided.repeatedHeight(row), 0),
    );
    return Math.max(...heights);
  };

  const widths = new Set([usualWidth]);
  let isNewWidth = false;
  const reset = (): void => {
    if (tables.length === 0) return;
    passes = 0;
    isNewWidth = false;
    const { width: inline } = root.style;
    const priority = root.style.getPropertyPriority('width');
    for (const { divided } of tables) {
      divided.divide([]);
      divided.showAll(true);
    }
    for (const width of widths) {
      root.style.setProperty('width', `${width}px`, 'important');
      for (const table of tables) {
        const { mustBreak, mayBreak, before, lead, after } = table.divided.measure();
        table.forced = mustBreak.flatMap((must, row) => (must && row > 0 ? [row] : []));
        table.joined = table.rows.filter((_, row) => mayBreak[row] === false && mustBreak[row] !== true);
        table.sizes.set(width, {
          above: lead + before,
          below: after,
          head: heightOf(table, table.head, [
            [false, false],
            [false, true],
          ]),
          foot: heightOf(table, table.foot, [
            [true, false],
            [false, false],
          ]),
        });
      }
    }
    root.style.setProperty('width', inline, priority);
    tables.forEach(undo);
  };

  const sectionOf = (row: Element): string => parentOf(row)?.localName ?? '';
  /** Tells whether a row begins a part of its table on another page. */
  const begins = (row: Element): boolean =>
    row instanceof HTMLElement && row.style.getPropertyValue('break-before') === 'page';
  const isOutOfFlow = (element: Element): boolean => {
    for (let at: Element | null = element; at; at = parentOf(at))
      if (/absolute|fixed/.test(getComputedStyle(at).position)) return true;
    return false;
  };
  const nestedFault = ({ path }: Table): { fault: PagedFault } => ({
    fault: `${path}: in a document with footnotes, a table with carried rows must not break between pages in a table cell, a float, a grid or a flexible row, and must not have position: absolute or fixed`,
  });

  /** Keeps each row and each part of a divided table on one page, and a repeated row beside another row. */
  const keepRows = (
    table: Table,
    { hard, soft, tables: repeating }: MeasuredFlow,
    own: readonly PlacedRow[],
    sizes: RepeatedSizes,
  ): void => {
    const [first, last] = [own[0]?.place, own.at(-1)?.place];
    if (!first || !last) return;
    const { above, below, head, foot } = sizes;
    if (above > 1) soft.push({ top: first.top - above, bottom: first.top + 1 });
    if (below > 1) soft.push({ top: last.bottom - 1, bottom: last.bottom + below });
    const stuck = new Set<Element>(table.joined);
    for (const [index, { row, place }] of own.entries()) {
      hard.push({ top: place.top, bottom: place.bottom });
      const before = own[index - 1];
      if (!before || begins(row)) continue;
      const joint = { top: before.place.bottom - 1, bottom: place.top + 1 };
      if (sectionOf(before.row) === 'thead' || sectionOf(row) === 'tfoot') hard.push(joint);
      // A part of a divided table fits on a page.
      else if (table.start || stuck.has(row)) soft.push(joint);
    }
    repeating.push({
      top: first.top,
      bottom: last.bottom + below,
      // A divided table contains its repeated rows.
      headHeight: table.start ? 0 : head,
      footHeight: table.start ? 0 : foot + table.reserve,
      spare: TOLERANCE,
    });
  };

  const constrain: CarriedTables['constrain'] = (flow, width) => {
    isNewWidth ||= tables.length > 0 && !widths.has(width);
    widths.add(width);
    for (const table of tables) {
      const own = rows.rowsIn(flow, table.element);
      const [first, last] = [own[0]?.place, own.at(-1)?.place];
      if (isOutOfFlow(table.element) || (rows.isNested(flow, table.element) && table.forced.length > 0))
        return nestedFault(table).fault;
      const sizes = table.sizes.get(width);
      if (!first || !last || !sizes) continue;
      if (rows.isNested(flow, table.element))
        flow.soft.push({ top: first.top - sizes.above, bottom: last.bottom + sizes.below });
      else keepRows(table, flow, own, sizes);
    }
    return undefined;
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
        rows.rowsIn(flow, table.element).some(({ place }) => place.top < bottom && place.bottom > top)
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
      const bottom = rows.rowsIn(flow, table.element).at(-1)?.place.bottom ?? 0;
      excess = Math.min(flow.sections[section + 1]?.top ?? Infinity, bottom) - top - area.height;
    }
    table.reserve += Math.max(excess, MIN_RESERVE_PX, table.reserve);
  };

  const startOf = (table: Table, plan: PagePlan): TableStart => {
    const { pages, flows } = plan;
    const first = flows[0] && rows.rowsIn(flows[0], table.element)[0]?.row;
    const index = first ? rows.pageOf(first, plan) : -1;
    const own = pages[index];
    const place = own && first && rows.placeOf(first, flows[own.section]);
    if (!place) return { page: 0, before: { page: 0, top: 0 } };
    const before = pages[index - 1];
    const above = table.sizes.get(own.area.width)?.above ?? 0;
    const isMovable = before?.section === own.section && place.top - above <= own.top + TOLERANCE;
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
      const ends = rows.endsWithin(table.element, plan);
      if (ends.length > 0 && rows.isNested(plan.flows[0], table.element)) return nestedFault(table);
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
        const page = row ? rows.pageOf(row, plan) : -1;
        return row && page >= 0 ? [{ row, page, path }] : [];
      }),
    );
  return { refusesNote, reset, hasNewWidth: () => isNewWidth, constrain, divide, plannedRows };
}
