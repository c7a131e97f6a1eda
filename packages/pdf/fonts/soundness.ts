import { CffProgram } from './cff.ts';
import type { Opened } from './open-program.ts';
import { Bytes, DamagedFont } from './program.ts';
import { isSoundCff } from './sound-cff.ts';
import { isSoundTrueType } from './sound-truetype.ts';
import { TrueTypeProgram } from './truetype.ts';

/** Of larger programs only the glyphs that are shown are looked at: drawing all of a font of Chinese takes a second. */
const MAX_DRAWN = 3000;

/**
 * Tells whether every reader gets the same out of a font program: nothing in it contradicts its format or lies outside it. One that
 * is not sound can still be drawn from as far as it goes, but not be embedded: a strict reader takes it for none at all, or for one
 * with other widths. `shown` are the glyphs that text needs.
 */
export function isSound({ program, bytes }: Opened, shown: readonly number[]): boolean {
  if (!program.whole) return false;
  try {
    if (program instanceof TrueTypeProgram) return isSoundTrueType(new Bytes(bytes));
    if (program instanceof CffProgram && !isSoundCff(new Bytes(bytes))) return false;
    const all = program.glyphCount <= MAX_DRAWN;
    const glyphs = all ? Array.from({ length: program.glyphCount }, (_, glyph) => glyph) : shown;
    return glyphs.every((glyph) => program.isClean(glyph));
  } catch (error) {
    if (error instanceof DamagedFont || error instanceof RangeError) return false;
    throw error;
  }
}
