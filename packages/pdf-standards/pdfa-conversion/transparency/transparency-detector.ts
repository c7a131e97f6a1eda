import {
  asDict,
  decodeStream,
  PdfStream,
  resolve,
  type Dict,
  type Direct,
  type PdfDocument,
  type PdfObject,
} from '@platen/pdf/objects';
import { readFontMetrics, type FontMetrics } from './font-metrics.ts';
import { enablesTransparency } from './graphics-state.ts';
import { paintsTransparently } from './paints-transparently.ts';
import { OperationBudget, type ResourceInspector } from './interpreter-context.ts';
import { simplifySoftMask } from './soft-mask.ts';

/** Detects transparency in the resources of a document. Caches the result for each resource. */
export class TransparencyDetector implements ResourceInspector {
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

  mayOccurIn(resources: Dict): boolean {
    const known = this.#resources.get(resources);
    if (known !== undefined) return known;
    // Prevents endless recursion if resources contain themselves.
    this.#resources.set(resources, false);
    const found =
      entriesOf(resources, 'ExtGState').some((entry) => this.#isStateTransparent(entry)) ||
      entriesOf(resources, 'XObject').some((entry) =>
        this.#mayXObjectBeTransparent(resolve(entry), resources),
      ) ||
      entriesOf(resources, 'Pattern').some((entry) => this.#mayPatternBeTransparent(entry, resources)) ||
      entriesOf(resources, 'Font').some((entry) => this.#mayFontBeTransparent(asDict(entry), resources));
    this.#resources.set(resources, found);
    return found;
  }

  isPatternTransparent(pattern: Direct, resources: Dict): boolean {
    const state = asDict(pattern)?.dict('ExtGState');
    if (state && enablesTransparency(state)) return true;
    if (!(pattern instanceof PdfStream)) return false;
    return this.isContentTransparent(pattern, resources);
  }

  isImageTransparent(image: PdfStream): boolean {
    const known = this.#images.get(image);
    if (known !== undefined) return known;
    const found = !simplifySoftMask(image);
    this.#images.set(image, found);
    return found;
  }

  metricsOf(font: Dict, resources: Dict): FontMetrics {
    const known = this.#fonts.get(font);
    if (known) return known;
    const metrics = readFontMetrics(font, this.#isFontTransparent(font, resources));
    this.#fonts.set(font, metrics);
    return metrics;
  }

  #isFontTransparent(font: Dict, outer: Dict): boolean {
    if (font.name('Subtype') !== 'Type3') return false;
    const resources = font.dict('Resources') ?? outer;
    if (!this.mayOccurIn(resources)) return false;
    return entriesOf(font, 'CharProcs').some((glyph) => {
      const stream = resolve(glyph);
      return stream instanceof PdfStream && this.isContentTransparent(stream, resources);
    });
  }

  /** Tells whether a form XObject, a Type 3 glyph or a pattern cell paints anything transparent. */
  isContentTransparent(stream: PdfStream, outer: Dict): boolean {
    const resources = stream.dict.dict('Resources') ?? outer;
    const known = this.#drawn.get(stream.dict);
    if (known !== undefined) return known;
    this.#drawn.set(stream.dict, false);
    const content = this.mayOccurIn(resources) ? this.read(stream) : undefined;
    const found =
      content !== undefined &&
      paintsTransparently(content, { resources, transparency: this, budget: this.budget });
    this.#drawn.set(stream.dict, found);
    return found;
  }

  #isStateTransparent(entry: PdfObject): boolean {
    const state = asDict(entry);
    return state !== undefined && enablesTransparency(state);
  }

  #mayXObjectBeTransparent(value: Direct | undefined, resources: Dict): boolean {
    if (!(value instanceof PdfStream)) return false;
    if (value.dict.name('Subtype') === 'Image') return this.isImageTransparent(value);
    const own = value.dict.dict('Resources');
    return own !== undefined && own !== resources && this.mayOccurIn(own);
  }

  #mayPatternBeTransparent(entry: PdfObject, resources: Dict): boolean {
    const pattern = asDict(entry);
    const state = pattern?.dict('ExtGState');
    if (state && enablesTransparency(state)) return true;
    const own = pattern?.dict('Resources');
    return own !== undefined && own !== resources && this.mayOccurIn(own);
  }

  #mayFontBeTransparent(font: Dict | undefined, resources: Dict): boolean {
    const own = font?.name('Subtype') === 'Type3' ? font.dict('Resources') : undefined;
    return own !== undefined && own !== resources && this.mayOccurIn(own);
  }
}

function entriesOf(dict: Dict, key: string): PdfObject[] {
  return [...(dict.dict(key)?.map.values() ?? [])];
}
