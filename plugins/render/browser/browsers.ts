import type { Log } from '../../../src/plugin.ts';
import { BusyAccounts } from './busy-accounts.ts';
import type { BrowserLease, Chromium } from './chromium.ts';

/** Why an account is isolated. */
export type IsolationReason = 'page lost' | 'slow' | 'flood';

/** The parts of {@link Browsers}. */
export interface BrowsersParts {
  /** Prints for all accounts that are not isolated. */
  shared: Chromium;
  /** Prints for isolated accounts, with a low priority. */
  isolated: Chromium;
  log: Log;
  /** A monotonic clock in milliseconds; `performance.now` when absent. */
  now?: () => number;
}

/** How long an account stays isolated after its last incident. */
const ISOLATION_MS = 10 * 60_000;

/**
 * Isolates accounts whose documents affect others, by printing them in a second browser with a low priority. A document that crashes its page,
 * floods the browser with messages or computes for seconds is often followed by similar documents of the same account, so these are isolated
 * for ten minutes. An account that causes most of the work while others are active is isolated as long as it does.
 */
export class Browsers {
  readonly #parts: BrowsersParts;
  readonly #now: () => number;
  /** When the isolation of each account ends, earliest first. */
  readonly #isolatedUntil = new Map<string, number>();
  readonly #busy = new BusyAccounts();
  #isWarmingUp = false;

  constructor(parts: BrowsersParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** How many accounts are isolated. */
  get isolatedAccounts(): number {
    this.#endIsolations();
    const busy = this.#busy.find(this.#now());
    const isCounted = busy === undefined || this.#isolatedUntil.has(busy);
    return this.#isolatedUntil.size + (isCounted ? 0 : 1);
  }

  /** Lends the browser that prints a document of an account. A large document is isolated like the documents of an isolated account. @throws {BrowserUnavailableError} */
  lease(accountId: string, { isLarge = false } = {}): Promise<BrowserLease> {
    const { shared, isolated } = this.#parts;
    if (isLarge || this.isIsolated(accountId)) return isolated.lease();
    if (!this.#busy.isBusy(accountId, this.#now())) return shared.lease();
    if (isolated.isReady) return isolated.lease();
    // The documents of a busy account are harmless, and need not wait for the launch.
    this.#warmUp();
    return shared.lease();
  }

  /** Adds the time that a document of an account took, without the time in which it waited for the network. */
  addWork(accountId: string, workMs: number): void {
    this.#busy.add(accountId, workMs, this.#now());
  }

  /** Tells whether the documents of an account are isolated because they affect others. */
  isIsolated(accountId: string): boolean {
    this.#endIsolations();
    return this.#isolatedUntil.has(accountId);
  }

  /** Isolates an account: its next documents are printed in the second browser. */
  isolate(accountId: string, reason: IsolationReason): void {
    const { log } = this.#parts;
    if (!this.#isolatedUntil.has(accountId)) {
      log.warn({ account: accountId, reason }, 'the documents of an account are isolated for ten minutes');
      this.#warmUp();
    }
    this.#isolatedUntil.delete(accountId);
    this.#isolatedUntil.set(accountId, this.#now() + ISOLATION_MS);
  }

  /** Closes both browsers. */
  async stop(): Promise<void> {
    await Promise.all([this.#parts.shared.stop(), this.#parts.isolated.stop()]);
  }

  /** Starts the second browser, so that the next document does not wait for it. If the start fails, the next document reports the error. */
  #warmUp(): void {
    if (this.#isWarmingUp) return;
    this.#isWarmingUp = true;
    this.#parts.isolated
      .warmUp()
      .catch(() => {})
      .finally(() => (this.#isWarmingUp = false));
  }

  #endIsolations(): void {
    const now = this.#now();
    for (const [accountId, until] of this.#isolatedUntil) {
      if (until > now) return;
      this.#isolatedUntil.delete(accountId);
    }
  }
}
