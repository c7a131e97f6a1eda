import { Dict, Name, PdfStream, PdfString, Ref, type PdfDocument, type PdfObject } from '@platen/pdf/objects';

/**
 * Entries that name a page, an annotation, a field or the catalog without making it a part of the object:
 * parents, actions, structure elements and signature references (ISO 32000-2 tables 166, 202, 256 and 355).
 */
const LINKS = new Set(['Parent', 'P', 'Pg', 'Obj', 'Popup', 'IRT', 'T', 'Fields', 'CO', 'AN', 'TA', 'Data']);
/** The second item of a destination, whose first item is a page (ISO 32000-1 table 151). */
const FITS = new Set(['XYZ', 'Fit', 'FitH', 'FitV', 'FitR', 'FitB', 'FitBH', 'FitBV']);

/** A pair of objects to compare, and the entry that led to them. */
type Pair = readonly [PdfObject | undefined, PdfObject | undefined, string];

/**
 * Compares objects of two revisions of a file by content. References must have the same number in both
 * revisions.
 *
 * Without link targets, everything that the objects reach is compared, whatever it is. With link targets, a
 * reference to one of these objects is only a name for it, but solely where the entry is a link: a page can
 * be the parent of an annotation, but not its appearance. The caller compares the link targets themselves.
 * Streams, and everything that they reach, are compared without link targets.
 */
export class SameObjects {
  readonly #old: PdfDocument;
  readonly #now: PdfDocument;
  readonly #targets: ReadonlySet<number>;
  readonly #contents: SameObjects;
  /**
   * The objects that are equal together with all that they reach: twice the number, plus 1 if a link led
   * there.
   */
  readonly #equal = new Set<number>();

  constructor(
    old: PdfDocument,
    now: PdfDocument,
    links?: { targets: ReadonlySet<number>; contents: SameObjects },
  ) {
    this.#old = old;
    this.#now = now;
    this.#targets = links?.targets ?? new Set();
    this.#contents = links?.contents ?? this;
  }

  /**
   * Tells whether two objects, and all objects that they reach, are equal. `key` is the entry that leads to
   * them.
   */
  areEqual(before: PdfObject | undefined, after: PdfObject | undefined, key = ''): boolean {
    // Skip the visited objects in later comparisons only if this comparison succeeds.
    const visited = new Set<number>();
    const isEqual = this.#compare([before, after, key], visited);
    if (isEqual) for (const number of visited) this.#equal.add(number);
    return isEqual;
  }

  #compare(first: Pair, visited: Set<number>): boolean {
    const pairs = [first];
    for (let pair = pairs.pop(); pair; pair = pairs.pop()) {
      const [a, b, key] = pair;
      if (a instanceof Ref || b instanceof Ref) {
        if (!(a instanceof Ref && b instanceof Ref) || a.number !== b.number) return false;
        const isLink = LINKS.has(key);
        if (isLink && this.#targets.has(a.number)) continue;
        // An array reached through a link differs from the same array elsewhere: its items are links.
        const visit = 2 * a.number + (isLink ? 1 : 0);
        if (this.#equal.has(visit) || visited.has(visit)) continue;
        visited.add(visit);
        // A stream at the same place in the file has the same bytes.
        if (a.value instanceof PdfStream && b.value instanceof PdfStream && this.#isUntouched(a.number)) {
          if (!this.#compareContents(a.value.dict, b.value.dict, pairs)) return false;
        } else pairs.push([a.value, b.value, key]);
      } else if (Array.isArray(a)) {
        if (!Array.isArray(b) || a.length !== b.length) return false;
        const isDestination = a[1] instanceof Name && FITS.has(a[1].value);
        for (const [index, item] of a.entries())
          pairs.push([item, b[index], isDestination && index === 0 ? 'Pg' : key]);
      } else if (a instanceof Dict) {
        if (!(b instanceof Dict) || a.map.size !== b.map.size) return false;
        for (const [entry, item] of a.map) {
          if (!b.map.has(entry)) return false;
          pairs.push([item, b.map.get(entry), entry]);
        }
      } else if (a instanceof PdfStream) {
        if (!(b instanceof PdfStream) || !Buffer.from(a.raw).equals(b.raw)) return false;
        if (!this.#compareContents(a.dict, b.dict, pairs)) return false;
      } else if (!isSameScalar(a, b)) return false;
    }
    return true;
  }

  /** Compares the dictionaries of two streams without link targets, at once or as a further pair. */
  #compareContents(before: Dict, after: Dict, pairs: Pair[]): boolean {
    if (this.#contents !== this) return this.#contents.areEqual(before, after);
    pairs.push([before, after, '']);
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
