import sharp from 'sharp';

const BORDER = '#d0d4d9';

/**
 * Replaces the outermost pixels with a border, which makes a white page visible on white, and reduces the
 * colours to a palette of 256.
 */
export async function withBorder(png: Uint8Array): Promise<Buffer> {
  const { width, height } = await sharp(png).metadata();
  return sharp(png)
    .extract({ left: 1, top: 1, width: width - 2, height: height - 2 })
    .extend({ top: 1, bottom: 1, left: 1, right: 1, background: BORDER })
    .png({ palette: true, effort: 10, dither: 0 })
    .toBuffer();
}
