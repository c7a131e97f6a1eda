import type { Solid } from '../../page/measure-flow.ts';
import type { PagePlace } from './plan-fragments.ts';

/**
 * The content between two tables. Positions are in CSS pixels from the top of the document, which is laid out
 * on one endless page.
 */
export interface Between {
  /** The end of the first table and the top of the second one. */
  from: number;
  to: number;
  /** The ranges that no page break may cross, in order. */
  ranges: readonly Solid[];
  /** The positions at which a page must begin, in order. */
  forced: readonly number[];
}

/**
 * Returns the place where the second table begins when the first one ends at `end`. The content between them
 * flows over the pages as in Chromium.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 * @param heightOf returns the height of the area of a page
 */
export function placeAfter(
  { from, to, ranges, forced }: Between,
  end: PagePlace,
  heightOf: (page: number) => number,
): PagePlace {
  /** Positions may be inexact by less than this. */
  const TOLERANCE = 0.5;
  let { page } = end;
  /** The position at the top of the page. */
  let pageTop = from - end.top;
  const beginPage = (top: number): void => {
    page += 1;
    pageTop = top;
  };
  /** Begins pages until content ends above the end of its page. */
  const continueTo = (bottom: number): void => {
    while (bottom - pageTop > heightOf(page) + TOLERANCE) beginPage(pageTop + heightOf(page));
  };
  let breaks = 0;
  const beginForced = (position: number): void => {
    for (let at = forced[breaks]; at !== undefined && at <= position + TOLERANCE; at = forced[breaks]) {
      continueTo(at);
      beginPage(at);
      breaks += 1;
    }
  };
  for (const { top, bottom } of ranges) {
    beginForced(top);
    const isAtTop = top - pageTop <= TOLERANCE;
    if (!isAtTop && bottom - pageTop > heightOf(page) + TOLERANCE) beginPage(top);
    // A range may contain the second table.
    continueTo(Math.min(bottom, to));
  }
  beginForced(to);
  // A margin at the end of a page is truncated.
  if (to - pageTop > heightOf(page)) beginPage(to);
  return { page, top: Math.max(0, to - pageTop) };
}
