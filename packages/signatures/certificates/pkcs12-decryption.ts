import { createDecipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { Integer, OctetString, Sequence } from 'asn1js';
import { PBES2Params, PBKDF2Params, type AlgorithmIdentifier, type MacData } from 'pkijs';
import { Asn1Fault, attempt, bytesOf } from '../asn1/asn1.ts';

/** Thrown for a PKCS#12 file that uses an algorithm that is not supported. */
export class UnsupportedAlgorithmError extends Error {
  override name = 'UnsupportedAlgorithmError';
}

/** The maximum number of iterations of one key derivation. OpenSSL and browsers use 2,048 to 600,000. */
const MAX_ITERATIONS = 1_000_000;
/**
 * The cost of an iteration of the derivation of RFC 7292, which hashes one by one, in iterations of PBKDF2.
 */
const OLD_ITERATION_COST = 2;
/** The cost of all key derivations of a file together, in iterations of PBKDF2: a few seconds. */
const MAX_COST = 10_000_000;

/** Counts the iterations of all key derivations of a file. */
export class IterationBudget {
  #remaining = MAX_COST;

  /**
   * Takes the cost of a derivation. The ASN.1 library reads a number that is too large for it as 0.
   * @throws {UnsupportedAlgorithmError}
   */
  take(iterations: number, cost = 1): number {
    if (!(iterations >= 1 && iterations <= MAX_ITERATIONS))
      throw new UnsupportedAlgorithmError(`its key derivation must have 1 to ${MAX_ITERATIONS} iterations`);
    this.#remaining -= iterations * cost;
    if (this.#remaining < 0)
      throw new UnsupportedAlgorithmError(
        'its key derivations have too many iterations together: export it again with AES-256, or with fewer iterations',
      );
    return iterations;
  }
}

/** The length of a SHA-512 hash, the longest that is supported. */
const MAX_MAC_BYTES = 64;

const SHA1 = '1.3.14.3.2.26';
const SHA1_BYTES = 20;
const HASHES: Readonly<
  Record<string, { name: Bun.SupportedCryptoAlgorithms; bytes: number; block: number }>
> = {
  [SHA1]: { name: 'sha1', bytes: 20, block: 64 },
  '2.16.840.1.101.3.4.2.4': { name: 'sha224', bytes: 28, block: 64 },
  '2.16.840.1.101.3.4.2.1': { name: 'sha256', bytes: 32, block: 64 },
  '2.16.840.1.101.3.4.2.2': { name: 'sha384', bytes: 48, block: 128 },
  '2.16.840.1.101.3.4.2.3': { name: 'sha512', bytes: 64, block: 128 },
};

const HMACS: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.7': 'sha1',
  '1.2.840.113549.2.8': 'sha224',
  '1.2.840.113549.2.9': 'sha256',
  '1.2.840.113549.2.10': 'sha384',
  '1.2.840.113549.2.11': 'sha512',
};

const PBES2 = '1.2.840.113549.1.5.13';
const PBMAC1 = '1.2.840.113549.1.5.14';
const PBKDF2 = '1.2.840.113549.1.5.12';

/** The ciphers of PBES2 (RFC 8018 B.2). */
const CIPHERS: Readonly<Record<string, { name: string; keyBytes: number }>> = {
  '2.16.840.1.101.3.4.1.2': { name: 'aes-128-cbc', keyBytes: 16 },
  '2.16.840.1.101.3.4.1.22': { name: 'aes-192-cbc', keyBytes: 24 },
  '2.16.840.1.101.3.4.1.42': { name: 'aes-256-cbc', keyBytes: 32 },
  '1.2.840.113549.3.7': { name: 'des-ede3-cbc', keyBytes: 24 },
};

/** The ciphers of RFC 7292 annex C, which older programs write. */
const OLD_CIPHERS: Readonly<Record<string, { name: string; keyBytes: number }>> = {
  '1.2.840.113549.1.12.1.3': { name: 'des-ede3-cbc', keyBytes: 24 },
  '1.2.840.113549.1.12.1.4': { name: 'des-ede-cbc', keyBytes: 16 },
  '1.2.840.113549.1.12.1.5': { name: 'rc2-cbc', keyBytes: 16 },
  '1.2.840.113549.1.12.1.6': { name: 'rc2-40-cbc', keyBytes: 5 },
};

/**
 * Decrypts data with the password of a PKCS#12 file: PBES2 (RFC 8018), or the older algorithms of RFC 7292.
 * @throws {Error} if the password is wrong
 */
export function decryptWithPassword(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  encrypted: Uint8Array,
  { password, budget }: { password: string; budget: IterationBudget },
): Buffer {
  if (algorithmId === PBES2) {
    const { keyDerivationFunc, encryptionScheme } = schemesOf(algorithmParams);
    const { name, keyBytes } = find(CIPHERS, encryptionScheme.algorithmId, 'cipher');
    const iv: unknown = encryptionScheme.algorithmParams;
    if (!(iv instanceof OctetString)) throw new Asn1Fault('is malformed');
    return decipher(
      name,
      derivePbkdf2(keyDerivationFunc, { password, budget }, keyBytes),
      bytesOf(iv),
      encrypted,
    );
  }
  const { name, keyBytes } = find(OLD_CIPHERS, algorithmId, 'encryption');
  const parameters: unknown = algorithmParams;
  const [salt, iterations] = parameters instanceof Sequence ? parameters.valueBlock.value : [];
  if (!(salt instanceof OctetString && iterations instanceof Integer)) throw new Asn1Fault('is malformed');
  const common = {
    password,
    salt: bytesOf(salt),
    // The key and the initialization vector are derived apart. A key of more than 20 bytes takes two
    // derivations.
    iterations: budget.take(
      iterations.valueBlock.valueDec,
      (keyBytes > SHA1_BYTES ? 3 : 2) * OLD_ITERATION_COST,
    ),
    hash: SHA1,
  };
  const key = derivePkcs12({ ...common, purpose: KEY, length: keyBytes });
  return decipher(name, key, derivePkcs12({ ...common, purpose: IV, length: 8 }), encrypted);
}

function decipher(name: string, key: Buffer, iv: Uint8Array, encrypted: Uint8Array): Buffer {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(encrypted), cipher.final()]);
}

