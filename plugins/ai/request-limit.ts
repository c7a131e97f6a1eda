import { AppError } from '../../src/plugin.ts';

const MAX_PER_ACCOUNT = 3;

/**
 * Limits how many templates are generated at once. Each one holds a connection to the provider for up to a
 * minute.
 */
export class RequestLimit {
  readonly #limit: number;
  readonly #runningByAccount = new Map<string, number>();
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Runs the work without waiting.
   * @throws {AppError} RATE_LIMITED when the limit of the account or of all accounts is reached.
   */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const ofAccount = this.#runningByAccount.get(accountId) ?? 0;
    if (this.#running >= this.#limit || ofAccount >= MAX_PER_ACCOUNT)
      throw new AppError('RATE_LIMITED', 'too many templates are being generated; try again later', {
        retryAfterSeconds: 5,
      });
    this.#running += 1;
    this.#runningByAccount.set(accountId, ofAccount + 1);
    try {
      return await work();
    } finally {
      this.#release(accountId);
    }
  }

  #release(accountId: string): void {
    this.#running -= 1;
    const running = (this.#runningByAccount.get(accountId) ?? 1) - 1;
    if (running === 0) this.#runningByAccount.delete(accountId);
    else this.#runningByAccount.set(accountId, running);
  }
}
