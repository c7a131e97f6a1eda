import { readDict, type CffDict } from './cff-dict.ts';
import { STANDARD_STRINGS } from './glyph-names.ts';
import type { Bytes } from './program.ts';

// DICT operators of Adobe Technical Note 5176. Two-byte operators have 1200 added to their second byte.
const CHARSET = 15;
const ENCODING = 16;
const CHARSTRINGS = 17;
const PRIVATE = 18;
const SUBROUTINES = 19;
const DEFAULT_WIDTH = 20;
const NOMINAL_WIDTH = 21;
const CHARSTRING_TYPE = 1206;
const MATRIX = 1207;
const COLLECTION = 1230;
const FONTS = 1236;
const SELECTION = 1237;

interface Items {
  count: number;
  end: number;
  item(index: number): Bytes;
}

/**
 * Validates the structure of a CFF program: indexes with ascending offsets within the file, DICTs without reserved bytes, and a charset and
 * font selection for all glyphs. @throws {DamagedFont} if the program is truncated.
 */
export function isValidCff(file: Bytes): boolean {
  if (file.u8(0) !== 1 || file.u8(2) < 4 || file.u8(3) < 1 || file.u8(3) > 4) return false;
  const names = readItems(file, file.u8(2));
  const tops = names && readItems(file, names.end);
  const strings = tops && readItems(file, tops.end);
  const globals = strings && readItems(file, strings.end);
  const top = tops && tops.count === 1 ? readValidDict(tops.item(0)) : undefined;
  if (!globals || !top || names.count !== 1) return false;
  if ((top.get(CHARSTRING_TYPE)?.[0] ?? 2) !== 2) return false;
  for (const operator of [CHARSET, ENCODING, CHARSTRINGS, FONTS, SELECTION])
    if ((top.get(operator)?.length ?? 1) !== 1) return false;
  const glyphs = readItems(file, offsetIn(top, CHARSTRINGS));
  if (!glyphs || glyphs.count === 0) return false;
  const known = STANDARD_STRINGS.length + strings.count;
  if (!isValidMatrix(top) || !isValidCharset(file, top, glyphs.count, known)) return false;
  if (!top.has(COLLECTION)) return isValidEncoding(file, top) && isValidPrivate(file, top);
  const collection = top.get(COLLECTION) ?? [];
  if (collection.length !== 3 || collection.slice(0, 2).some((id) => id < 0 || id >= known)) return false;
  const fonts = readItems(file, offsetIn(top, FONTS));
  if (!fonts || fonts.count === 0 || fonts.count > 256) return false;
  for (let index = 0; index < fonts.count; index++) {
    const font = readValidDict(fonts.item(index));
    if (!font || !isValidMatrix(font) || !isValidPrivate(file, font)) return false;
  }
  return isValidSelection(file, offsetIn(top, SELECTION), glyphs.count, fonts.count);
}

function offsetIn(dict: CffDict, operator: number): number {
  return dict.get(operator)?.at(-1) ?? 0;
}

/** Reads an INDEX. Returns `undefined` if its offsets do not ascend or lie outside the file. */
function readItems(file: Bytes, at: number): Items | undefined {
  if (!Number.isInteger(at) || at < 4) return undefined;
  const count = file.u16(at);
  const empty = (): Bytes => file.slice(0, 0);
  if (count === 0) return { count, end: at + 2, item: empty };
  const size = file.u8(at + 2);
  if (size < 1 || size > 4) return undefined;
  const offsets: number[] = [];
  for (let index = 0; index <= count; index++) {
    let value = 0;
    for (let byte = 0; byte < size; byte++) value = value * 256 + file.u8(at + 3 + index * size + byte);
    if (value < (offsets.at(-1) ?? 1)) return undefined;
    offsets.push(value);
  }
  const base = at + 2 + (count + 1) * size;
  const end = base + (offsets.at(-1) ?? 0);
  if (offsets[0] !== 1 || end > file.length) return undefined;
  return {
    count,
    end,
    item: (index) => file.slice(base + (offsets[index] ?? 0), base + (offsets[index + 1] ?? 0)),
  };
}

function readValidDict(data: Bytes): CffDict | undefined {
  const { dict, isValid } = readDict(data);
  return isValid ? dict : undefined;
}

/** A matrix may scale or slant glyphs. Readers disagree about widths if it rotates or mirrors them. */
function isValidMatrix(dict: CffDict): boolean {
  const matrix = dict.get(MATRIX);
  if (!matrix) return true;
  const [a = 0, b, , , e, f] = matrix;
  return matrix.length === 6 && a > 0 && b === 0 && e === 0 && f === 0;
}

function isValidCharset(file: Bytes, top: CffDict, glyphs: number, known: number): boolean {
  const offset = offsetIn(top, CHARSET);
  const cids = top.has(COLLECTION);
  if (offset < 3) return !cids && offset >= 0;
  const format = file.u8(offset);
  if (format > 2) return false;
  const seen = new Set([0]);
  for (let at = offset + 1; seen.size < glyphs;) {
    const first = file.u16(at);
    const more = format === 0 ? 0 : format === 1 ? file.u8(at + 2) : file.u16(at + 2);
    at += format === 0 ? 2 : format === 1 ? 3 : 4;
    for (let id = first; id <= first + more; id++) {
      if (seen.has(id) || (!cids && id >= known) || id > 0xffff) return false;
      seen.add(id);
    }
  }
  return seen.size === glyphs;
}

function isValidEncoding(file: Bytes, top: CffDict): boolean {
  const offset = offsetIn(top, ENCODING);
  if (offset < 2) return offset >= 0;
  const format = file.u8(offset);
  if ((format & 127) > 1) return false;
  const end = offset + 2 + file.u8(offset + 1) * ((format & 127) + 1);
  return end <= file.length && (format < 128 || end + 1 + 3 * file.u8(end) <= file.length);
}

function isValidPrivate(file: Bytes, dict: CffDict): boolean {
  const location = dict.get(PRIVATE);
  if (!location) return true;
  const [size = 0, offset = 0] = location;
  if (location.length !== 2 || size < 0 || offset < 4) return false;
  const own = readValidDict(file.slice(offset, offset + size));
  if (!own) return false;
  // Some readers ignore the fraction of these widths.
  for (const operator of [DEFAULT_WIDTH, NOMINAL_WIDTH]) {
    const operands = own.get(operator);
    if (operands && (operands.length !== 1 || !Number.isInteger(operands[0]))) return false;
  }
  const locals = own.get(SUBROUTINES);
  return !locals || (locals.length === 1 && readItems(file, offset + (locals[0] ?? 0)) !== undefined);
}

function isValidSelection(file: Bytes, offset: number, glyphs: number, fonts: number): boolean {
  const format = file.u8(offset);
  if (format === 0) {
    for (let glyph = 0; glyph < glyphs; glyph++) if (file.u8(offset + 1 + glyph) >= fonts) return false;
    return true;
  }
  if (format !== 3 || file.u16(offset + 3) !== 0) return false;
  const count = file.u16(offset + 1);
  for (let range = 0; range < count; range++) {
    const at = offset + 3 + 3 * range;
    if (file.u8(at + 2) >= fonts || file.u16(at + 3) <= file.u16(at)) return false;
  }
  return file.u16(offset + 3 + 3 * count) === glyphs;
}
