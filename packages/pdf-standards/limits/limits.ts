import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';

/**
 * The strictest implementation limits of all parts (ISO 19005-1 6.1.12, ISO 19005-2 6.1.13). Rewritten
 * content stays within all of them.
 */
export const LIMITS = {
  integer: 2_147_483_647,
  real: 32_767,
  stringBytes: 32_767,
  nameBytes: 127,
  arrayItems: 8_191,
  stateDepth: 28,
} as const;

/** Converts a name that is not valid UTF-8 from Latin-1 to UTF-8. Returns other names unchanged. */
export function utf8Name(value: string): string {
  const bytes = Buffer.from(value, 'latin1');
  return isUtf8(bytes) ? value : Buffer.from(value, 'utf8').toString('latin1');
}

/**
 * Tells whether veraPDF reads the name of a font as UTF-8: it keeps one byte for each character, and `?` for
 * those outside Latin-1.
 */
export function isFontName(value: string): boolean {
  const bytes = Buffer.from(value, 'latin1');
  if (!isUtf8(bytes)) return false;
  const kept = Array.from(bytes.toString(), (character) => (character <= '\u00ff' ? character : '?')).join(
    '',
  );
  return isUtf8(Buffer.from(kept, 'latin1'));
}

/**
 * Converts the name of a font to UTF-8 without the accents and other characters of Latin-1 that
 * {@link isFontName} refuses.
 */
export function fitFontName(value: string): string {
  if (isFontName(value)) return value;
  const text = Buffer.from(utf8Name(value), 'latin1').toString().normalize('NFD');
  const plain = text.replaceAll(/\p{Mark}/gu, '').replaceAll(/[\u0080-\u00ff]/g, '_');
  return Buffer.from(plain).toString('latin1');
}

/** Shortens a name that is too long. Equal names stay equal. */
export function fitName(value: string): string {
  if (value.length <= LIMITS.nameBytes) return value;
  const digest = createHash('sha256').update(value, 'latin1').digest('hex').slice(0, 16);
  return `${value.slice(0, LIMITS.nameBytes - 17)}_${digest}`;
}

/**
 * Tells whether a number other than 0 is closer to 0 than a reader of PDF can represent (ISO 32000-1, annex
 * C).
 */
export function isTooSmall(value: number): boolean {
  return value !== 0 && Math.abs(value) < 1.175e-38;
}

/**
 * Brings a number within the limits: rounds large reals to integers, and replaces numbers beyond the range of
 * integers with the largest real.
 */
export function fitNumber(value: number): number {
  if (!Number.isFinite(value) || isTooSmall(value)) return 0;
  if (Math.abs(value) <= LIMITS.real) return value;
  const whole = Math.round(value);
  return Math.abs(whole) > LIMITS.integer ? Math.sign(whole) * LIMITS.real : whole;
}
