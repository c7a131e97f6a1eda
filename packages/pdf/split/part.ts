import type { PdfObject, Ref, Substitutes } from '../objects/index.ts';
import type { PageRange } from './page-range.ts';
import type { Source } from './source.ts';

/** One part while it is made: what stands in it for objects of the whole document. */
export class Part implements Substitutes {
  readonly source: Source;
  readonly range: PageRange;
  /** Named destinations that something in the part leads to. */
  readonly names = { name: new Map<string, PdfObject>(), string: new Map<string, PdfObject>() };
  /** Fields and widgets that are in it. */
  readonly fields = new Set<Ref>();
  /** Elements of the structure that are in it. */
  readonly elements = new Set<Ref>();
  readonly #own = new Map<Ref, PdfObject>();

  constructor(source: Source, range: PageRange) {
    this.source = source;
    this.range = range;
  }

  has(page: number): boolean {
    return page >= this.range.first && page <= this.range.last;
  }

  put(ref: Ref, value: PdfObject): void {
    this.#own.set(ref, value);
  }

  /** Pages, fields and elements of other parts are nothing in this one. */
  get(ref: Ref): PdfObject | undefined {
    const own = this.#own.get(ref);
    if (own !== undefined) return own;
    const isElsewhere =
      this.source.isPageOrNode(ref) ||
      (this.source.fields.has(ref) && !this.fields.has(ref)) ||
      (this.source.structure?.refs.has(ref) && !this.elements.has(ref));
    return isElsewhere ? null : undefined;
  }
}
