import type { Bitmap } from '@platen/pdf/images';

/**
 * The largest difference between the pixels of a block in a colour channel, in 255ths, that does not count as
 * visible.
 */
const TOLERANCE = 10;
/** The largest share of blocks whose pixels may differ more. */
const MAX_DIFFERENT = 0.001;
/** Two halvings turn 300 dpi into 75 dpi. */
const MAX_HALVINGS = 2;

/**
 * Lowers the resolution of a bitmap if its content allows it, such as an enlarged photograph. Overwrites the
 * pixels of the bitmap.
 */
export function fitResolution(bitmap: Bitmap): Bitmap {
  let fitted = bitmap;
  for (let times = 0; times < MAX_HALVINGS && canHalve(fitted); times++) fitted = halve(fitted);
  return fitted;
}

/** Tells whether every block of two by two pixels has nearly one colour. */
function canHalve({ width, height, pixels }: Bitmap): boolean {
  if (width < 2 || height < 2) return false;
  let allowed = MAX_DIFFERENT * (width >> 1) * (height >> 1);
  const below = width * 4;
  for (let row = 0; row + 1 < height; row += 2) {
    const end = row * below + (width >> 1) * 8;
    for (let at = row * below; at < end; at += 8)
      for (let channel = at; channel < at + 3; channel++) {
        const a = pixels[channel] ?? 0;
        const b = pixels[channel + 4] ?? 0;
        const c = pixels[channel + below] ?? 0;
        const d = pixels[channel + below + 4] ?? 0;
        const [least, most] = [Math.min(a, b, c, d), Math.max(a, b, c, d)];
        if (most - least <= TOLERANCE) continue;
        if (--allowed < 0) return false;
        break;
      }
  }
  return true;
}

/**
 * Replaces each block of two by two pixels with its mean. If the height or width is odd, the last row or
 * column counts twice.
 */
function halve({ width, height, pixels }: Bitmap): Bitmap {
  const [across, down] = [(width + 1) >> 1, (height + 1) >> 1];
  let to = 0;
  for (let row = 0; row < down; row++) {
    const top = 2 * row * width * 4;
    const bottom = 2 * row + 1 < height ? top + width * 4 : top;
    for (let column = 0; column < across; column++) {
      const left = 8 * column;
      const right = 2 * column + 1 < width ? left + 4 : left;
      for (let channel = 0; channel < 4; channel++, to++)
        pixels[to] =
          ((pixels[top + left + channel] ?? 0) +
            (pixels[top + right + channel] ?? 0) +
            (pixels[bottom + left + channel] ?? 0) +
            (pixels[bottom + right + channel] ?? 0) +
            2) >>
          2;
    }
  }
  return { width: across, height: down, pixels: pixels.subarray(0, across * down * 4) };
}
