import {
  asDict,
  Name,
  PdfStream,
  readContent,
  type Dict,
  type Operation,
  type PdfObject,
  type Box,
} from '@platen/pdf/objects';
import {
  pointBox,
  concat,
  exists,
  grow,
  join,
  intersection,
  NOWHERE,
  maxScale,
  transform,
  readMatrix,
  readRectangle,
} from './geometry.ts';
import {
  applyExtended,
  GROUP_START,
  fillIsTransparent,
  strokeIsTransparent,
  type GraphicsState,
} from './graphics-state.ts';
import { TextPosition } from './text-position.ts';
import { nameIn, number } from './operands.ts';
import type { PaintObserver, InterpreterContext } from './interpreter-context.ts';

const MAX_FORM_DEPTH = 16;
const UNIT_SQUARE: Box = [0, 0, 1, 1];

/** The unbalanced operators at the end of content. */
export interface Ending {
  /** The number of `q` without `Q`. */
  unclosed: number;
  /** The number of `Q` without `q`. */
  unopened: number;
  /** Whether a text object is open. */
  inText: boolean;
}

/** Interprets content and reports to the observer where it paints (ISO 32000-1 8 and 9). */
export function interpret(
  content: Uint8Array,
  {
    resources,
    state,
    depth = 0,
    context,
  }: { resources: Dict; state: GraphicsState; depth?: number; context: InterpreterContext },
): Ending {
  const run = new Run(resources, state, depth, context);
  for (const operation of readContent(content)) run.execute(operation);
  return run.ending;
}

class Run {
  readonly #resources: Dict;
  readonly #depth: number;
  readonly #context: InterpreterContext;
  readonly #saved: GraphicsState[] = [];
  readonly #text = new TextPosition((font) => this.#context.transparency.metricsOf(font, this.#resources));
  #state: GraphicsState;
  #path: Box = NOWHERE;
  /** Whether the path may have sharp corners. A path of rectangles only has none. */
  #sharp = false;
  /** Whether the current path becomes a clipping path when it ends. */
  #clipsAtPathEnd = false;
  /** Whether the open text object adds glyphs to the clipping path. */
  #textClips = false;
  #unopened = 0;
  #clipCount = 0;

  constructor(resources: Dict, state: GraphicsState, depth: number, context: InterpreterContext) {
    this.#resources = resources;
    this.#state = { ...state };
    this.#depth = depth;
    this.#context = context;
  }

  get ending(): Ending {
    return { unclosed: this.#saved.length, unopened: this.#unopened, inText: this.#text.isOpen };
  }

  execute(operation: Operation): void {
    this.#context.budget.take();
    this.#run(operation);
    if (this.#depth === 0)
      this.#context.observer.done?.(operation, {
        state: this.#state,
        nested: this.#saved.length,
        inText: this.#text.isOpen,
      });
  }

