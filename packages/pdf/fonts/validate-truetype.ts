import type { Bytes } from './program.ts';
import { hasAllTables, readTables } from './sfnt.ts';

/**
 * Validates the tables of a TrueType program that define widths and characters (ISO/IEC 14496-22 5).
 * @throws {DamagedFont} if a table is truncated.
 */
export function isValidTrueType(file: Bytes): boolean {
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
  // Names are Pascal strings. Some readers treat the length byte as signed, so reject lengths above 127.
  let at = 34 + 2 * glyphs;
  for (; at < post.length; at += 1 + post.u8(at), strings--) if (post.u8(at) > 127) return false;
  return at === post.length && strings <= 0;
}
