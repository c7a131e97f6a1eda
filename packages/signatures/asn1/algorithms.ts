import { constants, createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { ObjectIdentifier, Sequence } from 'asn1js';
import { RSASSAPSSParams, type AlgorithmIdentifier } from 'pkijs';
import { attempt, decodeAsn1, encodeAsn1, readIfValid } from './asn1.ts';

/** A digest that is strong enough to prove that bytes have not changed. */
export type DigestName = 'sha224' | 'sha256' | 'sha384' | 'sha512' | 'sha3-256' | 'sha3-384' | 'sha3-512';

const DIGESTS: Readonly<Record<string, DigestName>> = {
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.8': 'sha3-256',
  '2.16.840.1.101.3.4.2.9': 'sha3-384',
  '2.16.840.1.101.3.4.2.10': 'sha3-512',
};

/** A digest with known collisions. It detects accidental changes only. */
export type WeakDigestName = 'md5' | 'sha1';

const WEAK_DIGESTS: Readonly<Record<string, WeakDigestName>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
};

/** Digests with known collisions, and the signature algorithms that use them. */
const WEAK: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.2': 'MD2',
  '1.2.840.113549.2.5': 'MD5',
  '1.3.14.3.2.26': 'SHA-1',
  '1.2.840.113549.1.1.2': 'MD2',
  '1.2.840.113549.1.1.4': 'MD5',
  '1.2.840.113549.1.1.5': 'SHA-1',
  '1.2.840.10045.4.1': 'SHA-1',
  '1.2.840.10040.4.3': 'SHA-1',
  '1.3.14.3.2.29': 'SHA-1',
};

const RSA = '1.2.840.113549.1.1.1';
const RSA_PSS = '1.2.840.113549.1.1.10';
const EC_KEY = '1.2.840.10045.2.1';
const ED25519 = '1.3.101.112';
/** Names of the algorithms of keys and signatures that are not supported, for messages. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  '1.3.101.113': 'Ed448',
  '1.2.840.10040.4.1': 'DSA',
  '1.2.840.10040.4.3': 'DSA',
  '2.16.840.1.101.3.4.3.1': 'DSA',
  '2.16.840.1.101.3.4.3.2': 'DSA',
  '2.16.840.1.101.3.4.3.3': 'DSA',
  '2.16.840.1.101.3.4.3.4': 'DSA',
};

/** Signature algorithms that include their digest. */
const SIGNATURES: Readonly<Record<string, { key: 'rsa' | 'ec'; digest: DigestName | WeakDigestName }>> = {
  '1.2.840.113549.1.1.4': { key: 'rsa', digest: 'md5' },
  '1.2.840.113549.1.1.5': { key: 'rsa', digest: 'sha1' },
  '1.3.14.3.2.29': { key: 'rsa', digest: 'sha1' },
  '1.2.840.10045.4.1': { key: 'ec', digest: 'sha1' },
  '1.2.840.113549.1.1.14': { key: 'rsa', digest: 'sha224' },
  '1.2.840.113549.1.1.11': { key: 'rsa', digest: 'sha256' },
  '1.2.840.113549.1.1.12': { key: 'rsa', digest: 'sha384' },
  '1.2.840.113549.1.1.13': { key: 'rsa', digest: 'sha512' },
  '1.2.840.10045.4.3.1': { key: 'ec', digest: 'sha224' },
  '1.2.840.10045.4.3.2': { key: 'ec', digest: 'sha256' },
  '1.2.840.10045.4.3.3': { key: 'ec', digest: 'sha384' },
  '1.2.840.10045.4.3.4': { key: 'ec', digest: 'sha512' },
};

const NOT_CHECKED = 'which is not supported, so it cannot be checked';

/** RSA keys below this size count as weak (NIST SP 800-131A). */
const MIN_RSA_BITS = 2048;

/**
 * A digest, or the reason that it cannot be used, as the end of a sentence: "… uses MD5, which is too weak".
 */
