/** The sizes of a table in CSS pixels. Each row includes the spacing after it. */
export interface TableSizes {
  /** The distance from the top of the table to its first row. */
  before: number;
  /** The height of the headings that move to the next page together with the table. */
  lead: number;
  /** The margin above them, which Chromium keeps after a forced break. */
  leadMargin: number;
  /** The distance from the last row to the end of the table. */
  after: number;
  rows: readonly number[];
  /** The height of the rows of `thead` and `tfoot` on a fragment. */
  repeated: (isFirst: boolean, isLast: boolean) => number;
  /** Whether a page may end before a row. */
  mayBreak: readonly boolean[];
  /** Whether a page must end before a row. */
  mustBreak: readonly boolean[];
}

/** A place on a printed page: the number of the page, and the distance from the top of its area. */
export interface PagePlace {
  page: number;
  top: number;
}

/** Which rows of a table are on which page. */
export interface FragmentPlan {
  /** The first row of each fragment after the first. */
  breaks: number[];
  /** True for a table that begins on the next page, because the rest of the page has too little room. */
  beginsPage: boolean;
  /** The fragments that are taller than a page, counted from 0. */
  tall: number[];
  /** Where the table ends. */
  end: PagePlace;
}

/**
 * Divides the rows of a table between pages, so that each page has room for the rows of `thead` and `tfoot`
 * that it shows. A row that is taller than a page gets a fragment of its own, which Chromium divides.
 *
 * The function runs in the browser page. It is self-contained, because only its source text is sent there.
 * @param heightOf returns the height of the area of a page
 */
export function planFragments(
  { before, lead, leadMargin, after, rows, repeated, mayBreak, mustBreak }: TableSizes,
  start: PagePlace,
  heightOf: (page: number) => number,
): FragmentPlan {
  /** Chromium rounds positions in the printed document. */
  const ROUNDING_PX = 2;
  const breaks: number[] = [];
  const tall: number[] = [];
  const remaining = [0];
  for (const size of rows.toReversed()) remaining.push((remaining.at(-1) ?? 0) + size);
  const restFrom = (row: number) => remaining[rows.length - row] ?? 0;
  const forced = mustBreak.flatMap((must, row) => (must && row > 0 ? [row] : []));

  let [beginsPage, first, forcedAt] = [false, 0, 0];
  let { page, top: used } = start;
  used += before;
  for (;;) {
    const isFirst = breaks.length === 0;
    const room = heightOf(page) - used - ROUNDING_PX;
    const nextForced = forced[forcedAt];
    const whole = restFrom(first) + repeated(isFirst, true) + after;
    if (nextForced === undefined && whole <= room)
      return { breaks, beginsPage, tall, end: { page, top: used + whole } };

    const limit = room - repeated(isFirst, false);
    // The last row stays with the rows of `tfoot` that end the table.
    const last = nextForced ?? rows.length - 1;
    let next = first;
    for (let height = 0; next < last; next += 1) {
      height += rows[next] ?? 0;
      if (height > limit) break;
    }
    while (next > first && next !== nextForced && mayBreak[next] === false) next -= 1;
    if (next === first && isFirst && !beginsPage && start.top > leadMargin + lead + ROUNDING_PX) {
      beginsPage = true;
      page += 1;
      used = leadMargin + lead + before;
      continue;
    }
    let pages = 1;
    if (next === first) {
      next += 1;
      while (next < rows.length && mayBreak[next] === false) next += 1;
      const isLast = next >= rows.length;
      const height = restFrom(first) - restFrom(next) + repeated(isFirst, isLast) + (isLast ? after : 0);
      const full = heightOf(page + 1);
      if (height > room) tall.push(breaks.length);
      pages += Math.max(0, Math.ceil((height - room) / full));
      if (isLast)
        return {
          breaks,
          beginsPage,
          tall,
          end: { page: page + pages - 1, top: Math.max(0, height - room) % full },
        };
    }
    if (next === nextForced) forcedAt += 1;
    breaks.push(next);
    first = next;
    page += pages;
    used = 0;
  }
}
