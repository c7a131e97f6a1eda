// The functions in this file run in the sandbox.

const PNG_END = Buffer.from('\u0000\u0000\u0000\u0000IEND', 'latin1');
const JPEG_END = Buffer.from([0xff, 0xd9]);
const SOS = 0xda;

/**
 * Tells whether an image lacks its end. LibreOffice prints the part of such an image that is there. Bytes
 * after the end are allowed.
 */
export function isTruncatedImage(type: string, bytes: Uint8Array): boolean {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  switch (type) {
    case 'png':
      return !content.includes(PNG_END);
    case 'jpeg':
      return !content.includes(JPEG_END, scanOf(content));
    case 'gif':
      return !endsAsGif(content);
    default:
      return false;
  }
}

/**
 * Returns where the first scan of a JPEG file begins (ITU-T T.81, B.1.1). A segment before it can contain a
 * thumbnail, which has an end of its own.
 */
function scanOf(content: Buffer): number {
  let at = 2;
  while (at + 4 <= content.length && content[at] === 0xff) {
    const marker = content[at + 1];
    if (marker === SOS) return at;
    // Any number of 0xFF may precede a marker.
    at += marker === 0xff ? 1 : 2 + content.readUInt16BE(at + 2);
  }
  return at;
}

/** Tells whether the blocks of a GIF file lead to its trailer, or to something that is no block. */
function endsAsGif(content: Buffer): boolean {
  const tableBytes = (flags = 0) => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let at = 13 + tableBytes(content[10]);
  while (at < content.length) {
    const kind = content[at];
    if (kind === 0x21) at += 2;
    else if (kind === 0x2c) at += 11 + tableBytes(content[at + 9]);
    else return true;
    for (let size = content[at] ?? 0; size > 0; size = content[at] ?? 0) at += 1 + size;
    at += 1;
  }
  return false;
}
