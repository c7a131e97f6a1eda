import { geometryOf, type Page } from '../objects/index.ts';

/** A size in points, as a reader shows the page: cropped and turned; and how many pages have it. */
export interface PageSize {
  width: number;
  height: number;
  count: number;
}

/** Counts the distinct sizes of pages, in the order in which they first occur. */
export function measurePages(pages: readonly Page[]): PageSize[] {
  const sizes = new Map<string, PageSize>();
  for (const page of pages) {
    const geometry = geometryOf(page);
    const [width, height] = [rounded(geometry.width), rounded(geometry.height)];
    const key = `${width} ${height}`;
    const known = sizes.get(key);
    if (known) known.count++;
    else sizes.set(key, { width, height, count: 1 });
  }
  return [...sizes.values()];
}

function rounded(points: number): number {
  return Math.round(points * 1000) / 1000;
}
