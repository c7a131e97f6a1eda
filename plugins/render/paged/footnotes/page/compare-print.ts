import type { PlannedRow } from './carried-tables.ts';
import type { Note } from './collect-notes.ts';
import type { FilledPage } from './fill-pages.ts';
import type { NoteArea } from './note-areas.ts';
import type { PinnedPages } from './pin-pages.ts';

/** A place in the printed PDF: its page, counted from 1, and the distance from the top of the page's area. */
export interface PrintedPlace {
  page: number;
  top: number;
}

export interface Comparison {
  /** The path of the first note or table that is not printed as planned; absent when all are. */
  unsettled?: string;
  /** How much taller pages are than planned, as the places of the notes show. */
  heightError: number;
  /** What the print shows about pages, by their indices. */
  corrections: { page: number; loss: number; shift: number }[];
}

/**
 * Compares a print with the plan. The function runs in the browser page. It is self-contained, because only
 * its source text is sent there.
 */
export function comparePrint(
  places: ReadonlyMap<string, PrintedPlace>,
  plan: {
    notes: readonly Note[];
    pages: readonly FilledPage[];
    areas: readonly NoteArea[];
    /** The rows at the starts and ends of pages, with the names of their destinations. */
    rows: readonly (PlannedRow & { name: string })[];
    probes: PinnedPages['probes'];
  },
): Comparison {
  /** Destinations are rounded to whole pixels. */
  const ROUNDING_PX = 2;
  const MAX_HEIGHT_ERROR_PX = 20;
  const { notes, pages } = plan;
  const placeOf = (element: Element) => places.get(encodeURIComponent(element.id.toWellFormed()));
  const probes = new Map(plan.probes.map((probe) => [probe.page, probe]));
  const result: Comparison = { heightError: 0, corrections: [] };
  let shift = 0;
  for (const { page: index, above, top: areaTop, noteTop } of plan.areas) {
    const page = pages[index];
    const own = page?.notes.flatMap((note) => notes[note] ?? []) ?? [];
    const [first] = own;
    if (!page || !first) continue;
    const expected = page.number;

    const foot = placeOf(first.marker);
    if (!foot || foot.page !== expected || Math.abs(foot.top - noteTop) > ROUNDING_PX) {
      result.unsettled ??= first.path;
      const error = foot ? Math.round((above + noteTop - foot.top) / (foot.page - 1) - page.area.height) : 0;
      if (error !== 0 && Math.abs(error) < MAX_HEIGHT_ERROR_PX) return { ...result, heightError: error };
    }

    const probe = probes.get(index);
    const found = probe && places.get(probe.id);
    if (probe && found) {
      const planned = page.headHeight + probe.top - page.top;
      const below = found.top + probe.line - areaTop - ROUNDING_PX;
      const later = found.page - expected - shift;
      const isMoved = Math.abs(found.top - planned) <= ROUNDING_PX + 1;
      if (later === 0 && below > 0)
        result.corrections.push({ page: index, loss: below + ROUNDING_PX, shift: 0 });
      else if (later !== 0 && isMoved) result.corrections.push({ page: index, loss: 0, shift: later });
      else if (later === 1) result.corrections.push({ page: index, loss: found.top + probe.line, shift: 0 });
      shift += later;
      if (below > 0 || found.page !== expected) result.unsettled ??= first.path;
    }

    for (const { call, marker, path } of own) {
      const place = placeOf(call);
      // A call in the first line of a page may rise above its line, to the end of the page before.
      const isRaised =
        place?.page === expected - 1 &&
        place.top >
          (pages[index - 1]?.area.height ?? Infinity) -
            Element.prototype.getBoundingClientRect.call(call).height / 2;
      // A call in the first line of the next page may rise too. Then it seems to be beside the notes.
      const isBelow = place?.page === expected && place.top > areaTop + ROUNDING_PX;
      if ((place?.page !== expected && !isRaised) || isBelow || placeOf(marker)?.page !== expected)
        result.unsettled ??= path;
    }
  }

  const isOnPage = ({ page, name }: (typeof plan.rows)[number]) =>
    places.get(name)?.page === pages[page]?.number;
  const moved = plan.rows.find((row) => !isOnPage(row));
  if (!moved) return result;
  result.unsettled ??= moved.path;
  // Everything after a row that did not fit on its page is on later pages too.
  const before = result.corrections.filter(({ page }) => page < moved.page);
  const place = places.get(moved.name);
  if (before.length > 0 || place?.page !== (pages[moved.page]?.number ?? 0) + 1)
    return { ...result, corrections: before };
  const { height } = Element.prototype.getBoundingClientRect.call(moved.row);
  return { ...result, corrections: [{ page: moved.page, loss: place.top + height, shift: 0 }] };
}
