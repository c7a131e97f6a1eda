import {
  Dict,
  Name,
  PdfStream,
  PdfString,
  Ref,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';

/**
 * Compares objects of two revisions of a file by content. References must have the same number in both revisions. Each referenced object is
 * compared once.
 */
export class SameObjects {
  readonly #old: PdfDocument;
  readonly #now: PdfDocument;
  /** The numbers of objects that need no further comparison: equal objects, and objects that the caller compares. */
  readonly #settled = new Set<number>();

  constructor(old: PdfDocument, now: PdfDocument) {
    this.#old = old;
    this.#now = now;
  }

  /** Excludes an object from comparisons, because the caller compares it. */
  exclude(object: PdfObject | undefined): void {
    if (object instanceof Ref) this.#settled.add(object.number);
  }

  /** Tells whether two objects, and all objects that they reference, are equal. */
  areEqual(before: PdfObject | undefined, after: PdfObject | undefined): boolean {
    // Skip the visited objects in later comparisons only if this comparison succeeds.
    const visited = new Set<number>();
    const isEqual = this.#compare(before, after, visited);
    if (isEqual) for (const number of visited) this.#settled.add(number);
    return isEqual;
  }

  #compare(before: PdfObject | undefined, after: PdfObject | undefined, visited: Set<number>): boolean {
    const pairs: [PdfObject | undefined, PdfObject | undefined][] = [[before, after]];
    for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
      const [a, b] = pair;
      if (a instanceof Ref || b instanceof Ref) {
        if (!(a instanceof Ref && b instanceof Ref) || a.number !== b.number) return false;
        if (this.#settled.has(a.number) || visited.has(a.number)) continue;
        visited.add(a.number);
        pairs.push([a.value, b.value]);
        // A stream at the same place in the file has the same bytes.
        if (a.value instanceof PdfStream && b.value instanceof PdfStream && this.#isUntouched(a.number))
          pairs.splice(-1, 1, [a.value.dict, b.value.dict]);
      } else if (Array.isArray(a)) {
        if (!Array.isArray(b) || a.length !== b.length) return false;
        for (const [index, item] of a.entries()) pairs.push([item, b[index]]);
      } else if (a instanceof Dict) {
        if (!(b instanceof Dict) || a.map.size !== b.map.size) return false;
        for (const [key, item] of a.map) {
          if (!b.map.has(key)) return false;
          pairs.push([item, b.map.get(key)]);
        }
      } else if (a instanceof PdfStream) {
        if (!(b instanceof PdfStream) || !Buffer.from(a.raw).equals(b.raw)) return false;
        pairs.push([a.dict, b.dict]);
      } else if (!isSameScalar(a, b)) return false;
    }
    return true;
  }

  #isUntouched(number: number): boolean {
    const a = this.#old.xref.entries.get(number);
    const b = this.#now.xref.entries.get(number);
    return a?.kind === 'in-use' && b?.kind === 'in-use' && a.offset === b.offset;
  }
}

function isSameScalar(a: PdfObject | undefined, b: PdfObject | undefined): boolean {
  if (a instanceof Name) return b instanceof Name && a.value === b.value;
  if (a instanceof PdfString) return b instanceof PdfString && a.key === b.key;
  return a === b;
}
