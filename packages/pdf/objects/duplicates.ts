import { Dict, Name, PdfStream, Ref, resolve, type Direct, type PdfObject } from './objects.ts';
import { serialize } from './serialize.ts';
import { reach, substituted, type Substitutes } from './writer.ts';

/** The types of dictionaries that are interchangeable if they are equal. */
const INTERCHANGEABLE = new Set(['Font', 'FontDescriptor', 'Encoding', 'ExtGState', 'Halftone']);
/** Objects nested more deeply are not compared. */
const MAX_DEPTH = 100;

/**
 * Finds duplicate streams, fonts, graphics states and colour spaces among the objects reachable from an
 * object. The result maps each duplicate to the object to use instead. Pages, annotations, form fields and
 * structure elements are never duplicates.
 */
export function findDuplicates(from: PdfObject, substitutes: Substitutes = new Map()): Map<Ref, Ref> {
  return new Search(from, substitutes).run();
}

class Search {
  readonly #substitutes: Substitutes;
  readonly #objects: Set<Ref>;
  /**
   * How many streams declare each length. A stream whose length is unique has no duplicate and is not read.
   */
  readonly #lengths = new Map<number, number>();
  readonly #canonical = new Map<Ref, Ref>();
  readonly #byKey = new Map<string, Ref>();
  readonly #ids = new Map<Ref, number>();

  constructor(from: PdfObject, substitutes: Substitutes) {
    this.#substitutes = substitutes;
    this.#objects = reach(from, substitutes);
  }

  run(): Map<Ref, Ref> {
    for (const ref of this.#objects) {
      const value = this.#valueOf(ref);
      if (value instanceof PdfStream) this.#lengths.set(lengthOf(value), this.#countOf(value) + 1);
    }
    const duplicates = new Map<Ref, Ref>();
    for (const ref of this.#objects) {
      const canonical = this.#find(ref, 0);
      if (canonical !== ref) duplicates.set(ref, canonical);
    }
    return duplicates;
  }

  #countOf(stream: PdfStream): number {
    return this.#lengths.get(lengthOf(stream)) ?? 0;
  }

  #valueOf(ref: Ref): Direct {
    return substituted(ref, this.#substitutes)?.value ?? null;
  }

  /** Returns the first object that equals an object. */
  #find(ref: Ref, depth: number): Ref {
    const known = this.#canonical.get(ref);
    if (known) return known;
    // Also ends cycles: an object that contains itself has no duplicate.
    this.#canonical.set(ref, ref);
    const value = this.#valueOf(ref);
    if (depth > MAX_DEPTH || !this.#mayRepeat(value)) return ref;
    const key = this.#keyOf(value, depth);
    const first = this.#byKey.get(key);
    if (!first) this.#byKey.set(key, ref);
    else if (haveEqualData(value, this.#valueOf(first))) {
      this.#canonical.set(ref, first);
      return first;
    }
    return ref;
  }

  #mayRepeat(value: Direct): value is PdfStream | Dict | PdfObject[] {
    // The structure tree refers to this form XObject, so an equal one cannot replace it.
    if (value instanceof PdfStream)
      return (
        this.#countOf(value) > 1 &&
        !value.dict.map.has('StructParent') &&
        !value.dict.map.has('StructParents')
      );
    if (value instanceof Dict) return INTERCHANGEABLE.has(value.name('Type') ?? '');
    if (!Array.isArray(value)) return false;
    // A colour space, or widths of a font.
    return (
      resolve(value[0]) instanceof Name ||
      (value.length > 0 && value.every((item) => typeof item === 'number'))
    );
  }

  #keyOf(value: PdfStream | Dict | PdfObject[], depth: number): string {
    const numberOf = (ref: Ref): number => {
      const target = substituted(ref, this.#substitutes);
      if (!target) return 0;
      const canonical = this.#find(target.ref, depth + 1);
      const id = this.#ids.get(canonical) ?? this.#ids.size + 1;
      this.#ids.set(canonical, id);
      return id;
    };
    if (!(value instanceof PdfStream)) return serialize(value, numberOf);
    const dict = value.dict.copy().delete('Length');
    return `${Bun.hash(value.raw)} ${serialize(dict, numberOf)}`;
  }
}

function lengthOf({ dict }: PdfStream): number {
  return dict.number('Length') ?? -1;
}

/** Compares the data of streams whose hashes are equal. */
function haveEqualData(value: Direct, other: Direct): boolean {
  if (!(value instanceof PdfStream) || !(other instanceof PdfStream)) return true;
  return Buffer.compare(value.raw, other.raw) === 0;
}
