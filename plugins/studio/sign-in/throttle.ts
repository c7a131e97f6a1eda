import { isIPv6 } from 'node:net';
import { AppError, DuplicateKeyError, type Collection, type Sealer } from '../../../src/plugin.ts';
import type { Attempts } from '../collections.ts';

const WINDOW_MS = 15 * 60_000;
const FAILURES_PER_ACCOUNT = 10;
const FAILURES_PER_ADDRESS = 30;

/** One attempt to sign in. */
export interface Attempt {
  /** Forgets the failures of the account, and does not count this attempt for the address. */
  succeed(): Promise<void>;
}

/** Limits the passwords that can be guessed for an account and from an address. All replicas share the counts. */
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
        // Another request was faster; count this one in its window.
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

/** Returns the /64 network of an IPv6 address, all of whose addresses one client can use, and an IPv4 address as it is. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.toLowerCase().split('::');
  const groups = head.split(':').filter(Boolean);
  const rest = tail.split(':').filter(Boolean);
  // An IPv4-mapped address (::ffff:192.0.2.1) names one client.
  if (rest.at(-1)?.includes('.')) return rest.at(-1) ?? address;
  const zeros = Array.from({ length: Math.max(0, 8 - groups.length - rest.length) }, () => '0');
  return (address.includes('::') ? [...groups, ...zeros, ...rest] : groups)
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
