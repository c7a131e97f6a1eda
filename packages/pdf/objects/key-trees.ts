import { Dict, PdfString, Ref, resolve, type PdfObject } from './objects.ts';

const MAX_ENTRIES = 500_000;
const MAX_DEPTH = 100;
const MAX_LEAF_ENTRIES = 4_000;

/**
 * Reads a name tree (ISO 32000-1 7.9.6). Keys are Latin-1 strings, in file order. Visits each node once, even
 * in cyclic trees.
 */
export function readNameTree(root: Dict | undefined): [string, PdfObject][] {
  return readLeaves(root, 'Names').flatMap(([key, value]) =>
    key instanceof PdfString ? [[key.key, value] as [string, PdfObject]] : [],
  );
}

/** Reads a number tree (ISO 32000-1 7.9.7). */
export function readNumberTree(root: Dict | undefined): [number, PdfObject][] {
  return readLeaves(root, 'Nums').flatMap(([key, value]) =>
    typeof key === 'number' ? [[key, value] as [number, PdfObject]] : [],
  );
}

function readLeaves(root: Dict | undefined, leafKey: string): [PdfObject | undefined, PdfObject][] {
  const found: [PdfObject | undefined, PdfObject][] = [];
  const seen = new Set<Dict>();
  const visit = (node: Dict, depth: number): void => {
    if (seen.has(node) || depth > MAX_DEPTH) return;
    seen.add(node);
    const leaves = node.array(leafKey) ?? [];
    for (let index = 0; index + 1 < leaves.length && found.length < MAX_ENTRIES; index += 2)
      found.push([resolve(leaves[index]), leaves[index + 1] ?? null]);
    for (const kid of node.array('Kids') ?? []) {
      const dict = resolve(kid);
      if (dict instanceof Dict) visit(dict, depth + 1);
    }
  };
  if (root) visit(root, 0);
  return found;
}

/** Builds a name tree with a single node. Sorts the keys, because readers use binary search. */
export function buildNameTree(entries: Iterable<readonly [string, PdfObject]>): Dict {
  const sorted = [...entries].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Dict.of({
    Names: sorted.flatMap(([key, value]) => [new PdfString(Buffer.from(key, 'latin1')), value]),
  });
}

/** Builds a number tree. A large tree has several leaves, because PDF/A-1 limits arrays to 8,191 elements. */
export function buildNumberTree(entries: Iterable<readonly [number, PdfObject]>): Dict {
  const sorted = [...entries].sort(([a], [b]) => a - b);
  if (sorted.length <= MAX_LEAF_ENTRIES) return Dict.of({ Nums: sorted.flat() });
  const leaves: Ref[] = [];
  for (let start = 0; start < sorted.length; start += MAX_LEAF_ENTRIES) {
    const part = sorted.slice(start, start + MAX_LEAF_ENTRIES);
    const limits = [part[0]?.[0] ?? 0, part.at(-1)?.[0] ?? 0];
    leaves.push(Ref.to(Dict.of({ Limits: limits, Nums: part.flat() })));
  }
  return Dict.of({ Kids: leaves });
}
