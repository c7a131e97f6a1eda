import { ROW_HEIGHT } from './drawn-text.ts';
import { n } from './frame.ts';
import { AUTO_SIZE, type TextLayout } from './lay-out.ts';
import { encodeFor, type TextFont } from './text-font.ts';

/** The rows of an option list. */
export interface ListRows {
  rows: string[];
  /** Indexes of the chosen ones. */
  chosen: number[];
  /** The row that is shown first. */
  top: number;
}

const CHOSEN = '0.6 0.757 0.855 rg';
const BASELINE = 0.37;

/** The size of a list's text. */
export function rowSize({ size }: Pick<TextLayout, 'size'>): number {
  return size > 0 ? size : AUTO_SIZE.maxOfLines;
}

/** How many rows of a list are seen, the last perhaps in part. */
export function rowsSeen({ size, height }: Pick<TextLayout, 'size' | 'height'>): number {
  return Math.ceil(height / (rowSize({ size }) * ROW_HEIGHT));
}

/** Lays out the rows of a list that are seen; `undefined` when the font does not have all of their characters. */
export function layOutRows(
  layout: TextLayout,
  { rows, chosen, top }: ListRows,
  font: TextFont,
): { size: number; operators: string; under: string } | undefined {
  const size = rowSize(layout);
  const height = size * ROW_HEIGHT;
  const seen = rows.slice(top, top + rowsSeen(layout));
  let operators = '';
  let under = '';
  for (const [index, row] of seen.entries()) {
    const bytes = encodeFor(font, row.normalize('NFC'));
    if (!bytes) return undefined;
    const bottom = layout.height - (index + 1) * height;
    if (chosen.includes(top + index)) under += `0 ${n(bottom)} ${n(layout.width)} ${n(height)} re\n`;
    operators += `1 0 0 1 2 ${n(bottom + BASELINE * size)} Tm <${Buffer.from(bytes).toString('hex')}> Tj\n`;
  }
  return { size, operators, under: under === '' ? '' : `q ${CHOSEN}\n${under}f Q\n` };
}
