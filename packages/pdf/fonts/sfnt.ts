import { Bytes } from './bytes.ts';
import { DamagedFont } from './program.ts';

const MAX_TABLES = 200;
/** The tag `ttcf` of a font collection. */
const COLLECTION = 0x74_74_63_66;

/** The tables of an OpenType or TrueType font by tag (ISO/IEC 14496-22 4.3). */
export type Tables = ReadonlyMap<string, Bytes>;

/**
 * Reads the table directory of a font file, or of the font at `index` in a collection. @throws {DamagedFont}
 */
export function readTables(file: Bytes, index = 0): Tables {
  let at = 0;
  if (file.u32(0) === COLLECTION) at = file.u32(12 + 4 * index);
  const count = Math.min(file.u16(at + 4), MAX_TABLES);
  const tables = new Map<string, Bytes>();
  for (let entry = at + 12; entry < at + 12 + 16 * count && entry + 16 <= file.length; entry += 16) {
    const tag = file.data.toString('latin1', entry, entry + 4);
    const from = file.u32(entry + 8);
    if (from < file.length) tables.set(tag, file.slice(from, from + file.u32(entry + 12)));
  }
  if (tables.size === 0) throw new DamagedFont('the font has no tables');
  return tables;
}

/** Tells whether all tables in the directory of a font file lie within the file. */
export function hasAllTables(file: Bytes): boolean {
  const count = file.u16(4);
  for (let entry = 12; entry < 12 + 16 * count; entry += 16)
    if (file.u32(entry + 8) + file.u32(entry + 12) > file.length) return false;
  return true;
}

/** A `cmap` subtable, which maps character codes to glyphs. */
export interface CharacterMap {
  platform: number;
  encoding: number;
  format: number;
  /** Returns the glyph of a code, or 0 if the map does not contain the code. */
  glyph(code: number): number;
}

/**
 * Reads the character maps in supported formats (ISO/IEC 14496-22 5.2.1). `declared` is the number of all
 * maps in the table.
 */
export function readCharacterMaps(table: Bytes | undefined): { maps: CharacterMap[]; declared: number } {
  const maps: CharacterMap[] = [];
  if (!table || table.length < 4) return { maps, declared: 0 };
  const declared = table.u16(2);
  for (let index = 0; index < Math.min(declared, 50); index++) {
    const at = 4 + 8 * index;
    if (at + 8 > table.length) break;
    const offset = table.u32(at + 4);
    const lookup = offset + 2 <= table.length && lookupOf(table.slice(offset, table.length));
    if (!lookup) continue;
    const glyph = (code: number): number => {
      try {
        return lookup(code);
      } catch (error) {
        if (error instanceof DamagedFont) return 0;
        throw error;
      }
    };
    maps.push({ platform: table.u16(at), encoding: table.u16(at + 2), format: table.u16(offset), glyph });
  }
  return { maps, declared };
}

function lookupOf(map: Bytes): ((code: number) => number) | undefined {
  switch (map.u16(0)) {
    case 0:
      return (code) => (code < 256 ? map.u8(6 + code) : 0);
    case 2:
      return (code) => highByteLookup(map, code);
    case 4:
      return (code) => segmentLookup(map, code);
    case 6:
      return (code) => {
        const index = code - map.u16(6);
        return index >= 0 && index < map.u16(8) ? map.u16(10 + 2 * index) : 0;
      };
    case 10:
      return (code) => {
        const index = code - map.u32(12);
        return index >= 0 && index < map.u32(16) ? map.u16(20 + 2 * index) : 0;
      };
    case 12:
      return (code) => groupLookup(map, code);
    default:
      return undefined;
  }
}

function highByteLookup(map: Bytes, code: number): number {
  const key = map.u16(6 + 2 * (code >> 8)) / 8;
  if (code > 0xffff || (code < 256 && key !== 0)) return 0;
  const header = 518 + 8 * key;
  const index = (code & 255) - map.u16(header);
  if (index < 0 || index >= map.u16(header + 2)) return 0;
  const glyph = map.u16(header + 6 + map.u16(header + 6) + 2 * index);
  return glyph === 0 ? 0 : (glyph + map.i16(header + 4)) & 0xffff;
}

function segmentLookup(map: Bytes, code: number): number {
  if (code > 0xffff) return 0;
  const size = map.u16(6) & ~1;
  for (let at = 14; at < 14 + size; at += 2) {
    if (map.u16(at) < code) continue;
    const start = at + 2 + size;
    const first = map.u16(start);
    if (first > code) return 0;
    const delta = map.i16(start + size);
    const range = map.u16(start + 2 * size);
    if (range === 0 || range === 0xffff) return (code + delta) & 0xffff;
    const glyph = map.u16(start + 2 * size + range + 2 * (code - first));
    return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
  }
  return 0;
}

function groupLookup(map: Bytes, code: number): number {
  let low = 0;
  let high = map.u32(12) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const at = 16 + 12 * middle;
    if (code < map.u32(at)) high = middle - 1;
    else if (code > map.u32(at + 4)) low = middle + 1;
    else return map.u32(at + 8) + code - map.u32(at);
  }
  return 0;
}
