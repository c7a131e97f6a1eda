import type { joinRanges } from '../../page/join-ranges.ts';
import type { measureFlow } from '../../page/measure-flow.ts';
import type { PlacesOfPrint } from '../../page/places-of-print.ts';
import type { Prepared, Written } from '../../page/prepared.ts';
import type { createDecimals } from './decimals.ts';
import type { divideTable, DividedTable, FragmentRows } from './divide-table.ts';
import type { placeAfter } from './place-after.ts';
import type { FragmentPlan, PagePlace, planFragments } from './plan-fragments.ts';
import type { isSamePlan, PlannedTable, planTables } from './plan-tables.ts';
import type { CarriedTable, readTables } from './read-tables.ts';

/** The functions that {@link carryRows} uses, and the prefix of the links that mark places. */
export interface CarryParts {
  readTables: typeof readTables;
  createDecimals: typeof createDecimals;
  divideTable: typeof divideTable;
  planFragments: typeof planFragments;
  placeAfter: typeof placeAfter;
  planTables: typeof planTables;
  isSamePlan: typeof isSamePlan;
  measureFlow: typeof measureFlow;
  joinRanges: typeof joinRanges;
  /** Precedes the name of a place in a link that marks it. */
  placeLink: string;
}

/** A table with carried rows for a feature that divides it. */
export interface HandedTable extends CarriedTable {
  divided: DividedTable;
}

