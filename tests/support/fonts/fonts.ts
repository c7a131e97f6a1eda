import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const folder = join(import.meta.dir, '..', '..', '..', 'node_modules', 'bwip-js', 'fonts');

/** The setting of a service under test that hides the fonts which only some machines have. */
export const FONT_SETTINGS = { RENDER_FONT_CONFIG: join(import.meta.dir, 'browser-fonts.conf') };

/** A TrueType font that is not installed in the system. */
export const trueTypeFont: Uint8Array = readFileSync(join(folder, 'OCRB7.ttf'));
/** An OpenType font that is not installed in the system. */
export const openTypeFont: Uint8Array = readFileSync(join(folder, 'Inconsolata.otf'));

/** The tables of a font by tag. */
export type FontTableMap = Map<string, Buffer>;

export function tablesOf(font: Uint8Array): FontTableMap {
  const file = Buffer.from(font);
  const count = file.readUInt16BE(4);
  return new Map(
    Array.from({ length: count }, (_, index) => {
      const at = 12 + 16 * index;
      const from = file.readUInt32BE(at + 8);
      return [file.toString('latin1', at, at + 4), file.subarray(from, from + file.readUInt32BE(at + 12))];
    }),
  );
}

const align = (bytes: Uint8Array) => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

/** Assembles a font from its tables. The checksums are left out, because browsers compute them anew. */
export function fontOf(tables: FontTableMap): Buffer {
  const sorted = [...tables].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const head = Buffer.alloc(12 + 16 * sorted.length);
  head.write(tables.has('CFF ') ? 'OTTO' : '\u0000\u0001\u0000\u0000', 'latin1');
  head.writeUInt16BE(sorted.length, 4);
  let offset = head.length;
  for (const [index, [tag, table]] of sorted.entries()) {
    const at = 12 + 16 * index;
    head.write(tag, at, 'latin1');
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(table.length, at + 12);
    offset += align(table).length;
  }
  return Buffer.concat([head, ...sorted.map(([, table]) => align(table))]);
}

/** Returns a font with another family name. */
export function renameFont(font: Uint8Array, family: string): Buffer {
  const tables = tablesOf(font);
  const text = Buffer.from(family, 'utf16le').swap16();
  const postScript = Buffer.from(family.replaceAll(/[^A-Za-z0-9]/g, ''), 'utf16le').swap16();
  const names = [1, 4, 6].map((id) => [id, id === 6 ? postScript : text] as const);
  const table = Buffer.alloc(6 + 12 * names.length);
  table.writeUInt16BE(names.length, 2);
  table.writeUInt16BE(table.length, 4);
  let offset = 0;
  for (const [index, [id, value]] of names.entries()) {
    for (const [field, number] of [3, 1, 0x409, id, value.length, offset].entries())
      table.writeUInt16BE(number, 6 + 12 * index + 2 * field);
    offset += value.length;
  }
  tables.set('name', Buffer.concat([table, ...names.map(([, value]) => value)]));
  return fontOf(tables);
}

/** Returns a TrueType font with copies of its glyphs, so that it has about the given size. */
export function inflateFont(font: Uint8Array, sizeBytes: number): Buffer {
  const tables = tablesOf(font);
  const [head, maxp, hhea, hmtx, loca, glyf, post] = [
    'head',
    'maxp',
    'hhea',
    'hmtx',
    'loca',
    'glyf',
    'post',
  ].map((tag) => Buffer.from(tables.get(tag) ?? [])) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const glyphs = maxp.readUInt16BE(4);
  const isLong = head.readInt16BE(50) !== 0;
  const offsets = Array.from({ length: glyphs + 1 }, (_, index) =>
    isLong ? loca.readUInt32BE(4 * index) : 2 * loca.readUInt16BE(2 * index),
  );
  const copies = Math.ceil((sizeBytes - font.length) / glyf.length) + 1;
  const longLoca = Buffer.alloc(4 * (glyphs * copies + 1));
  for (let index = 0; index <= glyphs * copies; index += 1) {
    const copy = Math.min(Math.floor(index / glyphs), copies - 1);
    longLoca.writeUInt32BE(copy * glyf.length + (offsets[index - copy * glyphs] ?? 0), 4 * index);
  }
  maxp.writeUInt16BE(glyphs * copies, 4);
  head.writeInt16BE(1, 50);
  post.writeUInt32BE(0x00030000, 0);
  const bearings = Buffer.alloc(2 * glyphs * (copies - 1));
  const changed: [string, Buffer][] = [
    ['head', head],
    ['maxp', maxp],
    ['hhea', hhea],
    ['hmtx', Buffer.concat([hmtx, bearings])],
    ['loca', longLoca],
    ['glyf', Buffer.concat(Array.from({ length: copies }, () => glyf))],
    ['post', post.subarray(0, 32)],
  ];
  for (const [tag, table] of changed) tables.set(tag, table);
  // These tables have an entry for each glyph.
  for (const tag of ['hdmx', 'LTSH', 'VDMX', 'kern', 'GPOS', 'GSUB', 'GDEF', 'DSIG']) tables.delete(tag);
  return fontOf(tables);
}

/** Encodes a length of a WOFF2 file (UIntBase128). */
function base128(value: number): Buffer {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(bytes);
}

/**
 * Packs a font as WOFF2, without transforming its tables. `declare` changes the length in the directory;
 * `packed` replaces the tables.
 */
export function woff2Of(
  font: Uint8Array,
  {
    declare = (_, length) => length,
    packed,
  }: { declare?: (tag: string, length: number) => number; packed?: Uint8Array } = {},
): Buffer {
  const tables = [...tablesOf(font)];
  const directory = tables.map(([tag, table]) => {
    // The version 3 means that glyf and loca are not transformed. 63: the tag follows.
    const version = tag === 'glyf' || tag === 'loca' ? 3 : 0;
    const head = Buffer.from([(version << 6) | 63, ...Buffer.from(tag, 'latin1')]);
    return Buffer.concat([head, base128(declare(tag, table.length))]);
  });
  const compressed = packed ?? brotliCompressSync(Buffer.concat(tables.map(([, table]) => table)));
  const header = Buffer.alloc(48);
  header.write('wOF2', 'latin1');
  Buffer.from(font).copy(header, 4, 0, 4);
  header.writeUInt16BE(tables.length, 12);
  header.writeUInt32BE(font.length, 16);
  header.writeUInt32BE(compressed.length, 20);
  const file = align(Buffer.concat([header, ...directory, compressed]));
  file.writeUInt32BE(file.length, 8);
  return file;
}
