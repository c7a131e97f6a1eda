import { Dict, Name, PdfStream, PdfString, Ref, ReservedString, type PdfObject } from './objects.ts';

const writtenNames = new Map<string, string>();
const MAX_KEPT_NAMES = 20_000;

/**
 * Returns the object number of a reference, with its generation unless that is 0. Returns 0 to write the
 * reference as null.
 */
export type Numbering = (ref: Ref) => number | { number: number; generation: number };

export type EncryptString = (bytes: Uint8Array) => Uint8Array;

/** Serializes an object as a Latin-1 string. */
export function serialize(object: PdfObject, numberOf: Numbering, encrypt?: EncryptString): string {
  if (object === null || typeof object === 'boolean') return String(object);
  if (typeof object === 'number') return writeNumber(object);
  if (object instanceof Name) return writeName(object.value);
  if (object instanceof ReservedString) return writeHex(object);
  if (object instanceof PdfString)
    return writeString(encrypt ? new PdfString(encrypt(object.bytes)) : object);
  if (object instanceof Ref) {
    const number = numberOf(object);
    if (typeof number === 'object') return `${number.number} ${number.generation} R`;
    return number === 0 ? 'null' : `${number} 0 R`;
  }
  if (Array.isArray(object)) return `[${object.map((item) => serialize(item, numberOf, encrypt)).join(' ')}]`;
  if (object instanceof Dict) return writeDict(object, numberOf, encrypt);
  throw new Error('a stream must be an indirect object');
}

function writeDict(dict: Dict, numberOf: Numbering, encrypt: EncryptString | undefined): string {
  let text = '<<';
  for (const [key, value] of dict.map) {
    const written = serialize(value instanceof PdfStream ? null : value, numberOf, encrypt);
    if (written !== 'null') text += `${writeName(key)} ${written}\n`;
  }
  return `${text}>>`;
}

function writeNumber(value: number): string {
  if (!Number.isFinite(value)) return '0';
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return value === 0 ? '0' : String(value);
  const text = String(value);
  // PDF does not support exponents.
  return text.includes('e') ? value.toFixed(10).replace(/\.?0+$/, '') : text;
}

function writeName(value: string): string {
  const known = writtenNames.get(value);
  if (known !== undefined) return known;
  const written = `/${value.replaceAll(/[^!-~]|[#()<>[\]{}/%]/g, (character) => `#${character.charCodeAt(0).toString(16).padStart(2, '0')}`)}`;
  if (writtenNames.size < MAX_KEPT_NAMES) writtenNames.set(value, written);
  return written;
}

function writeHex({ bytes }: PdfString): string {
  return `<${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}>`;
}

function writeString(string: PdfString): string {
  const { bytes, key } = string;
  // Choose the shorter form: escaped text or hexadecimal.
  let escapes = 0;
  for (const byte of bytes) {
    if (byte === 40 || byte === 41 || byte === 92 || byte === 13) escapes++;
  }
  if (escapes > bytes.length) return writeHex(string);
  if (escapes === 0) return `(${key})`;
  return `(${key.replaceAll(/[()\\\r]/g, (character) => (character === '\r' ? '\\r' : `\\${character}`))})`;
}
