import { deflateSync } from 'node:zlib';
import {
  decodeText,
  Dict,
  name,
  Name,
  PdfStream,
  PdfString,
  readContent,
  Ref,
  resolve,
  serialize,
  type PdfObject,
} from '../../objects/index.ts';
import type { CleanedForm } from './forms.ts';

const MAX_PARENTS = 64;
const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const PADDING = 2;
/** The font size of multiline text with automatic size. */
const AUTO_SIZE = 12;

/**
 * Gives a widget the appearance that PDF/A-1 requires (ISO 19005-1 6.5.3, 6.9): a stream, or for a button one stream per state. Draws a
 * missing appearance of a text or choice field.
 */
export function completeWidget(widget: Dict, form: CleanedForm | undefined): void {
  const type = inheritedName(widget, 'FT');
  // Validators look for the field type only in the widget itself.
  if (type !== undefined) widget.set('FT', name(type));
  const normal = widget.dict('AP')?.raw('N');
  const value = resolve(normal);
  if (type === 'Btn') widget.set('AP', Dict.of({ N: buttonStates(widget, normal, value) }));
  else {
    const own = value instanceof Dict ? pickState(widget, value) : streamRef(normal);
    const drawn = own && !form?.redraw ? own : drawField(widget, form?.form, type);
    widget.delete('AS').set('AP', Dict.of({ N: drawn ?? own ?? emptyForm(widget) }));
  }
}

function inheritedName(field: Dict, key: string): string | undefined {
  const value = resolve(inherited(field, key));
  return value instanceof Name ? value.value : undefined;
}

function buttonStates(widget: Dict, normal: PdfObject | undefined, value: PdfObject | undefined): PdfObject {
  if (value instanceof Dict) {
    const states = [...value.map].filter(([, state]) => streamRef(state) !== undefined);
    if (states.length > 0) {
      const state = widget.name('AS');
      if (state === undefined) widget.set('AS', name('Off'));
      return new Dict(states);
    }
  }
  // A push button has a single appearance, which readers look up by the current state.
  const face = streamRef(normal);
  widget.set('AS', name(face ? 'Face' : 'Off'));
  return face ? Dict.of({ Face: face }) : Dict.of({ Off: emptyForm(widget) });
}

function pickState(widget: Dict, states: Dict): Ref | undefined {
  const state = widget.name('AS');
  return (state === undefined ? undefined : streamRef(states.raw(state))) ?? streamRef(states.raw('Off'));
}

function streamRef(object: PdfObject | undefined): Ref | undefined {
  return object instanceof Ref && resolve(object) instanceof PdfStream ? object : undefined;
}

function drawField(widget: Dict, form: Dict | undefined, type: string | undefined): Ref | undefined {
  return type === 'Tx' || type === 'Ch' ? drawFieldText(widget, form) : undefined;
}

function emptyForm(widget: Dict): Ref {
  return Ref.to(new PdfStream(appearanceDict(widget), new Uint8Array()));
}

/** Returns an inheritable entry of a field or of its closest ancestor that has it. */
function inherited(field: Dict, key: string): PdfObject | undefined {
  let dict: Dict | undefined = field;
  for (let step = 0; dict && step < MAX_PARENTS; step++) {
    const value = dict.raw(key);
    if (value !== undefined) return value;
    dict = dict.dict('Parent');
  }
  return undefined;
}

/** Builds the dictionary of a form XObject with the size of a widget and its corner at the origin. */
function appearanceDict(widget: Dict): Dict {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = (widget.array('Rect') ?? []).map(
    (item) => Number(resolve(item)) || 0,
  );
  return Dict.of({
    Type: name('XObject'),
    Subtype: name('Form'),
    FormType: 1,
    BBox: [0, 0, Math.abs(x2 - x1), Math.abs(y2 - y1)],
    Resources: new Dict(),
  });
}

/**
 * Draws the value of a text or choice field over its background and border, in the font that the field names. Returns `undefined` if
 * there is no value, no font, or a character outside Latin-1.
 */
