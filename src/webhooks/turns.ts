/** What a turn is for. */
export interface Turn {
  id: string;
  accountId: string;
  host: string;
}

const PER_HOST = 4;
const PER_ACCOUNT = 8;
/** Of all accounts together: some that deliver to one host that hangs leave most of the places to others. */
const PER_HOST_OF_ALL = 16;

/**
 * Decides which deliveries may be under way at once in this process, so that a receiver that hangs holds up neither other receivers
 * nor other accounts: so many of an account, so many of those to one host, and so many of all accounts to one host. What gets no turn is remembered by its host,
 * so that it can be called when one ends.
 */
export class Turns {
  readonly #running = new Map<string, Turn[]>();
  /** By host, of all accounts. */
  readonly #toHost = new Map<string, number>();
  /** By account: its hosts that had no turn for somebody, and for how many. */
  readonly #waiting = new Map<string, Map<string, number>>();

  /** Takes a turn, or tells that there is none now. */
  take(turn: Turn): boolean {
    const running = this.#running.get(turn.accountId) ?? [];
    if (this.room(turn) === 0 || running.some(({ id }) => id === turn.id)) {
      this.wait(turn, 1);
      return false;
    }
    this.#running.set(turn.accountId, [...running, turn]);
    this.#toHost.set(turn.host, (this.#toHost.get(turn.host) ?? 0) + 1);
    return true;
  }

  /** Gives a turn back. */
  end({ id, accountId, host }: Turn): void {
    const toHost = (this.#toHost.get(host) ?? 0) - 1;
    if (toHost > 0) this.#toHost.set(host, toHost);
    else this.#toHost.delete(host);
    const others = (this.#running.get(accountId) ?? []).filter((turn) => turn.id !== id);
    if (others.length > 0) this.#running.set(accountId, others);
    else this.#running.delete(accountId);
  }

  /** Counts the turns that an account could take for a host. */
  room({ accountId, host }: Pick<Turn, 'accountId' | 'host'>): number {
    const running = this.#running.get(accountId) ?? [];
    const toHost = running.filter((turn) => turn.host === host).length;
    const ofAll = PER_HOST_OF_ALL - (this.#toHost.get(host) ?? 0);
    return Math.max(0, Math.min(PER_HOST - toHost, PER_ACCOUNT - running.length, ofAll));
  }

  isRunning({ id, accountId }: Pick<Turn, 'id' | 'accountId'>): boolean {
    return this.#running.get(accountId)?.some((turn) => turn.id === id) ?? false;
  }

  /** Remembers that somebody waits for a host. */
  wait({ accountId, host }: Pick<Turn, 'accountId' | 'host'>, count: number): void {
    const hosts = this.#waiting.get(accountId) ?? new Map<string, number>();
    this.#waiting.set(accountId, hosts.set(host, (hosts.get(host) ?? 0) + count));
  }

  /** Lists the accounts of those that wait. */
  waitingAccounts(): string[] {
    return [...this.#waiting.keys()];
  }

  /** Picks another account that waits for a host and could take a turn for it now; the accounts take turns. */
  nextAccount({ accountId, host }: Pick<Turn, 'accountId' | 'host'>): string | undefined {
    for (const [other, hosts] of this.#waiting) {
      if (other === accountId || !hosts.has(host) || this.room({ accountId: other, host }) === 0) continue;
      // To the end of the map, so that the next account comes next.
      this.#waiting.delete(other);
      this.#waiting.set(other, hosts);
      return other;
    }
    return undefined;
  }

  /** Counts those that were told to wait for a host since {@link Turns.clear}. */
  waitingFor({ accountId, host }: Pick<Turn, 'accountId' | 'host'>): number {
    return this.#waiting.get(accountId)?.get(host) ?? 0;
  }

  /** Picks a host of an account for which somebody waits and there is room now; the hosts take turns. */
  nextHost(accountId: string): string | undefined {
    const hosts = this.#waiting.get(accountId);
    for (const [host, count] of hosts ?? []) {
      if (this.room({ accountId, host }) === 0) continue;
      // To the end of the map, so that the next host comes next.
      hosts?.delete(host);
      hosts?.set(host, count);
      return host;
    }
    return undefined;
  }

  /** Forgets those that waited for a host, and tells how many there were. */
  clear({ accountId, host }: Pick<Turn, 'accountId' | 'host'>): number {
    const hosts = this.#waiting.get(accountId);
    const count = hosts?.get(host) ?? 0;
    hosts?.delete(host);
    if (hosts?.size === 0) this.#waiting.delete(accountId);
    return count;
  }
}
