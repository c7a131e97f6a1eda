import { writeEdits } from '../edit/edit.ts';
import {
  decodeText,
  Dict,
  encodeText,
  geometryOf,
  InputFault,
  name,
  PdfError,
  PdfString,
  readPages,
  Ref,
  type Page,
  type PdfDocument,
} from '../objects/index.ts';
import { Destinations } from '../split/destinations.ts';
import { readOutline, type OutlineItem } from '../split/outline.ts';

/** An item of an outline. */
export interface OutlineEntry {
  title: string;
  /** The number of the page, from 1; `null` if the item leads to no page of the document. */
  page: number | null;
  children?: OutlineEntry[];
}

/** The limits of an outline. The titles also have a total limit, because items can share one long title. */
export const OUTLINE_LIMITS = { items: 50_000, depth: 20, title: 1_000, totalCharacters: 5_000_000 };

/**
 * Reads the outline of a document. Returns an empty list if it has none.
 * @throws {PdfError} if the titles are too long.
 */
export function readOutlineEntries(document: PdfDocument): OutlineEntry[] {
  const destinations = new Destinations(document, readPages(document).pages);
  let characters = 0;
  const titles = new Map<PdfString, string>();
  const present = ({ dict, target, kids }: OutlineItem): OutlineEntry => {
    const encoded = dict.string('Title');
    const title = encoded ? (titles.get(encoded) ?? decodeText(encoded)) : '';
    if (encoded) titles.set(encoded, title);
    characters += title.length;
    if (characters > OUTLINE_LIMITS.totalCharacters)
      throw new PdfError('too-complex', 'has an outline whose titles are too long');
    const entry: OutlineEntry = { title, page: target ? target.page + 1 : null };
    return kids.length === 0 ? entry : { ...entry, children: kids.map(present) };
  };
  return readOutline(document.catalog.dict('Outlines'), destinations).map(present);
}

/**
 * Replaces the outline of a document; an empty list removes it. All items are closed, so readers show only
 * the first level.
 * @param items validated here: a list of {@link OutlineEntry} with pages
 * @param field the path of the list, for errors: `set`
 * @throws {InputFault} that names the item if it is not valid.
 */
export function setOutline(document: PdfDocument, items: unknown, field: string): Buffer {
  const { pages } = readPages(document);
  const root = Ref.to(new Dict());
  const count = new OutlineWriter(pages).fill(root, items, { field, depth: 1 });
  const catalog = document.catalog.copy();
  if (count > 0) catalog.set('Outlines', root);
  else {
    catalog.delete('Outlines');
    if (catalog.name('PageMode') === 'UseOutlines') catalog.delete('PageMode');
  }
  return writeEdits(document, { catalog });
}

/** Writes the items of an outline (ISO 32000-1 12.3.3). */
class OutlineWriter {
  readonly #pages: readonly Page[];
  #items = 0;

  constructor(pages: readonly Page[]) {
    this.#pages = pages;
  }

  /** Writes the children of an item or of the root, and returns their number. */
  fill(parent: Ref, items: unknown, { field, depth }: { field: string; depth: number }): number {
    if (!Array.isArray(items)) throw new InputFault(field, 'must be a list of { title, page, children? }');
    if (items.length > 0 && depth > OUTLINE_LIMITS.depth)
      throw new InputFault(field, `is nested more than ${OUTLINE_LIMITS.depth} levels deep`);
    const refs = items.map((item: unknown, index) =>
      this.#item(parent, item, { field: `${field}[${index}]`, depth }),
    );
    for (const [index, { dict }] of refs.entries())
      dict.set('Prev', refs[index - 1]?.ref).set('Next', refs[index + 1]?.ref);
    const holder = parent.value;
    if (holder instanceof Dict && refs.length > 0) {
      holder.set('First', refs[0]?.ref).set('Last', refs.at(-1)?.ref);
      // A negative number marks an item as closed.
      holder.set('Count', depth === 1 ? refs.length : -refs.length);
    }
    return refs.length;
  }

  #item(parent: Ref, item: unknown, { field, depth }: { field: string; depth: number }) {
    if (typeof item !== 'object' || item === null || Array.isArray(item))
      throw new InputFault(field, 'must be an object { title, page, children? }');
    this.#items += 1;
    if (this.#items > OUTLINE_LIMITS.items)
      throw new InputFault(field, `is one item too many: an outline may have ${OUTLINE_LIMITS.items}`);
    const { title, page, children, ...others } = item as Record<string, unknown>;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw new InputFault(`${field}.${unknown.slice(0, 100)}`, 'is unknown');
    if (typeof title !== 'string' || title.trim() === '' || title.length > OUTLINE_LIMITS.title)
      throw new InputFault(
        `${field}.title`,
        `must be a string of 1 to ${OUTLINE_LIMITS.title} characters, not only spaces`,
      );
    const dict = Dict.of({
      Title: encodeText(title.toWellFormed()),
      Parent: parent,
      Dest: this.#destination(page, `${field}.page`),
    });
    const ref = Ref.to(dict);
    if (children !== undefined) this.fill(ref, children, { field: `${field}.children`, depth: depth + 1 });
    return { ref, dict };
  }

  /** Returns the destination at the top of a page. */
  #destination(number: unknown, field: string) {
    const page = typeof number === 'number' && Number.isInteger(number) ? this.#pages[number - 1] : undefined;
    if (!page) {
      const count = this.#pages.length === 1 ? '1 page' : `${this.#pages.length} pages`;
      throw new InputFault(field, `must be an integer from 1 to ${this.#pages.length}: the PDF has ${count}`);
    }
    const { visible } = geometryOf(page);
    return [page.ref, name('XYZ'), visible[0], visible[3], null];
  }
}
