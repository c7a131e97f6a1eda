import type { LaunchedBrowser } from './launch.ts';
import { PageSlot, type SlotKey } from './page-slot.ts';
import type { DecisionOf } from './receipt/resource-log.ts';

/** Used pages cost 60 to 150 MB each; after this long without work one new page takes the place of all. */
const REST_MS = 20_000;

/** Lends the pages of one browser: plain ones to anybody, active ones to the account that had them before, new ones otherwise. */
export class SlotPool {
  readonly #idle: PageSlot[] = [];
  /** Pages that are being emptied; true when they became idle. */
  readonly #emptying = new Map<PageSlot, Promise<boolean>>();
  #rest: Timer | undefined;
  #closed = false;

  readonly #browser: LaunchedBrowser;
  readonly #idleLimit: number;
  readonly #decisionOf: DecisionOf;

  /** @param idleLimit how many pages are kept open between jobs; the longest unused one goes first. */
  constructor(browser: LaunchedBrowser, idleLimit: number, decisionOf: DecisionOf) {
    this.#browser = browser;
    this.#idleLimit = idleLimit;
    this.#decisionOf = decisionOf;
  }

  /** Takes an idle page for the key, waits for one that is being emptied, which takes a fifth of the time of a new one, or opens one. */
  async take(key: SlotKey): Promise<PageSlot> {
    clearTimeout(this.#rest);
    for (;;) {
      const found = this.#idle.findLastIndex((slot) => fits(slot.key, key) && !slot.broken);
      const [slot] = found >= 0 ? this.#idle.splice(found, 1) : [];
      if (slot) return slot;
      const soon = [...this.#emptying].find(([emptying]) => fits(emptying.key, key) && !emptying.broken);
      if (!soon) return PageSlot.open(this.#browser, key, this.#decisionOf);
      // Nobody else waits for this one.
      this.#emptying.delete(soon[0]);
      await soon[1];
    }
  }

  /** Takes a page back; it is emptied while the caller already has the answer. Never rejects. */
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
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => void this.#renew(), REST_MS);
    this.#rest.unref();
  }

  /** Closes the idle pages; those that are lent are their borrowers' to close. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#rest);
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
  return a.documentClass === b.documentClass && a.accountId === b.accountId && a.prelude === b.prelude;
}
