import ipaddr from 'ipaddr.js';
import { AppError, DuplicateKeyError, type Collection, type Sealer } from '../../../src/plugin.ts';
import type { Attempts } from '../collections.ts';

const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 30;

/** One attempt to sign in. */
export interface Attempt {
  /** Resets the failures of the account, and no longer counts this attempt for the address. */
  succeed(): Promise<void>;
}

/** Limits how many passwords can be guessed for an account and from an address. All replicas share the counts. */
export interface Throttle {
  /**
   * Counts an attempt before its password is compared, so that simultaneous guesses count too.
   * @throws {AppError} RATE_LIMITED after 10 failures of an account or 30 from an address in 15 minutes
   */
  begin(who: { email: string; address: string }): Promise<Attempt>;
}

/** Creates the throttle. */
export function createThrottle(attempts: Collection<Attempts>, sealer: Sealer): Throttle {
  async function take(id: string, limit: number): Promise<void> {
    for (;;) {
      if (await attempts.increment({ id, count: { lt: limit } }, { count: 1 })) return;
      const full = await attempts.get(id);
      if (full && full.count >= limit)
        throw new AppError('RATE_LIMITED', 'too many failed attempts to sign in; try again later', {
          retryAfterSeconds: Math.max(1, Math.ceil((full.expiresAt - Date.now()) / 1000)),
        });
      try {
        return await attempts.insert({ id, count: 1, expiresAt: Date.now() + WINDOW_MS });
      } catch (error) {
        // Another request started the window first, so this attempt counts in that window.
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
  }

  return {
    async begin({ email, address }) {
      const account = sealer.hash('attempts of an account', email.trim().toLowerCase());
      const network = sealer.hash('attempts from an address', networkOf(address));
      await take(network, FAILURES_PER_ADDRESS);
      await take(account, FAILURES_PER_ACCOUNT);
      return {
        async succeed() {
          await attempts.delete({ id: account });
          await attempts.increment({ id: network, count: { gt: 0 } }, { count: -1 });
        },
      };
    },
  };
}

/** Returns the /64 network of an IPv6 address, because one client can use all addresses of that network. Returns an IPv4 address unchanged. */
function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
