import {
  asDict,
  buildNameTree,
  buildNumberTree,
  Dict,
  name,
  PdfError,
  PdfString,
  Ref,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import type { PageMark, PageMarks } from './page-marks.ts';

/** A structure element (ISO 32000-1 14.7.2). */
export interface Element {
  kind: 'element';
  /** The structure type, such as `P`. */
  type: string;
  /** The entries of the element except its type, kids, parent and page. */
  entries: Dict;
  kids: Kid[];
}

/** Marked content as a kid of an element. */
export interface MarkKid {
  kind: 'mark';
  mark: PageMark;
}

/** An annotation as a kid of an element. */
export interface AnnotationKid {
  kind: 'annotation';
  page: Ref;
  annotation: Ref;
}

export type Kid = Element | MarkKid | AnnotationKid;

const MAX_DEPTH = 2_000;
const MAX_ELEMENTS = 500_000;

export function element(type: string, kids: Kid[], entries = new Dict()): Element {
  return { kind: 'element', type, entries, kids };
}

/** The marks and annotations that a structure tree can refer to. */
export interface Tagged {
  marks: PageMarks;
  /** The annotations of all pages. */
  annotations: ReadonlySet<PdfObject>;
}

/**
 * Reads the structure tree of a document that Chromium printed. Omits references to marks and annotations
 * that do not exist, and repetitions of elements, marks and annotations.
 * @throws {PdfError} if the tree is too deep or too large.
 */
export function readStructure({ catalog }: PdfDocument, tagged: Tagged): Kid[] {
  return new Reader(tagged).kids(catalog.dict('StructTreeRoot'), undefined, 0);
}

class Reader {
  readonly #tagged: Tagged;
  readonly #seen = new Set<unknown>();
  #count = 0;

  constructor(tagged: Tagged) {
    this.#tagged = tagged;
  }

  kids(owner: Dict | undefined, page: Ref | undefined, depth: number): Kid[] {
    const value = owner?.raw('K');
    const resolved = resolve(value);
    const list = Array.isArray(resolved) ? resolved : value === undefined ? [] : [value];
    return list.flatMap((kid) => this.#kid(kid, page, depth) ?? []);
  }

  #kid(object: PdfObject, page: Ref | undefined, depth: number): Kid | undefined {
    if (depth > MAX_DEPTH || ++this.#count > MAX_ELEMENTS)
      throw new PdfError('too-complex', 'has too many or too deeply nested elements to be tagged');
    const value = resolve(object);
    if (typeof value === 'number') return this.#mark(page, value);
    if (!(value instanceof Dict)) return undefined;
    const named = value.raw('Pg');
    const ownPage = named instanceof Ref ? named : page;
    const type = value.name('Type');
    if (type === 'MCR' || (type === undefined && value.map.has('MCID'))) {
      const stream = value.raw('Stm');
      return this.#mark(stream instanceof Ref ? stream : ownPage, value.number('MCID') ?? -1);
    }
    if (type === 'OBJR') {
      const annotation = value.raw('Obj');
      if (!(annotation instanceof Ref) || !ownPage || !this.#tagged.annotations.has(annotation))
        return undefined;
      if (!this.#isFirst(annotation)) return undefined;
      return { kind: 'annotation', page: ownPage, annotation };
    }
    if (!this.#isFirst(value)) return undefined;
    return {
      kind: 'element',
      type: value.name('S') ?? 'NonStruct',
      entries: value.copy().delete('Type', 'S', 'P', 'K', 'Pg'),
      kids: this.kids(value, ownPage, depth + 1),
    };
  }

  #mark(stream: Ref | undefined, mcid: number): MarkKid | undefined {
    const mark = stream && this.#tagged.marks.find(stream, mcid);
    return mark && this.#isFirst(mark) ? { kind: 'mark', mark } : undefined;
  }

  #isFirst(object: unknown): boolean {
    if (this.#seen.has(object)) return false;
    this.#seen.add(object);
    return true;
  }
}

/** Calls `visit` for kids and everything below them, in the order of the document. */
export function eachKid(kids: readonly Kid[], visit: (kid: Kid) => void): void {
  for (const kid of kids) {
    visit(kid);
    if (kid.kind === 'element') eachKid(kid.kids, visit);
  }
}

/** Lists the marks among kids and below them. */
export function marksOf(kids: readonly Kid[]): PageMark[] {
  const marks: PageMark[] = [];
  eachKid(kids, (kid) => {
    if (kid.kind === 'mark') marks.push(kid.mark);
  });
  return marks;
}

/** Lists the annotations among kids and below them. */
export function annotationsOf(kids: readonly Kid[]): Ref[] {
  const annotations: Ref[] = [];
  eachKid(kids, (kid) => {
    if (kid.kind === 'annotation') annotations.push(kid.annotation);
  });
  return annotations;
}

/**
 * Writes a structure tree with its parent tree, and the keys of pages, forms and annotations in the parent
 * tree (ISO 32000-1 14.7.4.4). Returns references to the elements and the parent tree.
 */
export function writeStructure(
  { catalog }: PdfDocument,
  root: Element,
  { marks, roles }: { marks: PageMarks; roles: Readonly<Record<string, string>> },
): ReadonlySet<Ref> {
  const tree = Ref.to(new Dict());
  const writer = new Writer();
  const document = writer.element(root, tree);
  const dict = Dict.of({
    Type: name('StructTreeRoot'),
    K: document,
    RoleMap: Dict.of(Object.fromEntries(Object.entries(roles).map(([from, to]) => [from, name(to)]))),
    ...writer.parentTree(marks),
  });
  if (writer.ids.size > 0) dict.set('IDTree', Ref.to(buildNameTree(writer.ids)));
  tree.value = dict;
  catalog.set('StructTreeRoot', tree).set('MarkInfo', Dict.of({ Marked: true }));
  return writer.written;
}

class Writer {
  /** The elements with an `ID`. */
  readonly ids = new Map<string, PdfObject>();
  readonly written = new Set<Ref>();
  /** The parent elements of the marks of each content stream, by number. */
  readonly #byStream = new Map<PageMark['stream'], Ref[]>();
  /** The parent element of each annotation. */
  readonly #byAnnotation = new Map<Ref, Ref>();

  element({ type, entries, kids }: Element, parent: Ref): Ref {
    const ref = Ref.to(new Dict());
    this.written.add(ref);
    const page = pageOf(kids);
    const written = kids.map((kid) => this.#kid(kid, ref, page));
    const [only] = written;
    const dict = Dict.of({ S: name(type), P: parent, Pg: page });
    for (const [key, value] of entries.map) dict.set(key, value);
    if (only !== undefined) dict.set('K', written.length === 1 ? only : written);
    ref.value = dict;
    const id = dict.string('ID');
    if (id instanceof PdfString) this.ids.set(id.key, ref);
    return ref;
  }

  #kid(kid: Kid, parent: Ref, page: Ref | undefined): PdfObject {
    if (kid.kind === 'element') return this.element(kid, parent);
    if (kid.kind === 'annotation') {
      this.#byAnnotation.set(kid.annotation, parent);
      const entries = { Type: name('OBJR'), Obj: kid.annotation };
      return Dict.of(kid.page === page ? entries : { ...entries, Pg: kid.page });
    }
    const { mark } = kid;
    const parents = this.#byStream.get(mark.stream) ?? [];
    this.#byStream.set(mark.stream, parents);
    parents[mark.mcid] = parent;
    if (mark.form === undefined && mark.page === page) return mark.mcid;
    return Dict.of({ Type: name('MCR'), Pg: mark.page, Stm: mark.form, MCID: mark.mcid });
  }

  /**
   * Builds the entries of the structure tree root for the parent tree, and sets the keys of content and
   * annotations.
   */
  parentTree(marks: PageMarks): Record<string, PdfObject> {
    const entries: [number, PdfObject][] = [];
    for (const stream of marks.streams) {
      const parents = this.#byStream.get(stream);
      stream.setKey(parents && entries.length);
      if (parents) entries.push([entries.length, Array.from(parents, (parent) => parent ?? null)]);
    }
    for (const [annotation, parent] of this.#byAnnotation) {
      asDict(annotation)?.set('StructParent', entries.length);
      entries.push([entries.length, parent]);
    }
    const tree = Ref.to(buildNumberTree(entries));
    this.written.add(tree);
    return { ParentTree: tree, ParentTreeNextKey: entries.length };
  }
}

/**
 * Returns the page of the first content or annotation. The element names it, so that the kids on this page
 * need not.
 */
function pageOf(kids: readonly Kid[]): Ref | undefined {
  for (const kid of kids) {
    if (kid.kind === 'mark') return kid.mark.page;
    if (kid.kind === 'annotation') return kid.page;
  }
  return undefined;
}
