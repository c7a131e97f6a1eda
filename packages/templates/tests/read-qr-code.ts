import { decodeQR } from 'qr/decode.js';

const SCALE = 4;
const MARGIN_MODULES = 4;

/** Reads the last QR code of an SVG, whose modules are rectangles of one unit. */
export function readQrCode(svg: string): string {
  const path = [...svg.matchAll(/ d="((?:M\d+ \d+h\d+v1h-\d+z)+)"/g)].at(-1)?.[1] ?? '';
  const runs = [...path.matchAll(/M(\d+) (\d+)h(\d+)v1/g)].map(([, x, y, run]) => ({
    x: Number(x),
    y: Number(y),
    run: Number(run),
  }));
  const side = Math.max(...runs.map(({ x, run }) => x + run));
  const pixels = (side + 2 * MARGIN_MODULES) * SCALE;
  const data = new Uint8Array(pixels * pixels * 4).fill(255);
  for (const { x, y, run } of runs)
    for (let row = 0; row < SCALE; row += 1)
      for (let column = 0; column < run * SCALE; column += 1) {
        const at = ((y + MARGIN_MODULES) * SCALE + row) * pixels + (x + MARGIN_MODULES) * SCALE + column;
        data.fill(0, at * 4, at * 4 + 3);
      }
  return decodeQR({ width: pixels, height: pixels, data });
}
