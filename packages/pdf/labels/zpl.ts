import type { Bitmap } from '../images/page-renderer.ts';

/** Black is darker than this grey, from 0 to 255. */
const THRESHOLD = 128;
const BITS = 8;
/** The counts of repeated digits: G to Y are 1 to 19, and g to z are 20, 40 and so on to 400. */
const UNITS = 'GHIJKLMNOPQRSTUVWXY';
const TWENTIES = 'ghijklmnopqrstuvwxyz';
const MAX_RUN = TWENTIES.length * 20 + UNITS.length;

/**
 * Writes a bitmap as a label in ZPL II: one dot per pixel, black where the pixel is dark. Its graphic is one
 * `^GFA` with compressed data (ZPL II Programming Guide, `^GF`).
 */
export function zplOf({ width, height, pixels }: Bitmap): string {
  const bytesPerRow = Math.ceil(width / BITS);
  const total = bytesPerRow * height;
  const rows: string[] = [];
  let previous: string | undefined;
  for (let y = 0; y < height; y += 1) {
    const digits = rowOf(pixels, { start: y * width, width, bytesPerRow });
    rows.push(digits === previous ? ':' : compress(digits));
    previous = digits;
  }
  return [
    '^XA',
    `^PW${width}`,
    `^LL${height}`,
    '^LH0,0',
    `^FO0,0^GFA,${total},${total},${bytesPerRow},${rows.join('')}^FS`,
    '^XZ',
    '',
  ].join('\n');
}

/** Returns the hexadecimal digits of a row of dots. */
function rowOf(
  pixels: Uint8Array,
  { start, width, bytesPerRow }: { start: number; width: number; bytesPerRow: number },
): string {
  const row = new Uint8Array(bytesPerRow);
  for (let x = 0; x < width; x += 1) {
    const at = (start + x) * 4;
    // The luminance of the standard ITU-R BT.601, in thousandths.
    const [red = 0, green = 0, blue = 0] = [pixels[at], pixels[at + 1], pixels[at + 2]];
    if (red * 299 + green * 587 + blue * 114 < THRESHOLD * 1_000)
      row[x >> 3] = (row[x >> 3] ?? 0) | (0x80 >> (x & 7));
  }
  return row.toHex().toUpperCase();
}

/** Compresses the digits of a row: a comma or an exclamation mark fills the rest with 0 or F. */
function compress(digits: string): string {
  const last = digits.at(-1) ?? '0';
  let end = digits.length;
  if (last === '0' || last === 'F') while (end > 0 && digits[end - 1] === last) end -= 1;
  let written = '';
  for (let at = 0; at < end;) {
    let next = at + 1;
    while (next < end && next - at < MAX_RUN && digits[next] === digits[at]) next += 1;
    written += countOf(next - at) + (digits[at] ?? '');
    at = next;
  }
  if (end === digits.length) return written;
  return written + (last === '0' ? ',' : '!');
}

function countOf(run: number): string {
  if (run === 1) return '';
  const twenties = Math.floor(run / 20);
  return (TWENTIES[twenties - 1] ?? '') + (UNITS[(run % 20) - 1] ?? '');
}
