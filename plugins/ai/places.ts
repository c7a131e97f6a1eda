import { AppError } from '../../src/plugin.ts';

/** Templates of one account that are made at once. */
const PLACES_OF_ACCOUNT = 3;

/** Counts the templates that are being made, each of which holds a connection to the provider for up to a minute. */
export class Places {
  readonly #limit: number;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Works in a place. @throws {AppError} RATE_LIMITED when there is none. */
  async use<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const own = this.#taken.get(accountId) ?? 0;
    if (this.#total >= this.#limit || own >= PLACES_OF_ACCOUNT)
      throw new AppError('RATE_LIMITED', 'too many templates are being generated; try again later', {
        retryAfterSeconds: 5,
      });
    this.#total += 1;
    this.#taken.set(accountId, own + 1);
    try {
      return await work();
    } finally {
      this.#giveBack(accountId);
    }
  }

  #giveBack(accountId: string): void {
    this.#total -= 1;
    const own = (this.#taken.get(accountId) ?? 1) - 1;
    if (own === 0) this.#taken.delete(accountId);
    else this.#taken.set(accountId, own);
  }
}