export type DigestChoice = { name: DigestName } | { fault: string };

/** Returns the digest of an object identifier. */
export function digestOf(oid: string): DigestChoice {
  const name = DIGESTS[oid];
  return name === undefined ? { fault: explainUnusable(oid) } : { name };
}

/** Returns the digest of an object identifier, even a weak one. {@link weaknessOf} tells about those. */
export function anyDigestOf(oid: string): { name: DigestName | WeakDigestName } | { fault: string } {
  const weak = WEAK_DIGESTS[oid];
  return weak === undefined ? digestOf(oid) : { name: weak };
}

/** Returns the object identifier of a digest. */
export function digestOid(name: DigestName): string {
  const found = Object.entries(DIGESTS).find(([, each]) => each === name);
  if (!found) throw new Error(`unknown digest ${name}`);
  return found[0];
}

/** Computes a digest. */
export function digest(name: DigestName | WeakDigestName, ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash(name);
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function explainUnusable(oid: string): string {
  const weak = WEAK[oid];
  if (weak !== undefined) return `uses ${weak}, which is too weak`;
  return `uses an unsupported algorithm (${oid})`;
}

/**
 * Returns the reason why a signature proves little although it matches its content, as the end of a sentence:
 * a digest with known collisions, or a short RSA key.
 */
export function weaknessOf({
  publicKey,
  algorithm,
  digests,
}: {
  /** The SubjectPublicKeyInfo of the signer. */
  publicKey: Uint8Array;
  algorithm: AlgorithmIdentifier;
  /** The object identifiers of the digests. */
  digests: readonly string[];
}): string | undefined {
  const weak = [algorithm.algorithmId, ...digests].map((oid) => WEAK[oid]).find((each) => each !== undefined);
  if (weak !== undefined) return `uses ${weak}, which is too weak`;
  const key = openKey(publicKey);
  const bits = key?.asymmetricKeyType === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : undefined;
  if (bits !== undefined && bits < MIN_RSA_BITS) return `uses an RSA key of ${bits} bits, which is too weak`;
  if (algorithm.algorithmId !== RSA_PSS) return undefined;
  const pss = readPss(algorithm, anyDigestOf);
  return 'name' in pss && (pss.name === 'sha1' || pss.name === 'md5')
    ? 'uses SHA-1, which is too weak'
    : undefined;
}

/** The fault of a signature that was made over other bytes or with another key. */
export const NO_MATCH = 'does not match its content';

/** A signature and the data to verify it. */
export interface SignedBytes {
  /** The SubjectPublicKeyInfo of the signer. */
  publicKey: Uint8Array;
  algorithm: AlgorithmIdentifier;
  /** The digest that CMS names next to the algorithm. It must agree with the algorithm. */
  digest?: DigestName | WeakDigestName;
  bytes: Uint8Array;
  signature: Uint8Array;
  /** Accepts weak algorithms and keys, because the caller reports them with {@link weaknessOf}. */
  allowsWeak?: boolean;
}

/**
 * Verifies a signature by RSA (PKCS #1 v1.5 or PSS), ECDSA or Ed25519. Returns `undefined` if it is valid,
 * and otherwise the fault, as the end of a sentence: "… does not match its content".
 */
export function checkSignature({
  publicKey,
  algorithm,
  digest: named,
  bytes,
  signature,
  allowsWeak = false,
}: SignedBytes): string | undefined {
  const oid = algorithm.algorithmId;
  const combined = SIGNATURES[oid];
  const isWeak = WEAK[oid] !== undefined || named === 'md5' || named === 'sha1';
  if (isWeak && !allowsWeak) return explainUnusable(oid);
  if (combined && named !== undefined && combined.digest !== named) return 'names two different digests';
  const unsupported = UNSUPPORTED[keyAlgorithmOf(publicKey) ?? ''] ?? UNSUPPORTED[oid];
  if (unsupported !== undefined) return `uses ${unsupported}, ${NOT_CHECKED}`;
  const key = openKey(publicKey);
  if (key === undefined) return 'uses a key of an unsupported kind, so it cannot be checked';
  const kind = key.asymmetricKeyType;
  const bits = kind === 'rsa' ? (key.asymmetricKeyDetails?.modulusLength ?? 0) : undefined;
  if (bits !== undefined && bits < MIN_RSA_BITS && !allowsWeak)
    return `uses an RSA key of ${bits} bits, which is too weak`;
  const name = combined?.digest ?? named;
  let isValid: boolean;
  if (oid === RSA_PSS && kind === 'rsa') {
    const pss = readPss(algorithm, allowsWeak ? anyDigestOf : digestOf);
    if ('fault' in pss) return pss.fault;
    const { saltLength } = pss;
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    isValid = tryVerify(() => verify(pss.name, bytes, { key, padding, saltLength }, signature));
  } else if (oid === ED25519 && kind === 'ed25519')
    isValid = tryVerify(() => verify(null, bytes, key, signature));
  else if ((oid === RSA || combined?.key === 'rsa') && kind === 'rsa' && name !== undefined)
    isValid = tryVerify(() => verify(name, bytes, key, signature));
  else if ((oid === EC_KEY || combined?.key === 'ec') && kind === 'ec' && name !== undefined)
    isValid = tryVerify(() => verify(name, bytes, key, signature));
  else return explainUnusable(oid);
  return isValid ? undefined : NO_MATCH;
}

function tryVerify(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    // The signature has an impossible length or form.
    return false;
  }
}

