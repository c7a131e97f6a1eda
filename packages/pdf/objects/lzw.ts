const CLEAR = 256;
const END = 257;

/**
 * Decodes LZW data (ISO 32000-1 7.4.4.2). Returns `undefined` if the result exceeds `limit` bytes. The table
 * stores each code as an offset and a length in the output, because every sequence in the table has already
 * been written there.
 */
export function lzwDecode(data: Uint8Array, earlyChange: number, limit: number): Uint8Array | undefined {
  const starts = new Uint32Array(4096);
  const lengths = new Uint32Array(4096);
  let out = new Uint8Array(Math.min(limit, Math.max(1024, data.length * 4)));
  let size = 0;
  let next = 258;
  let width = 9;
  let previous: { start: number; length: number } | undefined;
  let bits = 0;
  let buffered = 0;
  for (let at = 0; ;) {
    while (buffered < width && at < data.length) {
      bits = ((bits << 8) | (data[at++] ?? 0)) & 0xffffff;
      buffered += 8;
    }
    if (buffered < width) break;
    const code = (bits >> (buffered - width)) & ((1 << width) - 1);
    buffered -= width;
    if (code === END) break;
    if (code === CLEAR) {
      next = 258;
      width = 9;
      previous = undefined;
      continue;
    }
    const known = code < 256 || code < next;
    if (!known && !previous) break;
    const length = code < 256 ? 1 : known ? (lengths[code] ?? 0) : (previous?.length ?? 0) + 1;
    if (size + length > limit) return undefined;
    while (size + length > out.length) out = enlarge(out, limit);
    const start = size;
    if (code < 256) out[size++] = code;
    else {
      const from = known ? (starts[code] ?? 0) : (previous?.start ?? 0);
      // Copy byte by byte: the source may overlap the bytes being written.
      for (let index = 0; index < length; index++) out[size++] = out[from + index] ?? 0;
    }
    if (previous && next < 4096) {
      starts[next] = previous.start;
      lengths[next] = previous.length + 1;
      next++;
    }
    previous = { start, length };
    if (next + earlyChange >= 1 << width && width < 12) width++;
  }
  return out.subarray(0, size);
}

function enlarge(bytes: Uint8Array, limit: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.min(limit, bytes.length * 2));
  larger.set(bytes);
  return larger;
}
