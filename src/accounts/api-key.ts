import { createHmac } from 'node:crypto';
import { randomBase62, toBase62 } from '../ids.ts';

const PREFIX = 'plt_live_';
const SECRET_LENGTH = 43;
const FORMAT = new RegExp(`^${PREFIX}[0-9A-Za-z]{${SECRET_LENGTH + 6}}$`);

/** Makes an API key: prefix, 43 base62 characters (256 bit) and 6 of CRC32, so that a typing error needs no look-up. */
export function createApiKey(): string {
  const body = PREFIX + randomBase62(SECRET_LENGTH);
  return body + checksum(body);
}

/** Tells whether a text has the form and the checksum of a key; says nothing about whether such a key was issued. */
export function isWellFormedApiKey(text: string): boolean {
  return FORMAT.test(text) && text.slice(-6) === checksum(text.slice(0, -6));
}

/** Computes what is stored of a key: HMAC-SHA256 under the server's pepper, in hexadecimal. */
export function hashApiKey(key: string, pepper: string): string {
  return createHmac('sha256', pepper).update(key).digest('hex');
}

function checksum(body: string): string {
  return toBase62(Bun.hash.crc32(body), 6);
}
