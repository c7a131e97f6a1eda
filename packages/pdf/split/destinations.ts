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

/** Where a link or an outline item leads, as far as it is a page of the document. */
export interface Target {
  /** From 0. */
  page: number;
  /** The name by which it leads there. */
  named?: { kind: 'name' | 'string'; key: string; value: PdfObject };
  /** Whether the page is given by its number, which is another in a part. */
  byNumber: boolean;
}

/** Finds the pages that destinations of a document lead to (ISO 32000-1 12.3.2). */
export class Destinations {
  readonly #pages: ReadonlyMap<Ref, number>;
  readonly #plain: ReadonlyMap<string, PdfObject>;
  readonly #tree: ReadonlyMap<string, PdfObject>;

  constructor({ catalog }: PdfDocument, pages: readonly Page[]) {
    this.#pages = new Map(pages.map(({ ref }, index) => [ref, index]));
    this.#plain = catalog.dict('Dests')?.map ?? new Map();
    this.#tree = new Map(readNameTree(catalog.dict('Names')?.dict('Dests')));
  }

  /** Follows `/Dest`, or the destination of a `GoTo` action; `undefined` for what leads to no page. */
  of(dict: Dict): Target | undefined {
    const action = dict.dict('A');
    const given = dict.get('Dest') ?? (action?.name('S') === 'GoTo' ? action.get('D') : undefined);
    if (given instanceof Name) return this.#named('name', given.value);
    if (given instanceof PdfString) return this.#named('string', given.key);
    return this.#explicit(given);
  }

  #named(kind: 'name' | 'string', key: string): Target | undefined {
    const trees = kind === 'name' ? [this.#plain, this.#tree] : [this.#tree, this.#plain];
    const value = trees[0]?.get(key) ?? trees[1]?.get(key);
    const meant = resolve(value);
    const target = this.#explicit(meant instanceof Dict ? meant.get('D') : meant);
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

/** A copy of a link or an outline item that leads straight to a page, in place of its number. */
export function leadTo(dict: Dict, page: Ref): Dict {
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
