import type { LaunchedBrowser } from './launch.ts';
import { PageSlot, type SlotKey } from './page-slot.ts';
import type { DecisionOf } from '../receipt/resource-log.ts';

/**
 * After this time without work, one new browser page replaces all idle pages, which take up 60 to 150 MB
 * each.
 */
const IDLE_MS = 20_000;

/**
 * Lends the pages (tabs) of one browser. Plain pages serve all accounts; an active page serves only the
 * account that used it first.
 */
export class SlotPool {
  readonly #idle: PageSlot[] = [];
  /** Pages that are being emptied. The promise resolves with true when the page can be used again. */
  readonly #emptying = new Map<PageSlot, Promise<boolean>>();
  #idleTimer: Timer | undefined;
  #closed = false;

  readonly #browser: LaunchedBrowser;
  readonly #idleLimit: number;
  readonly #decisionOf: DecisionOf;

  /** @param idleLimit how many idle pages are kept open; the longest unused page is closed first. */
  constructor(browser: LaunchedBrowser, idleLimit: number, decisionOf: DecisionOf) {
    this.#browser = browser;
    this.#idleLimit = idleLimit;
    this.#decisionOf = decisionOf;
  }

  /**
   * Takes an idle page for the key. Otherwise waits for a page that is being emptied, which is five times as
   * fast as a new page, or opens a new one.
   */
  async take(key: SlotKey): Promise<PageSlot> {
    clearTimeout(this.#idleTimer);
    for (;;) {
      const found = this.#idle.findLastIndex((slot) => fits(slot.key, key) && !slot.broken);
      const [slot] = found >= 0 ? this.#idle.splice(found, 1) : [];
      if (slot) return slot;
      const soon = [...this.#emptying].find(([emptying]) => fits(emptying.key, key) && !emptying.broken);
      if (!soon) return PageSlot.open(this.#browser, key, this.#decisionOf);
      // Keeps other jobs from waiting for the same page.
      this.#emptying.delete(soon[0]);
      await soon[1];
    }
  }

  /** Takes a page back and empties it. The response to the caller need not wait for this. Never rejects. */
  async giveBack(slot: PageSlot): Promise<void> {
    const emptied = slot.recycle();
    this.#emptying.set(slot, emptied);
    const reusable = await emptied;
    this.#emptying.delete(slot);
    if (!reusable || this.#closed) {
      await slot.close();
      return;
    }
    this.#idle.push(slot);
    if (this.#idle.length > this.#idleLimit) await this.#idle.shift()?.close();
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => void this.#renew(), IDLE_MS);
    this.#idleTimer.unref();
  }

  /** Closes the idle pages. The jobs close the pages that are lent. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idleTimer);
    await this.#closeIdle();
  }

  async #renew(): Promise<void> {
    await this.#closeIdle();
    const key = { documentClass: 'plain', accountId: '' } as const;
    const slot = await PageSlot.open(this.#browser, key, this.#decisionOf).catch(() => undefined);
    if (slot && !this.#closed) this.#idle.push(slot);
    else await slot?.close();
  }

  async #closeIdle(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((slot) => slot.close()));
  }
}

function fits(a: SlotKey, b: SlotKey): boolean {
  return (
    a.documentClass === b.documentClass &&
    a.accountId === b.accountId &&
    a.prelude === b.prelude &&
    a.proxyUrl === b.proxyUrl
  );
}
