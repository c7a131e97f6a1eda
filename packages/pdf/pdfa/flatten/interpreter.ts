import {
  asDict,
  Name,
  PdfStream,
  readContent,
  type Dict,
  type Operation,
  type PdfObject,
  type Box,
} from '../../objects/index.ts';
import {
  around,
  concat,
  exists,
  grow,
  join,
  meet,
  NOWHERE,
  stretch,
  transform,
  readMatrix,
  readRectangle,
} from './geometry.ts';
import { applyExtended, PLAIN, fillsThrough, strokesThrough, type GraphicsState } from './graphics-state.ts';
import { TextPlace } from './text-place.ts';
import { nameIn, number } from './operands.ts';
import type { Observer, Setting } from './setting.ts';

const MAX_FORM_DEPTH = 16;
const UNIT_SQUARE: Box = [0, 0, 1, 1];

/** How content left the stack of graphics states. */
export interface Ending {
  /** How many `q` have no `Q`, and how many `Q` no `q`. */
  unclosed: number;
  unopened: number;
  inText: boolean;
}

/** Follows content operation by operation and tells where it paints (ISO 32000-1 8 and 9). */
export function interpret(
  content: Uint8Array,
  {
    resources,
    state,
    depth = 0,
    setting,
  }: { resources: Dict; state: GraphicsState; depth?: number; setting: Setting },
): Ending {
  const run = new Run(resources, state, depth, setting);
  for (const operation of readContent(content)) run.execute(operation);
  return run.ending;
}

class Run {
  readonly #resources: Dict;
  readonly #depth: number;
  readonly #setting: Setting;
  readonly #saved: GraphicsState[] = [];
  readonly #text = new TextPlace((font) => this.#setting.transparency.metricsOf(font, this.#resources));
  #state: GraphicsState;
  #path: Box = NOWHERE;
  /** Whether the path has more than rectangles, whose corners are not sharp. */
  #sharp = false;
  #clipping = false;
  /** Whether the text object that is open clips what comes after it by its letters. */
  #lettersClip = false;
  #unopened = 0;
  #clips = 0;

  constructor(resources: Dict, state: GraphicsState, depth: number, setting: Setting) {
    this.#resources = resources;
    this.#state = { ...state };
    this.#depth = depth;
    this.#setting = setting;
  }

  get ending(): Ending {
    return { unclosed: this.#saved.length, unopened: this.#unopened, inText: this.#text.isOpen };
  }

  execute(operation: Operation): void {
    this.#setting.budget.take();
    this.#run(operation);
    if (this.#depth === 0)
      this.#setting.observer.done?.(operation, {
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
        return this.#extend(operands);
      case 'm':
      case 'l':
      case 'c':
      case 'v':
      case 'y':
        this.#sharp = true;
        for (let at = 0; at + 1 < operands.length; at += 2)
          this.#path = join(this.#path, around(state.matrix, number(operands, at), number(operands, at + 1)));
        return;
      case 're': {
        const [x, y] = [number(operands, 0), number(operands, 1)];
        const box: Box = [x, y, x + number(operands, 2), y + number(operands, 3)];
        this.#path = join(this.#path, transform(state.matrix, box));
        return;
      }
      case 'W':
      case 'W*':
        this.#clipping = true;
        return;
      case 'n':
        return this.#endPath();
      case 'f':
      case 'F':
      case 'f*':
        this.#paint(this.#path, fillsThrough(state));
        return this.#endPath();
      case 'S':
      case 's':
        this.#paint(this.#stroked(), strokesThrough(state));
        return this.#endPath();
      case 'B':
      case 'B*':
      case 'b':
      case 'b*':
        this.#paint(this.#stroked(), fillsThrough(state) || strokesThrough(state));
        return this.#endPath();
      case 'sh':
        return this.#paint(state.clip, fillsThrough(state));
      case 'BI':
        return this.#paint(transform(state.matrix, UNIT_SQUARE), fillsThrough(state));
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
        state.fillPattern = this.#isPatternSeenThrough(operands);
        return;
      case 'SC':
      case 'SCN':
        state.strokePattern = this.#isPatternSeenThrough(operands);
        return;
      default:
        if (operator === 'Tf')
          this.#text.setFont(
            this.#resources.dict('Font')?.dict(nameIn(operands[0])),
            number(operands, 1),
            state,
          );
        else this.#runText(operator, operands);
    }
  }

