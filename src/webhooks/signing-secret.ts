import { randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Sealer } from '../sealer.ts';

/** The encrypted secrets of a record that sign its messages. */
export interface SealedSecret {
  current: string;
  /** The previous secret, which also signs until `previousUntil` (epoch milliseconds). */
  previous: string | null;
  previousUntil: number | null;
}

/** The secrets that sign, the current one first. */
export type SigningSecrets = [current: string, ...previous: string[]];

const OVERLAP_MS = 24 * 60 * 60_000;
const SECRET_BYTES = 32;

/** Thrown when a stored secret cannot be decrypted because `PLATEN_SECRET` has changed. */
export class WebhookSecretError extends AppError {
  override name = 'WebhookSecretError';

  constructor(cause: unknown) {
    super(
      'CONFLICT',
      'the signing secret cannot be read because PLATEN_SECRET has changed; rotate it to create a new one',
      {
        cause,
      },
    );
  }
}

/**
 * Creates, rotates and decrypts signing secrets (`whsec_` and base64, Standard Webhooks). They are encrypted
 * with AES-256-GCM, each for the record with the id `subjectId`.
 */
export class SecretSealer {
  readonly #sealer: Sealer;

  constructor(sealer: Sealer) {
    this.#sealer = sealer;
  }

  create(subjectId: string): SealedSecret {
    const current = this.#sealer.seal(subjectId, newSecret());
    return { current, previous: null, previousUntil: null };
  }

  /** @throws {WebhookSecretError} */
  open(subjectId: string, { current, previous, previousUntil }: SealedSecret): SigningSecrets {
    const overlaps = previous !== null && previousUntil !== null && previousUntil > Date.now();
    return [this.#unseal(subjectId, current), ...(overlaps ? [this.#unseal(subjectId, previous)] : [])];
  }

  /**
   * Returns a new secret, and the sealed secrets with it. The previous secret also signs for another 24
   * hours; older secrets do not. A previous secret that cannot be decrypted is dropped.
   */
  rotate(subjectId: string, { current }: SealedSecret): { secret: string; rotated: SealedSecret } {
    const secret = newSecret();
    const rotated = {
      current: this.#sealer.seal(subjectId, secret),
      previous: this.#isReadable(subjectId, current) ? current : null,
      previousUntil: Date.now() + OVERLAP_MS,
    };
    return { secret, rotated };
  }

  #unseal(subjectId: string, text: string): string {
    try {
      return this.#sealer.unseal(subjectId, text);
    } catch (cause) {
      throw new WebhookSecretError(cause);
    }
  }

  #isReadable(subjectId: string, text: string): boolean {
    try {
      this.#unseal(subjectId, text);
      return true;
    } catch {
      return false;
    }
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}
