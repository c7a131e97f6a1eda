import type { Style } from './descriptor.ts';

type Widths = Readonly<Record<string, number>>;

const SANS: Widths = { plusminus: 584, divide: 584, macron: 333, mu: 556 };
const SERIF: Widths = { plusminus: 564, divide: 564, macron: 333, mu: 500 };

/**
 * Returns the width of a glyph in a standard font (Adobe Core 14 AFM files), in thousandths of an em, if it
 * differs from the width in the substitute font; otherwise `undefined`. Readers use the widths of the AFM
 * files for a standard font without Widths.
 */
export function standardWidth(font: string, glyph: string, { bold, italic }: Style): number | undefined {
  if (/^(Helvetica|Arial)/.test(font)) return glyph === 'mu' && bold ? 611 : SANS[glyph];
  if (!font.startsWith('Times')) return undefined;
  if (glyph === 'mu' && bold) return italic ? 576 : 556;
  if (glyph === 'plusminus' || glyph === 'divide') return bold ? 570 : italic ? 675 : SERIF[glyph];
  return SERIF[glyph];
}
