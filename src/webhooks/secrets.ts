import { randomBytes } from 'node:crypto';
import type { AccountData } from '../account-data.ts';
import { Sealer } from '../sealer.ts';
import { DuplicateKeyError, type Collection, type CollectionSpec, type Store } from '../store/store.ts';

/** The encrypted signing secrets of an account. The id is that of the account. */
interface SealedSecrets {
  id: string;
  current: string;
  /** The previous secret, which also signs until `previousUntil` (epoch milliseconds). */
  previous: string | null;
  previousUntil: number | null;
}

const spec: CollectionSpec<SealedSecrets> = { name: 'webhook_secrets', usesReserve: true };

const OVERLAP_MS = 24 * 60 * 60_000;
const SECRET_BYTES = 32;

/** Thrown when a stored secret cannot be decrypted because `PLATEN_SECRET` has changed. */
export class WebhookSecretError extends Error {
  override name = 'WebhookSecretError';

  constructor(cause: unknown) {
    super(
      'the signing secret cannot be read because PLATEN_SECRET has changed; rotate it to create a new one',
      {
        cause,
      },
    );
  }
}

/** Stores one signing secret per account (`whsec_` and base64, Standard Webhooks), encrypted with AES-256-GCM. */
export class WebhookSecrets {
  readonly #secrets: Collection<SealedSecrets>;
  readonly #sealer: Sealer;

  private constructor(secrets: Collection<SealedSecrets>, sealer: Sealer) {
    this.#secrets = secrets;
    this.#sealer = sealer;
  }

  /** @param key 32 bytes in hexadecimal */
  static async open(store: Store, key: string): Promise<WebhookSecrets> {
    return new WebhookSecrets(await store.collection(spec), new Sealer(key));
  }

  /** Returns the secrets that sign, the current one first. Creates the first secret of an account. @throws {WebhookSecretError} */
  async read(accountId: string): Promise<[current: string, ...previous: string[]]> {
    const { current, previous, previousUntil } = await this.#findOrCreate(accountId);
    const overlaps = previous !== null && previousUntil !== null && previousUntil > Date.now();
    return [this.#unseal(accountId, current), ...(overlaps ? [this.#unseal(accountId, previous)] : [])];
  }

  /**
   * Creates a new secret and returns it. The previous secret also signs for another 24 hours; older secrets do not. A previous secret that
   * cannot be decrypted is dropped.
   */
  async rotate(accountId: string): Promise<string> {
    for (;;) {
      const { current } = await this.#findOrCreate(accountId);
      const secret = newSecret();
      const previous = this.#isReadable(accountId, current) ? current : null;
      const rotated = await this.#secrets.update(
        { id: accountId, current },
        { current: this.#sealer.seal(accountId, secret), previous, previousUntil: Date.now() + OVERLAP_MS },
      );
      if (rotated) return secret;
    }
  }

  /** Returns the time until which the previous secret also signs (epoch milliseconds), or `null` if only the current secret signs. */
  async previousUntil(accountId: string): Promise<number | null> {
    const { previousUntil = null } = (await this.#secrets.get(accountId)) ?? {};
    return previousUntil !== null && previousUntil > Date.now() ? previousUntil : null;
  }

  /** The secrets as data of their accounts. Exports do not contain them. */
  get accountData(): AccountData {
    const secrets = this.#secrets;
    return {
      name: 'webhook-secrets',
      count: (accountId) => secrets.count({ id: accountId }),
      async *read(accountId) {
        const stored = await secrets.get(accountId);
        if (stored) yield [{ record: { previous_until: stored.previousUntil } }];
      },
      async delete(accountId) {
        await secrets.delete({ id: accountId });
      },
    };
  }

  async #findOrCreate(accountId: string): Promise<SealedSecrets> {
    for (;;) {
      const found = await this.#secrets.get(accountId);
      if (found) return found;
      const current = this.#sealer.seal(accountId, newSecret());
      try {
        await this.#secrets.insert({ id: accountId, current, previous: null, previousUntil: null });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
  }

  #unseal(accountId: string, text: string): string {
    try {
      return this.#sealer.unseal(accountId, text);
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
