import { createHmac } from 'node:crypto';
import { randomBase62, toBase62 } from '../ids.ts';

const LIVE_PREFIX = 'plt_live_';
const TEST_PREFIX = 'plt_test_';
const SECRET_LENGTH = 43;
const FORMAT = new RegExp(`^(?:${LIVE_PREFIX}|${TEST_PREFIX})[0-9A-Za-z]{${SECRET_LENGTH + 6}}$`);

/**
 * Creates an API key: the prefix of its mode, 43 base62 characters (256 bits) and a CRC32 of 6 characters,
 * which detects typing errors without a look-up.
 */
export function createApiKey(mode: 'live' | 'test'): string {
  const body = (mode === 'test' ? TEST_PREFIX : LIVE_PREFIX) + randomBase62(SECRET_LENGTH);
  return body + checksum(body);
}

/** Tells whether a text has the format and checksum of a key. Does not check that the key exists. */
export function isWellFormedApiKey(text: string): boolean {
  return FORMAT.test(text) && text.slice(-6) === checksum(text.slice(0, -6));
}

/** Returns the hash under which a key is stored: HMAC-SHA256 with the server's pepper, in hexadecimal. */
export function hashApiKey(key: string, pepper: string): string {
  return createHmac('sha256', pepper).update(key).digest('hex');
}

function checksum(body: string): string {
  return toBase62(Bun.hash.crc32(body), 6);
}
