import { ROW_HEIGHT } from './browser-text.ts';
import { n } from './widget-frame.ts';
import { AUTO_SIZE, type TextLayout } from './text-layout.ts';
import { encodeFor, type TextFont } from './text-font.ts';

export interface ListRows {
  rows: string[];
  /** The indexes of the selected rows. */
  chosen: number[];
  /** The index of the first visible row. */
  top: number;
}

const CHOSEN = '0.6 0.757 0.855 rg';
const BASELINE = 0.37;

/** Returns the font size of a list. Shrinks it so that at least one row fits. */
export function rowSize({ size, height }: Pick<TextLayout, 'size' | 'height'>): number {
  return Math.min(size > 0 ? size : AUTO_SIZE.maxOfLines, Math.max(height / ROW_HEIGHT, AUTO_SIZE.min));
}

/** Counts the visible rows of a list, including a partly visible last row. */
export function visibleRows({ size, height }: Pick<TextLayout, 'size' | 'height'>): number {
  return Math.ceil(height / (rowSize({ size, height }) * ROW_HEIGHT));
}

/** Lays out the visible rows of a list. Returns `undefined` if the font lacks a character. */
export function layOutRows(
  layout: TextLayout,
  { rows, chosen, top }: ListRows,
  font: TextFont,
): { size: number; operators: string; highlights: string } | undefined {
  const size = rowSize(layout);
  const height = size * ROW_HEIGHT;
  const visible = rows.slice(top, top + visibleRows(layout));
  let operators = '';
  let highlights = '';
  for (const [index, row] of visible.entries()) {
    const bytes = encodeFor(font, row.normalize('NFC'));
    if (!bytes) return undefined;
    const bottom = layout.height - (index + 1) * height;
    if (chosen.includes(top + index)) highlights += `0 ${n(bottom)} ${n(layout.width)} ${n(height)} re\n`;
    operators += `1 0 0 1 2 ${n(bottom + BASELINE * size)} Tm <${Buffer.from(bytes).toString('hex')}> Tj\n`;
  }
  return { size, operators, highlights: highlights === '' ? '' : `q ${CHOSEN}\n${highlights}f Q\n` };
}
