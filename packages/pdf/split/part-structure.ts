import {
  buildNameTree,
  buildNumberTree,
  Dict,
  name,
  PdfStream,
  Ref,
  resolve,
  type PdfObject,
} from '../objects/index.ts';
import type { CopiedPage } from './copied-page.ts';
import { copyStructure } from './copied-structure.ts';
import type { Part } from './part.ts';
import { roleOf } from '../structure/role-of.ts';
import { trimClasses, trimNamespaces, trimRoles } from './structure-maps.ts';
import { isElement, type Structure, type StructureContent, type StructureElement } from './structure.ts';

/**
 * Builds the structure tree of a part of a tagged document: the elements with content on its pages, their
 * ancestors, and their roles, classes, namespaces and IDs. Returns `undefined` if the part has no elements.
 * @param annotations the annotations of the part
 * @param copies the pages that occur again
 */
export function buildPartStructure(
  part: Part,
  annotations: readonly PdfObject[],
  copies: readonly CopiedPage[],
): Ref | undefined {
  const { structure } = part.source;
  if (!structure) return undefined;
  const root = Ref.to(new Dict());
  const builder = new StructureBuilder(part, structure, new Set(annotations));
  const placed = structure.kids.within(part.range).flatMap((kid) => builder.element(kid, root) ?? []);
  const kids = inOrder(placed, part);
  if (kids.length === 0) return undefined;
  builder.trimReferences();
  const parents = builder.parents();
  copyStructure(copies, structure, { ref: root, kids, parents, ids: builder.ids });
  root.value = Dict.of({
    Type: name('StructTreeRoot'),
    K: kids,
    ParentTree: Ref.to(buildNumberTree(parents)),
    ParentTreeNextKey: parents.reduce((next, [key]) => Math.max(next, key + 1), 0),
    RoleMap: trimRoles(structure.root, builder.kept),
    ClassMap: trimClasses(structure.root, builder.kept),
    Namespaces: trimNamespaces(structure.root, builder.kept),
    IDTree: builder.ids.size > 0 ? Ref.to(buildNameTree(builder.ids)) : undefined,
  });
  return root;
}

/** An element or its content in a part. */
interface PlacedKid {
  object: PdfObject;
  /** The position of the first page with content in the part, or -1 if no page of the part has content. */
  position: number;
}

/** Returns the children of an element in reading order, which follows the pages if they are reordered. */
function inOrder(kids: PlacedKid[], part: Part): PdfObject[] {
  if (part.isReordered) {
    // An empty cell stays behind the cell before it.
    for (const [index, kid] of kids.entries())
      if (kid.position < 0) kid.position = kids[index - 1]?.position ?? -1;
    kids.sort((a, b) => a.position - b.position);
  }
  return kids.map(({ object }) => object);
}

function firstPosition(kids: readonly PlacedKid[]): number {
  return kids.reduce((low, { position }) => (low < 0 || position < low ? position : low), -1);
}

class StructureBuilder {
  readonly kept: Dict[] = [];
  readonly ids = new Map<string, PdfObject>();
  readonly #part: Part;
  readonly #structure: Structure;
  readonly #annotations: ReadonlySet<PdfObject>;
  /** Parent tree keys used in the part. */
  readonly #keys = new Set<number>();

  constructor(part: Part, structure: Structure, annotations: ReadonlySet<PdfObject>) {
    this.#part = part;
    this.#structure = structure;
    this.#annotations = annotations;
  }

  /** Copies an element with its content in the part. Returns `undefined` if it has none there. */
  element(element: StructureElement, parent: Ref | undefined, inRow = false): PlacedKid | undefined {
    const { dict, ref, firstPage, lastPage } = element;
    const { first, last } = this.#part.range;
    const isEmpty = firstPage > lastPage;
    // Keep empty cells, because the columns of a table row would shift without them.
    if (isEmpty ? !inRow : lastPage < first || firstPage > last) return undefined;
    const isRow = roleOf(dict, this.#structure.root) === 'TR';
    if (isRow && !this.#hasContent(element)) return undefined;
    const above = ref ?? parent;
    const descendants = isRow ? element.kids.all : element.kids.within(this.#part.range);
    const kids = descendants.flatMap(
      (kid) => (isElement(kid) ? this.element(kid, above, isRow) : this.#content(kid)) ?? [],
    );
    if (kids.length === 0 && element.kids.all.length > 0 && !inRow) return undefined;
    const position = firstPosition(kids.filter((kid) => kid.position >= 0));
    const content = inOrder(kids, this.#part);
    const copy = dict.copy().set('P', parent).delete('K');
    if (content.length > 0) copy.set('K', content.length === 1 ? content[0] : content);
    this.kept.push(copy);
    if (!ref) return { object: copy, position };
    this.#part.elements.add(ref);
    this.#part.put(ref, copy);
    const id = dict.string('ID')?.key;
    if (id !== undefined && !this.ids.has(id)) this.ids.set(id, ref);
    return { object: ref, position };
  }

  /**
   * Removes references (ISO 32000-2 table 355), for example to footnotes, whose targets are not in the part.
   */
  trimReferences(): void {
    for (const element of this.kept) {
      const references = element.array('Ref');
      if (!references) continue;
      const remaining = references.filter((item) => this.#keep(item) !== null);
      if (remaining.length > 0) element.set('Ref', remaining);
      else element.delete('Ref');
    }
  }

  /** Tells whether an element has content in the part. */
  #hasContent({ kids, firstPage, lastPage }: StructureElement): boolean {
    if (lastPage < this.#part.range.first || firstPage > this.#part.range.last) return false;
    const { all } = kids;
    return (
      all.length === 0 ||
      all.some((kid) => (isElement(kid) ? this.#hasContent(kid) : this.#part.has(kid.firstPage)))
    );
  }

  #content({ object, firstPage }: StructureContent): PlacedKid | undefined {
    const position = this.#part.positionOf(firstPage);
    if (position < 0) return undefined;
    if (!(object instanceof Dict)) return { object, position };
    const target = object.raw(object.name('Type') === 'OBJR' ? 'Obj' : 'Stm');
    const value = resolve(target);
    // Removed annotations, such as links to other pages, have no element.
    if (value instanceof Dict && !(target && this.#annotations.has(target))) return undefined;
    const dict = value instanceof PdfStream ? value.dict : value;
    if (dict instanceof Dict)
      for (const key of ['StructParents', 'StructParent']) this.#use(dict.number(key));
    return { object, position };
  }

  #use(key: number | undefined): void {
    if (key !== undefined) this.#keys.add(key);
  }

  /** Builds the parent tree of the part, and restores the keys of its pages. */
  parents(): [number, PdfObject][] {
    for (const { ref, dict } of this.#part.sourcePages) {
      const key = dict.number('StructParents');
      const copiedPage = this.#part.get(ref);
      if (key === undefined || !(copiedPage instanceof Dict)) continue;
      copiedPage.set('StructParents', key);
      this.#use(key);
    }
    return [...this.#keys].flatMap((key) => {
      const value = resolve(this.#structure.parents.get(key));
      if (!Array.isArray(value)) {
        const element = this.#keep(this.#structure.parents.get(key) ?? null);
        return element === null ? [] : [[key, element] as [number, PdfObject]];
      }
      const elements = value.map((item) => this.#keep(item));
      return elements.some((item) => item !== null) ? [[key, Ref.to(elements)] as [number, PdfObject]] : [];
    });
  }

  #keep(item: PdfObject): PdfObject {
    return item instanceof Ref && this.#part.elements.has(item) ? item : null;
  }
}
