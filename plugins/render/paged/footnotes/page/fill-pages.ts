import type { PagedFault } from '../../page/prepared.ts';
import type { joinRanges } from '../../page/join-ranges.ts';
import type { MeasuredFlow, Section, Solid } from '../../page/measure-flow.ts';
import type { AreaOf, PageArea } from './page-areas.ts';

/** A printed page: the part of the flow on it, and its notes. Positions are as in {@link MeasuredFlow}. */
export interface FilledPage {
  number: number;
  section: number;
  area: PageArea;
  /** The position in the flow at the top of the page, below a repeated table head. */
  top: number;
  /** The end of the last content on the page. */
  bottom: number;
  /** The position of the first content of the next page of the section; absent on its last page. */
  next?: number;
  /** The heights of the repeated head of a table at the top, and of its foot or a free space at the end. */
  headHeight: number;
  footHeight: number;
  /** The indices of its notes. */
  notes: number[];
}

/** The call of a note. */
export interface Call {
  /** The index of the note. */
  note: number;
  section: number;
  /** The position in the flow of the section. */
  at: number;
  /** The CSS path of the footnote. */
  path: string;
}

export interface FillSettings {
  /** The sections, each measured at the width of its pages. */
  sections: { section: Section; flow: MeasuredFlow; bottom: number }[];
  /** The calls of the notes in the order of their positions. */
  calls: Call[];
  areaOf: AreaOf;
  /** Returns the height of the area with the notes of these calls on a page of this width. */
  notesHeight: (from: number, to: number, width: number) => number;
  /** Returns the corrections from earlier prints: the height that a page loses, and the pages it moves by. */
  correctionOf: (page: number) => { loss: number; shift: number };
  joinRanges: typeof joinRanges;
}

/**
 * Distributes a measured document over pages, so that each note fits at the foot of the page with its call. A
 * line whose notes do not fit moves to the next page and takes its notes along.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 */
