import type { Dict } from './objects.ts';

/** Reverses the predictor of Flate and LZW data (ISO 32000-1 7.4.4.4). Drops an incomplete last row. */
export function undoPredictor(data: Uint8Array, parameters: Dict): Uint8Array | undefined {
  const predictor = parameters.number('Predictor') ?? 1;
  if (predictor <= 1) return data;
  const colors = parameters.number('Colors') ?? 1;
  const bits = parameters.number('BitsPerComponent') ?? 8;
  const columns = parameters.number('Columns') ?? 1;
  const rowBytes = Math.ceil((colors * bits * columns) / 8);
  const pixelBytes = Math.max(1, Math.ceil((colors * bits) / 8));
  if (!(rowBytes > 0) || rowBytes > data.length + 1) return undefined;
  if (predictor === 2) return bits === 8 ? undoTiff(data, rowBytes, pixelBytes) : undefined;
  return undoPng(data, rowBytes, pixelBytes);
}

function undoTiff(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const out = Uint8Array.from(data);
  for (let row = 0; row < out.length; row += rowBytes)
    for (let at = row + pixelBytes; at < Math.min(row + rowBytes, out.length); at++)
      out[at] = (out[at] ?? 0) + (out[at - pixelBytes] ?? 0);
  return out;
}

function undoPng(data: Uint8Array, rowBytes: number, pixelBytes: number): Uint8Array {
  const rows = Math.floor(data.length / (rowBytes + 1));
  const out = new Uint8Array(rows * rowBytes);
  for (let row = 0; row < rows; row++) {
    const from = row * (rowBytes + 1) + 1;
    const to = row * rowBytes;
    const type = data[from - 1] ?? 0;
    for (let index = 0; index < rowBytes; index++) {
      const left = index >= pixelBytes ? (out[to + index - pixelBytes] ?? 0) : 0;
      const up = row > 0 ? (out[to + index - rowBytes] ?? 0) : 0;
      const corner = row > 0 && index >= pixelBytes ? (out[to + index - rowBytes - pixelBytes] ?? 0) : 0;
      out[to + index] = (data[from + index] ?? 0) + predicted(type, left, up, corner);
    }
  }
  return out;
}

function predicted(type: number, left: number, up: number, corner: number): number {
  switch (type) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}
