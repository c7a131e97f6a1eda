import { RateLimiterMemory, RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
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

/** Makes the limits of the plans. */
export function createRateLimits(plans: Readonly<Record<PlanName, Plan>>): RateLimits {
  const limiter = (name: string, points: number) =>
    new RateLimiterMemory({ keyPrefix: name, points, duration: 1 });
  const byPlan = new Map(PLAN_NAMES.map((plan) => [plan, limiter(plan, plans[plan].requestsPerSecond)]));
  const byAddress = limiter('address', REQUESTS_PER_ADDRESS);
  return {
    takeForAccount: (account, headers) => take(byPlan.get(account.plan) ?? byAddress, account.id, headers),
    takeForAddress: (address, headers) => take(byAddress, address, headers),
  };
}

async function take(limiter: RateLimiterAbstract, key: string, headers: Headers): Promise<void> {
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
