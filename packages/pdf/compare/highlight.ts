import type { Bitmap } from '../images/page-renderer.ts';
import type { VisibleChanges } from './visible-changes.ts';

/** A rectangle in pixels, with its edges in it. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

type Colour = readonly [red: number, green: number, blue: number];

const BYTES_PER_PIXEL = 4;
/** The share of the difference to white that remains in the pale copy of the page. */
const PALE = 0.3;
const GONE: Colour = [214, 40, 40];
const NEW: Colour = [29, 78, 216];
const BOTH: Colour = [90, 90, 90];
const FRAME: Colour = [245, 130, 32];
/** Changes that are closer than about this are framed together. */
const CELL_PX = 12;
const FRAME_PX = 2;
const FRAME_DISTANCE_PX = 4;

/**
 * Draws the changes of a page for a person: a pale copy of the page, and an orange frame around every change.
 * In a frame, content that is gone is red, and new content is blue.
 * @param boxes further areas to frame
 * @returns pixels of red, green, blue and an unused byte
 */
export function highlightChanges(
  { before, after }: { before: Bitmap; after: Bitmap },
  { width, height, mask }: VisibleChanges,
  boxes: readonly PixelBox[],
): Bitmap {
  const image = { width, height, pixels: new Uint8Array(width * height * BYTES_PER_PIXEL).fill(255) };
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const shown = lightnessAt(after, x, y) ?? lightnessAt(before, x, y) ?? 255;
      const pale = 255 - PALE * (255 - shown);
      paint(image, x, y, [pale, pale, pale]);
    }
  const cells = new Cells(width, height);
  if (mask)
    for (let at = mask.indexOf(1); at !== -1; at = mask.indexOf(1, at + 1))
      cells.add({
        left: at % width,
        right: at % width,
        top: Math.floor(at / width),
        bottom: Math.floor(at / width),
      });
  for (const box of boxes) cells.add(box);
  for (const box of cells.clusters()) {
    const inner = grow(box, FRAME_DISTANCE_PX, image);
    fill(image, grow(box, FRAME_DISTANCE_PX + FRAME_PX, image), () => FRAME);
    fill(image, inner, (x, y) => overlay(lightnessAt(before, x, y), lightnessAt(after, x, y)));
  }
  return image;
}

/** Returns the colour of a pixel in a frame: the darkness that both have, or only one of them. */
function overlay(before = 255, after = 255): Colour {
  const both = (255 - Math.max(before, after)) / 255;
  const one = Math.abs(before - after) / 255;
  const tint = before < after ? GONE : NEW;
  const channel = (index: 0 | 1 | 2) => 255 - both * (255 - BOTH[index]) - one * (255 - tint[index]);
  return [channel(0), channel(1), channel(2)];
}

/** Returns the mean of the channels of a pixel; `undefined` outside the bitmap. */
function lightnessAt({ width, height, pixels }: Bitmap, x: number, y: number): number | undefined {
  if (x >= width || y >= height) return undefined;
  const at = (y * width + x) * BYTES_PER_PIXEL;
  return ((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)) / 3;
}

function paint({ width, pixels }: Bitmap, x: number, y: number, [red, green, blue]: Colour): void {
  const at = (y * width + x) * BYTES_PER_PIXEL;
  pixels[at] = red;
  pixels[at + 1] = green;
  pixels[at + 2] = blue;
}

function fill(
  image: Bitmap,
  { left, top, right, bottom }: PixelBox,
  colourAt: (x: number, y: number) => Colour,
): void {
  for (let y = top; y <= bottom; y += 1)
    for (let x = left; x <= right; x += 1) paint(image, x, y, colourAt(x, y));
}

/** Returns a larger box of whole pixels, within the image. */
function grow({ left, top, right, bottom }: PixelBox, by: number, { width, height }: Bitmap): PixelBox {
  const within = (value: number, size: number) => Math.min(size - 1, Math.max(0, Math.round(value)));
  return {
    left: within(left - by, width),
    right: within(right + by, width),
    top: within(top - by, height),
    bottom: within(bottom + by, height),
  };
}

/** Boxes by the cells of a grid, which joins boxes that are near one another. */
class Cells {
  readonly #columns: number;
  readonly #rows: number;
  readonly #boxes = new Map<number, PixelBox>();

  constructor(width: number, height: number) {
    this.#columns = Math.ceil(width / CELL_PX);
    this.#rows = Math.ceil(height / CELL_PX);
  }

  /** Adds a box to each cell that it covers. */
  add(box: PixelBox): void {
    const cellOf = (value: number, count: number) =>
      Math.min(count - 1, Math.max(0, Math.floor(value / CELL_PX)));
    for (let row = cellOf(box.top, this.#rows); row <= cellOf(box.bottom, this.#rows); row += 1)
      for (
        let column = cellOf(box.left, this.#columns);
        column <= cellOf(box.right, this.#columns);
        column += 1
      ) {
        const cell = row * this.#columns + column;
        this.#boxes.set(cell, enclose(this.#boxes.get(cell), box));
      }
  }

  /** Returns the boxes around cells that touch one another. */
  clusters(): PixelBox[] {
    const open = new Set(this.#boxes.keys());
    return [...this.#boxes.keys()].flatMap((first) => {
      if (!open.delete(first)) return [];
      const waiting = [first];
      let cluster: PixelBox | undefined;
      for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
        const box = this.#boxes.get(cell);
        if (box) cluster = enclose(cluster, box);
        for (const neighbour of this.#around(cell)) if (open.delete(neighbour)) waiting.push(neighbour);
      }
      return cluster ? [cluster] : [];
    });
  }

  *#around(cell: number): Generator<number> {
    const [column, row] = [cell % this.#columns, Math.floor(cell / this.#columns)];
    for (let down = Math.max(0, row - 1); down <= Math.min(this.#rows - 1, row + 1); down += 1)
      for (
        let across = Math.max(0, column - 1);
        across <= Math.min(this.#columns - 1, column + 1);
        across += 1
      )
        yield down * this.#columns + across;
  }
}

function enclose(one: PixelBox | undefined, other: PixelBox): PixelBox {
  if (!one) return other;
  return {
    left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top),
    right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom),
  };
}
