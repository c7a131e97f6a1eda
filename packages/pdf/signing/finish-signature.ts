import { createHash } from 'node:crypto';
import type { PreparedSignature } from './prepare-signature.ts';

/** The place of a signature in a file. */
export type SignaturePlace = Pick<PreparedSignature, 'offset' | 'digits'>;

/** Hashes a file without the signature itself (ISO 32000-2 12.8.1). */
export function hashAround(pdf: Uint8Array, { offset, digits }: SignaturePlace, hash: string): Buffer {
  const before = pdf.subarray(0, offset - 1);
  return createHash(hash)
    .update(before)
    .update(pdf.subarray(offset + digits + 1))
    .digest();
}
