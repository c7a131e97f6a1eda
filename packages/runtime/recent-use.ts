/** Accounts whose use is below this are removed. */
const FORGOTTEN_MS = 1;

interface Used {
  ms: number;
  at: number;
}

/**
 * Sums the time that each account used. Earlier use counts half after each half-life. Times are milliseconds
 * of one monotonic clock.
 */
export class RecentUse {
  readonly #halfLifeMs: number;
  readonly #used = new Map<string, Used>();

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs;
  }

  add(account: string, ms: number, now: number): void {
    const used = this.read(account, now) + ms;
    // Reinsertion orders the map by last use, so that accounts to remove come first.
    this.#used.delete(account);
    this.#used.set(account, { ms: used, at: now });
    for (const [oldest] of this.#used) {
      if (this.read(oldest, now) >= FORGOTTEN_MS) break;
      this.#used.delete(oldest);
    }
  }

  read(account: string, now: number): number {
    return this.#decayed(this.#used.get(account), now);
  }

  #decayed(used: Used | undefined, now: number): number {
    return used ? used.ms * 2 ** ((used.at - now) / this.#halfLifeMs) : 0;
  }
}
