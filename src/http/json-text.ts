const BACKSLASH = 92;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Leaves out the mark that some programs begin a file with, and that decoders of text leave out. The bytes are not copied. */
export function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

/**
 * Finds the quote that ends a string of JSON, from the first place in it; one behind an odd number of backslashes does not end it.
 * The text's length when there is none.
 */
export function endOfString(json: string | Buffer, start: number): number {
  for (let quote = json.indexOf('"', start); quote >= 0; quote = json.indexOf('"', quote + 1)) {
    let before = quote;
    while (codeAt(json, before - 1) === BACKSLASH) before -= 1;
    if ((quote - before) % 2 === 0) return quote;
  }
  return json.length;
}

function codeAt(json: string | Buffer, index: number): number | undefined {
  return typeof json === 'string' ? json.charCodeAt(index) : json[index];
}
