import { isUtf8 } from 'node:buffer';
import type { ImportFilter } from '../engine/request.ts';

/** Reads plain text as UTF-8. */
export const TEXT_FILTER: ImportFilter = { name: 'Text (encoded)', options: 'UTF8,LF,,,' };
const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const SAMPLE_BYTES = 65_536;
const SAMPLE_LINES = 50;
const SEPARATORS = [',', ';', '\t', '|'] as const;

/**
 * Returns text in UTF-8, or `undefined` for content that is no text. Text that is not Unicode is read as
 * Windows-1252, which contains Latin-1.
 */
export function toUtf8(bytes: Uint8Array): Uint8Array | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return decodeAs('utf-16le', bytes);
  if (first === 0xfe && second === 0xff) return decodeAs('utf-16be', bytes);
  if (bytes.subarray(0, SAMPLE_BYTES).includes(0)) return undefined;
  return isUtf8(bytes) ? withoutBom(bytes) : decodeAs('windows-1252', bytes);
}

function decodeAs(encoding: Bun.Encoding | 'utf-16be', bytes: Uint8Array): Uint8Array {
  return withoutBom(Buffer.from(new TextDecoder(encoding).decode(bytes), 'utf8'));
}

function withoutBom(bytes: Uint8Array): Uint8Array {
  return UTF8_BOM.every((byte, index) => bytes[index] === byte) ? bytes.subarray(UTF8_BOM.length) : bytes;
}

/** Returns the filter for a table in UTF-8, whose separator is the one that splits its lines most evenly. */
export function readCsvFilter(text: Uint8Array): ImportFilter {
  const sample = Buffer.from(text.buffer, text.byteOffset, Math.min(SAMPLE_BYTES, text.length)).toString(
    'utf8',
  );
  const [declared] = /^sep=(.)\r?\n/.exec(sample)?.slice(1) ?? [];
  const separator = declared ?? findSeparator(sample);
  // Separator, quotation mark, UTF-8 and first line; then defaults, and numbers as they are written.
  return {
    name: 'Text - txt - csv (StarCalc)',
    options: `${separator.codePointAt(0)},34,76,1,,0,false,true`,
  };
}

function findSeparator(sample: string): string {
  const counts = SEPARATORS.map((separator) => countPerLine(sample, separator));
  const scores = counts.map((lines) => {
    const [first = 0] = lines;
    if (first === 0) return 0;
    const even = lines.filter((count) => count === first).length / lines.length;
    return even * 100 + Math.min(first, 50);
  });
  const best = Math.max(...scores);
  return best === 0 ? ',' : (SEPARATORS[scores.indexOf(best)] ?? ',');
}

/** Counts the separators outside quotation marks in each line. */
function countPerLine(sample: string, separator: string): number[] {
  const counts: number[] = [];
  let count = 0;
  let isQuoted = false;
  let isBlank = true;
  for (const character of sample) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n') {
      if (!isBlank) counts.push(count);
      if (counts.length === SAMPLE_LINES) return counts;
      count = 0;
      isBlank = true;
      continue;
    } else if (character === separator) count += 1;
    if (character !== '\r') isBlank = false;
  }
  if (!isBlank && counts.length === 0) counts.push(count);
  return counts;
}
