import { CffProgram } from './cff.ts';
import type { OpenedProgram } from './open-program.ts';
import { Bytes } from './bytes.ts';
import { DamagedFont } from './program.ts';
import { TrueTypeProgram } from './truetype.ts';
import { hasAllTables, readTables } from './sfnt.ts';
import { type CffDict, readDict } from './cff-dict.ts';
import { STANDARD_STRINGS } from './glyph-names.ts';

/**
 * The number of glyphs up to which all are checked. In larger programs only the shown glyphs are: drawing all
 * glyphs of a CJK font takes a second.
 */
const MAX_CHECKED_GLYPHS = 3000;

/**
 * Tells whether a font program is valid, so that all readers interpret it alike. An invalid program can be
 * used to draw glyphs, but not be embedded, because a strict reader might reject it or read other widths.
 * @param shown the glyphs that the text of the document shows
 */
export function isValidProgram({ program, bytes }: OpenedProgram, shown: readonly number[]): boolean {
  if (!program.complete) return false;
  try {
    if (program instanceof TrueTypeProgram) return isValidTrueType(new Bytes(bytes));
    if (program instanceof CffProgram && !isValidCff(new Bytes(bytes))) return false;
    const all = program.glyphCount <= MAX_CHECKED_GLYPHS;
    const glyphs = all ? Array.from({ length: program.glyphCount }, (_, glyph) => glyph) : shown;
    return glyphs.every((glyph) => program.isValid(glyph));
  } catch (error) {
    if (error instanceof DamagedFont || error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * Validates the tables of a TrueType program that define widths and characters (ISO/IEC 14496-22 5).
 * @throws {DamagedFont} if a table is truncated.
 */
function isValidTrueType(file: Bytes): boolean {
  if (!hasAllTables(file)) return false;
  const tables = readTables(file);
  const [head, hhea, hmtx, maxp] = ['head', 'hhea', 'hmtx', 'maxp'].map((tag) => tables.get(tag));
  if (!head || !hhea || !hmtx || !maxp) return false;
  const units = head.u16(18);
  const metrics = hhea.u16(34);
  if (units < 16 || units > 16_384 || metrics === 0 || hmtx.length < 4 * metrics) return false;
  const cmap = tables.get('cmap');
  const post = tables.get('post');
  return (!cmap || isValidCmap(cmap)) && (!post || isValidPost(post));
}

function isValidCmap(cmap: Bytes): boolean {
  const count = cmap.u16(2);
  for (let index = 0; index < count; index++) {
    const map = cmap.slice(cmap.u32(4 + 8 * index + 4), cmap.length);
    if (!isValidMap(map)) return false;
  }
  return true;
}

function isValidMap(map: Bytes): boolean {
  switch (map.u16(0)) {
    case 0:
      return map.length >= 262;
    case 4:
      return hasValidSegments(map);
    case 6:
      return map.length >= 10 + 2 * map.u16(8) && map.u16(6) + map.u16(8) <= 0x1_0000;
    case 12:
      return map.length >= 16 + 12 * map.u32(12);
    default:
      return [2, 8, 10, 13, 14].includes(map.u16(0));
  }
}

function hasValidSegments(map: Bytes): boolean {
  const size = map.u16(6);
  if (size % 2 === 1 || size === 0 || map.length < 16 + 4 * size) return false;
  let before = -1;
  for (let at = 0; at < size; at += 2) {
    const last = map.u16(14 + at);
    const first = map.u16(16 + size + at);
    const rangeAt = 16 + 3 * size + at;
    const range = map.u16(rangeAt);
    if (first > last || first <= before) return false;
    before = last;
    // The last segment is only a terminator, and its range offset is often invalid.
    if (range === 0 || last === 0xffff) continue;
    if (range % 2 === 1 || rangeAt + range + 2 * (last - first) + 2 > map.length) return false;
  }
  return true;
}

function isValidPost(post: Bytes): boolean {
  const version = post.u32(0);
  if (version === 0x2_8000) return false;
  if (version !== 0x2_0000) return post.length >= 32;
  let strings = 0;
  const glyphs = post.u16(32);
  for (let glyph = 0; glyph < glyphs; glyph++) strings = Math.max(strings, post.u16(34 + 2 * glyph) - 257);
  // The names are Pascal strings. Some readers treat the length byte as signed, so reject lengths above 127.
  let at = 34 + 2 * glyphs;
  for (; at < post.length; at += 1 + post.u8(at), strings--) if (post.u8(at) > 127) return false;
  return at === post.length && strings <= 0;
}

// DICT operators (Adobe Technical Note 5176). The number of a two-byte operator is 1200 plus its second byte.
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

/** The items of an INDEX. */
interface Items {
  count: number;
  end: number;
  item(index: number): Bytes;
}

/**
 * Validates the structure of a CFF program: INDEX offsets must ascend within the file, DICTs must be valid,
 * and the charset and the font selection must cover all glyphs.
 * @throws {DamagedFont} if the program is truncated.
 */
function isValidCff(file: Bytes): boolean {
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

/**
 * Tells whether the matrix only scales and slants glyphs. Readers disagree about widths if it rotates,
 * mirrors or moves them.
 */
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
  const privateDict = readValidDict(file.slice(offset, offset + size));
  if (!privateDict) return false;
  // Some readers ignore the fraction of these widths.
  for (const operator of [DEFAULT_WIDTH, NOMINAL_WIDTH]) {
    const operands = privateDict.get(operator);
    if (operands && (operands.length !== 1 || !Number.isInteger(operands[0]))) return false;
  }
  const locals = privateDict.get(SUBROUTINES);
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
