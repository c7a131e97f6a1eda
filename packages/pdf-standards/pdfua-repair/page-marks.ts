import {
  decodeStream,
  Dict,
  PdfStream,
  Ref,
  resolve,
  standalone,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { compressContent } from '../content/graph.ts';
import { MarkedContent, mentionsMarks, type DrawnForm, type Mark } from './marked-content.ts';

export interface PageMark extends Mark {
  /** The page that shows the mark. */
  page: Ref;
  /** The form XObject whose content has the mark; `undefined` for the content of the page. */
  form: Ref | undefined;
  /** The content that has the mark. */
  stream: ContentStream;
}

/** The content of a page, or of a form XObject with marks. */
export interface ContentStream {
  /** The page that shows the content. */
  page: Ref;
  /** The form XObject; `undefined` for the content of the page. */
  form: Ref | undefined;
  /** Sets or removes the key of the content in the parent tree (`StructParents`). */
  setKey(key: number | undefined): void;
}

/** A content stream with the marks that it contains, before they are renumbered. */
interface ReadStream extends ContentStream {
  marked: MarkedContent;
  resources: Dict;
  /**
   * The drawn forms that must be drawn without marks: their marks belong to an earlier use of the form,
   * marked content encloses them, or they are nested too deeply.
   */
  unmarked: Map<DrawnForm, Ref>;
  /** Replaces the content. */
  write(content: Buffer): void;
}

const MAX_FORM_DEPTH = 30;

/** The marks of all pages of a document. */
export class PageMarks {
  readonly #document: PdfDocument;
  readonly #streams: ReadStream[] = [];
  /** The marks by the page or form that has them, and by number. */
  readonly #marks = new Map<Ref, Map<number, PageMark>>();
  /** Whether a form has marks. */
  readonly #formMarks = new Map<Ref, boolean>();

  constructor(document: PdfDocument, pages: readonly Page[]) {
    this.#document = document;
    for (const page of pages) this.#readPage(page);
  }

  /** Returns the mark of a page or a form with a number. */
  find(owner: Ref, mcid: number): PageMark | undefined {
    return this.#marks.get(owner)?.get(mcid);
  }

  /** The content of all pages, and of the forms with marks. */
  get streams(): readonly ContentStream[] {
    return this.#streams;
  }

  /**
   * Keeps the given marks, and turns everything else into artifacts. Numbers the kept marks of each content
   * stream from 0, unless a mark has its number in the resources.
   */
  keep(kept: ReadonlySet<PageMark>): void {
    const edited = this.#streams.map((stream) => {
      const marks = this.#marks.get(stream.form ?? stream.page)?.values() ?? [];
      const keptHere = [...marks].filter((mark) => kept.has(mark));
      const numbers = new Map(
        keptHere.map(({ mcid }, index) => [mcid, stream.marked.canRenumber ? index : mcid] as const),
      );
      for (const mark of keptHere) mark.mcid = numbers.get(mark.mcid) ?? mark.mcid;
      const renamed = new Map<DrawnForm, string>();
      // Copy the forms before any form changes.
      for (const [drawn, form] of stream.unmarked) renamed.set(drawn, this.#addCopy(stream, form));
      return { stream, content: stream.marked.edited(numbers, renamed) };
    });
    for (const { stream, content } of edited) stream.write(content);
  }

  #readPage(page: Page): void {
    const { ref } = page;
    const dict = standalone(page);
    const contents = dict.get('Contents');
    const parts: Uint8Array[] = [];
    for (const part of Array.isArray(contents) ? contents : [contents ?? null]) {
      const stream = resolve(part);
      const decoded = stream instanceof PdfStream ? this.#decode(stream) : undefined;
      // A token ends at the end of its stream.
      if (decoded) parts.push(decoded, Buffer.from('\n'));
    }
    const resources = dict.dict('Resources') ?? new Dict();
    this.#read(Buffer.concat(parts), resources, 0, {
      page: ref,
      form: undefined,
      setKey: (key) => void page.dict.set('StructParents', key),
      write: (content) => void page.dict.set('Contents', Ref.to(compressContent(new Dict(), content))),
    });
  }

  #readForm(form: Ref, page: Ref, outer: Dict, depth: number): void {
    const stream = form.value;
    if (!(stream instanceof PdfStream)) return;
    this.#read(this.#decode(stream) ?? Buffer.alloc(0), stream.dict.dict('Resources') ?? outer, depth, {
      page,
      form,
      setKey: (key) => {
        if (form.value instanceof PdfStream) form.value.dict.set('StructParents', key);
      },
      write: (content) => {
        form.value = compressContent(stream.dict, content);
      },
    });
  }

  #read(
    content: Uint8Array,
    resources: Dict,
    depth: number,
    owner: Pick<ReadStream, 'page' | 'form' | 'setKey' | 'write'>,
  ): void {
    const objects = resources.dict('XObject') ?? new Dict();
    const marked = new MarkedContent(content, resources.dict('Properties') ?? new Dict(), (form) =>
      this.#hasMarks(objects.raw(form), 0),
    );
    const stream: ReadStream = { ...owner, marked, resources, unmarked: new Map() };
    this.#streams.push(stream);
    const marks = new Map<number, PageMark>();
    this.#marks.set(owner.form ?? owner.page, marks);
    for (const [mcid, mark] of marked.marks)
      marks.set(mcid, { ...mark, page: owner.page, form: owner.form, stream });
    for (const drawn of marked.forms) {
      const form = objects.raw(drawn.name);
      if (!(form instanceof Ref)) continue;
      if (drawn.enclosure !== 'open' || this.#marks.has(form) || depth === MAX_FORM_DEPTH)
        stream.unmarked.set(drawn, form);
      else this.#readForm(form, owner.page, resources, depth + 1);
    }
  }

  /** Tells whether a form, or a form in its resources, has marks. */
  #hasMarks(object: PdfObject | undefined, depth: number): boolean {
    const stream = resolve(object);
    if (!(object instanceof Ref) || !(stream instanceof PdfStream)) return false;
    if (stream.dict.name('Subtype') !== 'Form' || depth > MAX_FORM_DEPTH) return false;
    const known = this.#formMarks.get(object);
    if (known !== undefined) return known;
    this.#formMarks.set(object, false);
    const inner = stream.dict.dict('Resources')?.dict('XObject')?.map.values() ?? [];
    const content = this.#decode(stream);
    const found =
      (content !== undefined && mentionsMarks(content)) ||
      [...inner].some((form) => this.#hasMarks(form, depth + 1));
    this.#formMarks.set(object, found);
    return found;
  }

  /**
   * Adds a copy of a form without its marks to the resources of a content stream. Returns the name of the
   * copy.
   */
  #addCopy({ resources }: ReadStream, form: Ref): string {
    const objects = resources.dict('XObject')?.copy() ?? new Dict();
    let number = 1;
    while (objects.map.has(`PlatenCopy${number}`)) number++;
    objects.set(`PlatenCopy${number}`, this.#copyOf(form, 0));
    resources.set('XObject', objects);
    return `PlatenCopy${number}`;
  }

  #copyOf(form: Ref, depth: number): Ref {
    const stream = form.value;
    if (!(stream instanceof PdfStream) || depth > MAX_FORM_DEPTH || !this.#hasMarks(form, 0)) return form;
    const dict = stream.dict.copy().delete('StructParents');
    const resources = dict.dict('Resources')?.copy();
    const objects = resources?.dict('XObject')?.copy();
    for (const [key, object] of objects?.map ?? [])
      if (object instanceof Ref) objects?.set(key, this.#copyOf(object, depth + 1));
    if (resources && objects) dict.set('Resources', resources.set('XObject', objects));
    const content = new MarkedContent(this.#decode(stream) ?? Buffer.alloc(0), new Dict(), () => false);
    return Ref.to(compressContent(dict, content.withoutMarks()));
  }

  #decode(stream: PdfStream): Uint8Array | undefined {
    return decodeStream(stream, this.#document.budget);
  }
}
