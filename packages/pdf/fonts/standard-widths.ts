import type { Style } from './dictionary.ts';

type Widths = Readonly<Record<string, number>>;

const SANS: Widths = { plusminus: 584, divide: 584, macron: 333, mu: 556 };
const SERIF: Widths = { plusminus: 564, divide: 564, macron: 333, mu: 500 };

/**
 * The width of a glyph of the standard 14 fonts, in thousandths of an em, where the fonts that stand for them have another one
 * (Adobe's Core 14 AFM files). Readers that place text in such a font without its own widths go by these.
 */
export function standardWidth(font: string, glyph: string, { bold, italic }: Style): number | undefined {
  if (/^(Helvetica|Arial)/.test(font)) return glyph === 'mu' && bold ? 611 : SANS[glyph];
  if (!font.startsWith('Times')) return undefined;
  if (glyph === 'mu' && bold) return italic ? 576 : 556;
  if (glyph === 'plusminus' || glyph === 'divide') return bold ? 570 : italic ? 675 : SERIF[glyph];
  return SERIF[glyph];
}
