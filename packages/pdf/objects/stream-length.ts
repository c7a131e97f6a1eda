import { isWhitespace } from './characters.ts';
import type { Dict } from './objects.ts';

/**
 * Returns the length of a stream in bytes. Uses `/Length` if `endstream` follows the data; otherwise the data
 * ends at the next `endstream`, the next `endobj`, or the end of the file.
 */
export function streamLength(bytes: Buffer, start: number, dict: Dict): number {
  const stated = dict.number('Length');
  if (stated !== undefined && stated >= 0 && endsAt(bytes, start + stated)) return stated;
  let end = bytes.indexOf('endstream', start);
  if (end < 0) end = bytes.indexOf('endobj', start);
  if (end < 0) return bytes.length - start;
  // The end-of-line marker before the keyword is not part of the data.
  if (end > start && bytes[end - 1] === 10) end--;
  if (end > start && bytes[end - 1] === 13) end--;
  return end - start;
}

function endsAt(bytes: Buffer, position: number): boolean {
  let at = position;
  while (at < position + 4 && isWhitespace(bytes[at])) at++;
  return bytes.toString('latin1', at, at + 9) === 'endstream';
}
