/** The decode parameters of data that {@link differences} returns, without `Columns`, the length of a row. */
export const UP_PARAMETERS = { Predictor: 12 };

const UP = 2;

/**
 * Replaces each byte with its difference from the byte one row above, so that rows that resemble each other
 * compress much better (the PNG predictor Up, ISO 32000-1 7.4.4.4). Fills the last row with spaces.
 */
export function differences(data: Uint8Array, rowBytes: number): Buffer {
  const rows = Math.ceil(data.length / rowBytes);
  const filtered = Buffer.alloc(rows * (rowBytes + 1));
  const space = 32;
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * rowBytes, row * (rowBytes + 1)];
    filtered[to] = UP;
    for (let at = 0; at < rowBytes; at++)
      filtered[to + 1 + at] = (data[from + at] ?? space) - (data[from + at - rowBytes] ?? 0);
  }
  return filtered;
}
