import { isMissing, toText } from '../arguments.ts';
import { describe, HelperFault, reject } from '../definition.ts';

/** Typographic characters that payment systems do not accept, and their replacements. */
const PLAIN: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': ',',
  '“': '"',
  '”': '"',
  '„': '"',
  '‐': '-',
  '‑': '-',
  '–': '-',
  '—': '-',
  '−': '-',
  '…': '...',
};

/** How a text field is read. */
interface TextField {
  /** The name for messages: `name=` or `creditor.street`. */
  subject: string;
  maxLength: number;
  /** Matches a permitted character. */
  characters: RegExp;
  /** The permitted characters for messages. */
  script: string;
  /** Whether line breaks become spaces; otherwise they are rejected. */
  joinLines?: boolean;
}

/**
 * Reads text as one line for a payment code. Removes soft hyphens, collapses spaces, replaces typographic
 * quotation marks and dashes, and composes accents. An absent value is empty text.
 * @throws {HelperFault} for text that is too long, and for line breaks and characters that are not permitted.
 */
export function readLine(value: unknown, field: TextField): string {
  const { subject, maxLength, characters, script, joinLines = false } = field;
  const isText = ['string', 'number'].includes(typeof value) || isMissing(value);
  const text = isText ? toText(value) : reject(`${subject} as text`, value);
  const written = text.replaceAll('\u00ad', '').trim();
  if (written.length > 10 * maxLength) tooLong(written, field);
  if (!joinLines && /[\r\n\u2028\u2029]/.test(written)) reject(`${subject} as one line`, value);
  const line = written
    .normalize('NFC')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[‘’‚“”„‐‑–—−…]/g, (character) => PLAIN[character] ?? character);
  const letters = Array.from(line);
  if (letters.length > maxLength) tooLong(line, field);
  const unknown = letters.find((character) => !characters.test(character));
  if (unknown !== undefined)
    throw new HelperFault(`takes ${subject} in ${script}, not ${describe(nameOf(unknown))}`);
  return line;
}

/** Checks that a payload fits the QR code, whose name is for messages. @throws {HelperFault} */
export function requireFit(payload: string, maxBytes: number, code: string): void {
  const bytes = Buffer.byteLength(payload);
  if (bytes > maxBytes)
    throw new HelperFault(`takes text that fits the ${maxBytes} bytes of ${code}, not ${bytes} bytes`);
}

function tooLong(text: string, { subject, maxLength }: TextField): never {
  throw new HelperFault(
    `takes ${subject} of at most ${maxLength} characters, not ${Array.from(text).length}`,
  );
}

/** Returns a character for messages: itself if it is visible, otherwise its code point. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return /[\p{C}\p{Z}\p{M}]/u.test(character)
    ? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    : character;
}

const MAX_AMOUNT = 999_999_999.99;
/** Numbers that differ by less are equal: 0.1 + 0.2 is 0.3. */
const ROUNDING_ERROR = 1e-6;

/**
 * Reads an amount of money from 0.01 to 999999999.99. Returns it with two decimals, or undefined if it is
 * absent.
 * @throws {HelperFault}
 */
export function readAmount(value: unknown): string | undefined {
  if (isMissing(value)) return undefined;
  const isPlainText = typeof value === 'string' && /^\d{1,9}(?:\.\d{1,2})?$/.test(value.trim());
  const amount = isPlainText ? Number(value) : value;
  if (typeof amount === 'number' && amount >= 0.01 && amount <= MAX_AMOUNT) {
    const text = amount.toFixed(2);
    if (Math.abs(amount - Number(text)) < ROUNDING_ERROR) return text;
  }
  return reject('amount= from 0.01 to 999999999.99 with at most two decimals', value);
}
