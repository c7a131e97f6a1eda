import type { EgressDecision } from './destination.ts';
import { parseAuthority } from './request-head.ts';

const MAX_DECISIONS = 1_000;

/** Remembers the latest decision about each of the hosts that were asked for last. */
export class RecentDecisions {
  readonly #decisions = new Map<string, EgressDecision>();

  add(decision: EgressDecision): void {
    const key = `${decision.host}:${decision.port}`;
    // A map keeps the order of insertion: what is put in anew is the youngest.
    this.#decisions.delete(key);
    this.#decisions.set(key, decision);
    const oldest = this.#decisions.keys().next().value;
    if (this.#decisions.size > MAX_DECISIONS && oldest !== undefined) this.#decisions.delete(oldest);
  }

  /** Finds what was decided about the host and port of a URL. */
  of(url: string): EgressDecision | undefined {
    const { protocol, host } = URL.parse(url) ?? { protocol: '', host: '' };
    const secure = protocol === 'https:' || protocol === 'wss:';
    const destination = parseAuthority(host, secure ? 443 : 80);
    if (typeof destination === 'string') return undefined;
    return this.#decisions.get(`${destination.host}:${destination.port}`);
  }
}