  #runText(operator: string, operands: PdfObject[]): void {
    const state = this.#state;
    const region = this.#text.execute(operator, operands, state);
    if (operator === 'ET' && this.#lettersClip) {
      this.#clip(state.clip);
      this.#lettersClip = false;
    }
    if (!region) return;
    if (state.renderMode > 3) this.#lettersClip = true;
    const mode = state.renderMode % 4;
    const isType3 = state.font?.glyphs === 'drawn';
    if (mode === 3 && !isType3) return;
    const fills = mode !== 1 || isType3;
    const strokes = (mode === 1 || mode === 2) && !isType3;
    const reach = strokes ? state.lineWidth * stretch(state.matrix) : 0;
    this.#paint(
      grow(region, reach),
      (fills && fillsThrough(state)) ||
        (strokes && strokesThrough(state)) ||
        state.font?.seenThrough === true,
    );
  }

  #stroked(): Box {
    const { lineWidth, miterLimit, matrix } = this.#state;
    const reach = this.#sharp ? Math.max(miterLimit, 1.5) : 1.5;
    return exists(this.#path) ? grow(this.#path, (lineWidth / 2) * reach * stretch(matrix)) : NOWHERE;
  }

  #endPath(): void {
    if (this.#clipping) this.#clip(this.#path);
    this.#clipping = false;
    this.#path = NOWHERE;
    this.#sharp = false;
  }

  #clip(box: Box): void {
    this.#state.clip = meet(this.#state.clip, box);
    this.#state.clips = [...this.#state.clips, ++this.#clips];
  }

  #paint(region: Box, seenThrough: boolean): void {
    const visible = meet(region, this.#state.clip);
    if (exists(visible)) this.#setting.observer.painted(visible, seenThrough);
  }

  #extend(operands: PdfObject[]): void {
    const extended = this.#resources.dict('ExtGState')?.dict(nameIn(operands[0]));
    if (!extended) return;
    applyExtended(this.#state, extended);
    const font = extended.array('Font');
    if (font) this.#text.setFont(asDict(font[0]), number(font, 1), this.#state);
  }

  #isPatternSeenThrough(operands: PdfObject[]): boolean {
    const pattern = operands.at(-1);
    if (!(pattern instanceof Name)) return false;
    const found = this.#resources.dict('Pattern')?.get(pattern.value);
    return found !== undefined && this.#setting.transparency.isPatternSeenThrough(found, this.#resources);
  }

  #draw(key: string): void {
    const drawn = this.#resources.dict('XObject')?.get(key);
    if (!(drawn instanceof PdfStream)) return;
    if (drawn.dict.name('Subtype') === 'Image') {
      const seenThrough = fillsThrough(this.#state) || this.#setting.transparency.isImageSeenThrough(drawn);
      this.#paint(transform(this.#state.matrix, UNIT_SQUARE), seenThrough);
    } else if (drawn.dict.name('Subtype') !== 'PS') this.#drawForm(drawn);
  }

  #drawForm(form: PdfStream): void {
    const { transparency, budget } = this.#setting;
    const own = { ...this.#state };
    own.matrix = concat(readMatrix(form.dict.raw('Matrix')), own.matrix);
    const box = readRectangle(form.dict.raw('BBox'));
    if (box) own.clip = meet(own.clip, transform(own.matrix, box));
    const isGroup = form.dict.dict('Group')?.name('S') === 'Transparency';
    const seenThrough = fillsThrough(own) || (!isGroup && strokesThrough(own));
    const resources = form.dict.dict('Resources') ?? this.#resources;
    if (this.#depth === MAX_FORM_DEPTH) return this.#paint(own.clip, true);
    const asAWhole = isGroup && seenThrough;
    if (!seenThrough && !transparency.mayBeIn(resources)) return this.#paint(own.clip, false);
    const content = transparency.read(form);
    if (!content) return;
    let painted = NOWHERE;
    const observer: Observer = {
      painted(region) {
        painted = join(painted, region);
      },
    };
    const setting = asAWhole ? { ...this.#setting, observer } : this.#setting;
    // What is no group takes the state over; a group begins anew, and what it paints is drawn through as a whole.
    const state = isGroup ? { ...own, ...PLAIN } : own;
    interpret(content, { resources, state, depth: this.#depth + 1, setting });
    if (asAWhole) this.#paint(painted, true);
    budget.take();
  }
}
