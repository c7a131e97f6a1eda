import { Dict, readNumberTree, Ref, resolve, type Page, type PdfObject } from '../objects/index.ts';
import { SpanList, spanOf, type Span } from './structure-spans.ts';

/** A structure element (ISO 32000-1 14.7.2), and the range of pages on which it has content. */
export interface StructureElement extends Span {
  /** `undefined` for a direct object. */
  ref: Ref | undefined;
  dict: Dict;
  kids: SpanList<StructureKid>;
}

/** Content on a page: a marked-content sequence, or an object such as an annotation. */
export interface StructureContent extends Span {
  object: PdfObject;
}

/** A child of a structure element, in reading order. */
type StructureKid = StructureElement | StructureContent;

/** The structure tree of a tagged document. */
export interface Structure {
  root: Dict;
  kids: SpanList<StructureElement>;
  /** All elements that are indirect objects, and the root. */
  refs: ReadonlySet<Ref>;
  /** The parent tree. It maps the keys in `StructParents` and `StructParent` to elements. */
  parents: ReadonlyMap<number, PdfObject>;
}

const MAX_DEPTH = 500;
const MAX_ELEMENTS = 500_000;

/**
 * Reads the structure tree of a document, or returns `undefined` if the document is not tagged. Reads each
 * element once, even in cyclic trees.
 */
export function readStructure(catalog: Dict, pages: readonly Page[]): Structure | undefined {
  const root = catalog.dict('StructTreeRoot');
  if (!root) return undefined;
  const reader = new StructureReader(pages);
  const kids = reader.read(root, { page: undefined, depth: 0 }).filter(isElement);
  const rootRef = catalog.raw('StructTreeRoot');
  if (rootRef instanceof Ref) reader.refs.add(rootRef);
  return {
    root,
    kids: new SpanList(kids),
    refs: reader.refs,
    parents: new Map(readNumberTree(root.dict('ParentTree'))),
  };
}

/** Tells whether a child is an element. */
export function isElement(kid: StructureKid): kid is StructureElement {
  return 'kids' in kid;
}

interface Context {
  /** The page of marked content that does not name its page. */
  page: number | undefined;
  depth: number;
}

class StructureReader {
  readonly refs = new Set<Ref>();
  readonly #pages: ReadonlyMap<Ref, number>;
  readonly #seen = new Set<Dict>();

  constructor(pages: readonly Page[]) {
    this.#pages = new Map(pages.map(({ ref }, index) => [ref, index]));
  }

  read(parent: Dict, context: Context): StructureKid[] {
    const kids = parent.get('K');
    const items = Array.isArray(kids) ? kids : [parent.raw('K') ?? null];
    return items.flatMap((item) => this.#kid(item, context) ?? []);
  }

  #kid(item: PdfObject, { page, depth }: Context): StructureKid | undefined {
    const value = resolve(item);
    if (typeof value === 'number') return page === undefined ? undefined : contentOn(page, value);
    if (!(value instanceof Dict)) return undefined;
    const type = value.name('Type');
    const annotation = type === 'OBJR' ? value.dict('Obj') : undefined;
    const stated = this.#pageOf(value, 'Pg') ?? (annotation && this.#pageOf(annotation, 'P'));
    const kidPage = stated ?? page;
    if (type === 'MCR' || type === 'OBJR')
      return kidPage === undefined ? undefined : contentOn(kidPage, value);
    if (this.#seen.has(value) || this.#seen.size >= MAX_ELEMENTS || depth >= MAX_DEPTH) return undefined;
    this.#seen.add(value);
    if (item instanceof Ref) this.refs.add(item);
    const kids = this.read(value, { page: kidPage, depth: depth + 1 });
    const span = spanOf(kids);
    // An element without content, such as a figure described only by text, is on the page it names.
    if (span.firstPage > span.lastPage && stated !== undefined) span.firstPage = span.lastPage = stated;
    return { ref: item instanceof Ref ? item : undefined, dict: value, kids: new SpanList(kids), ...span };
  }

  #pageOf(dict: Dict, key: string): number | undefined {
    const page = dict.raw(key);
    return page instanceof Ref ? this.#pages.get(page) : undefined;
  }
}

function contentOn(page: number, object: PdfObject): StructureContent {
  return { object, firstPage: page, lastPage: page };
}
