import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { Dict, Name, type PdfStream } from './objects.ts';
import { PdfError } from './errors.ts';
import { fileKeyOfRevision4 } from './encryption-r4.ts';
import { fileKeyOfRevision6 } from './encryption-r6.ts';
import { passwordForms } from './password.ts';
import { rc4 } from './rc4.ts';

const NO_BYTES = new Uint8Array(0);

type Method = 'identity' | 'rc4' | 'aes128' | 'aes256';

/** Decrypts or encrypts the strings and streams of one object. */
export interface ObjectCipher {
  string: (bytes: Uint8Array) => Uint8Array;
  stream: (dict: Dict, bytes: Uint8Array) => Uint8Array;
  /** Tells whether a stream can be decrypted. A file may protect only its attachments with a password. */
  canDecrypt: (dict: Dict) => boolean;
}

/**
 * Decrypts files that use the standard security handler (ISO 32000-2 7.6.4). If only attachments are
 * encrypted, opens the file without a key. Supports RC4 with 40 to 128 bits and AES with 128 and 256 bits.
 */
export class Decryption {
  readonly #key: Uint8Array | undefined;
  /** The first file identifier from which the key is derived, or is assumed to be derived. */
  readonly id: Uint8Array;
  readonly #strings: Method;
  readonly #streams: Method;
  readonly #attachments: Method;
  readonly #methods: (filter: string) => Method;
  readonly #metadata: boolean;

  private constructor(dict: Dict, found: { key: Uint8Array | undefined; id: Uint8Array }) {
    this.#key = found.key;
    this.id = found.id;
    this.#methods = (filter) => methodOf(dict, filter);
    const version = dict.number('V') ?? 0;
    this.#strings = version < 4 ? 'rc4' : this.#methods(dict.name('StrF') ?? 'Identity');
    this.#streams = version < 4 ? 'rc4' : this.#methods(dict.name('StmF') ?? 'Identity');
    const attachments = version < 4 ? undefined : dict.name('EFF');
    this.#attachments = attachments === undefined ? this.#streams : this.#methods(attachments);
    this.#metadata = dict.get('EncryptMetadata') !== false;
  }

