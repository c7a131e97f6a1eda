import { createDecipheriv, createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { Asn1Error, type Asn1 } from './asn1.ts';

/** Thrown for a PKCS#12 file that uses an algorithm that is not supported. */
export class UnsupportedAlgorithmError extends Error {
  override name = 'UnsupportedAlgorithmError';
}

/** The largest number of iterations. OpenSSL and browsers use 2,048 to 600,000. */
const MAX_ITERATIONS = 1_000_000;

const HASHES: Readonly<Record<string, { name: string; bytes: number; block: number }>> = {
  '1.3.14.3.2.26': { name: 'sha1', bytes: 20, block: 64 },
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
export function decryptWithPassword(identifier: Asn1, encrypted: Uint8Array, password: string): Buffer {
  const id = identifier.at(0).oid;
  if (id === PBES2) {
    const [derivation, cipher] = identifier.at(1).items;
    if (!derivation || !cipher) throw new Asn1Error('has an incomplete structure');
    const { name, keyBytes } = find(CIPHERS, cipher.at(0).oid, 'cipher');
    return decipher(name, derivePbkdf2(derivation, password, keyBytes), cipher.at(1).bytes, encrypted);
  }
  const { name, keyBytes } = find(OLD_CIPHERS, id, 'encryption');
  const [salt, iterations] = identifier.at(1).items;
  if (!salt || !iterations) throw new Asn1Error('has an incomplete structure');
  const parameters = { password, salt: salt.bytes, iterations: countOf(iterations), hash: '1.3.14.3.2.26' };
  const key = derivePkcs12({ ...parameters, purpose: KEY, length: keyBytes });
  return decipher(name, key, derivePkcs12({ ...parameters, purpose: IV, length: 8 }), encrypted);
}

function decipher(name: string, key: Buffer, iv: Buffer, encrypted: Uint8Array): Buffer {
  const cipher = createDecipheriv(name, key, iv);
  return Buffer.concat([cipher.update(encrypted), cipher.final()]);
}

/** Computes the code that authenticates a PKCS#12 file (RFC 7292 4, RFC 9579), and returns it with the expected one. */
export function authenticate(
  mac: Asn1,
  content: Uint8Array,
  password: string,
): { computed: Buffer; expected: Buffer } {
  const [digestInfo, salt, count] = mac.items;
  if (!digestInfo || !salt) throw new Asn1Error('has an incomplete structure');
  const identifier = digestInfo.at(0);
  const expected = digestInfo.at(1).bytes;
  const id = identifier.at(0).oid;
  if (id === PBMAC1) {
    const [derivation, scheme] = identifier.at(1).items;
    if (!derivation || !scheme) throw new Asn1Error('has an incomplete structure');
    const hash = find(HMACS, scheme.at(0).oid, 'authentication');
    const key = derivePbkdf2(derivation, password, expected.length);
    return { computed: createHmac(hash, key).update(content).digest(), expected };
  }
  const { name, bytes } = find(HASHES, id, 'authentication');
  const iterations = count ? countOf(count) : 1;
  const key = derivePkcs12({
    password,
    salt: salt.bytes,
    iterations,
    hash: id,
    purpose: MAC,
    length: bytes,
  });
  return { computed: createHmac(name, key).update(content).digest(), expected };
}

function derivePbkdf2(identifier: Asn1, password: string, length: number): Buffer {
  if (identifier.at(0).oid !== PBKDF2)
    throw new UnsupportedAlgorithmError(`the key derivation ${identifier.at(0).oid} is not supported`);
  const [salt, iterations, ...options] = identifier.at(1).items;
  if (!salt || !iterations) throw new Asn1Error('has an incomplete structure');
  const prf = options.find((option) => !option.isInteger);
  const hash = prf ? find(HMACS, prf.at(0).oid, 'key derivation') : 'sha1';
  return pbkdf2Sync(Buffer.from(password, 'utf8'), salt.bytes, countOf(iterations), length, hash);
}

function countOf(value: Asn1): number {
  const count = value.integer;
  if (count >= 1 && count <= MAX_ITERATIONS) return count;
  throw new UnsupportedAlgorithmError(`its key derivation has more than ${MAX_ITERATIONS} iterations`);
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
    let digest = createHash(name).update(Buffer.alloc(block, purpose)).update(input).digest();
    for (let round = 1; round < iterations; round++) digest = createHash(name).update(digest).digest();
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
