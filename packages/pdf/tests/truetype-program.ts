/**
 * A character map: its platform, its encoding, and the glyphs of its codes, of which there is at least one.
 */
export type WrittenMap = readonly [
  platform: number,
  encoding: number,
  glyphs: Readonly<Record<number, number>>,
];

/** The parts of a font program that differ from a plain one. */
export interface WrittenTrueType {
  /**
   * The widths of the glyphs in thousandths of an em. The first is that of the glyph for missing characters.
   */
  widths?: readonly number[];
  /** How many of the widths the program states. The last of them is the width of all later glyphs. */
  stated?: number;
  maps?: readonly WrittenMap[];
  /** The format of the maps: 0, 4, 6 or 12. */
  format?: number;
  /** The names of the glyphs. */
  names?: readonly string[];
  /** Tables that are left out. */
  without?: readonly string[];
}

const words = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [index, value] of values.entries()) bytes.writeUInt16BE(value & 0xffff, 2 * index);
  return bytes;
};

/** A square of 500 units. */
const SQUARE = Buffer.concat([
  words(1, 0, 0, 500, 500, 3, 0),
  Buffer.from([1, 1, 1, 1]),
  words(0, 500, 0, -500, 0, 0, 500, 0),
]);

function mapOf(glyphs: Readonly<Record<number, number>>, format: number): Buffer {
  const codes = Object.keys(glyphs).map(Number);
  const [first, last] = [Math.min(...codes), Math.max(...codes)];
  const ids = Array.from({ length: last - first + 1 }, (_, index) => glyphs[first + index] ?? 0);
  if (format === 0) {
    const table = Buffer.alloc(256);
    for (const code of codes) table[code] = glyphs[code] ?? 0;
    return Buffer.concat([words(0, 262, 0), table]);
  }
  if (format === 6) return words(6, 10 + 2 * ids.length, 0, first, ids.length, ...ids);
  if (format === 12) {
    const groups = codes.flatMap((code) => [0, code, 0, code, 0, glyphs[code] ?? 0]);
    return words(12, 0, 0, 16 + 12 * codes.length, 0, 0, 0, codes.length, ...groups);
  }
  const segments = [last, 0xffff, 0, first, 0xffff, 0, 1, 4, 0];
  return words(4, 32 + 2 * ids.length, 0, 4, 4, 1, 0, ...segments, ...ids);
}

function postOf(names: readonly string[] | undefined): Buffer {
  const zeros = Array<number>(14).fill(0);
  if (!names) return words(3, 0, ...zeros);
  const strings = names.map((each) => Buffer.from(`${String.fromCharCode(each.length)}${each}`, 'latin1'));
  return Buffer.concat([
    words(2, 0, ...zeros, names.length, ...names.map((_, index) => 258 + index)),
    ...strings,
  ]);
}

/** Writes a TrueType program whose glyphs are squares. */
export function writeTrueType(font: WrittenTrueType = {}): Buffer {
  const { widths = [500, 600, 700], maps = [], format = 4, without = [] } = font;
  const stated = font.stated ?? widths.length;
  const subtables = maps.map(([, , glyphs]) => mapOf(glyphs, format));
  let at = 4 + 8 * maps.length;
  const records = maps.map(([platform, encoding], index) => {
    const record = words(platform, encoding, 0, at);
    at += subtables[index]?.length ?? 0;
    return record;
  });
  const head = words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 3, 1000, ...Array<number>(8).fill(0));
  const tables = new Map([
    ['cmap', Buffer.concat([words(0, maps.length), ...records, ...subtables])],
    ['glyf', Buffer.concat(widths.map(() => SQUARE))],
    ['head', Buffer.concat([head, words(0, 0, 500, 500, 0, 8, 2, 0, 0)])],
    ['hhea', words(1, 0, 800, -200, 0, 700, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, stated)],
    ['hmtx', words(...widths.flatMap((width, index) => (index < stated ? [width, 0] : [0])))],
    ['loca', words(...[0, ...widths].map((_, index) => (index * SQUARE.length) / 2))],
    ['maxp', words(1, 0, widths.length, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['post', postOf(font.names)],
  ]);
  return wrap(
    '\u0000\u0001\u0000\u0000',
    [...tables].filter(([tag]) => !without.includes(tag)),
  );
}

/** Writes an OpenType font with a CFF program. */
export function wrapCff(program: Uint8Array): Buffer {
  return wrap('OTTO', [['CFF ', Buffer.from(program)]]);
}

function wrap(version: string, tables: readonly (readonly [string, Buffer])[]): Buffer {
  const head = Buffer.alloc(12 + 16 * tables.length);
  head.write(version, 'latin1');
  head.writeUInt16BE(tables.length, 4);
  const parts: Buffer[] = [head];
  let offset = head.length;
  for (const [index, [tag, table]] of tables.entries()) {
    head.write(tag, 12 + 16 * index, 'latin1');
    head.writeUInt32BE(offset, 20 + 16 * index);
    head.writeUInt32BE(table.length, 24 + 16 * index);
    parts.push(table, Buffer.alloc(-table.length & 3));
    offset += table.length + (-table.length & 3);
  }
  return Buffer.concat(parts);
}
