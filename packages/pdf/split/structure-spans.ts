/** A range of zero-based page indexes. It is empty if `firstPage` is greater than `lastPage`. */
export interface Span {
  firstPage: number;
  lastPage: number;
}

/** Returns the smallest span that contains all spans. */
export function spanOf(spans: readonly Span[]): Span {
  let firstPage = Number.POSITIVE_INFINITY;
  let lastPage = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    if (span.firstPage < firstPage) firstPage = span.firstPage;
    if (span.lastPage > lastPage) lastPage = span.lastPage;
  }
  return { firstPage, lastPage };
}

/** Up to this length, a list is returned as a whole, because a search would save no time. */
const MAX_UNSEARCHED = 32;

/**
 * Finds the items whose spans overlap a page range. The result may contain other items. If a document is in
 * page order, this is a binary search, so the cost of a part does not grow with the length of the document.
 */
export class SpanList<T extends Span> {
  readonly all: readonly T[];
  /**
   * The highest last page up to each index, and the lowest first page from each index on. Both are ascending.
   */
  readonly #lastSoFar: number[] = [];
  readonly #firstFromHere: number[] = [];

  constructor(all: readonly T[]) {
    this.all = all;
    if (all.length <= MAX_UNSEARCHED) return;
    let last = Number.NEGATIVE_INFINITY;
    for (const { lastPage } of all) this.#lastSoFar.push((last = Math.max(last, lastPage)));
    let first = Number.POSITIVE_INFINITY;
    for (let index = all.length - 1; index >= 0; index--)
      this.#firstFromHere[index] = first = Math.min(first, all[index]?.firstPage ?? first);
  }

  within({ first, last }: PageRange): readonly T[] {
    if (this.all.length <= MAX_UNSEARCHED) return this.all;
    const start = firstIndex(this.#lastSoFar, (page) => page >= first);
    return this.all.slice(
      start,
      firstIndex(this.#firstFromHere, (page) => page > last),
    );
  }
}

function firstIndex(pages: readonly number[], matches: (page: number) => boolean): number {
  let low = 0;
  let high = pages.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (matches(pages[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A range of zero-based page indexes, both inclusive. */
export interface PageRange {
  first: number;
  last: number;
}
