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
} from '../../../../src/pdf/pdf.ts';
import { formDict, inherited } from './field.ts';

const MULTILINE = 1 << 12;
const PASSWORD = 1 << 13;
const LARGEST_AUTO_SIZE = 12;
const PADDING = 2;

/**
 * Draws the value of a text or choice field that has no appearance, with the font that the field names, as far as Latin-1 goes.
 * `undefined` when there is nothing to draw, or nothing to draw it with.
 */
export function drawFieldText(widget: Dict, form: Dict | undefined): Ref | undefined {
  const value = resolve(inherited(widget, 'V'));
  const text = value instanceof PdfString ? decodeText(value) : '';
  const flags = Number(resolve(inherited(widget, 'Ff')) ?? 0);
  const style = readStyle(widget, form);
  if (text === '' || !style || (flags & PASSWORD) !== 0) return undefined;
  const dict = formDict(widget);
  const [, , , height = 0] = dict.array('BBox') ?? [];
  const up = Number(height);
  const multiline = (flags & MULTILINE) !== 0;
  const size = style.size > 0 ? style.size : Math.max(4, Math.min(LARGEST_AUTO_SIZE, up * 0.7));
  const first = multiline ? up - size - PADDING : (up - size) / 2 + size * 0.22;
  const lines = text.split(/\r\n|\r|\n/);
  const shown = (multiline ? lines : [lines.join(' ')]).map(
    (line) => `${serialize(new PdfString(Buffer.from(line, 'latin1')), () => 0)} Tj T*`,
  );
  const content = `/Tx BMC q BT ${style.colour} /${style.fontName} ${size} Tf ${size * 1.15} TL ${PADDING} ${first.toFixed(2)} Td ${shown.join(' ')} ET Q EMC`;
  dict.set('Resources', Dict.of({ Font: Dict.of({ [style.fontName]: style.font }) }));
  dict.set('Filter', name('FlateDecode'));
  return Ref.to(new PdfStream(dict, deflateSync(Buffer.from(content, 'latin1'))));
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
