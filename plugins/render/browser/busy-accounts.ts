import { RecentUse } from '../../../src/plugin.ts';

/** Work counts half after this time. */
const HALF_LIFE_MS = 5_000;
/** An account with less recent work is not busy. */
const BUSY_MS = 2_000;
/** A busy account has at least this many times the work of all others together. */
const TIMES_OTHERS = 2;
/** With less recent work, the others are not active. A document of 30 ms counts as active for about ten seconds. */
const ACTIVE_MS = 7;

/**
 * Finds the account that causes most of the browsers' work while other accounts are active. Several accounts with much work do not count,
 * because they share the browser fairly. Times are milliseconds of one monotonic clock.
 */
export class BusyAccounts {
  readonly #work = new RecentUse(HALF_LIFE_MS);

  /** Adds the time that a document of an account took, without the time in which it waited for the network. */
  add(accountId: string, workMs: number, now: number): void {
    this.#work.add(accountId, workMs, now);
  }

  isBusy(accountId: string, now: number): boolean {
    const own = this.#work.read(accountId, now);
    const others = this.#work.readAll(now) - own;
    return own >= BUSY_MS && others >= ACTIVE_MS && own >= TIMES_OTHERS * others;
  }

  /** Returns the busy account, if there is one. */
  find(now: number): string | undefined {
    return this.#work.accounts().find((accountId) => this.isBusy(accountId, now));
  }
}
