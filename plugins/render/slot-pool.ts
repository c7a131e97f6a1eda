import type { Browser } from 'playwright-core';
import { PageSlot, type SlotKey } from './page-slot.ts';

/** Idle pages cost some 60 MB each; after this long without work only one is kept. */
const IDLE_TRIM_MS = 20_000;

/** Lends the pages of one browser: plain ones to anybody, active ones to the account that had them before, new ones otherwise. */
export class SlotPool {
  readonly #idle: PageSlot[] = [];
  #trim: Timer | undefined;

  /** @param idleLimit how many pages are kept open between jobs; the longest unused one goes first. */
  readonly #browser: Browser;
  readonly #idleLimit: number;

  constructor(browser: Browser, idleLimit: number) {
    this.#browser = browser;
    this.#idleLimit = idleLimit;
  }

  /** Takes an idle page for the key, or opens one. */
  async take(key: SlotKey): Promise<PageSlot> {
    clearTimeout(this.#trim);
    const found = this.#idle.findLastIndex((slot) => fits(slot.key, key) && !slot.broken);
    const [slot] = found >= 0 ? this.#idle.splice(found, 1) : [];
    return slot ?? PageSlot.open(this.#browser, key);
  }

  /** Takes a page back; it is emptied while the caller already has the answer. Never rejects. */
  async giveBack(slot: PageSlot): Promise<void> {
    if (!(await slot.recycle())) return;
    this.#idle.push(slot);
    if (this.#idle.length > this.#idleLimit) await this.#idle.shift()?.close();
    clearTimeout(this.#trim);
    this.#trim = setTimeout(() => void this.#closeAllBut(1), IDLE_TRIM_MS);
    this.#trim.unref();
  }

  /** Closes the idle pages; those that are lent are their borrowers' to close. */
  async close(): Promise<void> {
    clearTimeout(this.#trim);
    await this.#closeAllBut(0);
  }

  async #closeAllBut(kept: number): Promise<void> {
    const surplus = this.#idle.splice(0, Math.max(0, this.#idle.length - kept));
    await Promise.all(surplus.map((slot) => slot.close()));
  }
}

function fits(a: SlotKey, b: SlotKey): boolean {
  return a.documentClass === b.documentClass && a.accountId === b.accountId;
}
