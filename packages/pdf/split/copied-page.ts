import {
  decodeText,
  Dict,
  encodeText,
  InputFault,
  PdfStream,
  Ref,
  resolve,
  type Page,
  type PdfObject,
} from '../objects/index.ts';
import { UniqueNames } from '../merge/names.ts';
import type { Part } from './part.ts';

/** A page of a part that occurs again. */
export interface CopiedPage {
  /** The first occurrence, and its zero-based index in the document. */
  page: Page;
  index: number;
  /** The copy, whose dictionary has no annotations yet. */
  ref: Ref;
  dict: Dict;
  /** The copies of its annotations and their fields, keyed by their originals. */
  annotations: ReadonlyMap<PdfObject, { ref: Ref; dict: Dict }>;
}

/** Entries of an annotation that refer to other annotations of its page. */
const NEIGHBOURS = ['Popup', 'Parent', 'IRT'];
/**
 * The maximum number of copied annotations. Each takes memory, although the original may take few bytes of
 * the file.
 */
const MAX_COPIES = 100_000;

/**
 * Copies the annotations of pages that occur again. Their fields become new fields, so that each copy can be
 * filled differently. A name that is taken gets a suffix such as `-2`. Call it when the form of the part is
 * complete.
 * @throws {InputFault} naming the field `pages` if there are too many.
 */
export function copyAnnotations(copies: readonly CopiedPage[], part: Part, form: Dict | undefined): void {
  const names = new UniqueNames();
  const fields = form?.array('Fields') ?? [];
  for (const field of fields) {
    const title = dictOf(field, part)?.string('T');
    if (title) names.claim(decodeText(title));
  }
  let count = 0;
  for (const copy of copies) {
    const annotations = dictOf(copy.page.ref, part)?.array('Annots') ?? [];
    count += annotations.length;
    if (count > MAX_COPIES)
      throw new InputFault('pages', `repeats pages with more than ${MAX_COPIES} annotations in total`);
    const page = new PageCopy(part, copy.ref, { fields, names });
    const copied = page.annotations(annotations);
    if (copied.length > 0) copy.dict.set('Annots', copied);
    copy.annotations = page.copies;
  }
}

function dictOf(object: PdfObject, part: Part): Dict | undefined {
  const value = resolve(object instanceof Ref ? (part.get(object) ?? object) : object);
  return value instanceof Dict ? value : undefined;
}

class PageCopy {
  readonly #part: Part;
  readonly #page: Ref;
  readonly #form: { fields: PdfObject[]; names: UniqueNames };
  /** The copies of annotations and fields, keyed by their originals. */
  readonly copies = new Map<PdfObject, { ref: Ref; dict: Dict }>();

  constructor(part: Part, page: Ref, form: { fields: PdfObject[]; names: UniqueNames }) {
    this.#part = part;
    this.#page = page;
    this.#form = form;
  }

  /** Copies annotations with their fields. Returns the copies that the page shows. */
  annotations(originals: readonly PdfObject[]): PdfObject[] {
    const copies = originals.flatMap((original) => {
      const copy = this.#copy(original);
      if (!copy) return [];
      copy.dict.set('P', this.#page).set('AP', copyAppearance(copy.dict.raw('AP')));
      return [copy.ref];
    });
    for (const original of originals) {
      const { fields } = this.#part;
      if (original instanceof Ref && fields.has(original)) this.#joinField(original);
      else this.#joinNeighbours(original);
    }
    return copies;
  }

  /** Copies an annotation or a field once. */
  #copy(original: PdfObject): { ref: Ref; dict: Dict } | undefined {
    const known = this.copies.get(original);
    if (known) return known;
    const originalDict = dictOf(original, this.#part);
    if (!originalDict) return undefined;
    const dict = originalDict.copy().delete('StructParent');
    const copy = { ref: Ref.to(dict), dict };
    this.copies.set(original, copy);
    return copy;
  }

  /**
   * Replaces references from the copy of an annotation to other originals with references to their copies.
   */
  #joinNeighbours(original: PdfObject): void {
    const dict = this.copies.get(original)?.dict;
    for (const key of NEIGHBOURS) {
      const neighbour = this.copies.get(dict?.raw(key) ?? null);
      if (neighbour) dict?.set(key, neighbour.ref);
    }
  }

  /** Copies the ancestors of a widget, and adds the field at the top to the form. */
  #joinField(widget: Ref): void {
    for (let child = widget; ;) {
      const copy = this.#copy(child);
      const parent = copy?.dict.raw('Parent');
      if (!copy) return;
      if (!(parent instanceof Ref) || !this.#part.fields.has(parent)) {
        this.#addField(copy);
        return;
      }
      const isKnown = this.copies.has(parent);
      const above = this.#copy(parent);
      if (!above) return;
      if (!isKnown) above.dict.set('Kids', []);
      above.dict.array('Kids')?.push(copy.ref);
      copy.dict.set('Parent', above.ref);
      if (isKnown) return;
      child = parent;
    }
  }

  #addField({ ref, dict }: { ref: Ref; dict: Dict }): void {
    const title = dict.string('T');
    if (title) dict.set('T', encodeText(this.#form.names.claim(decodeText(title))));
    this.#form.fields.push(ref);
  }
}

/** Copies the streams of an appearance, because some programs change them in place when a field is filled. */
function copyAppearance(appearance: PdfObject | undefined): PdfObject | undefined {
  const value = resolve(appearance);
  if (!(value instanceof Dict)) return appearance;
  return new Dict(
    [...value.map].map(([key, entry]) => {
      const states = resolve(entry);
      return [key, states instanceof Dict ? copyStreams(states) : copyStream(entry)];
    }),
  );
}

function copyStreams(dict: Dict): Dict {
  return new Dict([...dict.map].map(([key, entry]) => [key, copyStream(entry)]));
}

function copyStream(object: PdfObject): PdfObject {
  const stream = resolve(object);
  return stream instanceof PdfStream ? Ref.to(new PdfStream(stream.dict.copy(), () => stream.raw)) : object;
}
