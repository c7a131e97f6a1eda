import type { MeasuredFlow, Solid } from '../../page/measure-flow.ts';
import type { FilledPage } from './fill-pages.ts';

/** The planned pages of a document, and the flow of each section, measured at the width of its pages. */
export interface PagePlan {
  pages: readonly FilledPage[];
  flows: readonly MeasuredFlow[];
}

/** A visible row with its place in a flow. */
export interface PlacedRow {
  row: Element;
  place: Solid;
}

/** The end of a page, with the position of the content after it, and the row that begins there. */
export interface PageEnd {
  page: FilledPage;
  next: number;
  row: Element | undefined;
}

/** Finds the rows of tables in measured flows. */
export interface PlacedRows {
  /** Returns the visible rows of a table in the order of the document. */
  rowsIn(flow: MeasuredFlow, table: Element): PlacedRow[];
  /** Returns the place of a row; undefined for a row that is not shown. */
  placeOf(row: Element, flow: MeasuredFlow | undefined): Solid | undefined;
  /** Tells whether a table is beside other content, such as in a cell of another table. */
  isNested(flow: MeasuredFlow | undefined, table: Element): boolean;
  /** Returns the index of the page with a row; -1 for a row that is not shown. */
  pageOf(row: Element, plan: PagePlan): number;
  /** Returns the ends of pages within a table. */
  endsWithin(table: Element, plan: PagePlan): PageEnd[];
}

/**
 * Finds the rows of tables in measured flows.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function createPlacedRows(): PlacedRows {
  /** Positions of rows may be inexact by less than this. */
  const TOLERANCE = 2;
  const measured = new WeakMap<
    MeasuredFlow,
    { places: ReadonlyMap<Element, Solid>; nested: ReadonlySet<Element> }
  >();
  const measure = (flow: MeasuredFlow) => {
    const known = measured.get(flow);
    if (known) return known;
    const places = new Map<Element, Solid>();
    const nested = new Set<Element>();
    for (const each of flow.flows)
      for (const unit of each.units) {
        if (unit.kind !== 'row') continue;
        places.set(unit.element, unit);
        if (each !== flow.flows[0]) nested.add(unit.element);
      }
    const found = { places, nested };
    measured.set(flow, found);
    return found;
  };

  const rowsIn: PlacedRows['rowsIn'] = (flow, table) => {
    const { places } = measure(flow);
    return [...Element.prototype.querySelectorAll.call(table, 'tr')].flatMap((row) => {
      const place = places.get(row);
      return place && Element.prototype.closest.call(row, 'table') === table ? [{ row, place }] : [];
    });
  };
  const placeOf: PlacedRows['placeOf'] = (row, flow) => flow && measure(flow).places.get(row);
  const isNested: PlacedRows['isNested'] = (flow, table) => {
    const first = flow && rowsIn(flow, table)[0]?.row;
    return first !== undefined && measure(flow as MeasuredFlow).nested.has(first);
  };
  const pageOf: PlacedRows['pageOf'] = (row, { pages, flows }) =>
    pages.findLastIndex(({ section, top }) => {
      const flow = flows[section];
      const place = placeOf(row, flow);
      const begin = Math.max(top, flow?.sections[section]?.top ?? 0);
      return place !== undefined && place.top >= begin - TOLERANCE;
    });

  const endsWithin: PlacedRows['endsWithin'] = (table, { pages, flows }) => {
    const found: PageEnd[] = [];
    const known = new Map<MeasuredFlow, PlacedRow[]>();
    for (const page of pages) {
      const flow = flows[page.section];
      const { next } = page;
      if (!flow || next === undefined) continue;
      const rows = known.get(flow) ?? rowsIn(flow, table);
      known.set(flow, rows);
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
  return { rowsIn, placeOf, isNested, pageOf, endsWithin };
}
