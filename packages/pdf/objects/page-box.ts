import { resolve, type PdfObject } from './objects.ts';

/** The edges of a rectangle in user space units. */
export type Box = readonly [left: number, bottom: number, right: number, top: number];

/** The size that readers assume for a page without a MediaBox. */
export const LETTER: Box = [0, 0, 612, 792];

/** Reads a rectangle. Returns `undefined` if it is malformed or has no area. */
export function readBox(value: PdfObject | undefined): Box | undefined {
  if (!Array.isArray(value) || value.length < 4) return undefined;
  const [a, b, c, d] = value.map((item) => resolve(item));
  if (typeof a !== 'number' || typeof b !== 'number' || typeof c !== 'number' || typeof d !== 'number')
    return undefined;
  // A rectangle may be given by either pair of opposite corners.
  const box: Box = [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)];
  return box[2] > box[0] && box[3] > box[1] ? box : undefined;
}