  /**
   * Computes the key from the user or the owner password. A file that opens without a password has an empty
   * user password. `id` is the first file identifier. Writers that omit it, or that give readers a malformed
   * one, derive the key from an empty identifier.
   * @throws {PdfError} `encrypted` if the security handler is not supported; `needs-password`;
   * `wrong-password`.
   */
  static open(dict: Dict, id: Uint8Array, password = ''): Decryption {
    if (dict.name('Filter') !== 'Standard') throw encryptedError('with an unsupported security handler');
    const decryption = new Decryption(dict, findKey(dict, id, password));
    if (decryption.#key) return decryption;
    if (password !== '') throw new PdfError('wrong-password', 'cannot be opened with this password');
    if (decryption.#hidesContent)
      throw new PdfError(
        'needs-password',
        'is encrypted and needs a password: remove it with POST /v1/pdf/unlock first',
      );
    return decryption;
  }

  get #hidesContent(): boolean {
    return this.#strings !== 'identity' || this.#streams !== 'identity';
  }

  /** Returns the cipher that decrypts an object outside object streams. */
  decrypterFor(number: number, generation: number): ObjectCipher {
    return this.#cipher(number, generation, decryptAes);
  }

  /** Returns the cipher that encrypts an added object. */
  encrypterFor(number: number, generation: number): ObjectCipher {
    return this.#cipher(number, generation, encryptAes);
  }

  #cipher(number: number, generation: number, aes: Aes): ObjectCipher {
    const secret = this.#key;
    const apply = (method: Method, bytes: Uint8Array) => {
      if (method === 'identity' || bytes.length === 0 || !secret) return bytes;
      if (method === 'aes256') return aes('aes-256-cbc', secret, bytes);
      const key = keyOfObject(secret, method, number, generation);
      // RC4 encryption and decryption are the same operation.
      return method === 'rc4' ? rc4(key, bytes) : aes('aes-128-cbc', key, bytes);
    };
    return {
      string: (bytes) => apply(this.#strings, bytes),
      stream: (dict, bytes) => apply(this.#methodFor(dict), bytes),
      canDecrypt: (dict) => secret !== undefined || this.#methodFor(dict) === 'identity',
    };
  }

  #methodFor(dict: Dict): Method {
    const type = dict.name('Type');
    if (type === 'XRef' || (type === 'Metadata' && !this.#metadata)) return 'identity';
    const filter = cryptFilter(dict);
    if (filter !== undefined) return this.#methods(filter);
    return type === 'EmbeddedFile' ? this.#attachments : this.#streams;
  }
}

function findKey(
  dict: Dict,
  given: Uint8Array,
  password: string,
): { key: Uint8Array | undefined; id: Uint8Array } {
  const revision = dict.number('R') ?? 0;
  const ids = revision < 5 && given.length > 0 ? [given, NO_BYTES] : [given];
  for (const id of ids)
    for (const form of passwordForms(password, revision)) {
      const key =
        revision >= 5
          ? fileKeyOfRevision6(dict, revision, form)
          : fileKeyOfRevision4(dict, revision, { id, password: form });
      if (key) return { key, id };
    }
  return { key: undefined, id: given };
}

/** Derives the key of an object from the file key (ISO 32000-1 7.6.2, algorithm 1). */
function keyOfObject(secret: Uint8Array, method: Method, number: number, generation: number): Uint8Array {
  const salt = Buffer.from([number, number >> 8, number >> 16, generation, generation >> 8]);
  const hash = createHash('md5').update(secret).update(salt);
  if (method === 'aes128') hash.update('sAlT', 'latin1');
  return hash.digest().subarray(0, Math.min(secret.length + 5, 16));
}

function encryptedError(how: string): PdfError {
  return new PdfError('encrypted', `is encrypted ${how}`);
}

/** Returns the name of the crypt filter that a stream requests itself. */
function cryptFilter(dict: Dict): string | undefined {
  const filter = dict.get('Filter');
  const first = Array.isArray(filter) ? filter[0] : filter;
  if (!(first instanceof Name) || first.value !== 'Crypt') return undefined;
  const parameters = dict.get('DecodeParms');
  const firstParameters = Array.isArray(parameters) ? parameters[0] : parameters;
  return (firstParameters instanceof Dict && firstParameters.name('Name')) || 'Identity';
}

function methodOf(dict: Dict, filter: string): Method {
  if (filter === 'Identity') return 'identity';
  switch (dict.dict('CF')?.dict(filter)?.name('CFM') ?? 'None') {
    case 'V2':
      return 'rc4';
    case 'AESV2':
      return 'aes128';
    case 'AESV3':
      return 'aes256';
    default:
      return 'identity';
  }
}

type Aes = (algorithm: 'aes-128-cbc' | 'aes-256-cbc', key: Uint8Array, bytes: Uint8Array) => Uint8Array;

/**
 * Encrypts bytes and prepends the random initialization vector, as strings and streams are stored (ISO
 * 32000-2 7.6.3.1).
 */
export const encryptAes: Aes = (algorithm, key, bytes) => {
  const start = randomBytes(16);
  const cipher = createCipheriv(algorithm, key, start);
  return Buffer.concat([start, cipher.update(bytes), cipher.final()]);
};

/** Decrypts all whole blocks. Damaged ends are common, and at most the last block is lost. */
const decryptAes: Aes = (algorithm, key, bytes) => {
  const whole = bytes.length - (bytes.length % 16);
  if (whole < 32) return new Uint8Array(0);
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes.subarray(16, whole)), decipher.final()]);
  const padding = plain.at(-1) ?? 0;
  return padding >= 1 && padding <= 16 ? plain.subarray(0, plain.length - padding) : plain;
};

/** Returns the dictionary of a decrypted stream, without its Crypt filter. */
export function withoutCryptFilter({ dict }: PdfStream): Dict {
  if (cryptFilter(dict) === undefined) return dict;
  const rest = (key: string) => {
    const value = dict.get(key);
    return Array.isArray(value) && value.length > 1 ? value.slice(1) : undefined;
  };
  return dict.copy().set('Filter', rest('Filter')).set('DecodeParms', rest('DecodeParms'));
}
