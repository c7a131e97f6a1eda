import type { Bitmap } from '../images/page-renderer.ts';
import type { VisibleChanges } from './visible-changes.ts';

/** A rectangle in pixels, with its edges in it. */
export interface PixelBox {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const BYTES_PER_PIXEL = 4;
/** How much of the difference to white remains of the pale copy of the page. */
const PALE = 0.3;
const GONE = [214, 40, 40] as const;
const NEW = [29, 78, 216] as const;
const FRAME = [245, 130, 32] as const;
/** Changes that are closer than this are framed together. */
const CELL_PX = 12;
const FRAME_PX = 2;
const FRAME_DISTANCE_PX = 4;

/**
 * Draws the changes of a page for a person: a pale copy of the page, in which content that is gone is red,
 * new content is blue, and an orange frame is around every change.
 * @param boxes further areas to frame
 * @returns pixels of red, green, blue and an unused byte
 */
export function highlightChanges(
  { before, after }: { before: Bitmap; after: Bitmap },
  { width, height, mask }: VisibleChanges,
  boxes: readonly PixelBox[],
): Bitmap {
  const pixels = new Uint8Array(width * height * BYTES_PER_PIXEL).fill(255);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const [old, now] = [lightnessAt(before, x, y), lightnessAt(after, x, y)];
      const shown = now ?? old ?? 255;
      const pale = Math.round(255 - PALE * (255 - shown));
      const changed = mask?.[y * width + x] === 1;
      const isGone = now === undefined || (old !== undefined && old < now);
      const colour = changed ? (isGone ? GONE : NEW) : ([pale, pale, pale] as const);
      pixels.set(colour, (y * width + x) * BYTES_PER_PIXEL);
    }
  const image = { width, height, pixels };
  const clusters = mask ? clusterChanges(mask, width, height) : [];
  for (const box of [...clusters, ...boxes]) drawFrame(image, box);
  return image;
}

/** Returns the mean of the channels of a pixel; `undefined` outside the bitmap. */
function lightnessAt({ width, height, pixels }: Bitmap, x: number, y: number): number | undefined {
  if (x >= width || y >= height) return undefined;
  const at = (y * width + x) * BYTES_PER_PIXEL;
  return ((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)) / 3;
}

/** Returns the boxes around changed pixels that are near one another. */
function clusterChanges(mask: Uint8Array, width: number, height: number): PixelBox[] {
  const columns = Math.ceil(width / CELL_PX);
  const rows = Math.ceil(height / CELL_PX);
  const cells = new Map<number, PixelBox>();
  for (let at = mask.indexOf(1); at !== -1; at = mask.indexOf(1, at + 1)) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const cell = Math.floor(y / CELL_PX) * columns + Math.floor(x / CELL_PX);
    const box = cells.get(cell);
    cells.set(cell, enclose(box, { left: x, top: y, right: x, bottom: y }));
  }
  const clusters: PixelBox[] = [];
  const open = new Set(cells.keys());
  for (const first of open) {
    open.delete(first);
    const waiting = [first];
    let cluster: PixelBox | undefined;
    for (let cell = waiting.pop(); cell !== undefined; cell = waiting.pop()) {
      const box = cells.get(cell);
      if (box) cluster = enclose(cluster, box);
      const [column, row] = [cell % columns, Math.floor(cell / columns)];
      for (let down = Math.max(0, row - 1); down <= Math.min(rows - 1, row + 1); down += 1)
        for (let across = Math.max(0, column - 1); across <= Math.min(columns - 1, column + 1); across += 1)
          if (open.delete(down * columns + across)) waiting.push(down * columns + across);
    }
    if (cluster) clusters.push(cluster);
  }
  return clusters;
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

function drawFrame({ width, height, pixels }: Bitmap, { left, top, right, bottom }: PixelBox): void {
  const outer = FRAME_DISTANCE_PX + FRAME_PX;
  const inside = (value: number, size: number) => Math.min(size - 1, Math.max(0, Math.round(value)));
  const [x1, x2] = [inside(left - outer, width), inside(right + outer, width)];
  const [y1, y2] = [inside(top - outer, height), inside(bottom + outer, height)];
  for (let y = y1; y <= y2; y += 1)
    for (let x = x1; x <= x2; x += 1) {
      const isEdge = x < x1 + FRAME_PX || x > x2 - FRAME_PX || y < y1 + FRAME_PX || y > y2 - FRAME_PX;
      if (isEdge) pixels.set(FRAME, (y * width + x) * BYTES_PER_PIXEL);
      else x = Math.max(x, x2 - FRAME_PX);
    }
}
