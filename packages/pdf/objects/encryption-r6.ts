import { createCipheriv, createDecipheriv, createHash } from 'node:crypto';
import type { Dict } from './objects.ts';

/**
 * Computes the file key of revisions 5 and 6 with the empty user password (ISO 32000-2 7.6.4.3.3, algorithms 2.A and
 * 2.B). Returns `undefined` if the password does not open the file.
 */
export function fileKeyOfRevision6(dict: Dict, revision: number): Buffer | undefined {
  const user = dict.string('U')?.bytes;
  const encrypted = dict.string('UE')?.bytes;
  if (!user || !encrypted || user.length < 48 || encrypted.length < 32) return undefined;
  const hash = revision === 5 ? sha256 : hardenedHash;
  if (Buffer.compare(hash(user.subarray(32, 40)), user.subarray(0, 32)) !== 0) return undefined;
  const decipher = createDecipheriv('aes-256-cbc', hash(user.subarray(40, 48)), Buffer.alloc(16));
  decipher.setAutoPadding(false);
  return Buffer.concat([decipher.update(encrypted.subarray(0, 32)), decipher.final()]);
}

function sha256(salt: Uint8Array): Buffer {
  return createHash('sha256').update(salt).digest();
}

const SIZES = ['sha256', 'sha384', 'sha512'];

/** Algorithm 2.B for the empty password. */
function hardenedHash(salt: Uint8Array): Buffer {
  let key = sha256(salt);
  for (let turn = 0, last = 0; turn < 64 || last > turn - 32; turn++) {
    const block = Buffer.concat(Array.from({ length: 64 }, () => key));
    const cipher = createCipheriv('aes-128-cbc', key.subarray(0, 16), key.subarray(16, 32));
    cipher.setAutoPadding(false);
    const encrypted = Buffer.concat([cipher.update(block), cipher.final()]);
    const sum = encrypted.subarray(0, 16).reduce((total, byte) => total + byte, 0);
    key = createHash(SIZES[sum % 3] ?? 'sha256')
      .update(encrypted)
      .digest();
    last = encrypted.at(-1) ?? 0;
  }
  return key.subarray(0, 32);
}
