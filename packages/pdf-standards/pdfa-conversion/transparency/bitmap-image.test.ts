import { describe, expect, test } from 'bun:test';
import { serialize, type PdfStream } from '@platen/pdf/objects';
import type { Bitmap } from '../../../pdf/images/page-renderer.ts';
import { encodeBitmap } from './bitmap-image.ts';

/** Builds a bitmap whose pixels are computed from their position. */
function bitmapOf(width: number, height: number, colourAt: (x: number, y: number) => number[]): Bitmap {
  const pixels = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) pixels.set(colourAt(x, y), (y * width + x) * 4);
  return { width, height, pixels };
}

/** Returns a deterministic number from 0 to 1 that looks random. */
const noise = (x: number, y: number) => Math.abs((Math.sin(x * 12.9898 + y * 78.233) * 43_758.5453) % 1);
/** Returns a pixel of a photograph: smooth areas with grain. */
const photograph = (x: number, y: number) =>
  [90, 120, 150].map(
    (level, channel) => level + 60 * Math.sin((x + channel * 40) / 50 + y / 70) + 20 * noise(x, y),
  );

const size = ({ dict }: PdfStream) => [dict.number('Width'), dict.number('Height')];

describe('encodeBitmap', () => {
  test('stores a page of one colour as one pixel', async () => {
    const image = await encodeBitmap(bitmapOf(300, 200, () => [10, 20, 30]));
    expect(size(image)).toEqual([1, 1]);
  });

  test('stores drawings with a palette, even if their antialiased edges have more than 256 colours', async () => {
    // A row of 800 rare shades, as at the edges of translucent text over other text.
    const image = await encodeBitmap(
      bitmapOf(800, 300, (x, y) =>
        y === 150 ? [x >> 2, x >> 3, x & 3] : y < 150 ? [0, 0, 0] : [200, 100, 0],
      ),
    );
    expect(size(image)).toEqual([800, 300]);
    expect(serialize(image.dict.get('ColorSpace') ?? null, () => 0)).toStartWith('[/Indexed /DeviceRGB');
    expect(image.raw.length).toBeLessThan(6_000);
  });

  test('stores lines over a gradient without loss', async () => {
    const lines = bitmapOf(600, 100, (x) => (x % 50 === 0 ? [0, 0, 0] : [x / 3, x / 5, x / 7]));
    const image = await encodeBitmap(lines);
    expect(size(image)).toEqual([600, 100]);
    expect([image.dict.name('ColorSpace'), image.dict.name('Filter')]).toEqual(['DeviceRGB', 'FlateDecode']);
  });

  test('stores a photograph as JPEG at the resolution that it needs', async () => {
    const sharp = await encodeBitmap(bitmapOf(400, 300, photograph));
    expect([size(sharp), sharp.dict.name('Filter')]).toEqual([[400, 300], 'DCTDecode']);
    const enlarged = await encodeBitmap(bitmapOf(400, 300, (x, y) => photograph(x >> 1, y >> 1)));
    expect([size(enlarged), enlarged.dict.name('Filter')]).toEqual([[200, 150], 'DCTDecode']);
    expect(enlarged.raw.length).toBeLessThan(sharp.raw.length / 2);
  });
});
