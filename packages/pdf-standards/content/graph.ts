import { deflateSync } from 'node:zlib';
import {
  asDict,
  decodeStream,
  Dict,
  name,
  Name,
  PdfStream,
  Ref,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { isBlank } from '../limits/stream-filters.ts';

/** A content stream and the resources that its names refer to. */
export interface ContentUnit {
  kind: 'page' | 'form' | 'pattern' | 'glyph';
  resources: Dict;
  /**
   * The resources of the content that uses this content. Readers look up the names there that `resources` do
   * not define.
   */
  outer: Dict;
  /**
   * Whether the content has no resources of its own, so that `resources` are those of the surrounding content
   * or of the page tree.
   */
  inherits: boolean;
  /** Returns the decoded content; `undefined` if it cannot be decoded. */
  read(): Uint8Array | undefined;
  /** Replaces the content. */
  write(content: Uint8Array): void;
}

/** All content streams of a document and the resources that they use, each once. */
export interface ContentGraph {
  units: ContentUnit[];
  resources: Set<Dict>;
  /** Image XObjects, including masks. */
  images: Map<PdfStream, Ref>;
  /** Form XObjects, including annotation appearances. */
  forms: Map<PdfStream, Ref>;
  patterns: Set<Dict>;
  shadings: Set<Dict>;
  states: Set<Dict>;
  fonts: Set<Dict>;
  /** The content streams that have been read and could not be decoded. */
  unreadable: Set<PdfStream>;
}

/**
 * Finds everything that pages and annotation appearances draw. Sets the resources of content without
 * resources to those of the content that uses it, as readers do. Pages must have their inherited attributes.
 * @param inheriting the pages whose resources are inherited
 */
export function readContentGraph(
  document: PdfDocument,
  pages: readonly Dict[],
  inheriting: ReadonlySet<Dict> = new Set(),
): ContentGraph {
  return new Walk(document, inheriting).run(pages);
}

class Walk {
  readonly #document: PdfDocument;
  readonly #graph: ContentGraph = {
    units: [],
    resources: new Set(),
    images: new Map(),
    forms: new Map(),
    patterns: new Set(),
    shadings: new Set(),
    states: new Set(),
    fonts: new Set(),
    unreadable: new Set(),
  };
  /** Resource dictionaries not yet visited. */
  readonly #waiting: Dict[] = [];

  readonly #inheriting: ReadonlySet<Dict>;

  constructor(document: PdfDocument, inheriting: ReadonlySet<Dict>) {
    this.#inheriting = inheriting;
    this.#document = document;
  }

  run(pages: readonly Dict[]): ContentGraph {
    for (const page of pages) {
      const resources = this.#resourcesOf(page, new Dict());
      this.#graph.units.push(this.#pageUnit(page, resources));
      for (const annotation of page.array('Annots') ?? []) {
        const appearances = asDict(annotation)?.dict('AP');
        for (const key of ['N', 'R', 'D']) this.#appearance(appearances?.raw(key), resources);
      }
    }
    for (let next = this.#waiting.pop(); next; next = this.#waiting.pop()) this.#resources(next);
    return this.#graph;
  }

  #resourcesOf(owner: Dict, fallback: Dict): Dict {
    const existing = owner.dict('Resources');
    const resources = existing ?? fallback;
    if (!existing) owner.set('Resources', fallback);
    if (!this.#graph.resources.has(resources)) {
      this.#graph.resources.add(resources);
      this.#waiting.push(resources);
    }
    return resources;
  }

  #pageUnit(page: Dict, resources: Dict): ContentUnit {
    return {
      kind: 'page',
      resources,
      outer: resources,
      inherits: this.#inheriting.has(page),
      read: () => this.#pageContent(page),
      write: (content) => {
        page.set('Contents', Ref.to(compressContent(new Dict(), content)));
      },
    };
  }

  #pageContent(page: Dict): Uint8Array | undefined {
    const contents = page.get('Contents');
    const parts = Array.isArray(contents) ? contents : [contents ?? null];
    const read: Uint8Array[] = [];
    for (const part of parts) {
      const stream = resolve(part);
      if (!(stream instanceof PdfStream)) continue;
      const content = this.#decode(stream);
      // A token ends at the end of its stream.
      if (content) read.push(content, Buffer.from('\n'));
    }
    return Buffer.concat(read);
  }

  #decode(stream: PdfStream): Uint8Array | undefined {
    const content = decodeStream(stream, this.#document.budget);
    if (!content && !isBlank(stream)) this.#graph.unreadable.add(stream);
    return content;
  }

  #appearance(object: PdfObject | undefined, resources: Dict): void {
    const value = resolve(object);
    if (value instanceof PdfStream && object instanceof Ref) this.#form(object, value, resources);
    else if (value instanceof Dict)
      for (const state of value.map.values()) {
        const stream = resolve(state);
        if (stream instanceof PdfStream && state instanceof Ref) this.#form(state, stream, resources);
      }
  }

  #form(ref: Ref, stream: PdfStream, outer: Dict): void {
    const { forms } = this.#graph;
    if (forms.has(stream)) return;
    forms.set(stream, ref);
    const inherits = !stream.dict.dict('Resources');
    this.#unit('form', { ref, stream, resources: this.#resourcesOf(stream.dict, outer), outer, inherits });
  }

  #unit(
    kind: ContentUnit['kind'],
    used: { ref: Ref; stream: PdfStream; resources: Dict; outer: Dict; inherits: boolean },
  ): void {
    const { ref, stream, resources, outer, inherits } = used;
    this.#graph.units.push({
      kind,
      resources,
      outer,
      inherits,
      read: () => this.#decode(resolve(ref) as PdfStream),
      write: (content) => {
        const written = compressContent(stream.dict, content);
        ref.value = written;
        if (this.#graph.forms.delete(stream)) this.#graph.forms.set(written, ref);
      },
    });
  }

  #resources(resources: Dict): void {
    for (const entry of entriesOf(resources, 'XObject')) this.#xobject(entry, resources);
    for (const entry of entriesOf(resources, 'Pattern')) this.#pattern(entry, resources);
    for (const entry of entriesOf(resources, 'Shading')) {
      const shading = asDict(entry);
      if (shading) this.#graph.shadings.add(shading);
    }
    for (const entry of entriesOf(resources, 'Font')) this.#font(asDict(entry), resources);
    for (const entry of entriesOf(resources, 'ExtGState')) this.#state(asDict(entry), resources);
  }

  #xobject(object: PdfObject, resources: Dict): void {
    const stream = resolve(object);
    if (!(stream instanceof PdfStream) || !(object instanceof Ref)) return;
    if (stream.dict.name('Subtype') === 'Image') this.#image(object, stream);
    else if (stream.dict.name('Subtype') !== 'PS') this.#form(object, stream, resources);
  }

  #image(ref: Ref, stream: PdfStream): void {
    if (this.#graph.images.has(stream)) return;
    this.#graph.images.set(stream, ref);
    for (const key of ['Mask', 'SMask']) {
      const mask = stream.dict.raw(key);
      const value = resolve(mask);
      if (value instanceof PdfStream && mask instanceof Ref) this.#image(mask, value);
    }
  }

  #pattern(object: PdfObject, resources: Dict): void {
    const value = resolve(object);
    const dict = asDict(object);
    if (!dict || this.#graph.patterns.has(dict)) return;
    this.#graph.patterns.add(dict);
    const shading = dict.dict('Shading');
    if (shading) this.#graph.shadings.add(shading);
    this.#state(dict.dict('ExtGState'), resources);
    if (value instanceof PdfStream && object instanceof Ref) {
      const inherits = !dict.dict('Resources');
      const own = this.#resourcesOf(dict, resources);
      this.#unit('pattern', { ref: object, stream: value, resources: own, outer: resources, inherits });
    }
  }

  #font(font: Dict | undefined, resources: Dict): void {
    if (!font || this.#graph.fonts.has(font)) return;
    this.#graph.fonts.add(font);
    if (font.name('Subtype') !== 'Type3') return;
    const inherits = !font.dict('Resources');
    const glyphResources = this.#resourcesOf(font, withoutType3Fonts(resources));
    for (const glyph of entriesOf(font, 'CharProcs')) {
      const stream = resolve(glyph);
      if (stream instanceof PdfStream && glyph instanceof Ref)
        this.#unit('glyph', { ref: glyph, stream, resources: glyphResources, outer: resources, inherits });
    }
  }

  #state(state: Dict | undefined, resources: Dict): void {
    if (!state || this.#graph.states.has(state)) return;
    this.#graph.states.add(state);
    const [font] = state.array('Font') ?? [];
    this.#font(asDict(font), resources);
    const group = state.dict('SMask')?.raw('G');
    const stream = resolve(group);
    if (stream instanceof PdfStream && group instanceof Ref) this.#form(group, stream, resources);
  }
}

/**
 * Copies resources without their Type 3 fonts. Validators do not terminate if the resources of a font contain
 * the font.
 */
function withoutType3Fonts(resources: Dict): Dict {
  const fonts = resources.dict('Font');
  if (!fonts) return resources;
  const others = [...fonts.map].filter(([, font]) => asDict(font)?.name('Subtype') !== 'Type3');
  return resources.copy().set('Font', new Dict(others));
}

/** Returns the entries of a resource category. */
function entriesOf(dict: Dict, key: string): Iterable<PdfObject> {
  return dict.dict(key)?.map.values() ?? [];
}

/** Creates a compressed content stream with the entries of a dictionary that do not concern the data. */
export function compressContent(like: Dict, content: Uint8Array): PdfStream {
  const dict = like.copy().delete('DecodeParms', 'DP', 'F', 'Length');
  return new PdfStream(dict.set('Filter', name('FlateDecode')), deflateSync(content));
}

/** Returns the value of a name; `undefined` for any other object. */
export function nameOf(object: PdfObject | undefined): string | undefined {
  const value = resolve(object);
  return value instanceof Name ? value.value : undefined;
}
