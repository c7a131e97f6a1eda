import { createPublicKey, type KeyObject } from 'node:crypto';
import type { DigestName } from '../asn1/algorithms.ts';
import type { Certificate } from './certificate.ts';

/** The signature algorithm of a key. */
export interface SigningAlgorithm {
  digest: DigestName;
  /** The object identifier of the signature algorithm. */
  oid: string;
  /** Whether the parameters of the identifier are NULL, rather than absent (RFC 3279 2.2.1, RFC 5758 3.2). */
  hasNull: boolean;
  /** The key, for display: `RSA 2048`, `EC P-256`. */
  keyType: string;
}

const CURVES: Readonly<Record<string, SigningAlgorithm>> = {
  prime256v1: { digest: 'sha256', oid: '1.2.840.10045.4.3.2', hasNull: false, keyType: 'EC P-256' },
  secp384r1: { digest: 'sha384', oid: '1.2.840.10045.4.3.3', hasNull: false, keyType: 'EC P-384' },
  secp521r1: { digest: 'sha512', oid: '1.2.840.10045.4.3.4', hasNull: false, keyType: 'EC P-521' },
};

const RSA_SHA256 = '1.2.840.113549.1.1.11';
const MIN_RSA_BITS = 2048;
/** A signature with a larger key takes seconds. */
const MAX_RSA_BITS = 8192;

/**
 * Returns the signature algorithm of a certificate's key.
 * @throws {Error} if {@link keyFault} would report a fault
 */
export function signingAlgorithmOf({ publicKey }: Certificate): SigningAlgorithm {
  const found = algorithmOf(openPublicKey(publicKey));
  if (!found) throw new Error('the key of the certificate has an unsupported algorithm');
  return found;
}

/** Returns the reason that a certificate's key cannot sign, or `undefined` if it can. */
export function keyFault({ publicKey }: Certificate): string | undefined {
  const key = openPublicKey(publicKey);
  if (algorithmOf(key)) return undefined;
  const { modulusLength, namedCurve } = key?.asymmetricKeyDetails ?? {};
  const shown = [key?.asymmetricKeyType ?? 'unknown', namedCurve ?? modulusLength].filter(Boolean).join(' ');
  return `has a key of an unsupported algorithm (${shown}): use RSA with ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, or ECDSA with P-256, P-384 or P-521`;
}

function algorithmOf(key: KeyObject | undefined): SigningAlgorithm | undefined {
  const { modulusLength = 0, namedCurve = '' } = key?.asymmetricKeyDetails ?? {};
  if (key?.asymmetricKeyType === 'ec')
    return Object.hasOwn(CURVES, namedCurve) ? CURVES[namedCurve] : undefined;
  if (key?.asymmetricKeyType !== 'rsa' || modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS)
    return undefined;
  return { digest: 'sha256', oid: RSA_SHA256, hasNull: true, keyType: `RSA ${modulusLength}` };
}

/** Opens a SubjectPublicKeyInfo; `undefined` if its algorithm is unknown. */
function openPublicKey(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
