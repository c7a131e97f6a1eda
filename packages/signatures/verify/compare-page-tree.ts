import { Dict, Ref, resolve, type PdfObject } from '@platen/pdf/objects';
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
  const nodes = listNodes(before);
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
      const value = old.raw(key);
      // Readers inherit attributes from parents, even from a parent outside the tree.
      const isNode = key === 'Parent' && value instanceof Ref && nodes.has(value.number);
      const isSame = isNode ? isSameRef(value, now.raw(key)) : contents.areEqual(value, now.raw(key));
      if (key !== 'Kids' && !isSame) return 'the page tree changed';
    }
    for (const [index, kid] of (kids ?? []).entries()) pairs.push([kid, others?.[index]]);
  }
  return undefined;
}

/** Lists the numbers of the nodes of a page tree, without the pages. */
export function listNodes(tree: PdfObject | undefined): Set<number> {
  const nodes = new Set<number>();
  const left: (PdfObject | undefined)[] = [tree];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const node = resolve(next);
    const kids = node instanceof Dict ? node.array('Kids') : undefined;
    if (!kids || (next instanceof Ref && nodes.has(next.number))) continue;
    if (next instanceof Ref) nodes.add(next.number);
    for (const kid of kids) left.push(kid);
  }
  return nodes;
}

/** Tells whether two entries are references to the same object, or both absent. */
export function isSameRef(a: PdfObject | undefined, b: PdfObject | undefined): boolean {
  return (
    (a instanceof Ref && b instanceof Ref && a.number === b.number) || (a === undefined && b === undefined)
  );
}
