import { Dict, InputFault, PdfString, Ref, resolve, type PdfObject } from '../objects/index.ts';
import { freeName } from '../merge/names.ts';
import type { CopiedPage } from './copied-page.ts';
import { roleOf } from '../structure/role-of.ts';
import { isElement, type Structure, type StructureContent, type StructureElement } from './structure.ts';

/** The maximum numbers of structure elements and of parent tree entries in all copies together. */
const MAX_ELEMENTS = 100_000;
const MAX_ENTRIES = 1_000_000;
/**
 * The highest marked-content identifier that is copied, because the parent tree has an entry for each lower
 * identifier.
 */
const MAX_CONTENT_NUMBER = 65_535;

/** The root of a structure tree under construction. */
export interface StructureRoot {
  ref: Ref;
  kids: PdfObject[];
  /** The entries of the parent tree. */
  parents: [key: number, value: PdfObject][];
  /** The entries of the ID tree. */
  ids: Map<string, PdfObject>;
}

/**
 * Copies the structure elements of pages that occur again, and appends them to the structure tree. Content of
 * form XObjects, which the copies share with their originals, stays with the originals.
 * @throws {InputFault} naming the field `pages` if there are too many.
 */
export function copyStructure(
  copies: readonly CopiedPage[],
  structure: Structure,
  root: StructureRoot,
): void {
  let nextKey = root.parents.reduce((next, [key]) => Math.max(next, key + 1), 0);
  let elements = 0;
  let entries = 0;
  for (const copy of copies) {
    const builder = new CopyBuilder(copy, structure, { nextKey, ids: root.ids });
    const range = { first: copy.index, last: copy.index };
    for (const kid of structure.kids.within(range)) {
      const copied = builder.element(kid, root.ref);
      if (copied) root.kids.push(copied);
    }
    root.parents.push(...builder.parents());
    nextKey = builder.nextKey;
    elements += builder.elements;
    entries += builder.entries;
    if (elements > MAX_ELEMENTS || entries > MAX_ENTRIES)
      throw new InputFault('pages', `repeats pages with more than ${MAX_ELEMENTS} tags in total`);
  }
}

class CopyBuilder {
  elements = 0;
  nextKey: number;
  readonly #copy: CopiedPage;
  readonly #structure: Structure;
  /** The element of each marked-content sequence of the page, by its identifier. */
  readonly #content: PdfObject[] = [];
  readonly #annotations: [number, PdfObject][] = [];

  readonly #ids: StructureRoot['ids'];

  constructor(
    copy: CopiedPage,
    structure: Structure,
    { nextKey, ids }: Pick<StructureRoot, 'ids'> & { nextKey: number },
  ) {
    this.#copy = copy;
    this.#structure = structure;
    this.nextKey = nextKey;
    this.#ids = ids;
  }

  /** Copies an element with its content on the page. Returns `undefined` if it has none there. */
  element(element: StructureElement, parent: Ref, inRow = false): Ref | undefined {
    const { dict, firstPage, lastPage } = element;
    const { index, ref: page } = this.#copy;
    // Keep empty cells, because the columns of a table row would shift without them.
    if (!inRow && (index < firstPage || index > lastPage)) return undefined;
    const role = roleOf(dict, this.#structure.root);
    const isRow = role === 'TR';
    const copy = dict.copy().delete('K', 'ID', 'Ref', 'Pg').set('P', parent);
    const ref = Ref.to(copy);
    const found: PdfObject[] = [];
    let isFilled = false;
    const kids = isRow ? element.kids.all : element.kids.within({ first: index, last: index });
    for (const kid of kids) {
      const copied = isElement(kid) ? this.element(kid, ref, isRow) : this.#contentOf(kid, ref);
      if (copied === undefined) continue;
      found.push(copied);
      isFilled ||= kid.firstPage <= index && kid.lastPage >= index;
    }
    if (!inRow && !isFilled && element.kids.all.length > 0) return undefined;
    this.elements++;
    if (role === 'Note') this.#nameNote(dict, ref);
    if (found.length > 0) copy.set('K', found.length === 1 ? found[0] : found);
    if (index >= firstPage && index <= lastPage) copy.set('Pg', page);
    return ref;
  }

  /** Gives the copy of a note an ID of its own (ISO 14289-1 7.9). */
  #nameNote(note: Dict, copy: Ref): void {
    const id = freeName(note.string('ID')?.key ?? 'note', this.#ids);
    this.#ids.set(id, copy);
    if (copy.value instanceof Dict) copy.value.set('ID', new PdfString(Buffer.from(id, 'latin1')));
  }

  #contentOf({ object, firstPage }: StructureContent, element: Ref): PdfObject | undefined {
    if (firstPage !== this.#copy.index) return undefined;
    if (!(object instanceof Dict)) return this.#mark(resolve(object), element) ? object : undefined;
    const reference = object.copy().set('Pg', this.#copy.ref);
    if (object.name('Type') !== 'OBJR')
      return !object.map.has('Stm') && this.#mark(object.get('MCID'), element) ? reference : undefined;
    const annotation = this.#copy.annotations.get(object.raw('Obj') ?? null);
    if (!annotation) return undefined;
    const key = this.nextKey++;
    annotation.dict.set('StructParent', key);
    this.#annotations.push([key, element]);
    return reference.set('Obj', annotation.ref);
  }

  /**
   * Records the element of a marked-content sequence. Returns false for an identifier that no valid file has.
   */
  #mark(number: unknown, element: Ref): boolean {
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 0 || number > MAX_CONTENT_NUMBER)
      return false;
    this.#content[number] = element;
    return true;
  }

  /** The number of parent tree entries for marked content. */
  get entries(): number {
    return this.#content.length;
  }

  /** Returns the entries of the parent tree, and gives the page its key. */
  parents(): [number, PdfObject][] {
    if (this.#content.length === 0) return this.#annotations;
    const key = this.nextKey++;
    this.#copy.dict.set('StructParents', key);
    const elements = Array.from(this.#content, (element) => element ?? null);
    return [...this.#annotations, [key, Ref.to(elements)]];
  }
}
