import type { EgressDecision } from './destination.ts';
import { parseAuthority } from './request-head.ts';

const MAX_DECISIONS = 1_000;

/** Keeps the latest decision about each of the most recently requested hosts. */
export class RecentDecisions {
  readonly #decisions = new Map<string, EgressDecision>();

  /**
   * Adds a decision whose connection is not opened yet. The failure of the last connection to the host is
   * kept.
   */
  add(decision: EgressDecision): void {
    const failure = this.#decisions.get(keyOf(decision))?.failure;
    this.#put(failure === undefined ? decision : { ...decision, failure });
  }

  /**
   * Replaces a decision after its connection has succeeded or failed, unless the host has been refused since.
   */
  update(decision: EgressDecision): void {
    if (this.#decisions.get(keyOf(decision))?.outcome !== 'refused') this.#put(decision);
  }

  #put(decision: EgressDecision): void {
    const key = keyOf(decision);
    // A map keeps insertion order, so deleting and inserting makes an entry the newest.
    this.#decisions.delete(key);
    this.#decisions.set(key, decision);
    const oldest = this.#decisions.keys().next().value;
    if (this.#decisions.size > MAX_DECISIONS && oldest !== undefined) this.#decisions.delete(oldest);
  }

  /** Returns the latest decision about the host and port of a URL. */
  of(url: string): EgressDecision | undefined {
    const { protocol, host } = URL.parse(url) ?? { protocol: '', host: '' };
    const secure = protocol === 'https:' || protocol === 'wss:';
    const destination = parseAuthority(host, secure ? 443 : 80);
    if (typeof destination === 'string') return undefined;
    return this.#decisions.get(keyOf(destination));
  }
}

function keyOf({ host, port }: { host: string; port: number }): string {
  return `${host}:${port}`;
}
