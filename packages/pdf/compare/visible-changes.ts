import type { Bitmap } from '../images/page-renderer.ts';

/** The pixels that differ visibly in the area that two bitmaps cover together. */
export interface VisibleChanges {
  width: number;
  height: number;
  /** One byte per pixel: 1 if it differs. Absent if none does. */
  mask: Uint8Array | undefined;
  count: number;
}

/** Differences of a channel up to this are invisible. */
const COLOUR_TOLERANCE = 3;
const CHANNELS = 3;
const BYTES_PER_PIXEL = 4;

/**
 * Finds the pixels that differ visibly. A pixel is equal if each of its channels lies in the range of the 3 × 3
 * pixels around its place in the other bitmap, in both directions. So an edge that moves by at most one
 * pixel, as by hinting or antialiasing, is not a change, while another colour, and a line that disappears,
 * is. The area that only one bitmap covers is different.
 */
export function findVisibleChanges(a: Bitmap, b: Bitmap): VisibleChanges {
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
  const [shared, rows] = [Math.min(a.width, b.width), Math.min(a.height, b.height)];
  let mask: Uint8Array | undefined;
  let count = 0;
  const mark = (x: number, y: number) => {
    mask ??= new Uint8Array(width * height);
    mask[y * width + x] = 1;
    count += 1;
  };
  for (let y = 0; y < rows; y += 1) {
    let [atA, atB] = [y * a.width * BYTES_PER_PIXEL, y * b.width * BYTES_PER_PIXEL];
    for (let x = 0; x < shared; x += 1, atA += BYTES_PER_PIXEL, atB += BYTES_PER_PIXEL)
      if (differs(a.pixels, atA, b.pixels, atB) && !(isNear(a, atA, b, x, y) && isNear(b, atB, a, x, y)))
        mark(x, y);
  }
  if (shared < width || rows < height)
    for (let y = 0; y < height; y += 1) for (let x = y < rows ? shared : 0; x < width; x += 1) mark(x, y);
  return { width, height, mask, count };
}

function differs(a: Uint8Array, atA: number, b: Uint8Array, atB: number): boolean {
  for (let channel = 0; channel < CHANNELS; channel += 1)
    if (Math.abs((a[atA + channel] ?? 0) - (b[atB + channel] ?? 0)) > COLOUR_TOLERANCE) return true;
  return false;
}

/** Tells whether a pixel lies in the range of the pixels around (x, y) of another bitmap. */
function isNear({ pixels }: Bitmap, at: number, other: Bitmap, x: number, y: number): boolean {
  const [left, right] = [Math.max(0, x - 1), Math.min(other.width - 1, x + 1)];
  const [top, bottom] = [Math.max(0, y - 1), Math.min(other.height - 1, y + 1)];
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    let [least, greatest] = [255, 0];
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1) {
        const value = other.pixels[(row * other.width + column) * BYTES_PER_PIXEL + channel] ?? 0;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
    const value = pixels[at + channel] ?? 0;
    if (value < least - COLOUR_TOLERANCE || value > greatest + COLOUR_TOLERANCE) return false;
  }
  return true;
}
