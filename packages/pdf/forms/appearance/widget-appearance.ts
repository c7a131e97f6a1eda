import { Dict, InputFault, PdfString, type Ref } from '../../objects/index.ts';
import type { Field, Widget } from '../fields/field.ts';
import { colorOperator, readDefaultAppearance, toRgb } from './default-appearance.ts';
import { DrawnFaces, type DrawnFace } from './drawn-faces.ts';
import { ROW_HEIGHT, type DrawnText } from './drawn-text.ts';
import { appearanceStream, n, readFrame, type Frame } from './frame.ts';
import { AUTO_SIZE, layOut, maxSize, type TextLayout } from './lay-out.ts';
import { layOutRows, rowSize, rowsSeen, type ListRows } from './list-rows.ts';
import { chooseFont, FontShelf } from './text-font.ts';

/** What a field shows: a text, or the rows of a list. */
export type Shown = { text: string } | ListRows;

/** What a browser draws in the time that a caller waits. */
const MAX_DRAWN = { texts: 5_000, characters: 100_000, charactersOfOne: 30_000 };

/** How text is put on widgets of one document. */
export class TextPainter {
  /** What the browser is to draw, each once. */
  readonly wanted: DrawnText[] = [];
  readonly #places = new Map<string, number>();
  #characters = 0;
  readonly #shelf = new FontShelf();
  readonly #form: Dict | undefined;
  readonly #faces: DrawnFaces | undefined;

  /** `drawn` holds, as PDFs with a page for each, what an earlier painter of the same document wanted. */
  constructor(form: Dict | undefined, drawn: readonly Uint8Array[] | undefined) {
    this.#form = form;
    this.#faces = drawn && new DrawnFaces(drawn);
  }

  /**
   * Makes the appearance of a widget; `undefined` for one without area, and while the browser has not drawn its text yet: then that is
   * in `wanted`.
   */
  paint(field: Field, widget: Widget, shown: Shown): Ref | undefined {
    const frame = readFrame(widget);
    if (!frame) return undefined;
    const appearance = widget.dict.string('DA') ?? field.get('DA');
    const said = readDefaultAppearance(appearance instanceof PdfString ? appearance.key : '');
    const resources = [
      this.#form?.dict('DR'),
      widget.dict.dict('DR'),
      widget.dict.dict('AP')?.dict('N')?.dict('Resources'),
    ];
    const font = chooseFont(said.font, resources);
    const own = new Dict();
    let content = frame.paint + combLines(field, frame);
    const box = textBox(field, frame);
    const layout = layoutOf(field, widget, { shown, box, size: said.size });
    const begin = `/Tx BMC\nq\n${n(frame.inset / 2)} ${n(frame.inset / 2)} ${n(frame.width - frame.inset)} ${n(frame.height - frame.inset)} re W n\n`;
    const laid = 'rows' in shown ? layOutRows(layout, shown, font) : layOut(layout, font);
    if (laid) {
      own.set('Font', Dict.of({ F: this.#shelf.refer(font) }));
      const under = 'under' in laid && typeof laid.under === 'string' ? laid.under : '';
      const text = `BT\n${colorOperator(said.color, 'fill')}\n/F ${n(laid.size)} Tf\n${laid.operators}ET\n`;
      content += `${begin}1 0 0 1 ${n(box.x)} ${n(box.y)} cm\n${under}${text}Q\nEMC\n`;
    } else {
      const drawn = drawnOf(layout, shown, { style: font.style, color: toRgb(said.color) });
      const form = this.#draw(drawn);
      if (!form) return undefined;
      own.set('XObject', Dict.of({ T: form.ref }));
      content += `${begin}1 0 0 1 ${n(box.x)} ${n(box.y - form.bottom)} cm\n/T Do\nQ\nEMC\n`;
    }
    return appearanceStream(frame, content, own);
  }

  /** Counts the rows of a list that a widget shows whole; at least one. */
  countWholeRows(field: Field, widget: Widget): number {
    const frame = readFrame(widget);
    if (!frame) return 1;
    const appearance = widget.dict.string('DA') ?? field.get('DA');
    const said = readDefaultAppearance(appearance instanceof PdfString ? appearance.key : '');
    const { height } = textBox(field, frame);
    return Math.max(1, Math.floor(height / (rowSize(said) * ROW_HEIGHT)));
  }

  #draw(drawn: DrawnText): DrawnFace | undefined {
    const key = JSON.stringify(drawn);
    const place = this.#places.get(key) ?? this.#want(drawn);
    this.#places.set(key, place);
    return this.#faces?.at(place, drawn);
  }

  #want(drawn: DrawnText): number {
    const length = drawn.texts.reduce((sum, text) => sum + text.length, 0);
    this.#characters += length;
    const { texts, characters, charactersOfOne } = MAX_DRAWN;
    if (this.wanted.length >= texts || this.#characters > characters || length > charactersOfOne)
      throw new InputFault(
        'fields',
        `text beyond Latin can be in at most ${texts} values, with ${charactersOfOne} characters each and ${characters} together`,
      );
    return this.wanted.push(drawn) - 1;
  }
}

interface TextBox {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where the text of a widget is: a comb goes from edge to edge, other text keeps off the border. */
function textBox(field: Field, { width, height, inset }: Frame): TextBox {
  if (combCells(field) > 0) return { x: 0, y: inset, width, height: Math.max(height - 2 * inset, 1) };
  const side = Math.min(2 * inset, width / 4);
  const over = field.has('multiline') && field.kind === 'text' ? Math.min(2 * inset, height / 4) : inset;
  return { x: side, y: over, width: width - 2 * side, height: Math.max(height - 2 * over, 1) };
}

function combCells(field: Field): number {
  const bars = field.has('multiline') || field.has('password') || field.has('fileSelect');
  return field.kind === 'text' && field.has('comb') && !bars ? Math.min(field.maxLength ?? 0, 1_000) : 0;
}

function combLines(field: Field, { width, height, borderColor, borderWidth }: Frame): string {
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
  { shown, box, size }: { shown: Shown; box: TextBox; size: number },
): TextLayout {
  const cells = combCells(field);
  const several = field.kind === 'text' && field.has('multiline');
  const quadding = widget.dict.number('Q') ?? field.get('Q');
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

function drawnOf(layout: TextLayout, shown: Shown, look: Pick<DrawnText, 'style' | 'color'>): DrawnText {
  const { text, mode, align } = layout;
  // A browser cannot tell that a character is wider than its cell.
  const widest = mode.kind === 'comb' ? (layout.width / mode.cells) * 1.1 : Infinity;
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
    const texts = shown.rows.slice(shown.top, shown.top + rowsSeen(layout));
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
