import type { PlacesOfPrint } from '../../page/places-of-print.ts';
import type { Prepared, Written } from '../../page/prepared.ts';
import type { createDecimals } from './decimals.ts';
import type { divideTable, DividedTable, FragmentRows } from './divide-table.ts';
import type { FragmentPlan, PagePlace, planFragments, TableSizes } from './plan-fragments.ts';
import type { CarriedTable, readTables } from './read-tables.ts';

/** The functions that {@link carryRows} uses, and the limit on prints. */
export interface CarryParts {
  readTables: typeof readTables;
  createDecimals: typeof createDecimals;
  divideTable: typeof divideTable;
  planFragments: typeof planFragments;
  /** Precedes the name of a place in a link that marks it. */
  placeLink: string;
}

/**
 * Shows rows of `thead` and `tfoot` on some pages of their table only, with the sums up to each page. After
 * the first print, which shows where the tables begin and how large the pages are, the tables are laid out at
 * the width of their pages and divided. The next print shows whether each part is on its page.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there,
 * and it calls methods through prototypes, because `<form name=querySelectorAll>` replaces the method of
 * `document`.
 */
export function carryRows(parts: CarryParts): Prepared {
  /** A table closer to the end of its page than this may move to the next page in the next print. */
  const NEAR_END_PX = 150;
  /** A table closer to the top of its page than this stays there when the pages before it change. */
  const NEAR_START_PX = 3;
  /** How many times the rows are measured between two prints, because divided rows may have other heights. */
  const MAX_LAYOUTS = 3;
  const UNIT_PX = 32;
  /** How many rows of a table the first print shows: more than a page. */
  const MEASURED_ROWS = 150;
  const read = parts.readTables(parts.createDecimals);
  if (read.fault !== undefined) return { fault: read.fault };
  if (read.tables.length === 0) return {};

  const create = Document.prototype.createElement.bind(document);
  const readDocument = <Name extends keyof Document>(property: Name): Document[Name] =>
    Object.getOwnPropertyDescriptor(Document.prototype, property)?.get?.call(document) as Document[Name];
  const root = readDocument('documentElement');
  const head = (readDocument('head') as HTMLElement | null) ?? root;

  interface State extends CarriedTable {
    divided: DividedTable;
    sizes: TableSizes;
    start: PagePlace;
    plan: FragmentPlan;
    rowsOf: FragmentRows;
    /** The number and the width of its first page in the first print. */
    firstPage: number;
    width: number;
    /** The distance from the table before it, when both are laid out on one endless page. */
    gap: number;
    /** The print after which it was made to begin a page, because the page before had too little room. */
    begunAfter: number | undefined;
    /** The height that the surroundings of the table take on each page, as a print has shown. */
    reserve: number;
    /** The names of the destinations of `rowsOf`; undefined for a table that no print can divide. */
    followed: { first: string; ends: string[] } | undefined;
  }

  const inColumns = (element: Element): boolean => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      const { columnCount, columnWidth } = getComputedStyle(at);
      if (columnCount !== 'auto' || columnWidth !== 'auto') return true;
    }
    return false;
  };

  const mark = (parent: Element, name: string, style: string): HTMLElement => {
    const link = create('a');
    link.setAttribute('href', parts.placeLink + name);
    link.style.cssText = `all: initial !important; display: block !important; overflow: clip !important; ${style}`;
    parent.append(link);
    return link;
  };
  const FIXED = 'position: fixed !important; left: 0 !important; top: 0 !important;';
  const marks = [
    mark(root, 'area', `${FIXED} right: 0 !important; bottom: 0 !important`),
    mark(root, 'unit', `${FIXED} width: ${UNIT_PX}px !important; height: ${UNIT_PX}px !important`),
  ];
  /** The hidden rows of long tables, with their own values of `display`. */
  const hidden = new Map<HTMLElement, { value: string; priority: string }>();
  /** The tables that are printed, in the order of the document. */
  const tables: State[] = [];
  const marked: { table: CarriedTable; divided: DividedTable; first: HTMLElement; last: HTMLElement }[] = [];
  for (const table of read.tables) {
    const divided = parts.divideTable(table);
    divided.takeOver();
    divided.showAll(false);
    if (inColumns(table.element)) {
      // A table in columns is divided between columns, whose places are not known.
      table.head?.style.setProperty('display', 'table-header-group', 'important');
      continue;
    }
    const cells = [...table.element.rows]
      .filter((row) => row.style.display !== 'none')
      .map((row) => row.cells[0]);
    const [first, last] = [cells[0], cells.at(-1)];
    if (!first || !last) continue;
    const style = 'position: absolute !important; width: 1px !important; height: 1px !important';
    // The first print shows where the table begins, and need not print all of it.
    for (const row of table.rows.slice(MEASURED_ROWS, -1)) {
      hidden.set(row, {
        value: row.style.getPropertyValue('display'),
        priority: row.style.getPropertyPriority('display'),
      });
      row.style.setProperty('display', 'none', 'important');
    }
    const name = marked.length;
    marked.push({
      table,
      divided,
      first: mark(first, `start-${name}`, style),
      last: mark(last, `end-${name}`, style),
    });
  }

  // In the head, where they match no selector such as `body > :last-child`.
  const links = create('div');
  let prefix = 'platen-rows';
  while (Document.prototype.querySelector.call(document, `[id^="${prefix}"]`)) prefix += '-';
  let nextId = 0;
  /** Makes Chromium write the place of an element. Returns the name of the destination. */
  const follow = (element: HTMLElement): string => {
    if (element.id === '') element.id = `${prefix}-${(nextId += 1)}`;
    const name = encodeURIComponent(element.id.toWellFormed());
    const link = create('a');
    link.setAttribute('href', `#${name}`);
    links.append(link);
    return name;
  };

  /** Calls `work` while the document is laid out as it is printed on pages of a width. */
  const whileLaidOut = (width: number, work: () => void): void => {
    const { width: inline } = root.style;
    const priority = root.style.getPropertyPriority('width');
    root.style.setProperty('width', `${width}px`, 'important');
    const sheet = new CSSStyleSheet();
    // Text on the screen has the widths of printed text only with this property.
    sheet.replaceSync('* { text-rendering: geometricPrecision !important }');
    const adopted = Object.getOwnPropertyDescriptor(Document.prototype, 'adoptedStyleSheets');
    const sheets = Array.from((adopted?.get?.call(document) as CSSStyleSheet[] | undefined) ?? []);
    adopted?.set?.call(document, [...sheets, sheet]);
    try {
      work();
    } finally {
      adopted?.set?.call(document, sheets);
      root.style.setProperty('width', inline, priority);
    }
  };

  /** The areas of the pages in the first print, in CSS pixels of the document. */
  const areas: { top: number; width: number; height: number }[] = [];
  let pointsPerPixel = 0.75;
  /** Returns the function for the heights of pages from that on which a table starts. */
  const heightsFor = ({ firstPage, width, reserve, start }: State): ((page: number) => number) => {
    const own = areas[firstPage - 1];
    // The margins of the first page of the document may be its own.
    const usual = firstPage === 1 ? (areas[1] ?? own) : own;
    return (page) => {
      const area = areas[firstPage - 1 + page - start.page];
      const isSame = area !== undefined && Math.abs(area.width - width) < 1;
      return Math.max(1, ((isSame ? area : usual)?.height ?? 0) - reserve);
    };
  };

  /** Calls `work` with the tables that begin on pages of each width, while the document has that width. */
  const eachWidth = (work: (tables: readonly State[]) => void): void => {
    for (const width of new Set(tables.map((table) => table.width)))
      whileLaidOut(width, () => work(tables.filter((table) => table.width === width)));
  };

  const readFirstPrint = ({ marks: found }: PlacesOfPrint): Map<State, PagePlace> => {
    const unit = found.find(({ name }) => name === 'unit');
    if (unit) pointsPerPixel = unit.width / UNIT_PX;
    const inPixels = (points: number) => points / pointsPerPixel;
    for (const { name, page, top, width, height } of found)
      if (name === 'area')
        areas[page - 1] = { top: inPixels(top), width: inPixels(width), height: inPixels(height) };
    const placeOf = new Map(
      found.map(({ name, page, top }) => [name, { page, top: inPixels(top) - (areas[page - 1]?.top ?? 0) }]),
    );
    const endOf = new Map<State, PagePlace>();
    const marksOf = new Map<State, (typeof marked)[number]>();
    for (const [index, one] of marked.entries()) {
      const [start, end] = [placeOf.get(`start-${index}`), placeOf.get(`end-${index}`)];
      const width = areas[(start?.page ?? 0) - 1]?.width;
      if (!start || !end || width === undefined) continue;
      const plan = { breaks: [], beginsPage: false, tall: [], end };
      const table: State = {
        ...one.table,
        divided: one.divided,
        sizes: one.divided.measure(),
        start,
        plan,
        rowsOf: { first: undefined, ends: [] },
        firstPage: start.page,
        width,
        gap: 0,
        begunAfter: undefined,
        reserve: 0,
        followed: undefined,
      };
      tables.push(table);
      endOf.set(table, end);
      marksOf.set(table, one);
    }
    // The marks are somewhere below the top of the first row, and above the end of the last one.
    eachWidth((laidOut) => {
      for (const table of laidOut) {
        const one = marksOf.get(table);
        const end = endOf.get(table);
        if (!one || !end) continue;
        const { top, bottom } = table.element.getBoundingClientRect();
        const before = tables[tables.indexOf(table) - 1]?.element.getBoundingClientRect();
        table.gap = Math.max(0, top - (before?.bottom ?? top));
        table.start.top -= one.first.getBoundingClientRect().top - top;
        end.top += bottom - one.last.getBoundingClientRect().top;
      }
    });
    for (const link of [...marks, ...marked.flatMap(({ first, last }) => [first, last])]) link.remove();
    return endOf;
  };

  /**
   * Returns where a table begins in the next print, after a table before it that ends at `to` and not, as in
   * the last print, at `from`. The space between the two stays, unless a page begins between them.
   */
  const moveStart = (
    table: State,
    printed: PagePlace,
    [from, to]: readonly [PagePlace, PagePlace],
  ): PagePlace => {
    const heights = heightsFor(table);
    const height = heights(printed.page);
    const firstRow = table.sizes.before + (table.sizes.rows[0] ?? 0);
    const isOnLater = printed.page > from.page;
    const wouldFit = from.top + table.gap + firstRow < height - NEAR_START_PX;
    if (table.begunAfter !== undefined) return { page: to.page + 1, top: table.sizes.lead };
    if (isOnLater && printed.top < NEAR_START_PX + table.sizes.lead && wouldFit)
      return { page: printed.page + to.page - from.page, top: printed.top };
    const down =
      isOnLater && printed.page === from.page + 1
        ? from.top + table.gap - height
        : printed.top + (printed.page - from.page - 1) * height;
    // The distance from the top of the page after that of `from`, then of `to`.
    const top = isOnLater ? down + height + to.top - from.top : printed.top + to.top - from.top;
    const pages = Math.floor(Math.max(0, top) / height);
    return { page: to.page + pages, top: Math.max(0, top) - pages * height };
  };

  /**
   * Plans every table from its place in the last print. A table that has become longer moves the tables after
   * it. `endOf` returns where a table ended in the last print.
   */
  const planAll = (starts: ReadonlyMap<State, PagePlace>, endOf: (table: State) => PagePlace): void => {
    let ends: readonly [PagePlace, PagePlace] | undefined;
    for (const table of tables) {
      const printed = starts.get(table) ?? table.start;
      if (ends) table.start = moveStart(table, printed, ends);
      else if (table.begunAfter === prints) table.start = { page: printed.page + 1, top: table.sizes.lead };
      else table.start = { ...printed };
      table.plan = parts.planFragments(table.sizes, table.start, heightsFor(table));
      ends = [endOf(table), table.plan.end];
    }
  };

  /** Divides the tables as planned, and plans again while their rows have other heights when divided. */
  const arrange = (starts: ReadonlyMap<State, PagePlace>, endOf: (table: State) => PagePlace): boolean => {
    let hasChanged = false;
    for (let layouts = 0; layouts < MAX_LAYOUTS; layouts += 1) {
      planAll(starts, endOf);
      const changed = tables.filter((table) => dividedAt.get(table) !== table.plan.breaks.join());
      if (changed.length === 0) break;
      hasChanged = true;
      for (const table of changed) {
        table.rowsOf = table.divided.divide(table.plan.breaks);
        dividedAt.set(table, table.plan.breaks.join());
        if (table.plan.beginsPage) {
          table.divided.beginPage();
          table.begunAfter ??= prints;
        }
      }
      // Undivided tables keep the heights of their rows.
      if (changed.every(({ plan }) => plan.breaks.length === 0)) break;
      eachWidth((laidOut) => {
        for (const table of laidOut) table.sizes = table.divided.measure();
      });
    }
    return hasChanged;
  };
  /** The rows before which each table is divided. */
  const dividedAt = new Map<State, string>();

  const followTables = (): void => {
    links.replaceChildren();
    for (const table of tables) {
      const { first, ends } = table.rowsOf;
      const { page, top } = table.plan.end;
      const isSafe = table.plan.breaks.length === 0 && heightsFor(table)(page) - top > NEAR_END_PX;
      table.followed = isSafe || !first ? undefined : { first: follow(first), ends: ends.map(follow) };
    }
  };

  const writeFirst = (places: PlacesOfPrint): Written => {
    const endOf = readFirstPrint(places);
    for (const [row, { value, priority }] of hidden) row.style.setProperty('display', value, priority);
    for (const { divided } of tables) divided.showAll(true);
    eachWidth((laidOut) => {
      for (const table of laidOut) table.sizes = table.divided.measure();
    });
    const starts = new Map(tables.map((table) => [table, table.start]));
    arrange(starts, (table) => endOf.get(table) ?? table.plan.end);
    followTables();
    return { changed: true, isMeasurement: true };
  };

  /** Returns the height of the content that did not fit on its page; 0 for a table divided as planned. */
  const overflowOf = (table: State, placeOf: (name: string) => PagePlace | undefined): number => {
    let page = placeOf(table.followed?.first ?? '')?.page;
    for (const [index, name] of (table.followed?.ends ?? []).entries()) {
      const end = placeOf(name);
      if (!end || page === undefined) continue;
      if (end.page !== page && !table.plan.tall.includes(index))
        return end.top + (table.rowsOf.ends[index]?.getBoundingClientRect().height ?? 0);
      page = end.page + 1;
    }
    return 0;
  };

  const writeAgain = ({ destinations }: PlacesOfPrint): Written => {
    // Unlike marks, destinations are not scaled.
    const places = new Map(destinations.map(({ name, page, top }) => [name, { page, top: (top * 4) / 3 }]));
    const placeOf = (name: string) => places.get(name);
    const overflows = tables.map((table) => overflowOf(table, placeOf));
    const failed = tables.find((_, index) => (overflows[index] ?? 0) > 0);
    // After the second print, parts with too few rows are filled; later only parts with too many are divided.
    if (!failed && prints > 2) return { changed: false };
    const starts = new Map<State, PagePlace>();
    const ends = new Map<State, PagePlace>();
    for (const table of tables) {
      const first = placeOf(table.followed?.first ?? '');
      const start = first
        ? { page: first.page, top: Math.max(0, first.top - table.sizes.before) }
        : table.start;
      starts.set(table, start);
      const { page, top } = table.plan.end;
      ends.set(table, { page: page + start.page - table.start.page, top });
    }
    const endOf = (table: State): PagePlace => ends.get(table) ?? table.plan.end;
    let hasChanged = arrange(starts, endOf);
    for (const [index, table] of tables.entries()) {
      const overflow = overflows[index] ?? 0;
      if (overflow === 0 || table.plan.breaks.join() !== dividedBefore.get(table)) continue;
      // The measured table fits, so its surroundings take room on each page.
      table.reserve += overflow + 1;
      hasChanged = arrange(starts, endOf) || hasChanged;
    }
    if (!failed && !hasChanged) return { changed: false };
    followTables();
    return { changed: true, element: (failed ?? tables[0])?.path ?? 'table' };
  };
  const dividedBefore = new Map<State, string>();

  let prints = 0;
  const write = (places: PlacesOfPrint): Written => {
    prints += 1;
    const written = prints === 1 ? writeFirst(places) : writeAgain(places);
    for (const [table, at] of dividedAt) dividedBefore.set(table, at);
    return written;
  };
  head.append(links);
  return { write };
}
