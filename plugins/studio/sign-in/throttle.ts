import ipaddr from 'ipaddr.js';
import { AppError, DuplicateKeyError, type Collection, type Sealer } from '../../../src/plugin.ts';
import type { Attempts } from '../collections.ts';

const WINDOW_MS = 15 * 60_000;
/** The failures of one network for one account. */
const FAILURES_PER_PAIR = 10;
const FAILURES_PER_ADDRESS = 30;
/**
 * The failures of all unknown networks together for one account. Known networks, devices and sessions neither
 * add to it nor notice it.
 */
const FAILURES_PER_ACCOUNT = 100;
/** The failures of one session that confirms the identity of its person, and of one known browser. */
const FAILURES_OF_KNOWN = 10;

export interface Attempt {
  /**
   * Resets the failures of this network, session or device for the account, and no longer counts this attempt
   * for the address and the account.
   */
  succeed(): Promise<void>;
}

/**
 * Limits how many passwords can be guessed for an account and from an address. All replicas share the counts.
 */
export interface Throttle {
  /**
   * Counts an attempt before its password is compared, so that simultaneous guesses count too. A session and
   * a known device each have a count of their own and no other, and a network that has a session of the
   * account (`isKnown`) is exempt from the limit of all networks, so that failures of strangers do not lock
   * the owner out.
   * @throws {AppError} RATE_LIMITED after 10 failures for an account and 30 in all from a network, 100 for an
   * account from all networks, or 10 of a session or device, each in 15 minutes
   */
  begin(who: {
    email: string;
    address: string;
    sessionId?: string;
    deviceId?: string | undefined;
    isKnown?: boolean;
  }): Promise<Attempt>;
}

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
    async begin({ email, address, sessionId, deviceId, isKnown = false }) {
      const account = email.trim().toLowerCase();
      const network = networkOf(address);
      const known =
        (sessionId !== undefined && sealer.hash('attempts of a session', sessionId)) ||
        (deviceId !== undefined && sealer.hash('attempts of a device', deviceId));
      if (known) {
        await take(known, FAILURES_OF_KNOWN);
        return { succeed: async () => void (await attempts.delete({ id: known })) };
      }
      const pair = sealer.hash('attempts for an account from an address', `${account}\n${network}`);
      const counts = [
        { id: sealer.hash('attempts from an address', network), limit: FAILURES_PER_ADDRESS },
        { id: pair, limit: FAILURES_PER_PAIR },
      ];
      if (!isKnown)
        counts.push({ id: sealer.hash('attempts of an account', account), limit: FAILURES_PER_ACCOUNT });
      for (const { id, limit } of counts) await take(id, limit);
      return {
        async succeed() {
          await attempts.delete({ id: pair });
          for (const { id } of counts) await attempts.increment({ id, count: { gt: 0 } }, { count: -1 });
        },
      };
    },
  };
}

/**
 * Returns the /64 network of an IPv6 address, because one client can use all addresses of that network.
 * Returns an IPv4 address unchanged.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toNormalizedString().split(':').slice(0, 4).join(':');
}
