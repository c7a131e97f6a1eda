import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Account } from '../accounts/accounts.ts';
import { PLAN_NAMES, type Plan, type PlanName } from '../accounts/plans.ts';
import { AppError } from '../errors.ts';

/** Public reads a second from one address, and failed authentications a second. */
const REQUESTS_PER_ADDRESS = 20;

/** Counts requests in windows of one second, by account and by address. */
export interface RateLimits {
  /** Takes one request of an account's plan. Adds the `RateLimit-*` headers. @throws {AppError} RATE_LIMITED */
  takeForAccount(account: Account, headers: Headers): Promise<void>;
  /** Takes one request of an address that shows no valid key. @throws {AppError} RATE_LIMITED */
  takeForAddress(address: string, headers: Headers): Promise<void>;
}

/** Counts what each key took in a window of `duration` seconds that begins with its first request. */
export interface Limiter {
  readonly points: number;
  readonly duration: number;
  /** Takes one. Rejects with a `RateLimiterRes` when `points` are taken, and with an error when it cannot count. */
  consume(key: string): Promise<RateLimiterRes>;
}

/** Makes a limiter of its own for each name. */
export type MakeLimiter = (name: string, points: number) => Limiter;

/** Counts in this process alone. */
export const makeMemoryLimiter: MakeLimiter = (name, points) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: 1 });

/**
 * Makes the limits of the plans on limiters that all replicas share. Addresses are counted by each replica for itself, so that
 * public reads need no database.
 */
export function createRateLimits(
  plans: Readonly<Record<PlanName, Plan>>,
  makeLimiter: MakeLimiter,
): RateLimits {
  const byPlan = new Map(PLAN_NAMES.map((plan) => [plan, makeLimiter(plan, plans[plan].requestsPerSecond)]));
  const byAddress = makeMemoryLimiter('address', REQUESTS_PER_ADDRESS);
  return {
    takeForAccount: (account, headers) => take(byPlan.get(account.plan) ?? byAddress, account.id, headers),
    takeForAddress: (address, headers) => take(byAddress, address, headers),
  };
}

async function take(limiter: Limiter, key: string, headers: Headers): Promise<void> {
  const outcome = await limiter.consume(key).then(
    (left) => ({ left, refused: false }),
    (reason: unknown) => {
      if (reason instanceof RateLimiterRes) return { left: reason, refused: true };
      throw reason;
    },
  );
  const resetSeconds = Math.max(1, Math.ceil(outcome.left.msBeforeNext / 1000));
  headers.set('RateLimit-Policy', `${limiter.points};w=${limiter.duration}`);
  headers.set('RateLimit-Limit', String(limiter.points));
  headers.set('RateLimit-Remaining', String(Math.max(0, outcome.left.remainingPoints)));
  headers.set('RateLimit-Reset', String(resetSeconds));
  if (outcome.refused) {
    throw new AppError('RATE_LIMITED', `more than ${limiter.points} requests in one second`, {
      retryAfterSeconds: resetSeconds,
    });
  }
}
