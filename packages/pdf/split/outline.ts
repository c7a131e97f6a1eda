import { Dict, resolve } from '../objects/index.ts';
import type { Destinations, Target } from './destinations.ts';

/** An outline item, and the range of pages to which it and its descendants lead. */
export interface OutlineItem {
  dict: Dict;
  target: Target | undefined;
  kids: OutlineItem[];
  firstPage: number;
  lastPage: number;
}

const MAX_ITEMS = 100_000;
const MAX_DEPTH = 100;

/** Reads an outline. Visits each item once, even in cyclic outlines. */
export function readOutline(root: Dict | undefined, destinations: Destinations): OutlineItem[] {
  const seen = new Set<Dict>();
  const readKids = (parent: Dict, depth: number): OutlineItem[] => {
    const items: OutlineItem[] = [];
    if (depth === MAX_DEPTH) return items;
    let dict = resolve(parent.raw('First'));
    while (dict instanceof Dict && !seen.has(dict) && seen.size < MAX_ITEMS) {
      seen.add(dict);
      items.push(makeItem(dict, destinations.of(dict), readKids(dict, depth + 1)));
      dict = resolve(dict.raw('Next'));
    }
    return items;
  };
  return root ? readKids(root, 0) : [];
}

function makeItem(dict: Dict, target: Target | undefined, kids: OutlineItem[]): OutlineItem {
  const targetPage = target?.page ?? Number.NaN;
  const firsts = [targetPage, ...kids.map((kid) => kid.firstPage)].filter((page) => !Number.isNaN(page));
  const lasts = [targetPage, ...kids.map((kid) => kid.lastPage)].filter((page) => !Number.isNaN(page));
  return {
    dict,
    target,
    kids,
    firstPage: firsts.reduce((low, page) => Math.min(low, page), Number.POSITIVE_INFINITY),
    lastPage: lasts.reduce((high, page) => Math.max(high, page), Number.NEGATIVE_INFINITY),
  };
}
