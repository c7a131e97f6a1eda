import { createCipheriv, randomBytes } from 'node:crypto';
import { ENTRY_BYTES, hardenedHash } from './encryption-r6.ts';
import { encryptAes } from './encryption.ts';
import { Dict, name, PdfString } from './objects.ts';
import { MAX_PASSWORD_BYTES, preparePassword } from './password.ts';

/** The passwords and permissions of a file to encrypt. */
export interface Protection {
  ownerPassword: string;
  /** Empty if the file opens without a password. */
  userPassword: string;
  /** The flags of ISO 32000-2 table 22, as a signed integer. */
  permissions: number;
}

/** The encryption of a file to write. */
export interface Encryption {
  /** The encryption dictionary, which is not encrypted itself. */
  dict: Dict;
  /** The password with which the written file opens. */
  userPassword: string;
  /** Encrypts a string or a stream. */
  encrypt: (bytes: Uint8Array) => Uint8Array;
}

const NO_BYTES = new Uint8Array(0);

/**
 * Creates the encryption of a file with AES-256 and a random key: revision 6 (ISO 32000-2 7.6.4.4, algorithms
 * 8 to 10).
 */
export function createEncryption({ ownerPassword, userPassword, permissions }: Protection): Encryption {
  const key = randomBytes(32);
  const user = createEntry(encodePassword(userPassword), NO_BYTES, key);
  const owner = createEntry(encodePassword(ownerPassword), user.hash, key);
  const filter = Dict.of({
    Type: name('CryptFilter'),
    CFM: name('AESV3'),
    AuthEvent: name('DocOpen'),
    Length: 32,
  });
  const dict = Dict.of({
    Filter: name('Standard'),
    V: 5,
    R: 6,
    Length: 256,
    P: permissions,
    EncryptMetadata: true,
    CF: Dict.of({ StdCF: filter }),
    StmF: name('StdCF'),
    StrF: name('StdCF'),
    U: new PdfString(user.hash),
    UE: new PdfString(user.key),
    O: new PdfString(owner.hash),
    OE: new PdfString(owner.key),
    Perms: new PdfString(sealPermissions(permissions, key)),
  });
  return { dict, userPassword, encrypt: (bytes) => encryptAes('aes-256-cbc', key, bytes) };
}

function encodePassword(text: string): Buffer {
  return Buffer.from(preparePassword(text), 'utf8').subarray(0, MAX_PASSWORD_BYTES);
}

/** Computes `U` and `UE` (algorithm 8), or `O` and `OE` (algorithm 9) with `U` as the context. */
function createEntry(
  password: Uint8Array,
  context: Uint8Array,
  fileKey: Uint8Array,
): { hash: Buffer; key: Buffer } {
  const validation = saltedHash(password, context);
  const wrapping = saltedHash(password, context);
  const cipher = createCipheriv('aes-256-cbc', wrapping.hash, Buffer.alloc(16)).setAutoPadding(false);
  const key = Buffer.concat([cipher.update(fileKey), cipher.final()]);
  return { hash: Buffer.concat([validation.hash, validation.salt, wrapping.salt], ENTRY_BYTES), key };
}

/** Hashes a password with a random salt on whose hash all readers agree. */
function saltedHash(password: Uint8Array, context: Uint8Array): { hash: Buffer; salt: Buffer } {
  for (;;) {
    const salt = randomBytes(8);
    const { hash, isAtLimit } = hardenedHash(password, salt, context);
    if (!isAtLimit) return { hash, salt };
  }
}

/** Encrypts the permissions, so that readers notice when `P` was changed (algorithm 10). */
function sealPermissions(permissions: number, key: Uint8Array): Buffer {
  const block = Buffer.alloc(16, 255);
  block.writeInt32LE(permissions);
  block.write('Tadb', 8, 'latin1');
  randomBytes(4).copy(block, 12);
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}
