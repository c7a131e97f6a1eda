import {
  Dict,
  Name,
  PdfString,
  readNameTree,
  Ref,
  resolve,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';

/** The page to which a link or an outline item leads. */
export interface Target {
  /** The zero-based page index. */
  page: number;
  /** The named destination, if one is used. */
  named?: { kind: 'name' | 'string'; key: string; value: PdfObject };
  /** Whether the destination gives the page by number, which differs in a part. */
  byNumber: boolean;
}

/** Resolves the destinations of a document to pages (ISO 32000-1 12.3.2). */
export class Destinations {
  readonly #pages: ReadonlyMap<Ref, number>;
  readonly #plain: ReadonlyMap<string, PdfObject>;
  readonly #tree: ReadonlyMap<string, PdfObject>;

  constructor({ catalog }: PdfDocument, pages: readonly Page[]) {
    this.#pages = new Map(pages.map(({ ref }, index) => [ref, index]));
    this.#plain = catalog.dict('Dests')?.map ?? new Map();
    this.#tree = new Map(readNameTree(catalog.dict('Names')?.dict('Dests')));
  }

  /** Resolves `/Dest`, or the destination of a `GoTo` action. Returns `undefined` if it leads to no page. */
  of(dict: Dict): Target | undefined {
    const action = dict.dict('A');
    const given = dict.get('Dest') ?? (action?.name('S') === 'GoTo' ? action.get('D') : undefined);
    if (given instanceof Name) return this.#named('name', given.value);
    if (given instanceof PdfString) return this.#named('string', given.key);
    return this.#explicit(given);
  }

  /** Lists the named destinations that lead to a page. */
  *named(): Generator<{ kind: 'name' | 'string'; key: string; value: PdfObject; page: number }> {
    for (const [kind, names] of [
      ['name', this.#plain],
      ['string', this.#tree],
    ] as const)
      for (const [key, value] of names) {
        const target = this.#named(kind, key);
        if (target) yield { kind, key, value, page: target.page };
      }
  }

  #named(kind: 'name' | 'string', key: string): Target | undefined {
    const trees = kind === 'name' ? [this.#plain, this.#tree] : [this.#tree, this.#plain];
    const value = trees[0]?.get(key) ?? trees[1]?.get(key);
    const destination = resolve(value);
    const target = this.#explicit(destination instanceof Dict ? destination.get('D') : destination);
    return target && value !== undefined ? { ...target, named: { kind, key, value } } : undefined;
  }

  #explicit(value: PdfObject | undefined): Target | undefined {
    if (!Array.isArray(value)) return undefined;
    const [page] = value;
    if (page instanceof Ref) {
      const index = this.#pages.get(page);
      return index === undefined ? undefined : { page: index, byNumber: false };
    }
    return typeof page === 'number' && page >= 0 && page < this.#pages.size
      ? { page, byNumber: true }
      : undefined;
  }
}

/** Copies a link or an outline item, and replaces its page number with a page reference. */
export function pointToPage(dict: Dict, page: Ref): Dict {
  const copy = dict.copy();
  const point = (holder: Dict, key: string) => {
    const view = holder.array(key);
    if (view) holder.set(key, [page, ...view.slice(1)]);
  };
  point(copy, 'Dest');
  const action = copy.dict('A')?.copy();
  if (action) point(action, 'D');
  return copy.set('A', action);
}
