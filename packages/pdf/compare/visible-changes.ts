import type { Bitmap } from '../images/page-renderer.ts';

/** The pixels that differ visibly in the area that two bitmaps cover together. */
export interface VisibleChanges {
  width: number;
  height: number;
  /** One byte per pixel: 1 if it differs. Absent if none does. */
  mask: Uint8Array | undefined;
  count: number;
}

const CHANNELS = 3;
const BYTES_PER_PIXEL = 4;
/** The number of pixels in a window. */
const WINDOW = 9;
/** Differences of the mean of a window up to this, of 255, are invisible. */
const TOLERANCE = 3;
/** The share of the contrast around a pixel that its window may exceed, between two positions of an edge. */
const CONTRAST_SHARE = 0.4;

/**
 * The smallest number of adjacent pixels that are a change. A single changed pixel changes the 9 windows
 * around it, while a glyph that is drawn at another fraction of a pixel changes a few windows at most.
 */
const MIN_PIXELS = 9;

/** The sums of the 3 × 3 pixels around each pixel, by channel. */
interface Sums {
  width: number;
  height: number;
  values: Uint16Array;
}

/**
 * Finds the pixels that differ visibly. A pixel is equal if the mean of the 3 × 3 pixels around it lies in
 * the range of such means around its place in the other bitmap, in both directions. A window is wider than
 * the edge of a shape, so an edge that moves by up to a pixel, as by hinting, changes no mean beyond that
 * range, wherever antialiasing puts its grey pixels. Another colour, even of a thin line, and a line that
 * disappears do. The area that only one bitmap covers is different.
 */
export function findVisibleChanges(a: Bitmap, b: Bitmap): VisibleChanges {
  const [width, height] = [Math.max(a.width, b.width), Math.max(a.height, b.height)];
  const shared = { width: Math.min(a.width, b.width), height: Math.min(a.height, b.height) };
  if (a.width === b.width && a.height === b.height && hasSamePixels(a, b))
    return { width, height, mask: undefined, count: 0 };
  const mask = new Uint8Array(width * height);
  const [first, second] = [sumWindows(a, shared), sumWindows(b, shared)];
  for (let y = 0; y < shared.height; y += 1)
    for (let x = 0; x < shared.width; x += 1)
      if (
        differs(first, second, y * shared.width + x) &&
        !(isNear(first, second, x, y) && isNear(second, first, x, y))
      )
        mask[y * width + x] = 1;
  let count = removeSpecks(mask, width);
  for (let y = 0; y < height; y += 1) {
    const from = y < shared.height ? shared.width : 0;
    mask.fill(1, y * width + from, (y + 1) * width);
    count += width - from;
  }
  return { width, height, mask: count > 0 ? mask : undefined, count };
}

/** Removes groups of fewer than {@link MIN_PIXELS} adjacent pixels. Returns the number of the others. */
function removeSpecks(mask: Uint8Array, width: number): number {
  const VISITED = 2;
  let count = 0;
  for (let first = mask.indexOf(1); first !== -1; first = mask.indexOf(1, first + 1)) {
    const group = [first];
    mask[first] = VISITED;
    for (let next = 0; next < group.length; next += 1) {
      const pixel = group[next] ?? 0;
      const x = pixel % width;
      for (const row of [pixel - width, pixel, pixel + width])
        for (let at = row - (x > 0 ? 1 : 0); at <= row + (x < width - 1 ? 1 : 0); at += 1)
          if (mask[at] === 1) {
            mask[at] = VISITED;
            group.push(at);
          }
    }
    if (group.length >= MIN_PIXELS) count += group.length;
    else for (const pixel of group) mask[pixel] = 0;
  }
  for (let at = mask.indexOf(VISITED); at !== -1; at = mask.indexOf(VISITED, at + 1)) mask[at] = 1;
  return count;
}

/** Compares the colours. The fourth byte of a pixel is undefined. */
function hasSamePixels(a: Bitmap, b: Bitmap): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  // A number with all bits of the colours, on machines with the least significant byte first.
  for (let at = 0; at < one.length; at += 1) if (((one[at] ?? 0) ^ (other[at] ?? 0)) << 8 !== 0) return false;
  return true;
}

function wordsOf({ pixels }: Bitmap): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
}

function sumWindows(bitmap: Bitmap, { width, height }: { width: number; height: number }): Sums {
  const rows = new Uint16Array(width * height * CHANNELS);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const row = y * bitmap.width;
      const left = (row + Math.max(0, x - 1)) * BYTES_PER_PIXEL;
      const middle = (row + x) * BYTES_PER_PIXEL;
      const right = (row + Math.min(width - 1, x + 1)) * BYTES_PER_PIXEL;
      for (let channel = 0; channel < CHANNELS; channel += 1)
        rows[(y * width + x) * CHANNELS + channel] =
          (bitmap.pixels[left + channel] ?? 0) +
          (bitmap.pixels[middle + channel] ?? 0) +
          (bitmap.pixels[right + channel] ?? 0);
    }
  const values = new Uint16Array(rows.length);
  const stride = width * CHANNELS;
  for (let y = 0; y < height; y += 1) {
    const above = Math.max(0, y - 1) * stride;
    const below = Math.min(height - 1, y + 1) * stride;
    for (let at = 0; at < stride; at += 1)
      values[y * stride + at] =
        (rows[above + at] ?? 0) + (rows[y * stride + at] ?? 0) + (rows[below + at] ?? 0);
  }
  return { width, height, values };
}

function differs(a: Sums, b: Sums, pixel: number): boolean {
  for (let at = pixel * CHANNELS; at < (pixel + 1) * CHANNELS; at += 1)
    if (Math.abs((a.values[at] ?? 0) - (b.values[at] ?? 0)) > TOLERANCE * WINDOW) return true;
  return false;
}

/** Tells whether the window of a pixel lies in the range of the windows around (x, y) in the other bitmap. */
function isNear(a: Sums, b: Sums, x: number, y: number): boolean {
  const [left, right] = [Math.max(0, x - 1), Math.min(b.width - 1, x + 1)];
  const [top, bottom] = [Math.max(0, y - 1), Math.min(b.height - 1, y + 1)];
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    let [least, greatest] = [Infinity, 0];
    for (let row = top; row <= bottom; row += 1)
      for (let column = left; column <= right; column += 1) {
        const value = b.values[(row * b.width + column) * CHANNELS + channel] ?? 0;
        if (value < least) least = value;
        if (value > greatest) greatest = value;
      }
    const margin = TOLERANCE * WINDOW + CONTRAST_SHARE * (greatest - least);
    const value = a.values[(y * a.width + x) * CHANNELS + channel] ?? 0;
    if (value < least - margin || value > greatest + margin) return false;
  }
  return true;
}
