/** Smaller results are not counted. */
const SMALL_BYTES = 1_000_000;
const TOTAL_BYTES = 512 * 1024 * 1024;
/** What one account may hold with several results. */
const ACCOUNT_BYTES = TOTAL_BYTES / 4;

/**
 * Limits the memory of results while they are sent: a receiver decides how long that takes. A single result
 * of any size can be sent.
 */
export class ResultMemory {
  #usedBytes = 0;
  readonly #held = new Map<string, number>();

  /** Reserves memory until the result is disposed of. Returns `undefined` when too much is in use. */
  hold(accountId: string, bytes: number): Disposable | undefined {
    if (bytes < SMALL_BYTES) return { [Symbol.dispose]: () => undefined };
    const own = this.#held.get(accountId) ?? 0;
    const exceedsOwn = own > 0 && own + bytes > ACCOUNT_BYTES;
    if (exceedsOwn || (this.#usedBytes > 0 && this.#usedBytes + bytes > TOTAL_BYTES)) return undefined;
    this.#add(accountId, bytes);
    return { [Symbol.dispose]: () => this.#add(accountId, -bytes) };
  }

  #add(accountId: string, bytes: number): void {
    this.#usedBytes += bytes;
    const own = (this.#held.get(accountId) ?? 0) + bytes;
    if (own === 0) this.#held.delete(accountId);
    else this.#held.set(accountId, own);
  }
}
