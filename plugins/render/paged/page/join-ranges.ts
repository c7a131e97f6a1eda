import type { Solid } from './measure-flow.ts';

/**
 * Joins overlapping ranges. The results are in order, and a page may end between any two of them.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 * @param sorted ranges in the order of their tops
 * @param from the position of the first range that counts
 * @param to ranges that begin at or after this position are ignored
 */
export function joinRanges(sorted: readonly Solid[], from: number, to: number): Solid[] {
  /** Positions may be inexact by less than this. */
  const TOLERANCE = 0.5;
  let [first, end] = [0, sorted.length];
  while (first < end) {
    const middle = (first + end) >> 1;
    if ((sorted[middle]?.top ?? Infinity) < from - TOLERANCE) first = middle + 1;
    else end = middle;
  }
  const joined: Solid[] = [];
  for (let at = first; at < sorted.length; at += 1) {
    const { top, bottom } = sorted[at] as Solid;
    if (top >= to - TOLERANCE) break;
    const last = joined.at(-1);
    if (bottom <= top) continue;
    if (last && top < last.bottom - TOLERANCE) last.bottom = Math.max(last.bottom, bottom);
    else joined.push({ top, bottom });
  }
  return joined;
}
