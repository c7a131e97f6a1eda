import type { PdfObject, Ref, Substitutes } from '../objects/index.ts';
import type { PageRange } from './structure-spans.ts';
import type { SplitSource } from './split-source.ts';

/** A part under construction. It maps objects of the whole document to objects of the part. */
export class Part implements Substitutes {
  readonly source: SplitSource;
  readonly range: PageRange;
  /** Named destinations used in the part. */
  readonly names = { name: new Map<string, PdfObject>(), string: new Map<string, PdfObject>() };
  /** Fields and widgets in the part. */
  readonly fields = new Set<Ref>();
  /** Structure elements in the part. */
  readonly elements = new Set<Ref>();
  readonly #own = new Map<Ref, PdfObject>();

  constructor(source: SplitSource, range: PageRange) {
    this.source = source;
    this.range = range;
  }

  has(page: number): boolean {
    return page >= this.range.first && page <= this.range.last;
  }

  put(ref: Ref, value: PdfObject): void {
    this.#own.set(ref, value);
  }

  /** Returns null for pages, fields and elements outside the part. */
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
