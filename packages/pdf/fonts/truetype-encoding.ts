import { ENCODINGS, MAC_OS_ENCODING, type CodeNames } from './glyph-names.ts';
import type { TrueTypeProgram } from './truetype.ts';
import { unicodeOfName } from './unicode.ts';

/** The parts of a simple TrueType font dictionary that determine which glyph a code shows. */
export interface GlyphSelection {
  /** Whether the font is symbolic. */
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

/**
 * Finds the glyph of a code strictly by the rules of ISO 32000-1 9.6.6.4 and PDF/A-1, which require a character map. Returns 0 if there is
 * none.
 */
export function strictGlyph(program: TrueTypeProgram, code: number, selection: GlyphSelection): number {
  const { names, symbolic } = selection;
  if (!symbolic && names) return namedGlyph(program, names[code]) || postGlyph(program, names[code]);
  const symbols = program.map(3, 0);
  // Readers add different offsets to the codes, but all of them try F000.
  if (symbols) return symbols.glyph(0xf000 + code);
  return program.map(1, 0)?.glyph(code) ?? 0;
}

function directGlyph(program: TrueTypeProgram, code: number): number {
  const symbols = program.map(3, 0);
  if (symbols)
    for (const start of [0xf000, 0, 0xf100, 0xf200]) {
      const glyph = symbols.glyph(start + code);
      if (glyph !== 0) return glyph;
    }
  return program.map(1, 0)?.glyph(code) ?? 0;
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
