import type { AccountData } from '../account-data.ts';
import { Sealer } from '../sealer.ts';
import { DuplicateKeyError, type Collection, type CollectionSpec, type Store } from '../store/store.ts';
import { SecretSealer, type SealedSecret, type SigningSecrets } from './signing-secret.ts';

/** The encrypted signing secrets of an account. The id is that of the account. */
interface SealedSecrets extends SealedSecret {
  id: string;
}

const spec: CollectionSpec<SealedSecrets> = { name: 'webhook_secrets', usesReserve: true };

/** Stores one signing secret per account. It signs the messages to the `webhook` URLs of requests. */
export class WebhookSecrets {
  readonly #secrets: Collection<SealedSecrets>;
  /** Seals signing secrets with the key of the deployment. */
  readonly sealer: SecretSealer;

  private constructor(secrets: Collection<SealedSecrets>, sealer: SecretSealer) {
    this.#secrets = secrets;
    this.sealer = sealer;
  }

  /** @param key 32 bytes in hexadecimal */
  static async open(store: Store, key: string): Promise<WebhookSecrets> {
    return new WebhookSecrets(await store.collection(spec), new SecretSealer(new Sealer(key)));
  }

  /**
   * Returns the secrets that sign, the current one first. Creates the first secret of an account.
   * @throws {WebhookSecretError}
   */
  async read(accountId: string): Promise<SigningSecrets> {
    return this.sealer.open(accountId, await this.#findOrCreate(accountId));
  }

  /**
   * Creates a new secret and returns it. The previous secret also signs for another 24 hours; older secrets
   * do not. A previous secret that cannot be decrypted is dropped.
   */
  async rotate(accountId: string): Promise<string> {
    for (;;) {
      const found = await this.#findOrCreate(accountId);
      const { secret, rotated } = this.sealer.rotate(accountId, found);
      if (await this.#secrets.update({ id: accountId, current: found.current }, rotated)) return secret;
    }
  }

  /**
   * Returns the time until which the previous secret also signs (epoch milliseconds), or `null` if only the
   * current secret signs.
   */
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
      try {
        await this.#secrets.insert({ id: accountId, ...this.sealer.create(accountId) });
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
  }
}
