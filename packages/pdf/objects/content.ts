import { isWhitespace } from './characters.ts';
import { Dict, Name, type PdfObject, Ref } from './objects.ts';
import { Keyword, Parser, type ParserHooks } from './parser.ts';

/** An operation of a content stream: operands, operator and position. */
export interface Operation {
  operator: string;
  operands: PdfObject[];
  /** The position of the first operand, and the position after the operator. */
  start: number;
  end: number;
  /** The inline image that `BI` begins. The operation ends after `EI`. */
  image?: { dict: Dict; data: Uint8Array };
}

/** Content streams contain no references: an apparent reference is two numbers and an unknown operator. */
const NO_REFERENCES: ParserHooks = { ref: () => Ref.to(null) };

/**
 * Reads the operations of a content stream (ISO 32000-1 7.8.2) in order, as leniently as readers do. Trailing
 * operands without an operator yield an operation with the operator `''`.
 */
export function* readContent(content: Uint8Array): Iterable<Operation> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
  const parser = new Parser(bytes, 0, NO_REFERENCES);
  let operands: PdfObject[] = [];
  let start = -1;
  for (;;) {
    parser.skipSpace();
    if (start < 0) start = parser.position;
    const token = nextToken(parser);
    if (token === undefined) break;
    if (!(token instanceof Keyword)) {
      operands.push(token);
      continue;
    }
    const operation: Operation = { operator: token.text, operands, start, end: parser.position };
    if (token.text === 'BI') {
      operation.image = readInlineImage(parser);
      operation.end = parser.position;
    }
    yield operation;
    operands = [];
    start = -1;
  }
  if (operands.length > 0) yield { operator: '', operands, start, end: bytes.length };
}

function nextToken(parser: Parser): PdfObject | Keyword | undefined {
  const before = parser.position;
  try {
    return parser.next();
  } catch {
    // Skip a malformed token.
    if (parser.position <= before) parser.position = before + 1;
    return new Keyword('');
  }
}

function readInlineImage(parser: Parser): { dict: Dict; data: Uint8Array } {
  const dict = new Dict();
  let key: Name | undefined;
  for (;;) {
    const token = nextToken(parser);
    if (token === undefined || (token instanceof Keyword && token.text === 'ID')) break;
    if (token instanceof Keyword) {
      if (token.text === 'EI') return { dict, data: new Uint8Array() };
      continue;
    }
    if (key) {
      dict.set(key.value, token);
      key = undefined;
    } else if (token instanceof Name) key = token;
  }
  const { bytes } = parser;
  if (isWhitespace(bytes[parser.position])) parser.position++;
  const start = parser.position;
  const end = inlineImageEnd(bytes, start, exactLength(dict));
  let next = end;
  while (isWhitespace(bytes[next])) next++;
  parser.position = Math.min(next + 2, bytes.length);
  return { dict, data: bytes.subarray(start, end) };
}

const COMPONENTS: Readonly<Record<string, number>> = {
  G: 1,
  DeviceGray: 1,
  I: 1,
  Indexed: 1,
  RGB: 3,
  DeviceRGB: 3,
  CMYK: 4,
  DeviceCMYK: 4,
};

/** Computes the length of an unfiltered image if the number of color components is known. */
function exactLength(dict: Dict): number | undefined {
  if (dict.map.has('F') || dict.map.has('Filter')) return undefined;
  const width = dict.number('W') ?? dict.number('Width') ?? 0;
  const height = dict.number('H') ?? dict.number('Height') ?? 0;
  const isMask = (dict.get('IM') ?? dict.get('ImageMask')) === true;
  const space = dict.get('CS') ?? dict.get('ColorSpace');
  const named = Array.isArray(space) ? space[0] : space;
  const components = isMask ? 1 : COMPONENTS[named instanceof Name ? named.value : ''];
  const bits = isMask ? 1 : (dict.number('BPC') ?? dict.number('BitsPerComponent') ?? 8);
  return components === undefined ? undefined : Math.ceil((width * components * bits) / 8) * height;
}

/** Finds the end of inline image data: before a separate `EI` followed by text that looks like content. */
function inlineImageEnd(bytes: Buffer, start: number, exact: number | undefined): number {
  if (exact !== undefined) {
    let at = start + exact;
    while (isWhitespace(bytes[at])) at++;
    if (bytes[at] === 69 && bytes[at + 1] === 73) return start + exact;
  }
  for (let at = bytes.indexOf('EI', start); at >= 0; at = bytes.indexOf('EI', at + 1)) {
    const isSeparated = at === start || isWhitespace(bytes[at - 1]) || bytes[at - 1] === 62;
    const ends = at + 2 >= bytes.length || isWhitespace(bytes[at + 2]);
    if (isSeparated && ends && looksLikeContent(bytes, at + 2))
      return isWhitespace(bytes[at - 1]) ? Math.max(start, at - 1) : at;
  }
  return bytes.length;
}

function looksLikeContent(bytes: Buffer, from: number): boolean {
  for (let at = from; at < Math.min(from + 16, bytes.length); at++) {
    const byte = bytes[at] ?? 0;
    if (byte > 126 || (byte < 32 && !isWhitespace(byte))) return false;
  }
  return true;
}
