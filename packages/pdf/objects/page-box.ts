import { resolve, type PdfObject } from './objects.ts';

/** Left, bottom, right and top in units of the page. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** What readers take for the size of a page that does not say it. */
export const LETTER: Box = [0, 0, 612, 792];

/** Reads a box; `undefined` for what is none, or has no area. */
export function readBox(value: PdfObject | undefined): Box | undefined {
  if (!Array.isArray(value) || value.length < 4) return undefined;
  const [a, b, c, d] = value.map((item) => resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  // Any two opposite corners make a box.
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] > box[0] && box[3] > box[1] ? box : undefined;
}
