import { createPrivateKey } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Reads all files of a folder and of the folders in it. */
export async function readFolder(path: string): Promise<Buffer[]> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
}

/**
 * Returns the secret numbers of a private key (PKCS#8 in DER) in the forms in which a program could write
 * them.
 */
export function keyNeedles(privateKey: Buffer): Buffer[] {
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  const { d, p, q } = key.export({ format: 'jwk' });
  return [d, p, q].flatMap((number) =>
    number === undefined ? [] : needlesOf(Buffer.from(number, 'base64url')),
  );
}

/**
 * Returns the first 32 bytes unchanged, in hexadecimal, and in base64 at each of the three possible
 * alignments.
 */
export function needlesOf(bytes: Buffer): Buffer[] {
  const part = bytes.subarray(0, 32);
  const hex = part.toString('hex');
  const texts = [0, 1, 2].map((start) => part.subarray(start, start + 30).toString('base64'));
  return [part, ...[hex, hex.toUpperCase(), ...texts].map((text) => Buffer.from(text))];
}
