import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Account } from '../accounts/accounts.ts';
import { PLAN_NAMES, type Plan, type PlanName } from '../accounts/plans.ts';
import { AppError } from '../errors.ts';

/** The requests per second from one address to public routes and with invalid credentials. */
const REQUESTS_PER_ADDRESS = 20;

/** Limits the requests of each account and of each address in windows of one second. */
export interface RateLimits {
  /**
   * Counts a request against the plan of an account. With a divisor, also counts it against the plan's rate divided by that number, at least
   * one per second. Sets the `RateLimit-*` headers to the smaller limit. @throws {AppError} RATE_LIMITED
   */
  takeForAccount(account: Account, headers: Headers, divisor?: number): Promise<void>;
  /** Counts a request of an unidentified caller. Sets the `RateLimit-*` headers. @throws {AppError} RATE_LIMITED */
  takeForAddress(address: string, headers: Headers): Promise<void>;
}

/** Counts the requests of each key in a window of `duration` seconds that starts with its first request. */
export interface Limiter {
  readonly points: number;
  readonly duration: number;
  /** Counts one request. Rejects with a `RateLimiterRes` after `points` requests, and with an error when it cannot count. */
  consume(key: string): Promise<RateLimiterRes>;
}

/** Creates a separate limiter for each name. */
export type MakeLimiter = (name: string, points: number) => Limiter;

/** Creates limiters that count in this process only. */
export const makeMemoryLimiter: MakeLimiter = (name, points) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: 1 });

/**
 * Creates the limits of the plans with limiters that all replicas share. Each replica counts addresses separately, so that public routes need
 * no database.
 */
export function createRateLimits(
  plans: Readonly<Record<PlanName, Plan>>,
  makeLimiter: MakeLimiter,
): RateLimits {
  const byPlan = new Map(PLAN_NAMES.map((plan) => [plan, makeLimiter(plan, plans[plan].requestsPerSecond)]));
  const byAddress = makeMemoryLimiter('address', REQUESTS_PER_ADDRESS);
  const byPart = new Map<string, Limiter>();
  function partOf(plan: PlanName, divisor: number): Limiter {
    const name = `${plan}/${divisor}`;
    const limiter =
      byPart.get(name) ?? makeLimiter(name, Math.max(1, Math.floor(plans[plan].requestsPerSecond / divisor)));
    byPart.set(name, limiter);
    return limiter;
  }
  return {
    async takeForAccount({ id, plan }, headers, divisor) {
      await take(byPlan.get(plan) ?? byAddress, id, headers);
      if (divisor !== undefined) await take(partOf(plan, divisor), id, headers);
    },
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
    throw new AppError(
      'RATE_LIMITED',
      `more than ${limiter.points} ${limiter.points === 1 ? 'request' : 'requests'} in one second`,
      {
        retryAfterSeconds: resetSeconds,
      },
    );
  }
}