export function fillPages({
  sections,
  calls,
  areaOf,
  notesHeight,
  correctionOf,
  joinRanges,
}: FillSettings): { pages: FilledPage[] } | { fault: PagedFault } {
  /** Boundaries may be inexact by less than this. */
  const TOLERANCE = 0.5;

  const known = new Map<MeasuredFlow, { hard: Solid[]; all: Solid[] }>();
  /** Returns the ranges of a flow that Chromium never breaks, and all ranges, in the order of their tops. */
  const sortedRanges = (flow: MeasuredFlow): { hard: Solid[]; all: Solid[] } => {
    const byTop = (a: Solid, b: Solid) => a.top - b.top;
    const sorted = known.get(flow) ?? {
      hard: flow.hard.toSorted(byTop),
      all: [...flow.hard, ...flow.soft].sort(byTop),
    };
    known.set(flow, sorted);
    return sorted;
  };

  /** Returns the index of the first range that ends below a position. */
  const firstBelow = (chunks: readonly Solid[], position: number): number => {
    let [low, high] = [0, chunks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((chunks[middle]?.bottom ?? 0) > position + TOLERANCE) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  /** Returns the index of the first call of a section at or below a position. */
  const callFrom = (section: number, position: number): number => {
    let [low, high] = [0, calls.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const call = calls[middle] as Call;
      if (call.section > section || (call.section === section && call.at >= position)) high = middle;
      else low = middle + 1;
    }
    return low;
  };

  const pages: FilledPage[] = [];
  let number = 0;
  let note = 0;
  for (const [index, { section, flow, bottom: end }] of sections.entries()) {
    const first = Math.max(section.top, 0);
    const ranges = sortedRanges(flow);
    const hard = joinRanges(ranges.hard, first, end);
    const soft = joinRanges(ranges.all, first, end);
    const tables = flow.tables.filter((table) => table.bottom > first && table.top < end);
    const tableAt = (position: number) =>
      tables.find(({ top, bottom }) => top < position - 1 && bottom > position + 1);
    /** Returns the height that remains free below a row. */
    const spareAt = (bottom: number) => tableAt(bottom - 2)?.spare ?? 0;
    /** The ranges without those that do not fit on a page with their notes, by the height of the page. */
    const looseRanges = new Map<number, Solid[]>();
    const looseFor = ({ width, height }: PageArea): Solid[] => {
      const found =
        looseRanges.get(height) ??
        joinRanges(
          ranges.all.filter((range) => {
            const [from, to] = [callFrom(index, range.top), callFrom(index, range.bottom)];
            return range.bottom - range.top + notesHeight(from, to, width) <= height;
          }),
          first,
          end,
        );
      looseRanges.set(height, found);
      return found;
    };
    number += 1;

    let top = section.top;
    let headHeight = 0;
    let at = { soft: 0, hard: 0 };
    for (;;) {
      const { loss, shift } = correctionOf(pages.length);
      number += shift;
      const area = areaOf(number, section.pageName);
      const room = area.height - loss;
      const addPage = (filled: Pick<FilledPage, 'bottom'> & Partial<FilledPage>) =>
        pages.push({ number, section: index, area, top, headHeight, footHeight: 0, notes: [], ...filled });
      /** Returns the note after the last one whose call is above a position. */
      const noteAfter = (position: number): number => {
        let to = note;
        while ((calls[to]?.section ?? Infinity) < index) to += 1;
        while (calls[to]?.section === index && (calls[to]?.at ?? Infinity) < position) to += 1;
        return to;
      };
      const fits = (bottom: number, next: number | undefined): boolean => {
        const foot = next === undefined ? 0 : (tableAt(next)?.footHeight ?? 0);
        const height = notesHeight(note, noteAfter(bottom), area.width);
        return headHeight + bottom - top + foot + spareAt(bottom) + height <= room + TOLERANCE;
      };
      /** Returns the index of the first range that is not on the page. */
      const take = (chunks: Solid[], from: number): number => {
        let to = from;
        while (to < chunks.length && fits(chunks[to]?.bottom ?? 0, chunks[to + 1]?.top)) to += 1;
        return to;
      };
      const begin = at.soft;
      at.soft = take(soft, begin);
      let bottom = soft[at.soft - 1]?.bottom ?? top;
      let next = soft[at.soft]?.top;
      if (at.soft === begin && begin < soft.length) {
        // The content does not fit on a page as a whole, so it breaks where Chromium would avoid it.
        let chunks = looseFor(area);
        const from = firstBelow(chunks, top);
        let taken = take(chunks, from);
        if (taken === from) {
          while (at.hard < hard.length && (hard[at.hard]?.bottom ?? 0) <= top + TOLERANCE) at.hard += 1;
          const fromHard = at.hard;
          at.hard = take(hard, fromHard);
          [chunks, taken] = [hard, at.hard];
          if (at.hard === fromHard) {
            const tall = hard[fromHard] ?? soft[begin];
            const to = noteAfter(tall?.bottom ?? Infinity);
            if (to > note) {
              let failed = note;
              if (headHeight + (tall?.bottom ?? top) - top > room)
                return {
                  fault: `${calls[failed]?.path}: the footnote is in an element that neither fits on a page nor breaks between pages`,
                };
              while (failed < to - 1 && notesHeight(note, failed + 1, area.width) + headHeight < room)
                failed += 1;
              return {
                fault: {
                  code: 'NOTE_TOO_LONG',
                  message: `${calls[failed]?.path}: the footnote does not fit on a page of ${Math.round(area.height)} pixels with the line of its call`,
                },
              };
            }
            // Content taller than a page continues on the next pages.
            const rest = headHeight + (tall?.bottom ?? top) - top;
            const more = Math.max(1, Math.ceil(rest / area.height) - 1);
            addPage({ bottom: tall?.bottom ?? top });
            number += more;
            top += more * area.height - headHeight;
            headHeight = 0;
            at.hard += 1;
            while (at.soft < soft.length && (soft[at.soft]?.bottom ?? 0) <= (tall?.bottom ?? 0) + TOLERANCE)
              at.soft += 1;
            if (at.soft >= soft.length) {
              addPage({ bottom: tall?.bottom ?? top });
              break;
            }
            continue;
          }
        }
        bottom = chunks[taken - 1]?.bottom ?? top;
        next = chunks[taken]?.top;
        while (at.soft < soft.length && (soft[at.soft]?.bottom ?? 0) <= bottom + TOLERANCE) at.soft += 1;
      }
      const to = noteAfter(next === undefined ? Infinity : bottom);
      addPage({
        bottom,
        ...(next === undefined
          ? { footHeight: spareAt(bottom) }
          : { next, footHeight: tableAt(next)?.footHeight ?? 0 }),
        notes: calls
          .slice(note, to)
          .map((call) => call.note)
          .sort((a, b) => a - b),
      });
      note = to;
      if (next === undefined) break;
      number += 1;
      headHeight = tableAt(next)?.headHeight ?? 0;
      top = next;
    }
  }
  return { pages };
}
