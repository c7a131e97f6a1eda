import type { PageRange } from './page-range.ts';

/** The pages, from 0, that something has content on; the first is after the last when it has none. */
export interface Span {
  firstPage: number;
  lastPage: number;
}

/** The span of all together. */
export function spanOf(spans: readonly Span[]): Span {
  let firstPage = Number.POSITIVE_INFINITY;
  let lastPage = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.firstPage < firstPage) firstPage = span.firstPage;
    if (span.lastPage > lastPage) lastPage = span.lastPage;
  }
  return { firstPage, lastPage };
}

/** Below this, looking at all is as fast. */
const FEW = 32;

/**
 * Narrows a list to where those that meet a range of pages are; some of what is given may not. In documents that are read in the
 * order of their pages that is a search by halves, so that the parts of a long one do not cost its length each.
 */
export class SpanList<T extends Span> {
  readonly all: readonly T[];
  /** The last page of any up to here, and the first of any from here on: neither ever falls. */
  readonly #lastSoFar: number[] = [];
  readonly #firstFromHere: number[] = [];

  constructor(all: readonly T[]) {
    this.all = all;
    if (all.length <= FEW) return;
    let last = Number.NEGATIVE_INFINITY;
    for (const { lastPage } of all) this.#lastSoFar.push((last = Math.max(last, lastPage)));
    let first = Number.POSITIVE_INFINITY;
    for (let index = all.length - 1; index >= 0; index--)
      this.#firstFromHere[index] = first = Math.min(first, all[index]?.firstPage ?? first);
  }

  within({ first, last }: PageRange): readonly T[] {
    if (this.all.length <= FEW) return this.all;
    const start = firstIndex(this.#lastSoFar, (page) => page >= first);
    return this.all.slice(
      start,
      firstIndex(this.#firstFromHere, (page) => page > last),
    );
  }
}

function firstIndex(pages: readonly number[], holds: (page: number) => boolean): number {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(pages[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}