  #run({ operator, operands }: Operation): void {
    const state = this.#state;
    switch (operator) {
      case 'q':
        this.#saved.push({ ...state });
        return;
      case 'Q': {
        const saved = this.#saved.pop();
        if (saved) this.#state = saved;
        else this.#unopened++;
        return;
      }
      case 'cm':
        state.matrix = concat(readMatrix(operands), state.matrix);
        return;
      case 'w':
        state.lineWidth = number(operands, 0);
        return;
      case 'M':
        state.miterLimit = number(operands, 0);
        return;
      case 'gs':
        return this.#applyExtended(operands);
      case 'm':
      case 'l':
      case 'c':
      case 'v':
      case 'y':
        this.#sharp = true;
        for (let at = 0; at + 1 < operands.length; at += 2)
          this.#path = join(
            this.#path,
            pointBox(state.matrix, number(operands, at), number(operands, at + 1)),
          );
        return;
      case 're': {
        const [x, y] = [number(operands, 0), number(operands, 1)];
        const box: Box = [x, y, x + number(operands, 2), y + number(operands, 3)];
        this.#path = join(this.#path, transform(state.matrix, box));
        return;
      }
      case 'W':
      case 'W*':
        this.#clipsAtPathEnd = true;
        return;
      case 'n':
        return this.#endPath();
      case 'f':
      case 'F':
      case 'f*':
        this.#paint(this.#path, fillIsTransparent(state));
        return this.#endPath();
      case 'S':
      case 's':
        this.#paint(this.#stroked(), strokeIsTransparent(state));
        return this.#endPath();
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        this.#paint(this.#stroked(), fillIsTransparent(state) || strokeIsTransparent(state));
        return this.#endPath();
      case 'sh':
        return this.#paint(state.clip, fillIsTransparent(state));
      case 'BI':
        return this.#paint(transform(state.matrix, UNIT_SQUARE), fillIsTransparent(state));
      case 'Do':
        return this.#draw(nameIn(operands[0]));
      case 'g':
      case 'rg':
      case 'k':
      case 'cs':
        state.fillPattern = false;
        return;
      case 'G':
      case 'RG':
      case 'K':
      case 'CS':
        state.strokePattern = false;
        return;
      case 'sc':
      case 'scn':
        state.fillPattern = this.#isPatternTransparent(operands);
        return;
      case 'SC':
      case 'SCN':
        state.strokePattern = this.#isPatternTransparent(operands);
        return;
      case 'Tf':
        this.#text.setFont(
          this.#resources.dict('Font')?.dict(nameIn(operands[0])),
          number(operands, 1),
          state,
        );
        return;
      default:
        this.#runText(operator, operands);
    }
  }

  #runText(operator: string, operands: PdfObject[]): void {
    const state = this.#state;
    const region = this.#text.execute(operator, operands, state);
    if (operator === 'ET' && this.#textClips) {
      this.#intersectClip(state.clip);
      this.#textClips = false;
    }
    if (!region) return;
    if (state.renderMode > 3) this.#textClips = true;
    const mode = state.renderMode % 4;
    const isType3 = state.font?.glyphs === 'content';
    if (mode === 3 && !isType3) return;
    const fills = mode !== 1 || isType3;
    const strokes = (mode === 1 || mode === 2) && !isType3;
    const reach = strokes ? state.lineWidth * maxScale(state.matrix) : 0;
    this.#paint(
      grow(region, reach),
      (fills && fillIsTransparent(state)) ||
        (strokes && strokeIsTransparent(state)) ||
        state.font?.transparent === true,
    );
  }

  #stroked(): Box {
    const { lineWidth, miterLimit, matrix } = this.#state;
    const reach = this.#sharp ? Math.max(miterLimit, 1.5) : 1.5;
    return exists(this.#path) ? grow(this.#path, (lineWidth / 2) * reach * maxScale(matrix)) : NOWHERE;
  }

  #endPath(): void {
    if (this.#clipsAtPathEnd) this.#intersectClip(this.#path);
    this.#clipsAtPathEnd = false;
    this.#path = NOWHERE;
    this.#sharp = false;
  }

  #intersectClip(box: Box): void {
    this.#state.clip = intersection(this.#state.clip, box);
    this.#state.clips = [...this.#state.clips, ++this.#clipCount];
  }

  #paint(region: Box, transparent: boolean): void {
    const visible = intersection(region, this.#state.clip);
    if (exists(visible)) this.#context.observer.painted(visible, transparent);
  }

  #applyExtended(operands: PdfObject[]): void {
    const extended = this.#resources.dict('ExtGState')?.dict(nameIn(operands[0]));
    if (!extended) return;
    applyExtended(this.#state, extended);
    const font = extended.array('Font');
    if (font) this.#text.setFont(asDict(font[0]), number(font, 1), this.#state);
  }

  #isPatternTransparent(operands: PdfObject[]): boolean {
    const pattern = operands.at(-1);
    if (!(pattern instanceof Name)) return false;
    const found = this.#resources.dict('Pattern')?.get(pattern.value);
    return found !== undefined && this.#context.transparency.isPatternTransparent(found, this.#resources);
  }

  #draw(key: string): void {
    const drawn = this.#resources.dict('XObject')?.get(key);
    if (!(drawn instanceof PdfStream)) return;
    if (drawn.dict.name('Subtype') === 'Image') {
      const transparent =
        fillIsTransparent(this.#state) || this.#context.transparency.isImageTransparent(drawn);
      this.#paint(transform(this.#state.matrix, UNIT_SQUARE), transparent);
    } else if (drawn.dict.name('Subtype') !== 'PS') this.#drawForm(drawn);
  }

  #drawForm(form: PdfStream): void {
    const { transparency, budget } = this.#context;
    const inner = { ...this.#state };
    inner.matrix = concat(readMatrix(form.dict.raw('Matrix')), inner.matrix);
    const box = readRectangle(form.dict.raw('BBox'));
    if (box) inner.clip = intersection(inner.clip, transform(inner.matrix, box));
    const isGroup = form.dict.dict('Group')?.name('S') === 'Transparency';
    const transparent = fillIsTransparent(inner) || (!isGroup && strokeIsTransparent(inner));
    const resources = form.dict.dict('Resources') ?? this.#resources;
    if (this.#depth === MAX_FORM_DEPTH) return this.#paint(inner.clip, true);
    const compositesGroup = isGroup && transparent;
    if (!transparent && !transparency.mayOccurIn(resources)) return this.#paint(inner.clip, false);
    const content = transparency.read(form);
    if (!content) return;
    let painted = NOWHERE;
    const observer: PaintObserver = {
      painted(region) {
        painted = join(painted, region);
      },
    };
    const context = compositesGroup ? { ...this.#context, observer } : this.#context;
    // A plain form inherits the graphics state. A group starts opaque, and its result is composited as a
    // whole.
    const state = isGroup ? { ...inner, ...GROUP_START } : inner;
    interpret(content, { resources, state, depth: this.#depth + 1, context });
    if (compositesGroup) this.#paint(painted, true);
    // Opening a form takes time even if it is empty, so it counts as one more operation than `Do`.
    budget.take();
  }
}
