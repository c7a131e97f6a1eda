import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Returns random base62 characters, uniformly distributed (5.95 bits each). */
export function randomBase62(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      // 248 is the largest multiple of 62 in a byte; higher values would bias the distribution.
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** Formats a non-negative integer in base62, padded with `0` to a fixed width. */
export function toBase62(value: number, width: number): string {
  let text = '';
  for (let rest = value; text.length < width; rest = Math.floor(rest / 62)) text = ALPHABET[rest % 62] + text;
  return text;
}

/** Creates an id: a prefix such as `gen_` and base62 characters, by default 24 (142 bits). */
export function newId(prefix: string, length = 24): string {
  return prefix + randomBase62(length);
}
