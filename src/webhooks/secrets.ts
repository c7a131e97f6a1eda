import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { DuplicateKeyError, type Collection, type CollectionSpec, type Store } from '../store/store.ts';

/** The signing secrets of an account, encrypted. The id is the account's. */
interface SealedSecrets {
  id: string;
  current: string;
  /** The one before, still signed with until `previousUntil` (epoch milliseconds). */
  previous: string | null;
  previousUntil: number | null;
}

const spec: CollectionSpec<SealedSecrets> = { name: 'webhook_secrets' };

const OVERLAP_MS = 24 * 60 * 60_000;
const SECRET_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Thrown when a stored secret cannot be decrypted: `PLATEN_SECRET` is another one than when it was made. */
export class WebhookSecretError extends Error {
  override name = 'WebhookSecretError';

  constructor(cause: unknown) {
    super(
      'the signing secret cannot be read, because PLATEN_SECRET was changed; make a new one by rotating it',
      {
        cause,
      },
    );
  }
}

/** Keeps one signing secret an account, `whsec_` and base64 (Standard Webhooks), encrypted at rest with AES-256-GCM. */
export class WebhookSecrets {
  readonly #secrets: Collection<SealedSecrets>;
  readonly #key: Buffer;

  private constructor(secrets: Collection<SealedSecrets>, key: Buffer) {
    this.#secrets = secrets;
    this.#key = key;
  }

  /** @param key 32 bytes in hexadecimal. */
  static async open(store: Store, key: string): Promise<WebhookSecrets> {
    return new WebhookSecrets(await store.collection(spec), Buffer.from(key, 'hex'));
  }

  /** Reads the secrets to sign with, the current one first; makes the first one. @throws {WebhookSecretError} */
  async read(accountId: string): Promise<[current: string, ...previous: string[]]> {
    const { current, previous, previousUntil } = await this.#findOrCreate(accountId);
    const overlaps = previous !== null && previousUntil !== null && previousUntil > Date.now();
    return [this.#unseal(accountId, current), ...(overlaps ? [this.#unseal(accountId, previous)] : [])];
  }

  /**
   * Makes a new secret and returns it. The one before is signed with as well for 24 hours; one before that, no more.
   * One that cannot be read is dropped.
   */
  async rotate(accountId: string): Promise<string> {
    for (;;) {
      const { current } = await this.#findOrCreate(accountId);
      const secret = newSecret();
      const previous = this.#isReadable(accountId, current) ? current : null;
      const rotated = await this.#secrets.update(
        { id: accountId, current },
        { current: this.#seal(accountId, secret), previous, previousUntil: Date.now() + OVERLAP_MS },
      );
      if (rotated) return secret;
    }
  }

  async #findOrCreate(accountId: string): Promise<SealedSecrets> {
    for (;;) {
      const found = await this.#secrets.get(accountId);
      if (found) return found;
      const current = this.#seal(accountId, newSecret());
      try {
        await this.#secrets.insert({ id: accountId, current, previous: null, previousUntil: null });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
  }

  /** The account is part of what is authenticated: a secret cannot be moved to another one. */
  #seal(accountId: string, secret: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce).setAAD(Buffer.from(accountId));
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  #unseal(accountId: string, text: string): string {
    const bytes = Buffer.from(text, 'base64');
    const tagEnd = NONCE_BYTES + TAG_BYTES;
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, NONCE_BYTES))
        .setAAD(Buffer.from(accountId))
        .setAuthTag(bytes.subarray(NONCE_BYTES, tagEnd));
      return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString('utf8');
    } catch (cause) {
      throw new WebhookSecretError(cause);
    }
  }

  #isReadable(accountId: string, text: string): boolean {
    try {
      this.#unseal(accountId, text);
      return true;
    } catch {
      return false;
    }
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
