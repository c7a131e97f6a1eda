import { RecentUse } from '../../../src/plugin.ts';

/** Work counts half after this time. */
const HALF_LIFE_MS = 5_000;
/** An account with less recent work is not busy. */
const BUSY_MS = 2_000;
/** A busy account has at least this many times the work of all others together. */
const TIMES_OTHERS = 2;
/** With less recent work, the others are not active. A document of 30 ms counts as active for about ten seconds. */
const ACTIVE_MS = 7;

interface Running {
  accountId: string;
  workMs: () => number;
}

/**
 * Finds the account that causes most of the browsers' work while other accounts are active. Several accounts with much work are not busy,
 * because they share the browser fairly.
 */
export class BusyAccounts {
  readonly #ended = new RecentUse(HALF_LIFE_MS);
  readonly #running = new Set<Running>();
  readonly #now: () => number;

  /** @param now a monotonic clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * Counts the work on a document until the returned function is called.
   * @param workMs returns how long the document has been worked on so far, without the time in which it waited for the network
   */
  begin(accountId: string, workMs: () => number): () => void {
    const running = { accountId, workMs };
    this.#running.add(running);
    return () => {
      this.#running.delete(running);
      this.#ended.add(accountId, workMs(), this.#now());
    };
  }

  isBusy(accountId: string): boolean {
    const now = this.#now();
    let own = this.#ended.read(accountId, now);
    let others = this.#ended.readAll(now) - own;
    for (const running of this.#running) {
      if (running.accountId === accountId) own += running.workMs();
      else others += running.workMs();
    }
    return own >= BUSY_MS && others >= ACTIVE_MS && own >= TIMES_OTHERS * others;
  }
}
