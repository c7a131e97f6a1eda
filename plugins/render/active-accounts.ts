import { availableParallelism } from 'node:os';
import { RecentUse, type Share } from '@platen/runtime';

/** An account that printed a document within this time counts as active. */
const ACTIVE_MS = 10_000;
const HALF_LIFE_MS = 5_000;
/** An account is busy if its recent documents took longer than this. */
const BUSY_MS = 1_000;

interface Arrival {
  accountId: string;
  at: number;
}

const NEVER: Arrival = { accountId: '', at: Number.NEGATIVE_INFINITY };

/**
 * Limits the documents that print at once, so that busy accounts leave one processor to the others.
 *
 * While another account is active, isolated documents together leave one processor free, and so does each
 * account that has used more time than the other. An account alone may use all processors.
 */
export class ActiveAccounts {
  readonly #allButOne = Math.max(1, availableParallelism() - 1);
  readonly #use = new RecentUse(HALF_LIFE_MS);
  /** The arrival of the latest document that is not isolated, and of the latest one from another account. */
  #last = NEVER;
  #previous = NEVER;

  /**
   * Records the arrival of a document, and returns the limits of its share. Times are milliseconds of one
   * monotonic clock.
   */
  arrive(accountId: string, isIsolated: boolean, now: number): Pick<Share, 'limit' | 'resources'> {
    if (!isIsolated) {
      if (this.#last.accountId !== accountId) this.#previous = this.#last;
      this.#last = { accountId, at: now };
    }
    const other = this.#last.accountId === accountId ? this.#previous : this.#last;
    if (now - other.at >= ACTIVE_MS) return {};
    if (isIsolated) return { resources: [{ key: 'isolated', limit: this.#allButOne }] };
    const usedMs = this.#use.read(accountId, now);
    const isBusier = usedMs > BUSY_MS && usedMs > this.#use.read(other.accountId, now);
    return isBusier ? { limit: this.#allButOne } : {};
  }

  /** Counts the time that a document of an account took. */
  use(accountId: string, ms: number, now: number): void {
    this.#use.add(accountId, ms, now);
  }
}
