import { createPublicKey, type KeyObject } from 'node:crypto';

/** An algorithm with which a key signs. */
export interface SignatureAlgorithm {
  /** The hash, as node:crypto calls it. */
  hash: 'sha256' | 'sha384' | 'sha512';
  /** The identifier of the hash. */
  hashId: string;
  /** The identifier of the signature algorithm. */
  id: string;
  /** Whether the identifier has parameters. */
  parameters: 'null' | undefined;
  /** The key for readers: `RSA 2048`, `EC P-256`. */
  keyType: string;
}

const SHA256 = { hash: 'sha256', hashId: '2.16.840.1.101.3.4.2.1' } as const;
const SHA384 = { hash: 'sha384', hashId: '2.16.840.1.101.3.4.2.2' } as const;
const SHA512 = { hash: 'sha512', hashId: '2.16.840.1.101.3.4.2.3' } as const;

const CURVES: Readonly<Record<string, SignatureAlgorithm>> = {
  prime256v1: { ...SHA256, id: '1.2.840.10045.4.3.2', parameters: undefined, keyType: 'EC P-256' },
  secp384r1: { ...SHA384, id: '1.2.840.10045.4.3.3', parameters: undefined, keyType: 'EC P-384' },
  secp521r1: { ...SHA512, id: '1.2.840.10045.4.3.4', parameters: undefined, keyType: 'EC P-521' },
};

const MIN_RSA_BITS = 2048;
/** Larger keys take seconds for a signature. */
const MAX_RSA_BITS = 8192;

/** Returns how a key signs; `undefined` if its algorithm is not supported. */
export function signatureAlgorithmOf(key: KeyObject): SignatureAlgorithm | undefined {
  const { modulusLength = 0, namedCurve = '' } = key.asymmetricKeyDetails ?? {};
  if (key.asymmetricKeyType === 'ec')
    return Object.hasOwn(CURVES, namedCurve) ? CURVES[namedCurve] : undefined;
  if (key.asymmetricKeyType !== 'rsa' || modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS)
    return undefined;
  return { ...SHA256, id: '1.2.840.113549.1.1.11', parameters: 'null', keyType: `RSA ${modulusLength}` };
}

/** Returns why a key cannot sign; `undefined` if it can. */
export function keyFault(key: KeyObject): string | undefined {
  if (signatureAlgorithmOf(key)) return undefined;
  const { modulusLength, namedCurve } = key.asymmetricKeyDetails ?? {};
  const shown = [key.asymmetricKeyType ?? 'unknown', namedCurve ?? modulusLength].filter(Boolean).join(' ');
  return `has a key of an unsupported algorithm (${shown}): use RSA with ${MIN_RSA_BITS} to ${MAX_RSA_BITS} bits, or ECDSA with P-256, P-384 or P-521`;
}

/** Opens a public key in DER. @throws {Error} if it is not valid */
export function openPublicKey(spki: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' });
}
