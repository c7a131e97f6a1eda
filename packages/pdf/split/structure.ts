import { Dict, readNumberTree, Ref, resolve, type Page, type PdfObject } from '../objects/index.ts';
import { SpanList, spanOf, type Span } from './structure-spans.ts';

/** An element of the structure (ISO 32000-1 14.7.2), and the pages that it and what is below it have content on. */
export interface StructureElement extends Span {
  /** `undefined` for one that is no object of its own. */
  ref: Ref | undefined;
  dict: Dict;
  kids: SpanList<StructureKid>;
}

/** Content on a page: a marked sequence, or an object such as an annotation. */
export interface StructureContent extends Span {
  object: PdfObject;
}

/** What an element holds, in the order of reading. */
export type StructureKid = StructureElement | StructureContent;

/** The structure of a tagged document. */
export interface Structure {
  root: Dict;
  kids: SpanList<StructureElement>;
  /** All elements that are objects of their own, and the root. */
  refs: ReadonlySet<Ref>;
  /** What the elements of marked content and objects are found by: `StructParents` and `StructParent`. */
  parents: ReadonlyMap<number, PdfObject>;
}

const MAX_DEPTH = 500;
const MAX_ELEMENTS = 500_000;

/** Reads the structure of a document; `undefined` when it has none. Loops end, and an element that stands twice is read once. */
export function readStructure(catalog: Dict, pages: readonly Page[]): Structure | undefined {
  const root = catalog.dict('StructTreeRoot');
  if (!root) return undefined;
  const reader = new StructureReader(pages);
  const kids = reader.read(root, { page: undefined, depth: 0 }).filter(isElement);
  const own = catalog.raw('StructTreeRoot');
  if (own instanceof Ref) reader.refs.add(own);
  return {
    root,
    kids: new SpanList(kids),
    refs: reader.refs,
    parents: new Map(readNumberTree(root.dict('ParentTree'))),
  };
}

/** Tells elements from content. */
export function isElement(kid: StructureKid): kid is StructureElement {
  return 'kids' in kid;
}

interface Place {
  /** The page of marked content that names none. */
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

  read(parent: Dict, place: Place): StructureKid[] {
    const own = parent.get('K');
    const items = Array.isArray(own) ? own : [parent.raw('K') ?? null];
    return items.flatMap((item) => this.#kid(item, place) ?? []);
  }

  #kid(item: PdfObject, { page, depth }: Place): StructureKid | undefined {
    const value = resolve(item);
    if (typeof value === 'number') return page === undefined ? undefined : contentOn(page, value);
    if (!(value instanceof Dict)) return undefined;
    const type = value.name('Type');
    const annotation = type === 'OBJR' ? value.dict('Obj') : undefined;
    const stated = this.#pageOf(value, 'Pg') ?? (annotation && this.#pageOf(annotation, 'P'));
    const own = stated ?? page;
    if (type === 'MCR' || type === 'OBJR') return own === undefined ? undefined : contentOn(own, value);
    if (this.#seen.has(value) || this.#seen.size >= MAX_ELEMENTS || depth >= MAX_DEPTH) return undefined;
    this.#seen.add(value);
    if (item instanceof Ref) this.refs.add(item);
    const kids = this.read(value, { page: own, depth: depth + 1 });
    const span = spanOf(kids);
    // One without content, such as a figure of words alone, is on the page that it names.
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
