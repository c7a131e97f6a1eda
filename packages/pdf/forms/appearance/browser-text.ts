import type { FontStyle } from './text-font.ts';

/**
 * Text that a browser must draw, because no font of the form has all of its characters. All entries are plain data, not
 * markup.
 */
export interface BrowserText {
  /** A single line, several lines, comb characters, or list rows. */
  mode: 'line' | 'lines' | 'comb' | 'rows';
  texts: string[];
  /** The number of comb cells. */
  cells: number;
  align: 0 | 1 | 2;
  /** Points. */
  width: number;
  height: number;
  size: { min: number; max: number };
  style: FontStyle;
  /** Red, green and blue from 0 to 1. */
  color: [number, number, number];
  /** The indexes of selected rows. */
  chosen: number[];
  /** The row height relative to the font size. */
  rowHeight: number;
}

/** The height of a list row relative to the font size. */
export const ROW_HEIGHT = 1.3;
