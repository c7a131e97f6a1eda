import { STANDARD_STRINGS } from './glyph-names.ts';
import { CURVE, LINE, MOVE, type GlyphOutline } from './glyph-outline.ts';

/**
 * With at least this many units per em, rounding a width to whole units changes it by at most half a
 * thousandth of an em.
 */
const MIN_UNITS = 1000;

/** A glyph to write. */
export interface WrittenGlyph {
  /** The glyph name, or the CID in a CID-keyed font. */
  id: string | number;
  /** In thousandths of an em. */
  width: number;
  outline: GlyphOutline;
}

interface WrittenFont {
  name: string;
  /** Fewer than {@link MIN_UNITS} count as {@link MIN_UNITS}. */
  unitsPerEm: number;
  /**
   * The first glyph is `.notdef` or CID 0. Other names follow in any order, other CIDs in ascending order.
   */
  glyphs: readonly WrittenGlyph[];
}

/**
 * Writes a CFF font program (Adobe Technical Note 5176) without hints and subroutines. The font is CID-keyed
 * if the ids are numbers, and has glyph names otherwise. Widths and coordinates are rounded to whole units.
 */
export function writeCff({ name, glyphs, ...grid }: WrittenFont): Buffer {
  const unitsPerEm = Math.max(grid.unitsPerEm, MIN_UNITS);
  const cidKeyed = typeof glyphs[0]?.id === 'number';
  // A CID-keyed font needs only the names of its character collection.
  const strings = cidKeyed ? ['Adobe', 'Identity'] : [];
  const ros = cidKeyed ? [STANDARD_STRINGS.length, STANDARD_STRINGS.length + 1, 0] : undefined;
  const ids = idsOf(glyphs, strings);
  const charset = Buffer.alloc(1 + 2 * (glyphs.length - 1));
  for (let index = 1; index < glyphs.length; index++) charset.writeUInt16BE(ids[index] ?? 0, 2 * index - 1);
  const scale = unitsPerEm / 1000;
  const charStrings = writeIndex(glyphs.map((glyph) => writeCharString(glyph, scale)));
  // The default width and the nominal width are 0, so charstrings contain the full width.
  const privateDict = Buffer.concat([number(0), operator(20), number(0), operator(21)]);
  const selection = Buffer.from([3, 0, 1, 0, 0, 0, (glyphs.length >> 8) & 255, glyphs.length & 255]);
  const matrix =
    unitsPerEm === 1000
      ? []
      : [1 / unitsPerEm, 0, 0, 1 / unitsPerEm, 0, 0].map(real).concat([operator(1207)]);
  const header = Buffer.from([1, 0, 4, 4]);
  const before = [header, writeIndex([Buffer.from(name.slice(0, 127) || 'Font', 'latin1')])];
  const after = [writeIndex(strings.map((text) => Buffer.from(text, 'latin1'))), writeIndex([])];
  const writeTop = (offsets: {
    charset: number;
    glyphs: number;
    privateDict: number;
    fonts: number;
    selection: number;
  }) => {
    const dict: Buffer[] = [];
    if (ros) dict.push(...ros.map((value) => number(value)), operator(1230));
    // In a CID-keyed font the matrix is in its only Font DICT, where all readers look for it.
    if (!ros) dict.push(...matrix);
    dict.push(offset(offsets.charset), operator(15), offset(offsets.glyphs), operator(17));
    if (ros) {
      dict.push(number(65_536), operator(1234), offset(offsets.fonts), operator(1236));
      dict.push(offset(offsets.selection), operator(1237));
    } else dict.push(number(privateDict.length), offset(offsets.privateDict), operator(18));
    return writeIndex([Buffer.concat(dict)]);
  };
  // Every offset takes five bytes, so the size of the Top DICT does not depend on the offsets.
  const top = writeTop({ charset: 0, glyphs: 0, privateDict: 0, fonts: 0, selection: 0 });
  let at = size([...before, top, ...after]);
  const next = (part: Buffer): number => {
    at += part.length;
    return at - part.length;
  };
  const offsets = {
    charset: next(charset),
    glyphs: next(charStrings),
    privateDict: next(privateDict),
    selection: 0,
    fonts: 0,
  };
  const fonts = writeIndex([
    Buffer.concat([...matrix, number(privateDict.length), offset(offsets.privateDict), operator(18)]),
  ]);
  if (ros) {
    offsets.selection = next(selection);
    offsets.fonts = next(fonts);
  }
  return Buffer.concat([
    ...before,
    writeTop(offsets),
    ...after,
    charset,
    charStrings,
    privateDict,
    ...(ros ? [selection, fonts] : []),
  ]);
}

