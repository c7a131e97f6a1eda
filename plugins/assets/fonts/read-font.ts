import type { AssetFont } from '../contract.ts';
import { FontBytes, FontFault } from './font-fault.ts';
import { openFont, type FontTables } from './tables.ts';

/** The tables without which Chromium rejects a font. */
const REQUIRED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name', 'OS/2', 'post'];

/** A font needs one of these tables, which contain the outlines or pictures of the glyphs. */
const GLYPHS = ['glyf', 'CFF ', 'CFF2', 'CBDT', 'sbix', 'SVG ', 'COLR'];

const HEAD_MAGIC = 0x5f0f3cf5;
const MAX_FAMILY_CHARACTERS = 100;
const FAMILY = 1;
const TYPOGRAPHIC_FAMILY = 16;
const ENGLISH_US = 0x409;
const MAX_NAME_RECORDS = 10_000;
const MAX_AXES = 64;

/**
 * Reads the family, weight and style of a font, and checks its structure: the tables lie within the file,
 * those that Chromium needs are present, and their sizes agree. Runs in the sandbox.
 * @throws {FontFault}
 */
export function readFont(file: Uint8Array): AssetFont {
  const tables = openFont(file);
  const missing = REQUIRED.find((tag) => !tables.has(tag));
  if (missing !== undefined) throw new FontFault(`is damaged: the table ${missing} is missing`);
  if (!GLYPHS.some((tag) => tables.has(tag))) throw new FontFault('is damaged: it has no glyphs');
  checkMetrics(tables);
  const os2 = require(tables, 'OS/2');
  return {
    family: readFamily(require(tables, 'name')),
    weight: readWeightRange(tables.get('fvar')) ?? readWeight(os2.u16(4)),
    style: readStyle(os2.u16(62), require(tables, 'head').u16(44)),
  };
}

function checkMetrics(tables: FontTables): void {
  const head = require(tables, 'head');
  const unitsPerEm = head.u16(18);
  if (head.u32(12) !== HEAD_MAGIC || unitsPerEm < 16 || unitsPerEm > 16_384)
    throw new FontFault('is damaged: the table head is not valid');
  const glyphs = require(tables, 'maxp').u16(4);
  const metrics = require(tables, 'hhea').u16(34);
  if (glyphs === 0 || metrics === 0 || metrics > glyphs)
    throw new FontFault('is damaged: its number of glyphs is not valid');
  const hmtx = tables.get('hmtx');
  if (hmtx && hmtx.length < 4 * metrics + 2 * (glyphs - metrics))
    throw new FontFault('is damaged: the table hmtx is too short');
  if (tables.has('glyf') && !tables.has('loca')) throw new FontFault('is damaged: the table loca is missing');
  const loca = tables.get('loca');
  const glyf = tables.get('glyf');
  if (loca && glyf) checkGlyphOffsets(loca, glyf, { isLong: head.i16(50) !== 0, glyphs });
  const cmap = require(tables, 'cmap');
  const maps = cmap.u16(2);
  for (let index = 0; index < Math.min(maps, 100); index += 1) cmap.slice(cmap.u32(8 + 8 * index), 4);
  if (maps === 0) throw new FontFault('is damaged: it maps no characters');
}

function checkGlyphOffsets(
  loca: FontBytes,
  glyf: FontBytes,
  { isLong, glyphs }: { isLong: boolean; glyphs: number },
): void {
  let before = 0;
  for (let index = 0; index <= glyphs; index += 1) {
    const offset = isLong ? loca.u32(4 * index) : 2 * loca.u16(2 * index);
    if (offset < before || offset > glyf.length)
      throw new FontFault('is damaged: a glyph lies outside of the table glyf');
    before = offset;
  }
}

/**
 * Reads the family from the name table (ISO/IEC 14496-22 5.2.7): the typographic family, or else the family;
 * in English if possible.
 */
function readFamily(name: FontBytes): string {
  const count = Math.min(name.u16(2), MAX_NAME_RECORDS);
  const texts = name.u16(4);
  let best = { rank: -1, family: '' };
  for (let index = 0; index < count; index += 1) {
    const at = 6 + 12 * index;
    const platform = name.u16(at);
    const nameId = name.u16(at + 6);
    if (nameId !== FAMILY && nameId !== TYPOGRAPHIC_FAMILY) continue;
    const isUnicode = platform === 3 || platform === 0;
    if (!isUnicode && platform !== 1) continue;
    const rank =
      (nameId === TYPOGRAPHIC_FAMILY ? 8 : 0) +
      (isUnicode ? 4 : 0) +
      (platform === 3 && name.u16(at + 4) === ENGLISH_US ? 2 : 0);
    if (rank <= best.rank) continue;
    const from = texts + name.u16(at + 10);
    const length = name.u16(at + 8);
    const family = (isUnicode ? name.utf16(from, length) : name.latin1(from, length)).trim();
    if (isFamily(family)) best = { rank, family };
  }
  if (best.rank < 0) throw new FontFault('has no family name; set family');
  return best.family;
}

/** Tells whether a text can be the name of a font family. */
function isFamily(text: string): boolean {
  // oxlint-disable-next-line eslint/no-control-regex -- the pattern matches control characters
  return /^[^\x00-\x1f\x7f]+$/.test(text) && text.length <= MAX_FAMILY_CHARACTERS && text.isWellFormed();
}

/** Reads a weight class. Old fonts number the weights from 1 to 9. */
function readWeight(weightClass: number): string {
  if (weightClass >= 1 && weightClass <= 9) return String(weightClass * 100);
  return String(weightClass >= 1 && weightClass <= 1000 ? weightClass : 400);
}

/** Reads the range of the weight axis of a variable font (ISO/IEC 14496-22 7.3.3). */
function readWeightRange(fvar: FontBytes | undefined): string | undefined {
  if (!fvar) return undefined;
  const first = fvar.u16(4);
  const count = Math.min(fvar.u16(8), MAX_AXES);
  const size = fvar.u16(10);
  for (let index = 0; index < count; index += 1) {
    const at = first + size * index;
    if (fvar.latin1(at, 4) !== 'wght') continue;
    // The integer parts of two fixed-point numbers.
    const [lowest, highest] = [fvar.i16(at + 4), fvar.i16(at + 12)];
    const isValid = lowest >= 1 && highest <= 1000 && lowest < highest;
    return isValid ? `${lowest} ${highest}` : undefined;
  }
  return undefined;
}

function readStyle(selection: number, macStyle: number): AssetFont['style'] {
  if ((selection & 0x01) !== 0 || (macStyle & 0x02) !== 0) return 'italic';
  return (selection & 0x200) === 0 ? 'normal' : 'oblique';
}

function require(tables: FontTables, tag: string): FontBytes {
  const table = tables.get(tag);
  // A WOFF2 file may claim a transformation that does not exist.
  if (!table) throw new FontFault(`is damaged: the table ${tag} cannot be read`);
  return table;
}
