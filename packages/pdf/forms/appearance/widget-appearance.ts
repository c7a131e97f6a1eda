import { Dict, InputFault, PdfString, type Ref } from '../../objects/index.ts';
import type { Field, Widget } from '../fields/field.ts';
import { colorOperator, readDefaultAppearance, toRgb } from './default-appearance.ts';
import { BrowserDrawings, type BrowserDrawing, ROW_HEIGHT, type BrowserText } from './browser-text.ts';
import { appearanceStream, n, readFrame, type WidgetFrame } from './widget-frame.ts';
import { AUTO_SIZE, layOut, LINE_BOX, maxSize, type TextLayout } from './text-layout.ts';
import { layOutRows, rowSize, visibleRows, type ListRows } from './list-rows.ts';
import { chooseFont, FontRefs } from './text-font.ts';

/** The displayed value of a field: a text, or the rows of a list. */
export type DisplayedValue = { text: string } | ListRows;

/** The limits on the text that a browser draws while a caller waits. */
const MAX_DRAWN = { texts: 5_000, characters: 100_000, charactersOfOne: 30_000 };

/** Draws text on the widgets of a document. */
export class TextPainter {
  /** The distinct texts that the browser must draw. */
  readonly toDraw: BrowserText[] = [];
  readonly #indexes = new Map<string, number>();
  #characters = 0;
  readonly #fontRefs = new FontRefs();
  readonly #form: Dict | undefined;
  readonly #drawings: BrowserDrawings | undefined;
  readonly #argument: string;

  /**
   * `drawn` contains the PDFs, with a page for each text, that an earlier painter of the same document put in
   * `toDraw`. `argument` is the field of the request that an error names.
   */
  constructor(
    form: Dict | undefined,
    drawn: readonly Uint8Array[] | undefined,
    argument: 'fields' | 'pdf' = 'fields',
  ) {
    this.#form = form;
    this.#drawings = drawn && new BrowserDrawings(drawn);
    this.#argument = argument;
  }

