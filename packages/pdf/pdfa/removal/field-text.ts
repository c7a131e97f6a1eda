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
} from '../../objects/index.ts';
import { formDict, inherited } from './field.ts';

const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const PADDING = 2;
/** Of text of several lines that may have any size. */
const AUTO_SIZE = 12;

/**
 * Draws the value of a text or choice field, in Latin-1, with the font that the field names, over its background and border.
 * `undefined` when there is nothing to draw, or nothing to draw it with.
 */
export function drawFieldText(widget: Dict, form: Dict | undefined): Ref | undefined {
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
  const dict = formDict(widget);
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
  const content = `${drawFace(widget, across, up)}/Tx BMC q BT ${style.colour} /${style.fontName} ${size} Tf ${size * 1.15} TL ${PADDING} ${first.toFixed(2)} Td ${shown.join(' ')} ET Q EMC`;
  dict.set('Resources', Dict.of({ Font: Dict.of({ [style.fontName]: style.font }) }));
  dict.set('Filter', name('FlateDecode'));
  return Ref.to(new PdfStream(dict, deflateSync(Buffer.from(content, 'latin1'))));
}

const FILLS: Readonly<Record<number, string>> = { 1: 'g', 3: 'rg', 4: 'k' };
const STROKES: Readonly<Record<number, string>> = { 1: 'G', 3: 'RG', 4: 'K' };

/** The background and border that a widget names (ISO 32000-1 12.5.6.19). */
function drawFace(widget: Dict, width: number, height: number): string {
  const look = widget.dict('MK');
  const colour = (key: string, operators: Readonly<Record<number, string>>) => {
    const parts = (look?.array(key) ?? []).map((part) => Number(resolve(part)));
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

/** Reads the default appearance (ISO 32000-1 12.7.3.3). */
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
