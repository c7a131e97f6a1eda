import { PdfString } from './objects.ts';

// PDFDocEncoding where it differs from Latin-1 (ISO 32000-1 D.2).
const DOC_ENCODING = new Map<number, string>([
  ...Array.from('˘ˇˆ˙˝˛˚˜', (character, index) => [0x18 + index, character] as const),
  ...Array.from('•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž', (character, index) => [0x80 + index, character] as const),
  [0xa0, '€'],
]);
const ENCODED = new Map([...DOC_ENCODING].map(([byte, character]) => [character, byte]));

/**
 * Decodes a text string: UTF-16 or UTF-8 according to its byte order mark, otherwise PDFDocEncoding (ISO
 * 32000-2 7.9.2.2). Never throws.
 */
export function decodeText({ bytes }: PdfString): string {
  const [first, second, third] = bytes;
  if (first === 0xfe && second === 0xff) return utf16(bytes.subarray(2), 'utf-16be');
  if (first === 0xff && second === 0xfe) return utf16(bytes.subarray(2), 'utf-16le');
  if (first === 0xef && second === 0xbb && third === 0xbf) return new TextDecoder().decode(bytes.subarray(3));
  let text = '';
  for (const byte of bytes) text += DOC_ENCODING.get(byte) ?? String.fromCharCode(byte);
  return text;
}

/** Decodes UTF-16 and removes language codes, which are enclosed in escape characters. */
function utf16(bytes: Uint8Array, label: 'utf-16be' | 'utf-16le'): string {
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 2));
  // oxlint-disable-next-line no-control-regex -- the escape character delimits the language code
  return new TextDecoder(label).decode(whole).replaceAll(/\u001b[^\u001b]{0,10}\u001b/g, '');
}

/** Encodes a text string in PDFDocEncoding if possible, otherwise in UTF-16. */
export function encodeText(text: string): PdfString {
  // In PDFDocEncoding these characters would look like a byte order mark.
  const bytes = /^(?:þÿ|ÿþ|ï»¿)/.test(text) ? undefined : encodePdfDoc(text);
  return bytes ? new PdfString(bytes) : encodeUtf16(text);
}

/**
 * Encodes text in PDFDocEncoding (ISO 32000-1 D.2). Returns `undefined` if the text has characters outside
 * it.
 */
export function encodePdfDoc(text: string): Uint8Array | undefined {
  const bytes: number[] = [];
  for (const character of text) {
    const code = ENCODED.get(character) ?? character.codePointAt(0) ?? 0;
    const isPlain = ENCODED.has(character) || (code < 256 && !DOC_ENCODING.has(code) && code >= 9);
    if (!isPlain) return undefined;
    bytes.push(code);
  }
  return Uint8Array.from(bytes);
}

function encodeUtf16(text: string): PdfString {
  return new PdfString(Buffer.from(`\ufeff${text}`, 'utf16le').swap16());
}

/**
 * Converts a date (ISO 32000-1 7.9.4) to ISO 8601 in UTC. Returns `null` if it is invalid. Like readers,
 * accepts a missing `D:` prefix and missing components. A missing time zone means UTC.
 */
export function decodeDate(text: string): string | null {
  const found =
    /^\s*(?:D:)?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*(?:([+\-Z])(?:(\d\d)'?(\d\d)?'?)?)?/.exec(text);
  if (!found) return null;
  const [, year, month = '1', day = '1', hour = '0', minute = '0', second = '0'] = found;
  const [, , , , , , , sign, zoneHours = '0', zoneMinutes = '0'] = found;
  const fields = [
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  ] as const;
  const date = new Date(Date.UTC(...fields));
  date.setUTCFullYear(fields[0]);
  const whole = date.getUTCMonth() === fields[1] && date.getUTCDate() === fields[2];
  if (!whole || fields[3] > 23 || fields[4] > 59 || fields[5] > 59) return null;
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000;
  const time = date.getTime() - (sign === '+' ? offset : sign === '-' ? -offset : 0);
  return new Date(time).toISOString();
}
