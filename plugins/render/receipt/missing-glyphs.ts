import { readGlyphRuns } from './glyph-runs.ts';
import type { FontCoverage } from './font-coverage.ts';

/** Characters that were printed as boxes, because no font covers them. */
export interface MissingGlyphs {
  /** The number of boxes. There may be more when the PDF was too large to be read completely. */
  count: number;
  /** The distinct characters, as far as they are known. */
  characters: string[];
}

const MAX_CHARACTERS = 100;

/**
 * Characters that the recommended fonts cover, or that need no glyph: Latin with accents, common punctuation,
 * and spaces. Excludes the characters that start an escape or a character reference.
 */
const COVERED = /^[\t\n\f\r -%'-[\]-~\u00a0-\u017f\u2000-\u200a\u2010-\u2026\u202f\u20ac\u2122]*$/;
const NUMBERED = /&#(?:x([\da-f]{1,4})|(\d{1,5}));/gi;
const NAMED =
  /&(?:amp|lt|gt|quot|apos|nbsp|ensp|emsp|thinsp|copy|reg|middot|times|ndash|mdash|hellip|euro|shy);|&(?![#\w])/g;

/**
 * Returns false when the markup of a document without scripts contains only Latin text, so that its PDF need
 * not be read.
 */
export function mayMissGlyphs(markup: string): boolean {
  return !COVERED.test(markup.includes('&') ? withoutReferences(markup) : markup);
}

function withoutReferences(markup: string): string {
  const decode = (_: string, hex: string | undefined, decimal: string) =>
    String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  return markup.replaceAll(NUMBERED, decode).replaceAll(NAMED, '');
}

/**
 * Finds the characters for which Chromium had no glyph. The PDF contains glyph 0 for each, and names the
 * characters except the first of each font. The first is found among the characters of the document that no
 * installed font covers.
 *
 * @param readCharacters returns the characters of the document; called only when the PDF does not name all
 * characters
 */
export async function findMissingGlyphs(
  pdf: Buffer,
  { fonts, readCharacters }: { fonts: FontCoverage; readCharacters: () => Promise<string> },
): Promise<MissingGlyphs> {
  const { count, characters: named, unnamed } = await readGlyphRuns(pdf);
  const others = unnamed ? await fonts.findUncovered(await readCharacters(), MAX_CHARACTERS) : [];
  const characters = [...new Set([...named, ...others])].slice(0, MAX_CHARACTERS);
  return { count, characters };
}
