import {
  asDict,
  decodeStream,
  Dict,
  Name,
  PdfStream,
  reach,
  readContent,
  resolve,
  standalone,
  type Operation,
  type Page,
  type PdfDocument,
  type PdfObject,
} from '../objects/index.ts';

/**
 * The size at which an image is displayed, in points; the largest if the image is displayed several times.
 */
export interface DisplayedSize {
  width: number;
  height: number;
}

/** The linear part of a transformation matrix: a, b, c, d. Positions do not matter. */
type Scale = readonly [number, number, number, number];

const MAX_OPERATIONS = 3_000_000;
const MAX_FORMS = 20_000;
const MAX_DEPTH = 20;
const MAX_SAVED_STATES = 1_000;

/**
 * Measures the size at which pages display each image. Omits images that patterns, soft masks, glyphs or
 * annotations also use. The result is empty if the pages are too complex to measure.
 */
export function measureImages(document: PdfDocument, pages: readonly Page[]): Map<PdfStream, DisplayedSize> {
  const measurement = new Measurement(document);
  for (const page of pages) if (!measurement.isOver) measurement.page(page);
  return measurement.result();
}

class Measurement {
  readonly #document: PdfDocument;
  readonly #sizes = new Map<PdfStream, DisplayedSize>();
  /** Whether resources contain images, directly or in their forms. */
  readonly #withImages = new Map<Dict, boolean>();
  /** The scales at which a form was measured. */
  readonly #measured = new Map<PdfStream, Set<string>>();
  /** Objects outside page content that may display images. */
  readonly #elsewhere = new Set<PdfObject>();
  #operations = 0;
  #forms = 0;

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  get isOver(): boolean {
    return this.#operations > MAX_OPERATIONS || this.#forms > MAX_FORMS;
  }

  page(page: Page): void {
    const dict = standalone(page);
    for (const annotation of dict.array('Annots') ?? []) {
      const appearance = asDict(annotation)?.raw('AP');
      if (appearance !== undefined) this.#elsewhere.add(appearance);
    }
    const resources = dict.dict('Resources');
    if (!resources || !this.#hasImages(resources, 0)) return;
    const unit = dict.number('UserUnit') ?? 1;
    const contents = dict.array('Contents') ?? [dict.raw('Contents') ?? null];
    const content = Buffer.concat(
      contents.flatMap((part) => [this.#decode(resolve(part)) ?? new Uint8Array(), Buffer.from('\n')]),
    );
    this.#run(content, resources, [unit, 0, 0, unit], 0);
  }

  result(): Map<PdfStream, DisplayedSize> {
    if (this.isOver) return new Map();
    for (const { value } of reach([...this.#elsewhere]))
      if (value instanceof PdfStream) this.#sizes.delete(value);
    return this.#sizes;
  }

  #decode(stream: PdfObject | undefined): Uint8Array | undefined {
    return stream instanceof PdfStream ? decodeStream(stream, this.#document.budget) : undefined;
  }

  /**
   * Tells whether resources contain images. Also notes the objects in them that may display images outside of
   * page content.
   */
  #hasImages(resources: Dict, depth: number): boolean {
    const known = this.#withImages.get(resources);
    if (known !== undefined || depth > MAX_DEPTH) return known ?? false;
    this.#withImages.set(resources, false);
    for (const pattern of valuesOf(resources, 'Pattern')) this.#elsewhere.add(pattern);
    for (const state of valuesOf(resources, 'ExtGState'))
      if (asDict(state)?.dict('SMask')) this.#elsewhere.add(state);
    for (const font of valuesOf(resources, 'Font'))
      if (asDict(font)?.name('Subtype') === 'Type3') this.#elsewhere.add(font);
    let found = false;
    for (const object of valuesOf(resources, 'XObject')) {
      const stream = resolve(object);
      if (!(stream instanceof PdfStream)) continue;
      const inner = stream.dict.dict('Resources');
      if (stream.dict.name('Subtype') === 'Image') found = true;
      else if (inner && this.#hasImages(inner, depth + 1)) found = true;
    }
    this.#withImages.set(resources, found);
    return found;
  }

  #run(content: Uint8Array, resources: Dict, base: Scale, depth: number): void {
    const saved: Scale[] = [];
    let scale = base;
    for (const { operator, operands } of readContent(content)) {
      this.#operations += 1;
      if (this.isOver) return;
      if (operator === 'q' && saved.length < MAX_SAVED_STATES) saved.push(scale);
      else if (operator === 'Q') scale = saved.pop() ?? scale;
      else if (operator === 'cm') scale = multiply(scaleOf(operands), scale);
      else if (operator === 'Do') this.#draw(operands, resources, scale, depth);
    }
  }

  #draw([operand]: Operation['operands'], resources: Dict, scale: Scale, depth: number): void {
    const stream = operand instanceof Name ? resources.dict('XObject')?.get(operand.value) : undefined;
    if (!(stream instanceof PdfStream)) return;
    if (stream.dict.name('Subtype') === 'Image') return this.#note(stream, scale);
    const inner = stream.dict.dict('Resources') ?? resources;
    if (depth >= MAX_DEPTH || !this.#hasImages(inner, depth + 1)) return;
    const total = multiply(scaleOf(stream.dict.array('Matrix') ?? [1, 0, 0, 1]), scale);
    const key = total.map((value) => value.toPrecision(4)).join(' ');
    const measured = this.#measured.get(stream) ?? new Set();
    if (measured.has(key)) return;
    this.#measured.set(stream, measured.add(key));
    this.#forms += 1;
    const content = this.#decode(stream);
    if (content) this.#run(content, inner, total, depth + 1);
  }

  /** Notes the size of an image, which fills the unit square. */
  #note(image: PdfStream, [a, b, c, d]: Scale): void {
    const { width = 0, height = 0 } = this.#sizes.get(image) ?? {};
    this.#sizes.set(image, {
      width: Math.max(width, Math.hypot(a, b)),
      height: Math.max(height, Math.hypot(c, d)),
    });
  }
}

function valuesOf(dict: Dict, key: string): Iterable<PdfObject> {
  return dict.dict(key)?.map.values() ?? [];
}

function scaleOf(operands: readonly PdfObject[]): Scale {
  const [a = 1, b = 0, c = 0, d = 1] = operands
    .slice(0, 4)
    .map(resolve)
    .map((value) => (typeof value === 'number' ? value : 0));
  return [a, b, c, d];
}

/** Returns the matrix that applies the first matrix and then the second. */
function multiply([a, b, c, d]: Scale, [e, f, g, h]: Scale): Scale {
  return [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h];
}
