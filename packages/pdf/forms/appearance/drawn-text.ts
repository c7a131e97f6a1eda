import type { FontStyle } from './text-font.ts';

/** Text in a box that the browser draws, for no font of the form has all of its characters. Every entry is data, none is markup. */
export interface DrawnText {
  /** One paragraph, those of several lines, the characters of a comb, or the rows of a list. */
  mode: 'line' | 'lines' | 'comb' | 'rows';
  texts: string[];
  /** How many cells a comb has. */
  cells: number;
  align: 0 | 1 | 2;
  /** Points. */
  width: number;
  height: number;
  size: { min: number; max: number };
  style: FontStyle;
  /** Red, green and blue from 0 to 1. */
  color: [number, number, number];
  /** Which rows are chosen. */
  chosen: number[];
  /** The height of a row, in sizes of the text. */
  rowHeight: number;
}

/** How high a row of a list is, in sizes of its text. */
export const ROW_HEIGHT = 1.3;