/**
 * Returns the SIDs or CIDs of the glyphs. Adds the glyph names that are not standard strings to `strings`.
 */
function idsOf(glyphs: readonly WrittenGlyph[], strings: string[]): number[] {
  const standard = new Map(STANDARD_STRINGS.map((text, index) => [text, index]));
  return glyphs.map(({ id }) => {
    if (typeof id === 'number') return id;
    return standard.get(id) ?? STANDARD_STRINGS.length + strings.push(id) - 1;
  });
}

function size(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function writeIndex(items: readonly Buffer[]): Buffer {
  if (items.length === 0) return Buffer.from([0, 0]);
  const head = Buffer.alloc(3 + 4 * (items.length + 1));
  head.writeUInt16BE(items.length, 0);
  head[2] = 4;
  let at = 1;
  for (const [index, item] of items.entries()) {
    head.writeUInt32BE(at, 3 + 4 * index);
    at += item.length;
  }
  head.writeUInt32BE(at, 3 + 4 * items.length);
  return Buffer.concat([head, ...items]);
}

function operator(code: number): Buffer {
  return Buffer.from(code >= 1200 ? [12, code - 1200] : [code]);
}

function offset(value: number): Buffer {
  const bytes = Buffer.alloc(5);
  bytes[0] = 29;
  bytes.writeInt32BE(value, 1);
  return bytes;
}

function number(value: number): Buffer {
  return value >= -107 && value <= 107 ? Buffer.from([value + 139]) : offset(value);
}

/** Writes a real number of a DICT, with one nibble for each character. */
function real(value: number): Buffer {
  const text = value === 0 ? '0' : value.toPrecision(12).replace(/0+$/, '').replace('e-', 'c');
  const nibbles = Array.from(text, (character) =>
    character === '.' ? 10 : character === '-' ? 14 : character === 'c' ? 12 : Number(character),
  );
  nibbles.push(15);
  if (nibbles.length % 2 === 1) nibbles.push(15);
  const bytes = [30];
  for (let at = 0; at < nibbles.length; at += 2)
    bytes.push(((nibbles[at] ?? 0) << 4) | (nibbles[at + 1] ?? 0));
  return Buffer.from(bytes);
}

/** Writes a Type 2 charstring (Adobe Technical Note 5177): the width, then moves, lines and curves. */
function writeCharString({ width, outline }: WrittenGlyph, scale: number): Buffer {
  const bytes: number[] = [];
  const put = (value: number): void => {
    if (Number.isInteger(value) && value >= -107 && value <= 107) bytes.push(value + 139);
    else if (Number.isInteger(value) && value >= -1131 && value <= 1131) {
      const rest = Math.abs(value) - 108;
      bytes.push((value > 0 ? 247 : 251) + (rest >> 8), rest & 255);
    } else if (Number.isInteger(value) && Math.abs(value) < 32_768)
      bytes.push(28, (value >> 8) & 255, value & 255);
    else {
      const fixed = Math.round(Math.max(-32_768, Math.min(32_767, value)) * 65_536);
      bytes.push(255, (fixed >> 24) & 255, (fixed >> 16) & 255, (fixed >> 8) & 255, fixed & 255);
    }
  };
  // Some readers ignore the fraction of a width.
  put(Math.round(width * scale));
  let x = 0;
  let y = 0;
  // Without an initial move, readers would take the width for an operand of the first line.
  if (!outline.empty && outline.commands[0] !== MOVE) bytes.push(139, 139, 21);
  outline.each((command, points) => {
    for (let at = 0; at < points.length; at += 2) {
      const toX = Math.round((points[at] ?? 0) * scale);
      const toY = Math.round((points[at + 1] ?? 0) * scale);
      put(toX - x);
      put(toY - y);
      x = toX;
      y = toY;
    }
    bytes.push(command === CURVE ? 8 : command === LINE ? 5 : 21);
  });
  bytes.push(14);
  return Buffer.from(bytes);
}
