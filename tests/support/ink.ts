import type { PNG } from 'pngjs';

/** The pixels of a piece of a picture that are not paper, from the first of them on. */
export interface Ink {
  width: number;
  height: number;
  marks: Uint8Array;
  count: number;
}

/** How much darker than paper a pixel is that counts, as a sum over three channels. */
const DARKER = 200;

/** Finds the ink in a piece of a picture. */
export function inkOf(image: PNG, box: { x: number; y: number; width: number; height: number }): Ink {
  const isInk = (x: number, y: number) => {
    const at = 4 * ((y + box.y) * image.width + x + box.x);
    const [red = 255, green = 255, blue = 255] = image.data.subarray(at, at + 3);
    return 765 - red - green - blue > DARKER;
  };
  let [left, top, right, bottom] = [box.width, box.height, -1, -1];
  for (let y = 0; y < box.height; y++)
    for (let x = 0; x < box.width; x++) {
      if (!isInk(x, y)) continue;
      [left, top] = [Math.min(left, x), Math.min(top, y)];
      [right, bottom] = [Math.max(right, x), Math.max(bottom, y)];
    }
  if (right < 0) return { width: 0, height: 0, marks: new Uint8Array(), count: 0 };
  const [width, height] = [right - left + 1, bottom - top + 1];
  const marks = new Uint8Array(width * height);
  let count = 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isInk(x + left, y + top)) {
        marks[y * width + x] = 1;
        count++;
      }
  return { width, height, marks, count };
}

/**
 * Says how alike two pieces of ink are, from 0 to 1: the share of the pixels of each that are next to one of the other, whichever
 * is less; 0 for sizes that differ by more than `slack` pixels. Each is laid with its first row and column on the other's.
 */
export function likeness(one: Ink, other: Ink, { slack = 2 }: { slack?: number } = {}): number {
  const differs = Math.abs(one.width - other.width) > slack || Math.abs(one.height - other.height) > slack;
  if (differs || one.count === 0 || other.count === 0) return 0;
  return Math.min(covered(one, other), covered(other, one));
}

function covered(ink: Ink, by: Ink): number {
  const near = (x: number, y: number) => {
    for (const row of [y, y - 1, y + 1])
      for (const column of [x, x - 1, x + 1])
        if (column >= 0 && column < by.width && by.marks[row * by.width + column] === 1) return true;
    return false;
  };
  let found = 0;
  for (let y = 0; y < ink.height; y++)
    for (let x = 0; x < ink.width; x++) if (ink.marks[y * ink.width + x] === 1 && near(x, y)) found++;
  return found / ink.count;
}