function drawFieldText(widget: Dict, form: Dict | undefined): Ref | undefined {
  const value = resolve(inherited(widget, 'V'));
  const text = value instanceof PdfString ? decodeText(value) : '';
  const flags = Number(resolve(inherited(widget, 'Ff')) ?? 0);
  const style = readStyle(widget, form);
  if (
    text === '' ||
    Array.from(text).some((character) => character > '\u00ff') ||
    !style ||
    (flags & PASSWORD) !== 0
  )
    return undefined;
  const dict = appearanceDict(widget);
  const [, , across, up] = (dict.array('BBox') ?? []).map(Number);
  if (across === undefined || up === undefined) return undefined;
  const multiline = (flags & MULTILINE) !== 0;
  const size =
    style.size > 0
      ? style.size
      : multiline
        ? AUTO_SIZE
        : Math.max(4, Math.min(up * 0.75, (across / text.length) * 1.8));
  const first = multiline ? up - size - PADDING : (up - size) / 2 + size * 0.22;
  const lines = text.split(/\r\n|\r|\n/);
  const shown = (multiline ? lines : [lines.join(' ')]).map(
    (line) => `${serialize(new PdfString(Buffer.from(line, 'latin1')), () => 0)} Tj T*`,
  );
  const content = `${drawBackgroundAndBorder(widget, across, up)}/Tx BMC q BT ${style.colour} /${style.fontName} ${size} Tf ${size * 1.15} TL ${PADDING} ${first.toFixed(2)} Td ${shown.join(' ')} ET Q EMC`;
  dict.set('Resources', Dict.of({ Font: Dict.of({ [style.fontName]: style.font }) }));
  dict.set('Filter', name('FlateDecode'));
  return Ref.to(new PdfStream(dict, deflateSync(Buffer.from(content, 'latin1'))));
}

const FILLS: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' };
const STROKES: Readonly<Record<number, string>> = { 1: 'G', 3: 'RG', 4: 'K' };

/** Draws the background and border of a widget (ISO 32000-1 12.5.6.19). */
function drawBackgroundAndBorder(widget: Dict, width: number, height: number): string {
  const characteristics = widget.dict('MK');
  const colour = (key: string, operators: Readonly<Record<number, string>>) => {
    const parts = (characteristics?.array(key) ?? []).map((part) => Number(resolve(part)));
    const operator = operators[parts.length];
    return operator === undefined || parts.some(Number.isNaN) ? undefined : `${parts.join(' ')} ${operator}`;
  };
  const background = colour('BG', FILLS);
  const border = colour('BC', STROKES);
  const line = widget.dict('BS')?.number('W') ?? 1;
  const fill = background ? `${background} 0 0 ${width} ${height} re f ` : '';
  const inside = `${line / 2} ${line / 2} ${width - line} ${height - line}`;
  const stroke = border && line > 0 ? `${border} ${line} w ${inside} re S ` : '';
  return fill + stroke === '' ? '' : `q ${fill}${stroke}Q `;
}

interface TextStyle {
  fontName: string;
  font: Ref;
  size: number;
  colour: string;
}

/** Reads the default appearance string (ISO 32000-1 12.7.3.3). */
function readStyle(widget: Dict, form: Dict | undefined): TextStyle | undefined {
  const appearance = resolve(inherited(widget, 'DA') ?? form?.raw('DA'));
  if (!(appearance instanceof PdfString)) return undefined;
  let style: Pick<TextStyle, 'fontName' | 'size'> | undefined;
  let colour = '0 g';
  for (const { operator, operands } of readContent(appearance.bytes)) {
    const [first, second] = operands;
    if (operator === 'Tf' && first instanceof Name)
      style = { fontName: first.value, size: typeof second === 'number' ? Math.abs(second) : 0 };
    if (/^(g|rg|k)$/.test(operator) && operands.every((operand) => typeof operand === 'number'))
      colour = `${operands.join(' ')} ${operator}`;
  }
  if (!style || !/^[\w.+-]+$/.test(style.fontName)) return undefined;
  const font = form?.dict('DR')?.dict('Font')?.raw(style.fontName);
  return font instanceof Ref && resolve(font) instanceof Dict ? { ...style, colour, font } : undefined;
}
