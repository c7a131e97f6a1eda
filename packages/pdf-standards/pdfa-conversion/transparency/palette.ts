import type { Bitmap } from '@platen/pdf/images';

const MAX_ENTRIES = 256;
/** Bitmaps with more colours are photographs or gradients. */
const MAX_COLOURS = 20_000;
/**
 * The largest share of pixels whose colour may be approximated. The antialiased edges of text and lines make
 * up less.
 */
const MAX_APPROXIMATED = 0.02;
/** An imperceptible difference of a colour channel at an edge, in 255ths. */
const TOLERANCE = 12;

/** A palette for a bitmap. Colours are numbers of 24 bits. */
export interface Palette {
  /** The colour of each entry. */
  entries: number[];
  /** The index of the entry for each colour of the bitmap. */
  entryOf: ReadonlyMap<number, number>;
}

/**
 * Builds the palette of a bitmap. If it has more than 256 colours, the rarest are replaced with similar ones.
 * Returns `undefined` if the difference would be visible.
 */
export function paletteOf(bitmap: Bitmap): Palette | undefined {
  const counts = countColours(bitmap);
  if (!counts) return undefined;
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a);
  if (sorted.length <= MAX_ENTRIES) return exactPalette(sorted.map(([colour]) => colour));
  const entries: number[] = [];
  const entryOf = new Map<number, number>();
  let approximable = MAX_APPROXIMATED * bitmap.width * bitmap.height;
  let rare = sorted.length;
  while (rare > 0 && approximable >= 0) approximable -= sorted[--rare]?.[1] ?? 0;
  for (const [place, [colour]] of sorted.entries()) {
    const similar = place > rare ? nearest(colour, entries) : undefined;
    if (similar === undefined && entries.length === MAX_ENTRIES) return undefined;
    entryOf.set(colour, similar ?? entries.length);
    if (similar === undefined) entries.push(colour);
  }
  return { entries, entryOf };
}

function exactPalette(entries: number[]): Palette {
  return { entries, entryOf: new Map(entries.map((colour, entry) => [colour, entry])) };
}

/** Returns the pixels of a bitmap as numbers. The lower 24 bits of each are its colour. */
export function coloursOf({ pixels }: Bitmap): Uint32Array {
  return new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length >> 2);
}

/**
 * Tells whether a row of pixels equals the row above. Most rows of a page do, and comparing rows is much
 * faster than reading their colours.
 */
export function equalsRowAbove({ width, pixels }: Bitmap, row: number): boolean {
  const [start, end] = [row * width * 4, (row + 1) * width * 4];
  if (row === 0) return false;
  return Buffer.compare(pixels.subarray(start, end), pixels.subarray(start - width * 4, start)) === 0;
}

function countColours(bitmap: Bitmap): Map<number, number> | undefined {
  const { width, height } = bitmap;
  const counts = new Map<number, number>();
  const colours = coloursOf(bitmap);
  for (let row = 0; row < height;) {
    let next = row + 1;
    while (next < height && equalsRowAbove(bitmap, next)) next++;
    const rows = next - row;
    let [last, run] = [-1, 0];
    for (let at = row * width; at < (row + 1) * width; at++) {
      const colour = (colours[at] ?? 0) & 0xff_ff_ff;
      if (colour === last) {
        run++;
        continue;
      }
      if (run > 0) counts.set(last, (counts.get(last) ?? 0) + run * rows);
      [last, run] = [colour, 1];
    }
    counts.set(last, (counts.get(last) ?? 0) + run * rows);
    row = next;
    if (counts.size > MAX_COLOURS) return undefined;
  }
  return counts;
}

function nearest(colour: number, entries: readonly number[]): number | undefined {
  let [found, least] = [-1, TOLERANCE + 1];
  for (const [entry, other] of entries.entries()) {
    const difference = Math.max(
      Math.abs((colour & 255) - (other & 255)),
      Math.abs(((colour >> 8) & 255) - ((other >> 8) & 255)),
      Math.abs((colour >> 16) - (other >> 16)),
    );
    if (difference < least) [found, least] = [entry, difference];
  }
  return found < 0 ? undefined : found;
}
