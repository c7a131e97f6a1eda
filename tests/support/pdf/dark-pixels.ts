import type { PNG } from 'pngjs';

/** The dark pixels in a region of an image, cropped to their bounding box. */
export interface DarkPixels {
  width: number;
  height: number;
  marks: Uint8Array;
  count: number;
}

/** Minimum difference of a dark pixel from white, as a sum over three channels. */
const MIN_DIFFERENCE = 200;

/** Finds the dark pixels in a region of an image. */
export function darkPixels(
  image: PNG,
  box: { x: number; y: number; width: number; height: number },
): DarkPixels {
  const isDark = (x: number, y: number) => {
    const at = 4 * ((y + box.y) * image.width + x + box.x);
    const [red = 255, green = 255, blue = 255] = image.data.subarray(at, at + 3);
    return 765 - red - green - blue > MIN_DIFFERENCE;
  };
  let [left, top, right, bottom] = [box.width, box.height, -1, -1];
  for (let y = 0; y < box.height; y++)
    for (let x = 0; x < box.width; x++) {
      if (!isDark(x, y)) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
  if (right < 0) return { width: 0, height: 0, marks: new Uint8Array(), count: 0 };
  const [width, height] = [right - left + 1, bottom - top + 1];
  const marks = new Uint8Array(width * height);
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isDark(x + left, y + top)) {
        marks[y * width + x] = 1;
        count++;
      }
  return { width, height, marks, count };
}

/**
 * Compares two shapes and returns their similarity from 0 to 1: the share of each shape's pixels that are
 * next to a pixel of the other, whichever share is lower. Returns 0 if their sizes differ by more than
 * `slack` pixels. The shapes are aligned at their top left corners.
 */
export function similarity(
  one: DarkPixels,
  other: DarkPixels,
  { slack = 2 }: { slack?: number } = {},
): number {
  const differs = Math.abs(one.width - other.width) > slack || Math.abs(one.height - other.height) > slack;
  if (differs || one.count === 0 || other.count === 0) return 0;
  return Math.min(covered(one, other), covered(other, one));
}

function covered(pixels: DarkPixels, by: DarkPixels): number {
  const near = (x: number, y: number) => {
    for (const row of [y, y - 1, y + 1])
      for (const column of [x, x - 1, x + 1])
        if (column >= 0 && column < by.width && by.marks[row * by.width + column] === 1) return true;
    return false;
  };
  let found = 0;
  for (let y = 0; y < pixels.height; y++)
    for (let x = 0; x < pixels.width; x++)
      if (pixels.marks[y * pixels.width + x] === 1 && near(x, y)) found++;
  return found / pixels.count;
}
