const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Leaves out the mark that some programs begin a file with, and that decoders of text leave out. The bytes are not copied. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}
