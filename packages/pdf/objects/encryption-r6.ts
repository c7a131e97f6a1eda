import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Dict } from './objects.ts';

const NO_BYTES = new Uint8Array(0);
/** The length of `U` and `O`: a hash of 32 bytes, a validation salt and a key salt. */
export const ENTRY_BYTES = 48;

/**
 * Computes the file key of revisions 5 and 6 from the user or the owner password (ISO 32000-2 7.6.4.3.3,
 * algorithm 2.A). Returns `undefined` if the password is neither.
 */
export function fileKeyOfRevision6(dict: Dict, revision: number, password: Uint8Array): Buffer | undefined {
  const [user, userKey] = [dict.string('U')?.bytes, dict.string('UE')?.bytes];
  const [owner, ownerKey] = [dict.string('O')?.bytes, dict.string('OE')?.bytes];
  const open = (entry: Uint8Array | undefined, key: Uint8Array | undefined, context: Uint8Array) => {
    if (!entry || !key || entry.length < ENTRY_BYTES || key.length < 32) return undefined;
    const hash = (salt: Uint8Array) =>
      revision === 5
        ? createHash('sha256').update(password).update(salt).update(context).digest()
        : hardenedHash(password, salt, context).hash;
    if (Buffer.compare(hash(entry.subarray(32, 40)), entry.subarray(0, 32)) !== 0) return undefined;
    const decipher = createDecipheriv('aes-256-cbc', hash(entry.subarray(40, 48)), Buffer.alloc(16));
    decipher.setAutoPadding(false);
    return Buffer.concat([decipher.update(key.subarray(0, 32)), decipher.final()]);
  };
  return open(user, userKey, NO_BYTES) ?? (user && open(owner, ownerKey, user.subarray(0, ENTRY_BYTES)));
}

const ALGORITHMS = ['sha256', 'sha384', 'sha512'];

/** A hash of algorithm 2.B. */
interface HardenedHash {
  hash: Buffer;
  /**
   * Whether the last byte of the last round is the largest byte that ends the algorithm. Readers that count
   * the rounds from 0 instead of 1, such as veraPDF 1.30, add a round then.
   */
  isAtLimit: boolean;
}

/**
 * Hashes a password with algorithm 2.B. `context` is `U` for the owner password, and empty for the user
 * password.
 */
export function hardenedHash(password: Uint8Array, salt: Uint8Array, context: Uint8Array): HardenedHash {
  let key = createHash('sha256').update(password).update(salt).update(context).digest();
  let last = 0;
  let rounds = 0;
  for (; rounds < 64 || last > rounds - 32; rounds++) {
    const input = Buffer.concat([password, key, context]);
    const block = Buffer.concat(Array.from({ length: 64 }, () => input));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const encrypted = Buffer.concat([cipher.update(block), cipher.final()]);
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = createHash(ALGORITHMS[sum % 3] ?? 'sha256')
      .update(encrypted)
      .digest();
    last = encrypted.at(-1) ?? 0;
  }
  return { hash: key.subarray(0, 32), isAtLimit: last === rounds - 32 };
}