/** Computes the MAC of a PKCS#12 file (RFC 7292 4, RFC 9579), and returns it with the expected MAC. */
export function authenticate(
  { mac, macSalt, iterations = 1 }: MacData,
  content: Uint8Array,
  { password, budget }: { password: string; budget: IterationBudget },
): { computed: Buffer; expected: Uint8Array } {
  const { algorithmId, algorithmParams } = mac.digestAlgorithm;
  const expected = bytesOf(mac.digest);
  if (algorithmId === PBMAC1) {
    // The parameters have the same structure as the parameters of PBES2.
    const { keyDerivationFunc, encryptionScheme } = schemesOf(algorithmParams);
    const hash = find(HMACS, encryptionScheme.algorithmId, 'authentication');
    // The time to derive the key grows with its length.
    if (expected.length > MAX_MAC_BYTES) throw new Asn1Fault('is malformed');
    const key = derivePbkdf2(keyDerivationFunc, { password, budget }, expected.length);
    return { computed: createHmac(hash, key).update(content).digest(), expected };
  }
  const { name, bytes } = find(HASHES, algorithmId, 'authentication');
  const key = derivePkcs12({
    password,
    salt: bytesOf(macSalt),
    iterations: budget.take(iterations, OLD_ITERATION_COST),
    hash: algorithmId,
    purpose: MAC,
    length: bytes,
  });
  return { computed: createHmac(name, key).update(content).digest(), expected };
}

function schemesOf(schema: unknown): PBES2Params {
  return attempt(() => new PBES2Params({ schema }));
}

function derivePbkdf2(
  { algorithmId, algorithmParams }: AlgorithmIdentifier,
  { password, budget }: { password: string; budget: IterationBudget },
  length: number,
): Buffer {
  if (algorithmId !== PBKDF2)
    throw new UnsupportedAlgorithmError(`the key derivation ${algorithmId} is not supported`);
  const { salt, iterationCount, prf } = attempt(() => new PBKDF2Params({ schema: algorithmParams }));
  const saltValue: unknown = salt;
  if (!(saltValue instanceof OctetString)) throw new Asn1Fault('is malformed');
  const hash = prf ? find(HMACS, prf.algorithmId, 'key derivation') : 'sha1';
  return pbkdf2Sync(password, bytesOf(saltValue), budget.take(iterationCount), length, hash);
}

function find<T>(known: Readonly<Record<string, T>>, id: string, kind: string): T {
  const found = Object.hasOwn(known, id) ? known[id] : undefined;
  if (found === undefined)
    throw new UnsupportedAlgorithmError(`its ${kind} algorithm ${id} is not supported`);
  return found;
}

/** The purposes of derived bytes (RFC 7292 B.3). */
const KEY = 1;
const IV = 2;
const MAC = 3;

interface Derivation {
  password: string;
  salt: Uint8Array;
  iterations: number;
  /** The identifier of the hash. */
  hash: string;
  purpose: number;
  length: number;
}

/** Derives bytes from a password (RFC 7292 B.2). */
function derivePkcs12({ password, salt, iterations, hash, purpose, length }: Derivation): Buffer {
  const { name, block } = find(HASHES, hash, 'hash');
  const text = Buffer.from(`${password}\0`, 'utf16le').swap16();
  const input = Buffer.concat([repeat(salt, block), repeat(text, block)]);
  const parts: Buffer[] = [];
  for (let made = 0; made < length;) {
    let digest: Buffer = createHash(name).update(Buffer.alloc(block, purpose)).update(input).digest();
    let next: Buffer = Buffer.alloc(digest.length);
    // Far faster than a new hash object for each round.
    for (let round = 1; round < iterations; round++) {
      Bun.CryptoHasher.hash(name, digest, next);
      [digest, next] = [next, digest];
    }
    parts.push(digest);
    made += digest.length;
    const addend = repeat(digest, block).subarray(0, block);
    for (let start = 0; start < input.length; start += block)
      add(input.subarray(start, start + block), addend);
  }
  return Buffer.concat(parts).subarray(0, length);
}

/** Repeats bytes up to a multiple of the block length. */
function repeat(bytes: Uint8Array, block: number): Buffer {
  if (bytes.length === 0) return Buffer.alloc(0);
  return Buffer.alloc(block * Math.ceil(bytes.length / block), bytes);
}

/** Adds `addend + 1` to a block, as large integers. */
function add(block: Buffer, addend: Buffer): void {
  let carry = 1;
  for (let index = block.length - 1; index >= 0; index--) {
    carry += (block[index] ?? 0) + (addend[index] ?? 0);
    block[index] = carry & 0xff;
    carry >>= 8;
  }
}
