import { ENCODINGS, MAC_OS_ENCODING, type CodeNames } from './glyph-names.ts';
import type { CharacterMap } from './sfnt.ts';
import type { TrueTypeProgram } from './truetype.ts';
import { unicodeOfName } from './unicode.ts';

/** The parts of a simple TrueType font dictionary that determine which glyph a code shows. */
export interface GlyphSelection {
  symbolic: boolean;
  /** The glyph names of the codes; `undefined` if the dictionary has no encoding. */
  names: CodeNames | undefined;
}

/** Finds the glyph that lenient readers show for a code. Returns 0 if they show no glyph. */
export function shownGlyph(program: TrueTypeProgram, code: number, selection: GlyphSelection): number {
  const { names, symbolic } = selection;
  const direct = (): number => directGlyph(program, code);
  const byName = (list: CodeNames): number =>
    namedGlyph(program, list[code]) || postGlyph(program, list[code]);
  const inFirstMap = (): number => program.maps[0]?.glyph(code) ?? 0;
  if (names && !(symbolic && program.map(3, 0) && !program.map(3, 1)))
    return byName(names) || direct() || inFirstMap();
  const found = direct();
  if (found !== 0) return found;
  // Without character maps, codes are glyph indices.
  if (program.maps.length === 0 && !names) return code < program.glyphCount ? code : 0;
  return byName(names ?? ENCODINGS['WinAnsiEncoding'] ?? []) || inFirstMap();
}

/** The formats of character maps that strict readers, such as veraPDF, support for simple fonts. */
const STRICT_FORMATS = new Set([0, 4, 6]);

/**
 * Finds the glyph of a code strictly by the rules of ISO 32000-1 9.6.6.4 and PDF/A-1, which require a
 * character map. Returns 0 without such a map.
 */
export function strictGlyph(program: TrueTypeProgram, code: number, selection: GlyphSelection): number {
  const { names, symbolic } = selection;
  if (!symbolic && names) return strictNamedGlyph(program, names[code]) || postGlyph(program, names[code]);
  // Readers add different offsets to the codes, but all of them try F000.
  if (program.map(3, 0)) return strictMap(program, 3, 0)?.glyph(0xf000 + code) ?? 0;
  return strictMap(program, 1, 0)?.glyph(code) ?? 0;
}

function strictMap(program: TrueTypeProgram, platform: number, encoding: number): CharacterMap | undefined {
  const map = program.map(platform, encoding);
  return map && STRICT_FORMATS.has(map.format) ? map : undefined;
}

/** Finds the glyph of a name in the Unicode map of Microsoft, then in the map of Mac OS. */
function strictNamedGlyph(program: TrueTypeProgram, glyphName: string | undefined): number {
  if (glyphName === undefined) return 0;
  const point = unicodeOfName(glyphName)?.codePointAt(0);
  const unicode = point === undefined ? 0 : (strictMap(program, 3, 1)?.glyph(point) ?? 0);
  if (unicode !== 0) return unicode;
  const code = MAC_CODES.get(glyphName);
  return code === undefined ? 0 : (strictMap(program, 1, 0)?.glyph(code) ?? 0);
}

/** Finds the glyph of a code in a symbol map, whose codes have one of four offsets (ISO 32000-1 9.6.6.4). */
export function symbolGlyph(program: TrueTypeProgram, code: number): number {
  return offsetGlyph(strictMap(program, 3, 0), code);
}

function offsetGlyph(symbols: CharacterMap | undefined, code: number): number {
  const glyphs = [0xf000, 0, 0xf100, 0xf200].map((start) => symbols?.glyph(start + code) ?? 0);
  return glyphs.find((glyph) => glyph !== 0) ?? 0;
}

function directGlyph(program: TrueTypeProgram, code: number): number {
  return offsetGlyph(program.map(3, 0), code) || (program.map(1, 0)?.glyph(code) ?? 0);
}

function namedGlyph(program: TrueTypeProgram, glyphName: string | undefined): number {
  if (glyphName === undefined || glyphName === '.notdef') return 0;
  const point = unicodeOfName(glyphName)?.codePointAt(0);
  const unicode = point === undefined ? 0 : program.glyphOfCharacter(point);
  if (unicode !== 0) return unicode;
  const code = MAC_CODES.get(glyphName);
  return code === undefined ? 0 : (program.map(1, 0)?.glyph(code) ?? 0);
}

function postGlyph(program: TrueTypeProgram, glyphName: string | undefined): number {
  const glyph = glyphName === undefined ? undefined : program.glyphOfName(glyphName);
  return glyph !== undefined && glyph < program.glyphCount ? glyph : 0;
}

/** The codes of the Mac OS encoding by glyph name (ISO 32000-1 9.6.6.4). */
const MAC_CODES = new Map<string, number>();
for (const [code, glyphName] of MAC_OS_ENCODING.entries())
  if (glyphName !== undefined && !MAC_CODES.has(glyphName)) MAC_CODES.set(glyphName, code);
