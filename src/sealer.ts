import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Thrown when a sealed text cannot be opened: the key or the subject differs, or the text was changed. */
export class UnsealError extends Error {
  override name = 'UnsealError';
}

/**
 * Encrypts short secrets for the database with AES-256-GCM, and hashes secrets that need not be read back.
 */
export class Sealer {
  readonly #key: Buffer;
  readonly #hashKey: Buffer;

  /** @param key 32 bytes in hexadecimal */
  constructor(key: string) {
    this.#key = Buffer.from(key, 'hex');
    this.#hashKey = createHmac('sha256', this.#key).update('hash').digest();
  }

  /**
   * Returns the HMAC-SHA256 of a text in hexadecimal. The same text has a different hash for each purpose.
   */
  hash(purpose: string, text: string): string {
    return createHmac('sha256', this.#hashKey).update(`${purpose}\n${text}`).digest('hex');
  }

  /**
   * Encrypts a text as base64. The id of its subject, such as a record, is authenticated too, so the text
   * cannot be moved to another record.
   */
  seal(subjectId: string, text: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(subjectId));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** Decrypts a text that {@link seal} encrypted for the same subject. @throws {UnsealError} */
  unseal(subjectId: string, sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    const tagEnd = NONCE_BYTES + TAG_BYTES;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(subjectId))
        .setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
      return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new UnsealError('a sealed text cannot be opened; PLATEN_SECRET may have changed', { cause });
    }
  }
}