function openKey(spki: Uint8Array): KeyObject | undefined {
  try {
    return createPublicKey({ key: Buffer.from(plainRsa(spki)), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** Returns the object identifier of the algorithm of a key. */
function keyAlgorithmOf(spki: Uint8Array): string | undefined {
  const { value } = decodeAsn1(spki, (block) => block);
  const [algorithm] = value instanceof Sequence ? value.valueBlock.value : [];
  const [oid] = algorithm instanceof Sequence ? algorithm.valueBlock.value : [];
  return oid instanceof ObjectIdentifier ? oid.valueBlock.toString() : undefined;
}

/**
 * Replaces the identifier of PSS-only keys, which BoringSSL does not support, with the identifier of RSA
 * keys.
 */
function plainRsa(spki: Uint8Array): Uint8Array {
  if (keyAlgorithmOf(spki) !== RSA_PSS) return spki;
  const { value } = decodeAsn1(spki, (block) => block);
  const [, key] = value instanceof Sequence ? value.valueBlock.value : [];
  if (!key) return spki;
  const rsa = Buffer.from('300d06092a864886f70d0101010500', 'hex');
  const body = Buffer.concat([rsa, encodeAsn1(key)]);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0x3082);
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

function readPss(
  { algorithmParams }: AlgorithmIdentifier,
  choose: typeof anyDigestOf,
): { name: DigestName | WeakDigestName; saltLength: number } | { fault: string } {
  const read = () => {
    const params = new RSASSAPSSParams({ schema: algorithmParams });
    const hash = choose(params.hashAlgorithm.algorithmId);
    if ('fault' in hash) return hash;
    const mask: unknown = params.maskGenAlgorithm.algorithmParams;
    const [maskOid] = mask instanceof Sequence ? mask.valueBlock.value : [];
    const maskHash = maskOid?.toString().split(' : ').at(-1) ?? '1.3.14.3.2.26';
    if (maskHash !== params.hashAlgorithm.algorithmId)
      return { fault: 'uses RSA-PSS with two different digests' };
    return { name: hash.name, saltLength: params.saltLength };
  };
  const [result] = readIfValid(() => attempt(read));
  return result ?? { fault: 'has malformed parameters of RSA-PSS' };
}
