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
} from '../objects/index.ts';
import { compressContent } from '../pdfa/content/graph.ts';
import { MarkedContent, mentionsMarks, type DrawnForm, type Mark } from './marked-content.ts';

/** A mark on a page. */
export interface PageMark extends Mark {
  /** The page that shows the mark. */
  page: Ref;
  /** The form XObject whose content has the mark; `undefined` for the content of the page. */
  form: Ref | undefined;
  content: ContentStream;
}

/** A content stream with marks: the content of a page or of a form XObject. */
export interface ContentStream {
  page: Ref;
  form: Ref | undefined;
  /** The key of the stream in the parent tree. */
  setKey(key: number | undefined): void;
}

interface Unit extends ContentStream {
  marked: MarkedContent;
  resources: Dict;
  /** Forms that are drawn here although their marks belong to an earlier use, or to no use because other marked content encloses them. */
  repeated: Map<DrawnForm, Ref>;
  write(content: Buffer): void;
}

const MAX_FORM_DEPTH = 30;

/** All marks of the pages of a document. */
export class PageMarks {
  readonly #document: PdfDocument;
  readonly #units: Unit[] = [];
  readonly #marks = new Map<Ref, Map<number, PageMark>>();
  readonly #formMarks = new Map<Ref, boolean>();

  constructor(document: PdfDocument, pages: readonly Page[]) {
    this.#document = document;
    for (const page of pages) this.#readPage(page);
  }

  /** Returns a mark by the stream that has it, a page or a form, and its number. */
  find(stream: Ref, mcid: number): PageMark | undefined {
    return this.#marks.get(stream)?.get(mcid);
  }

  /** Lists the content streams. */
  get streams(): readonly ContentStream[] {
    return this.#units;
  }

  /** Numbers the given marks of each content stream from 0, and turns everything else into artifacts. */
  keep(kept: ReadonlySet<PageMark>): void {
    const edited = this.#units.map((unit) => {
      const marks = this.#marks.get(unit.form ?? unit.page)?.values() ?? [];
      const own = [...marks].filter((mark) => kept.has(mark));
      const numbers = new Map(
        own.map(({ mcid }, index) => [mcid, unit.marked.canRenumber ? index : mcid] as const),
      );
      for (const mark of own) mark.mcid = numbers.get(mark.mcid) ?? mark.mcid;
      const renamed = new Map<DrawnForm, string>();
      // The copies are made before the forms change.
      for (const [drawn, form] of unit.repeated) renamed.set(drawn, this.#addCopy(unit, form));
      return unit.marked.edited(numbers, renamed);
    });
    for (const [index, unit] of this.#units.entries()) unit.write(edited[index] ?? Buffer.alloc(0));
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
    owner: Pick<Unit, 'page' | 'form' | 'setKey' | 'write'>,
  ): void {
    const objects = resources.dict('XObject') ?? new Dict();
    const marked = new MarkedContent(content, resources.dict('Properties') ?? new Dict(), (form) =>
      this.#hasMarks(objects.raw(form), 0),
    );
    const unit: Unit = { ...owner, marked, resources, repeated: new Map() };
    this.#units.push(unit);
    const stream = owner.form ?? owner.page;
    const marks = new Map<number, PageMark>();
    this.#marks.set(stream, marks);
    for (const [mcid, mark] of marked.marks)
      marks.set(mcid, { ...mark, page: owner.page, form: owner.form, content: unit });
    for (const drawn of marked.forms) {
      const form = objects.raw(drawn.name);
      if (!(form instanceof Ref)) continue;
      if (drawn.enclosure !== 'open' || this.#marks.has(form) || depth === MAX_FORM_DEPTH)
        unit.repeated.set(drawn, form);
      else this.#readForm(form, owner.page, resources, depth + 1);
    }
  }

  /** Tells whether a form, or a form that it draws, has marks. */
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

  /** Adds a copy of a form without its marks to the resources of a content stream. Returns the name of the copy. */
  #addCopy(unit: Unit, form: Ref): string {
    const objects = unit.resources.dict('XObject')?.copy() ?? new Dict();
    let number = 1;
    while (objects.map.has(`PlatenCopy${number}`)) number++;
    objects.set(`PlatenCopy${number}`, this.#copyOf(form, 0));
    unit.resources.set('XObject', objects);
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
