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
  const others = unnamed ? await notCovered(await readCharacters()) : [];
  const characters = [...new Set([...named, ...others])].slice(0, MAX_CHARACTERS);
  return { count, characters };
}