  /**
   * Makes the appearance of a widget. Returns `undefined` if the widget has no area, or if the browser must
   * draw its text first. Adds such a text to `toDraw`.
   */
  paint(field: Field, widget: Widget, shown: DisplayedValue): Ref | undefined {
    const frame = readFrame(widget);
    if (!frame) return undefined;
    const appearance = widget.dict.string('DA') ?? field.get('DA');
    const defaults = readDefaultAppearance(appearance instanceof PdfString ? appearance.key : '');
    const resources = [
      this.#form?.dict('DR'),
      widget.dict.dict('DR'),
      widget.dict.dict('AP')?.dict('N')?.dict('Resources'),
    ];
    const font = chooseFont(defaults.font, resources);
    const used = new Dict();
    let content = frame.paint + combLines(field, frame);
    const box = textBox(field, frame);
    const layout = layoutOf(field, widget, { shown, box, size: defaults.size });
    const begin = `/Tx BMC\nq\n${n(frame.inset / 2)} ${n(frame.inset / 2)} ${n(frame.width - frame.inset)} ${n(frame.height - frame.inset)} re W n\n`;
    const laidOut = 'rows' in shown ? layOutRows(layout, shown, font) : layOut(layout, font);
    if (laidOut) {
      used.set('Font', Dict.of({ F: this.#fontRefs.refer(font) }));
      const highlights =
        'highlights' in laidOut && typeof laidOut.highlights === 'string' ? laidOut.highlights : '';
      const text = `BT\n${colorOperator(defaults.color, 'fill')}\n/F ${n(laidOut.size)} Tf\n${laidOut.operators}ET\n`;
      content += `${begin}1 0 0 1 ${n(box.x)} ${n(box.y)} cm\n${highlights}${text}Q\nEMC\n`;
    } else {
      const drawn = toBrowserText(layout, shown, { style: font.style, color: toRgb(defaults.color) });
      const form = this.#draw(drawn);
      if (!form) return undefined;
      used.set('XObject', Dict.of({ T: form.ref }));
      content += `${begin}1 0 0 1 ${n(box.x)} ${n(box.y - form.bottom)} cm\n/T Do\nQ\nEMC\n`;
    }
    return appearanceStream(frame, content, used);
  }

  /** Counts the rows of a list that a widget shows completely; at least one. */
  countWholeRows(field: Field, widget: Widget): number {
    const frame = readFrame(widget);
    if (!frame) return 1;
    const appearance = widget.dict.string('DA') ?? field.get('DA');
    const defaults = readDefaultAppearance(appearance instanceof PdfString ? appearance.key : '');
    const { height } = textBox(field, frame);
    return Math.max(1, Math.floor(height / (rowSize({ ...defaults, height }) * ROW_HEIGHT)));
  }

  #draw(drawn: BrowserText): BrowserDrawing | undefined {
    const key = JSON.stringify(drawn);
    const index = this.#indexes.get(key) ?? this.#request(drawn);
    this.#indexes.set(key, index);
    return this.#drawings?.at(index, drawn);
  }

  #request(drawn: BrowserText): number {
    const length = drawn.texts.reduce((sum, text) => sum + text.length, 0);
    this.#characters += length;
    const { texts, characters, charactersOfOne } = MAX_DRAWN;
    if (this.toDraw.length >= texts || this.#characters > characters || length > charactersOfOne)
      throw new InputFault(
        this.#argument,
        `at most ${texts} values can have characters that the browser must draw, with at most ${charactersOfOne} characters each and ${characters} in total`,
      );
    return this.toDraw.push(drawn) - 1;
  }
}

interface TextBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Returns the text area of a widget. A comb uses the full width; other text stays clear of the border. */
function textBox(field: Field, { width, height, inset }: WidgetFrame): TextBox {
  if (combCells(field) > 0) return { x: 0, y: inset, width, height: Math.max(height - 2 * inset, 1) };
  const side = Math.min(2 * inset, width / 4);
  const over = field.has('multiline') && field.kind === 'text' ? Math.min(2 * inset, height / 4) : inset;
  return { x: side, y: over, width: width - 2 * side, height: Math.max(height - 2 * over, 1) };
}

function combCells(field: Field): number {
  const isExcluded = field.has('multiline') || field.has('password') || field.has('fileSelect');
  return field.kind === 'text' && field.has('comb') && !isExcluded
    ? Math.min(field.maxLength ?? 0, 1_000)
    : 0;
}

function combLines(field: Field, { width, height, borderColor, borderWidth }: WidgetFrame): string {
  const cells = combCells(field);
  if (cells < 2 || !borderColor || borderWidth <= 0) return '';
  let lines = `q ${colorOperator(borderColor, 'line')} ${n(borderWidth)} w\n`;
  for (let cell = 1; cell < cells; cell++) {
    const x = n((width / cells) * cell);
    lines += `${x} 0 m ${x} ${n(height)} l S\n`;
  }
  return `${lines}Q\n`;
}

function layoutOf(
  field: Field,
  widget: Widget,
  { shown, box, size }: { shown: DisplayedValue; box: TextBox; size: number },
): TextLayout {
  const cells = combCells(field);
  const several = field.kind === 'text' && field.has('multiline');
  // The captions of push buttons are centred.
  const quadding = field.kind === 'button' ? 1 : (widget.dict.number('Q') ?? field.get('Q'));
  const text = 'rows' in shown ? '' : shown.text;
  return {
    text: field.kind === 'text' && field.has('password') ? text.replaceAll(/./gsu, '*') : text,
    size,
    align: quadding === 1 || quadding === 2 ? quadding : 0,
    mode: cells > 0 ? { kind: 'comb', cells } : { kind: several || 'rows' in shown ? 'lines' : 'line' },
    width: box.width,
    height: box.height,
  };
}

function toBrowserText(
  layout: TextLayout,
  shown: DisplayedValue,
  look: Pick<BrowserText, 'style' | 'color'>,
): BrowserText {
  const { text, mode, align } = layout;
  // The browser does not shrink a character that is larger than its cell.
  const widest =
    mode.kind === 'comb' ? Math.min((layout.width / mode.cells) * 1.1, layout.height / LINE_BOX) : Infinity;
  const max = 'rows' in shown ? rowSize(layout) : Math.min(maxSize(layout), widest);
  const drawn = {
    ...look,
    align,
    cells: mode.kind === 'comb' ? mode.cells : 0,
    width: hundredths(layout.width),
    height: hundredths(layout.height),
    size: { min: Math.min(AUTO_SIZE.min, max), max: hundredths(max) },
    chosen: [],
    rowHeight: ROW_HEIGHT,
  };
  if ('rows' in shown) {
    const texts = shown.rows.slice(shown.top, shown.top + visibleRows(layout));
    const chosen = shown.chosen.map((row) => row - shown.top);
    return { ...drawn, mode: 'rows', texts, chosen, size: { min: max, max } };
  }
  if (mode.kind === 'lines') return { ...drawn, mode: 'lines', texts: text.split('\n') };
  if (mode.kind === 'line') return { ...drawn, mode: 'line', texts: [text.replaceAll('\n', ' ')] };
  return { ...drawn, mode: 'comb', texts: graphemes(text) };
}

function graphemes(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
}

function hundredths(value: number): number {
  return Math.round(value * 100) / 100;
}
