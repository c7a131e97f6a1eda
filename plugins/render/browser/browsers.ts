import type { Log } from '../../../src/plugin.ts';
import { RenderError } from '../render-error.ts';
import { NO_EARLIER_BROWSER, type BrowserChoice } from './browser-choice.ts';
import type { BrowserLease, Chromium } from './chromium.ts';

/** Why an account is isolated. */
export type IsolationReason = 'page lost' | 'slow' | 'flood';

/** The two browsers of one version. */
export interface BrowserPair {
  /** Prints for all accounts that are not isolated. */
  shared: Chromium;
  /** Prints for isolated accounts, with a low priority. */
  isolated: Chromium;
}

export interface BrowsersParts extends BrowserPair {
  /** An earlier version, for documents that ask for it. */
  earlier?: BrowserPair | undefined;
  log: Log;
  /** A monotonic clock in milliseconds; `performance.now` when absent. */
  now?: () => number;
}

/** How long an account stays isolated after its last incident. */
const ISOLATION_MS = 10 * 60_000;

/**
 * Isolates accounts whose documents affect others. A document that crashes its browser page, floods the
 * browser with messages or computes for half a second is often followed by similar documents of the same
 * account, so these are printed in a second browser with a low priority.
 */
export class Browsers {
  readonly #parts: BrowsersParts;
  readonly #now: () => number;
  /** When the isolation of each account ends, earliest first. */
  readonly #isolatedUntil = new Map<string, number>();

  constructor(parts: BrowsersParts) {
    this.#parts = parts;
    this.#now = parts.now ?? (() => performance.now());
  }

  /** How many accounts are isolated. */
  get isolatedAccounts(): number {
    this.#endIsolations();
    return this.#isolatedUntil.size;
  }

  /**
   * Lends the browser that prints a document of an account. A large document is isolated like the documents
   * of an isolated account.
   * @throws {BrowserUnavailableError}; {RenderError} for a document that asks for an earlier browser, which
   * the service does not have
   */
  async lease(
    accountId: string,
    { isLarge = false, browser }: { isLarge?: boolean; browser?: BrowserChoice | undefined } = {},
  ): Promise<BrowserLease> {
    this.#endIsolations();
    const pair = browser === 'earlier' ? this.#parts.earlier : this.#parts;
    if (!pair) throw new RenderError('RENDER_FAILED', NO_EARLIER_BROWSER, { path: 'options.browser' });
    const { shared, isolated } = pair;
    return (isLarge || this.#isolatedUntil.has(accountId) ? isolated : shared).lease();
  }

  /** Tells whether the documents of an account are isolated. */
  isIsolated(accountId: string): boolean {
    this.#endIsolations();
    return this.#isolatedUntil.has(accountId);
  }

  /** Isolates an account: its next documents are printed in the second browser. */
  isolate(accountId: string, reason: IsolationReason): void {
    const { isolated, log } = this.#parts;
    if (!this.#isolatedUntil.has(accountId)) {
      log.warn({ account: accountId, reason }, 'the documents of an account are isolated for ten minutes');
      // The browser starts now, so that the next document does not wait for it. If the start fails, the next
      // document reports the error.
      isolated.warmUp().catch(() => {});
    }
    this.#isolatedUntil.delete(accountId);
    this.#isolatedUntil.set(accountId, this.#now() + ISOLATION_MS);
  }

  /** Closes all browsers. */
  async stop(): Promise<void> {
    const { shared, isolated, earlier } = this.#parts;
    const all = [shared, isolated, ...(earlier ? [earlier.shared, earlier.isolated] : [])];
    await Promise.all(all.map((browser) => browser.stop()));
  }

  #endIsolations(): void {
    const now = this.#now();
    for (const [accountId, until] of this.#isolatedUntil) {
      if (until > now) return;
      this.#isolatedUntil.delete(accountId);
    }
  }
}
