import { Dict, Ref, resolve, type PdfObject } from '../../objects/index.ts';
import type { SameObjects } from './same-objects.ts';

/**
 * Compares two page trees. Their nodes must be the same, because readers find pages in different ways.
 * @returns the first difference as the beginning of a sentence: "pages were added …", or `undefined`
 */
export function findTreeDifference(
  before: PdfObject | undefined,
  after: PdfObject | undefined,
  contents: SameObjects,
): string | undefined {
  const visited = new Set<number>();
  const pairs: [PdfObject | undefined, PdfObject | undefined][] = [[before, after]];
  for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
    const [a, b] = pair;
    if (a instanceof Ref !== b instanceof Ref) return 'the page tree changed';
    if (a instanceof Ref && b instanceof Ref) {
      if (a.number !== b.number) return 'pages were replaced or reordered';
      if (visited.has(a.number)) continue;
      visited.add(a.number);
    }
    const [old, now] = [resolve(a), resolve(b)];
    if (!(old instanceof Dict && now instanceof Dict)) {
      if (!contents.areEqual(a, b)) return 'the page tree changed';
      continue;
    }
    const [kids, others] = [old.array('Kids'), now.array('Kids')];
    // The caller compares pages.
    if (!kids && !others) continue;
    if (kids?.length !== others?.length) return 'pages were added or removed';
    for (const key of new Set([...old.map.keys(), ...now.map.keys()])) {
      const isSame =
        key === 'Parent'
          ? isSameRef(old.raw(key), now.raw(key))
          : contents.areEqual(old.raw(key), now.raw(key));
      if (key !== 'Kids' && !isSame) return 'the page tree changed';
    }
    for (const [index, kid] of (kids ?? []).entries()) pairs.push([kid, others?.[index]]);
  }
  return undefined;
}

/** Tells whether two entries are references to the same object, or both absent. */
export function isSameRef(a: PdfObject | undefined, b: PdfObject | undefined): boolean {
  return (
    (a instanceof Ref && b instanceof Ref && a.number === b.number) || (a === undefined && b === undefined)
  );
}
