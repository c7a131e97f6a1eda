import type { PNG } from 'pngjs';
import { rasterise } from './pdf.ts';

/**
 * Returns the box around the dark pixels of an image, from its lower left corner; all zero if there are none.
 */
export function darkBounds({ width, height, data }: PNG): {
  left: number;
  bottom: number;
  width: number;
  height: number;
} {
  let [left, right, top, bottom] = [width, -1, height, -1];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      if ((data[4 * (y * width + x)] ?? 255) > 127) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
    }
  if (right < 0) return { left: 0, bottom: 0, width: 0, height: 0 };
  return { left, bottom: height - 1 - bottom, width: right - left + 1, height: bottom - top + 1 };
}

/**
 * Returns the box around the dark pixels of the first page of a PDF in points, from its lower left corner.
 */
export async function darkBoundsOfPage(pdf: Uint8Array): Promise<ReturnType<typeof darkBounds>> {
  const [page] = await rasterise(pdf, { dpi: 72 });
  if (!page) throw new Error('the PDF has no pages');
  return darkBounds(page);
}
