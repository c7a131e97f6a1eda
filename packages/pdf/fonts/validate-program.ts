import { CffProgram } from './cff.ts';
import type { OpenedProgram } from './open-program.ts';
import { Bytes, DamagedFont } from './program.ts';
import { isValidCff } from './validate-cff.ts';
import { isValidTrueType } from './validate-truetype.ts';
import { TrueTypeProgram } from './truetype.ts';

/** In larger programs only the shown glyphs are checked, because drawing all glyphs of a CJK font takes a second. */
const MAX_CHECKED_GLYPHS = 3000;

/**
 * Tells whether a font program is valid, so that all readers interpret it alike. Glyphs of an invalid program may be drawn, but it must
 * not be embedded: a strict reader might reject it or read different widths. `shown` lists the glyphs that text needs.
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
