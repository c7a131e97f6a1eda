import type { Log } from '../../src/plugin.ts';
import type { BrowserLease, Chromium } from './chromium.ts';

/** Why an account's documents are kept apart. */
export type IsolationReason = 'page lost' | 'slow' | 'flood';

/** The two browsers, and what observes them. */
export interface BrowsersParts {
  /** Prints for all accounts in good standing. */
  shared: Chromium;
  /** Prints for isolated accounts, and yields to all other processes when processors are scarce. */
  isolated: Chromium;
  log: Log;
  /** Milliseconds of a monotonic clock; `performance.now` when absent. */
  now?: () => number;
}

/** How long an account stays isolated after its last offence. */
const ISOLATION_MS = 10 * 60_000;

/**
 * Keeps accounts whose documents do damage away from all others. A document that loses its page, floods the browser with messages or
 * spends seconds on its own work is often followed by more of the same account: these are printed in a second browser of low priority.
 */
export class Browsers {
  readonly #parts: BrowsersParts;
  readonly #now: () => number;
  /** When the isolation of each account ends, the earliest first. */
  readonly #isolatedUntil = new Map<string, number>();

  constructor(parts: BrowsersParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** How many accounts are isolated. */
  get isolatedAccounts(): number {
    this.#release();
    return this.#isolatedUntil.size;
  }

  /** Borrows the browser in which the documents of an account are printed. @throws {BrowserUnavailableError} */
  lease(accountId: string): Promise<BrowserLease> {
    this.#release();
    const { shared, isolated } = this.#parts;
    return (this.#isolatedUntil.has(accountId) ? isolated : shared).lease();
  }

  /** Has the next documents of an account printed apart from all others. */
  isolate(accountId: string, reason: IsolationReason): void {
    const { isolated, log } = this.#parts;
    if (!this.#isolatedUntil.has(accountId)) {
      log.warn({ account: accountId, reason }, 'the documents of an account are isolated for ten minutes');
      // Started now, so that the next document does not wait for it. One that does not start tells the next document.
      isolated.warmUp().catch(() => {});
    }
    this.#isolatedUntil.delete(accountId);
    this.#isolatedUntil.set(accountId, this.#now() + ISOLATION_MS);
  }

  async stop(): Promise<void> {
    await Promise.all([this.#parts.shared.stop(), this.#parts.isolated.stop()]);
  }

  #release(): void {
    const now = this.#now();
    for (const [accountId, until] of this.#isolatedUntil) {
      if (until > now) return;
      this.#isolatedUntil.delete(accountId);
    }
  }
}
