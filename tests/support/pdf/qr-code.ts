import { decodeQR } from 'qr/decode.js';
import type { PNG } from 'pngjs';

const MM_PER_INCH = 25.4;

/** A square part of a page, in millimetres from the top left. */
export interface CodePlace {
  x: number;
  y: number;
  side: number;
}

/** Reads the QR code in a part of a page. @throws {Error} if there is no readable code */
export function readQrCode(page: PNG, { x, y, side }: CodePlace, dpi: number): string {
  const toPixels = (length: number) => Math.round((length * dpi) / MM_PER_INCH);
  const [left, top, size] = [toPixels(x), toPixels(y), toPixels(side)];
  const data = new Uint8Array(size * size * 4);
  for (let row = 0; row < size; row += 1) {
    const start = ((top + row) * page.width + left) * 4;
    data.set(page.data.subarray(start, start + size * 4), row * size * 4);
  }
  return decodeQR({ width: size, height: size, data });
}
