import {
  asDict,
  decodeStream,
  PdfStream,
  resolve,
  type Dict,
  type Direct,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import { readFontMetrics, type FontMetrics } from './font-metrics.ts';
import { isTransparent } from './graphics-state.ts';
import { paintsThrough } from './paints-through.ts';
import { OperationBudget, type ResourceLook } from './setting.ts';
import { simplifySoftMask } from './soft-mask.ts';

/** Says of a document's resources what can be seen through, each once. */
export class Transparency implements ResourceLook {
  readonly budget = new OperationBudget();
  readonly #document: PdfDocument;
  readonly #resources = new Map<Dict, boolean>();
  readonly #drawn = new Map<Dict, boolean>();
  readonly #images = new Map<PdfStream, boolean>();
  readonly #fonts = new Map<Dict, FontMetrics>();

  constructor(document: PdfDocument) {
    this.#document = document;
  }

  read(stream: PdfStream): Uint8Array | undefined {
    return decodeStream(stream, this.#document.budget);
  }

  mayBeIn(resources: Dict): boolean {
    const known = this.#resources.get(resources);
    if (known !== undefined) return known;
    // Resources that lead to themselves say nothing about themselves.
    this.#resources.set(resources, false);
    const found =
      entriesOf(resources, 'ExtGState').some((entry) => this.#isStateSeenThrough(entry)) ||
      entriesOf(resources, 'XObject').some((entry) => this.#isXObject(resolve(entry), resources)) ||
      entriesOf(resources, 'Pattern').some((entry) => this.#hasTransparentParts(entry, resources)) ||
      entriesOf(resources, 'Font').some((entry) => this.#isFont(asDict(entry), resources));
    this.#resources.set(resources, found);
    return found;
  }

  isPatternSeenThrough(pattern: Direct, resources: Dict): boolean {
    const state = asDict(pattern)?.dict('ExtGState');
    if (state && isTransparent(state)) return true;
    if (!(pattern instanceof PdfStream)) return false;
    return this.isDrawingSeenThrough(pattern, resources);
  }

  isImageSeenThrough(image: PdfStream): boolean {
    const known = this.#images.get(image);
    if (known !== undefined) return known;
    const found = !simplifySoftMask(image);
    this.#images.set(image, found);
    return found;
  }

  metricsOf(font: Dict, resources: Dict): FontMetrics {
    const known = this.#fonts.get(font);
    if (known) return known;
    const metrics = readFontMetrics(font, this.#isFontSeenThrough(font, resources));
    this.#fonts.set(font, metrics);
    return metrics;
  }

  #isFontSeenThrough(font: Dict, outer: Dict): boolean {
    if (font.name('Subtype') !== 'Type3') return false;
    const resources = font.dict('Resources') ?? outer;
    if (!this.mayBeIn(resources)) return false;
    return entriesOf(font, 'CharProcs').some((glyph) => {
      const stream = resolve(glyph);
      return stream instanceof PdfStream && this.isDrawingSeenThrough(stream, resources);
    });
  }

  /** Tells whether a form, a glyph or the cell of a pattern paints anything that is seen through. */
  isDrawingSeenThrough(stream: PdfStream, outer: Dict): boolean {
    const resources = stream.dict.dict('Resources') ?? outer;
    const known = this.#drawn.get(stream.dict);
    if (known !== undefined) return known;
    this.#drawn.set(stream.dict, false);
    const content = this.mayBeIn(resources) ? this.read(stream) : undefined;
    const found =
      content !== undefined && paintsThrough(content, { resources, transparency: this, budget: this.budget });
    this.#drawn.set(stream.dict, found);
    return found;
  }

  #isStateSeenThrough(entry: PdfObject): boolean {
    const state = asDict(entry);
    return state !== undefined && isTransparent(state);
  }

  #isXObject(value: Direct | undefined, resources: Dict): boolean {
    if (!(value instanceof PdfStream)) return false;
    if (value.dict.name('Subtype') === 'Image') return this.isImageSeenThrough(value);
    const own = value.dict.dict('Resources');
    return own !== undefined && own !== resources && this.mayBeIn(own);
  }

  #hasTransparentParts(entry: PdfObject, resources: Dict): boolean {
    const pattern = asDict(entry);
    const state = pattern?.dict('ExtGState');
    if (state && isTransparent(state)) return true;
    const own = pattern?.dict('Resources');
    return own !== undefined && own !== resources && this.mayBeIn(own);
  }

  #isFont(font: Dict | undefined, resources: Dict): boolean {
    const own = font?.name('Subtype') === 'Type3' ? font.dict('Resources') : undefined;
    return own !== undefined && own !== resources && this.mayBeIn(own);
  }
}

function entriesOf(dict: Dict, key: string): PdfObject[] {
  return [...(dict.dict(key)?.map.values() ?? [])];
}