/** The prepared tables of a document. */
export interface CarriedRows extends Prepared {
  /** Copies the rows again whose originals have changed. Tells whether any has. */
  refresh?: () => boolean;
  /**
   * Ends the division by {@link carryRows}, for a feature that decides where the pages end. Returns the
   * tables to divide.
   */
  handOver?: () => HandedTable[];
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
export function carryRows(parts: CarryParts): CarriedRows {
  /** A table closer to the end of its page than this may move to the next page in the next print. */
  const NEAR_END_PX = 150;
  /** A table that begins this much higher than planned has room for more rows on its first page. */
  const LOOSE_PX = 60;
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

  interface State extends CarriedTable, PlannedTable {
    divided: DividedTable;
    rowsOf: FragmentRows;
    /** The number and the width of its first page in the first print. */
    firstPage: number;
    width: number;
    /** The height that the surroundings of the table take on each page, as a print has shown. */
    reserve: number;
    /** The names of the destinations of `rowsOf`; undefined for a table that no print can divide. */
    followed: { first: string; ends: string[] } | undefined;
  }

  const inColumns = (element: Element): boolean => {
    const parentElement = Object.getOwnPropertyDescriptor(Node.prototype, 'parentElement');
    const parentOf = (node: Node): Element | null => parentElement?.get?.call(node) as Element | null;
    for (let at = parentOf(element); at; at = parentOf(at)) {
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
  const marked: { table: CarriedTable; divided: DividedTable; start: HTMLElement }[] = [];
  for (const table of read.tables) {
    const divided = parts.divideTable(table);
    divided.takeOver();
    divided.showAll(false);
    if (inColumns(table.element)) {
      // A table in columns is divided between columns, whose places are not known.
      table.head?.style.setProperty('display', 'table-header-group', 'important');
      continue;
    }
    const first = [...table.element.rows].find((row) => getComputedStyle(row).display !== 'none')?.cells[0];
    if (!first) continue;
    const style = 'position: absolute !important; width: 1px !important; height: 1px !important';
    // The first print shows where the table begins, and need not print all of it.
    for (const row of table.rows.slice(MEASURED_ROWS)) {
      hidden.set(row, {
        value: row.style.getPropertyValue('display'),
        priority: row.style.getPropertyPriority('display'),
      });
      row.style.setProperty('display', 'none', 'important');
    }
    marked.push({ table, divided, start: mark(first, `start-${marked.length}`, style) });
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
  /** Returns the function for the heights of the pages on which a table may be. */
  const heightsFor = ({ firstPage, width, reserve }: State): ((page: number) => number) => {
    const own = areas[firstPage - 1];
    // The margins of the first page of the document may be its own.
    const usual = firstPage === 1 ? (areas[1] ?? own) : own;
    return (page) => {
      const area = areas[page - 1];
      const isSame = area !== undefined && Math.abs(area.width - width) < 1;
      return Math.max(1, ((isSame ? area : usual)?.height ?? 0) - reserve);
    };
  };

  /** Calls `work` with the tables that begin on pages of each width, while the document has that width. */
  const eachWidth = (work: (tables: readonly State[]) => void): void => {
    for (const width of new Set(tables.map((table) => table.width)))
      whileLaidOut(width, () => work(tables.filter((table) => table.width === width)));
  };

  const readFirstPrint = ({ marks: found }: PlacesOfPrint): void => {
    const unit = found.find(({ name }) => name === 'unit');
    if (unit) pointsPerPixel = unit.width / UNIT_PX;
    const inPixels = (points: number) => points / pointsPerPixel;
    for (const { name, page, top, width, height } of found)
      if (name === 'area')
        areas[page - 1] = { top: inPixels(top), width: inPixels(width), height: inPixels(height) };
    const placeOf = new Map(
      found.map(({ name, page, top }) => [name, { page, top: inPixels(top) - (areas[page - 1]?.top ?? 0) }]),
    );
    const startMarks = new Map<State, HTMLElement>();
    for (const [index, { table, divided, start: startMark }] of marked.entries()) {
      const start = placeOf.get(`start-${index}`);
      const width = areas[(start?.page ?? 0) - 1]?.width;
      if (!start || width === undefined) continue;
      const undivided = { breaks: [], beginsPage: false };
      const state: State = {
        ...table,
        divided,
        sizes: divided.measure(),
        start,
        plan: { ...undivided, tall: [], end: start },
        printedPlan: table.rows.length > MEASURED_ROWS ? undefined : undivided,
        rowsOf: { first: undefined, ends: [] },
        firstPage: start.page,
        width,
        between: undefined,
        reserve: 0,
        followed: undefined,
      };
      tables.push(state);
      startMarks.set(state, startMark);
    }
    // The marks are somewhere below the top of the first row.
    eachWidth((laidOut) => {
      for (const table of laidOut) {
        const markTop = startMarks.get(table)?.getBoundingClientRect().top ?? 0;
        table.start.top -= markTop - table.element.getBoundingClientRect().top;
      }
    });
    removeMarks();
  };
  /** Ends the preparation for the first print. */
  const removeMarks = (): void => {
    for (const link of [...marks, ...marked.map(({ start }) => start)]) link.remove();
  };
  const showHidden = (): void => {
    for (const [row, { value, priority }] of hidden) row.style.setProperty('display', value, priority);
  };

  /** Measures the content between the tables, while the document is laid out at the width of `laidOut`. */
  const measureBetween = (laidOut: readonly State[]): void => {
    if (tables.length === 1) return;
    const opaque = new Set<Element>(tables.map(({ element }) => element));
    const width = laidOut[0]?.width ?? 0;
    const flow = parts.measureFlow({ width, isPrecise: false, opaque }, []);
    const ranges = [...flow.hard, ...flow.soft].sort((a, b) => a.top - b.top);
    const origin = root.getBoundingClientRect().top;
    for (const table of laidOut) {
      const before = tables[tables.indexOf(table) - 1];
      if (!before) continue;
      const from = before.element.getBoundingClientRect().bottom - origin;
      const to = table.element.getBoundingClientRect().top - origin;
      const forced = flow.sections.map(({ top }) => top).filter((top) => top > from - 1 && top < to + 1);
      table.between = { from, to, ranges: parts.joinRanges(ranges, from, to), forced };
    }
  };

  /** Divides the tables as planned, and plans again while their rows have other heights when divided. */
  const arrange = (printed: ReadonlyMap<State, PagePlace>): boolean => {
    let hasChanged = false;
    for (let layouts = 0; layouts < MAX_LAYOUTS; layouts += 1) {
      parts.planTables(tables, printed, { ...parts, heightsFor });
      const changed = tables.filter((table) => !parts.isSamePlan(table.plan, arranged.get(table)));
      if (changed.length === 0) break;
      hasChanged = true;
      for (const table of changed) {
        table.rowsOf = table.divided.divide(table.plan.breaks);
        table.divided.beginPage(table.plan.beginsPage);
        arranged.set(table, table.plan);
      }
      // Undivided tables keep the heights of their rows.
      if (changed.every(({ plan }) => plan.breaks.length === 0)) break;
      eachWidth((laidOut) => {
        for (const table of laidOut) table.sizes = table.divided.measure();
      });
    }
    return hasChanged;
  };
  /** The plans by which the tables are divided now. */
  const arranged = new Map<State, FragmentPlan>();

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
    readFirstPrint(places);
    showHidden();
    for (const { divided } of tables) divided.showAll(true);
    eachWidth((laidOut) => {
      for (const table of laidOut) table.sizes = table.divided.measure();
      measureBetween(laidOut);
    });
    arrange(new Map(tables.map((table) => [table, table.start])));
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
    const printed = new Map<State, PagePlace>();
    for (const table of tables) {
      const first = placeOf(table.followed?.first ?? '');
      const top = first && Math.max(0, first.top - table.sizes.before);
      printed.set(table, first && top !== undefined ? { page: first.page, top } : table.start);
    }
    // Tables that are planned too low are moved once. Later prints only divide tables that do not fit.
    const isLoose = tables.some((table) => table.start.top - (printed.get(table)?.top ?? 0) > LOOSE_PX);
    if (!failed && (prints > 2 || !isLoose)) return { changed: false };
    let hasChanged = arrange(printed);
    // A table that does not fit by the same plan has surroundings that take room on each page.
    const surrounded = tables.filter(
      ({ plan, printedPlan }, index) => (overflows[index] ?? 0) > 0 && parts.isSamePlan(plan, printedPlan),
    );
    for (const table of surrounded) table.reserve += (overflows[tables.indexOf(table)] ?? 0) + 1;
    if (surrounded.length > 0) hasChanged = arrange(printed) || hasChanged;
    if (!failed && !hasChanged) return { changed: false };
    followTables();
    return { changed: true, element: (failed ?? tables[0])?.path ?? 'table' };
  };
  let prints = 0;
  let isHandedOver = false;
  const write = (places: PlacesOfPrint): Written => {
    if (isHandedOver) return { changed: false };
    prints += 1;
    const written = prints === 1 ? writeFirst(places) : writeAgain(places);
    for (const table of tables) table.printedPlan = table.plan;
    return written;
  };
  head.append(links);
  const refresh = (): boolean => marked.map(({ divided }) => divided.refresh()).includes(true);
  const handOver = (): HandedTable[] => {
    isHandedOver = true;
    removeMarks();
    showHidden();
    return marked.map(({ table, divided }) => ({ ...table, divided }));
  };
  return { write, refresh, handOver };
}
