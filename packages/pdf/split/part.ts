import type { Page, PdfObject, Ref, Substitutes } from '../objects/index.ts';
import type { PageRange } from './structure-spans.ts';
import type { SplitSource } from './split-source.ts';

/** A part under construction. It maps objects of the whole document to objects of the part. */
export class Part implements Substitutes {
  readonly source: SplitSource;
  /** The zero-based indexes of its pages in the document, in the order of the part. Each occurs once. */
  readonly pages: readonly number[];
  /** The smallest range that contains its pages. */
  readonly range: PageRange;
  /** Whether the pages are in another order than in the document. */
  readonly isReordered: boolean;
  /** Whether the part keeps document-level data, such as attachments. */
  readonly isDocument: boolean;
  /** Named destinations used in the part. */
  readonly names = { name: new Map<string, PdfObject>(), string: new Map<string, PdfObject>() };
  /** Fields and widgets in the part. */
  readonly fields = new Set<Ref>();
  /** Structure elements in the part. */
  readonly elements = new Set<Ref>();
  readonly #substitutes = new Map<Ref, PdfObject>();
  /** The position of each page in the part, keyed by its index in the document. */
  readonly #positions: ReadonlyMap<number, number>;

  constructor(source: SplitSource, pages: readonly number[], { isDocument }: { isDocument: boolean }) {
    this.source = source;
    this.pages = pages;
    this.isReordered = pages.some((page, index) => page < (pages[index - 1] ?? 0));
    this.isDocument = isDocument;
    this.#positions = new Map(pages.map((page, position) => [page, position]));
    const first = pages.reduce((low, page) => Math.min(low, page), Number.POSITIVE_INFINITY);
    this.range = { first, last: pages.reduce((high, page) => Math.max(high, page), 0) };
  }

  has(page: number): boolean {
    return this.#positions.has(page);
  }

  /** Returns the position of a page in the part, or -1. */
  positionOf(page: number): number {
    return this.#positions.get(page) ?? -1;
  }

  /** The pages of the part in its order, as they are in the document. */
  get sourcePages(): readonly Page[] {
    return this.pages.flatMap((page) => this.source.pages[page] ?? []);
  }

  put(ref: Ref, value: PdfObject): void {
    this.#substitutes.set(ref, value);
  }

  /**
   * Returns the object that replaces an object in the part: `null` for pages, fields and elements outside it,
   * `undefined` for the same object.
   */
  get(ref: Ref): PdfObject | undefined {
    const substitute = this.#substitutes.get(ref);
    if (substitute !== undefined) return substitute;
    const isElsewhere =
      this.source.isPageOrNode(ref) ||
      (this.source.fields.has(ref) && !this.fields.has(ref)) ||
      (this.source.structure?.refs.has(ref) && !this.elements.has(ref));
    return isElsewhere ? null : undefined;
  }
}
