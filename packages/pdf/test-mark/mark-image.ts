import { loadSharp } from '../images/sharp.ts';
import { TEST_XMP } from '../images/test-xmp.ts';
import { GREY, LINES, OUTLINES, WORD } from './test-word.ts';

/** The formats of images that can be marked. */
export type MarkedImageFormat = 'png' | 'jpeg' | 'webp';

/** The word is repeated on a larger image. */
const MAX_TILE_PX = 1_200;
/** The part of a tile that the word takes. */
const FILL = 0.8;
const LOADERS = ['VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'];

/**
 * Marks an image that a browser has drawn as one made for tests. Draws the outlines of the word TEST over it,
 * and writes {@link TEST_XMP}. `quality` is from 1 to 100, for formats that have one.
 */
export async function markImageAsTest(
  image: Uint8Array,
  { format, quality }: { format: MarkedImageFormat; quality: number | undefined },
): Promise<Uint8Array> {
  const sharp = await loadSharp();
  // Only images of the browser may have these formats, and a process runs one task at a time.
  sharp.unblock({ operation: LOADERS });
  try {
    const original = sharp(image, { limitInputPixels: false });
    const { width, height } = await original.metadata();
    const tile = drawTile(width, height);
    const { pixels: input, ...raw } = tile;
    return await original
      .composite([{ input, raw: { ...raw, channels: 4 }, tile: true, gravity: 'centre' }])
      .withXmp(TEST_XMP)
      // With its default effort, encoding the largest WebP takes almost half of the time limit.
      .toFormat(format, {
        ...(quality !== undefined && { quality }),
        ...(format === 'webp' && { effort: 2 }),
      })
      .toBuffer();
  } finally {
    sharp.block({ operation: LOADERS });
  }
}

/** A bitmap with four bytes per pixel. */
export interface Tile {
  width: number;
  height: number;
  pixels: Buffer;
}

/** Draws the word in the middle of a transparent tile for an image of a size. */
export function drawTile(imageWidth: number, imageHeight: number): Tile {
  const width = Math.min(imageWidth, MAX_TILE_PX);
  const height = Math.min(imageHeight, Math.ceil(width / 2));
  const scale = Math.min((width * FILL) / WORD.width, (height * FILL) / WORD.height);
  const left = (width - WORD.width * scale) / 2;
  const top = (height - WORD.height * scale) / 2;
  const tile: Tile = { width, height, pixels: Buffer.alloc(width * height * 4) };
  for (const [units, level] of [
    [LINES.white, 255],
    [LINES.grey, Math.round(GREY * 255)],
  ] as const) {
    const margin = Math.max(0.5, (units * scale) / 2);
    for (const outline of OUTLINES)
      for (const [index, [x, y]] of outline.entries()) {
        const [nextX, nextY] = outline[(index + 1) % outline.length] ?? [x, y];
        fill(tile, level, {
          left: left + Math.min(x, nextX) * scale - margin,
          right: left + Math.max(x, nextX) * scale + margin,
          top: top + (WORD.height - Math.max(y, nextY)) * scale - margin,
          bottom: top + (WORD.height - Math.min(y, nextY)) * scale + margin,
        });
      }
  }
  return tile;
}

/** Fills a rectangle with an opaque grey. */
function fill(
  { width, height, pixels }: Tile,
  level: number,
  box: { left: number; right: number; top: number; bottom: number },
): void {
  const within = (value: number, limit: number) => Math.min(limit, Math.max(0, Math.round(value)));
  const [left, right] = [within(box.left, width), within(box.right, width)];
  for (let row = within(box.top, height); row < within(box.bottom, height); row += 1)
    for (let column = left; column < right; column += 1)
      pixels.set([level, level, level, 255], (row * width + column) * 4);
}
