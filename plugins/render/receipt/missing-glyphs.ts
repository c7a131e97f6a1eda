import { readGlyphRuns } from './glyph-runs.ts';
import { notCovered } from './font-coverage.ts';

/** What was printed as an empty box, because no font had it. */
export interface MissingGlyphs {
  /** How many boxes there are; at least so many when the PDF was too large to be read whole. */
  count: number;
  /** The characters, as far as they are known, each once. */
  characters: string[];
}

const MAX_CHARACTERS = 100;

/**
 * Latin with its accents, the usual punctuation, which the fonts of the set-up have, and spaces, for which none is needed; nothing that
 * stands for another character.
 */
const COVERED = /^[\t\n\f\r -%'-[\]-~\u00a0-\u017f\u2000-\u200a\u2010-\u2026\u202f\u20ac\u2122]*$/;
const NUMBERED = /&#(?:x([\da-f]{1,4})|(\d{1,5}));/gi;
const NAMED =
  /&(?:amp|lt|gt|quot|apos|nbsp|ensp|emsp|thinsp|copy|reg|middot|times|ndash|mdash|hellip|euro|shy);|&(?![#\w])/g;

/** False for markup, of a document without scripts, that says itself that all its text is Latin: its PDF need not be looked at. */
export function mayMissGlyphs(markup: string): boolean {
  return !COVERED.test(markup.includes('&') ? withoutReferences(markup) : markup);
}

function withoutReferences(markup: string): string {
  const decode = (_: string, hex: string | undefined, decimal: string) =>
    String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16));
  return markup.replaceAll(NUMBERED, decode).replaceAll(NAMED, '');
}

/**
 * Finds what Chromium had no glyph for. The PDF says where glyph 0, the box of a font, was set, and names most of its characters but the
 * first of each font; that one is looked for among the characters of the document that no installed font has.
 *
 * @param readCharacters gives the characters of the document; called only when one is not named
 */
export async function findMissingGlyphs(
  pdf: Buffer,
  readCharacters: () => Promise<string>,
): Promise<MissingGlyphs> {
  const { count, characters: named, unnamed } = await readGlyphRuns(pdf);
  const others = unnamed ? await notCovered(await readCharacters(), MAX_CHARACTERS) : [];
  const characters = [...new Set([...named, ...others])].slice(0, MAX_CHARACTERS);
  return { count, characters };
}
