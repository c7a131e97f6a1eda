const NEWLINE = 0x0a;

/** Returns the data of each item of a chunk: a line of JSON. Each line ends with a line feed. */
export function linesOf(chunk: Uint8Array): Buffer[] {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}
