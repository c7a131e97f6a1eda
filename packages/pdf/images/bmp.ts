import type { Bitmap } from './page-renderer.ts';

const HEADER_BYTES = 54;

/**
 * Builds a BMP file with 32 bits per pixel and rows from top to bottom, so that the pixels need no
 * conversion.
 */
export function bmpOf({ width, height, pixels }: Bitmap): Uint8Array {
  const file = Buffer.alloc(HEADER_BYTES + pixels.length);
  file.write('BM', 'latin1');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(HEADER_BYTES, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(-height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(32, 28);
  file.writeUInt32LE(pixels.length, 34);
  file.set(pixels, HEADER_BYTES);
  return file;
}
