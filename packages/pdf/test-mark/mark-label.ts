import type { Bitmap } from '../images/page-renderer.ts';
import { drawTile } from './mark-image.ts';

/**
 * Draws the outlines of the word TEST over a label, in black and white, because a label printer prints no
 * grey.
 */
export function markLabelAsTest({ width, height, pixels }: Bitmap): void {
  const tile = drawTile(width, height);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = ((y % tile.height) * tile.width + (x % tile.width)) * 4;
      if (tile.pixels[from + 3] === 0) continue;
      const at = (y * width + x) * 4;
      pixels.fill(tile.pixels[from] === 255 ? 255 : 0, at, at + 3);
    }
}
