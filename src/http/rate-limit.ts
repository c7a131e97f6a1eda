import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { Account } from '../accounts/accounts.ts';
import type { Plan, PlanName } from '../accounts/plans.ts';
import { AppError } from '../errors.ts';

/** The requests per second from one address to public routes and with invalid credentials. */
const REQUESTS_PER_ADDRESS = 20;

/** Limits the requests of each account and of each address in windows of one second. */
export interface RateLimits {
  /**
   * Counts a request against the plan of an account, or against its limit for test keys. With a divisor, also
   * counts it against that rate divided by the number, at least one per second. Sets the `RateLimit` headers
   * to all limits that apply, and the older `RateLimit-*` headers to the one with the fewest requests left.
   * @throws {AppError} RATE_LIMITED
   */
  takeForAccount(
    account: Account,
    headers: Headers,
    options?: { divisor?: number | undefined; isTest?: boolean | undefined },
  ): Promise<void>;
  /**
   * Counts a request of an unidentified caller. Sets the `RateLimit-*` headers.
   * @throws {AppError} RATE_LIMITED
   */
  takeForAddress(address: string, headers: Headers): Promise<void>;
}

/** Counts the requests of each key in a window of `duration` seconds that starts with its first request. */
export interface Limiter {
  readonly points: number;
  readonly duration: number;
  /**
   * Counts one request. Rejects with a `RateLimiterRes` after `points` requests, and with an error when it
   * cannot count.
   */
  consume(key: string): Promise<RateLimiterRes>;
}

/** Creates a separate limiter for each name. */
export type MakeLimiter = (name: string, points: number) => Limiter;

/** Creates limiters that count in this process only. */
export const makeMemoryLimiter: MakeLimiter = (name, points) =>
  new RateLimiterMemory({ keyPrefix: name, points, duration: 1 });

/**
 * Creates the limits of the plans with limiters that all replicas share. Each replica counts addresses
 * separately, so that public routes need no database.
 */
export function createRateLimits(
  plans: Readonly<Record<PlanName, Plan>>,
  makeLimiter: MakeLimiter,
): RateLimits {
  const byAddress = makeMemoryLimiter('address', REQUESTS_PER_ADDRESS);
  const byName = new Map<string, Limiter>();
  function limiterOf(plan: PlanName, isTest: boolean, divisor: number): Limiter {
    const name = [isTest ? `${plan}:test` : plan, ...(divisor === 1 ? [] : [divisor])].join('/');
    const { requestsPerSecond, testRequestsPerSecond = requestsPerSecond } = plans[plan];
    const rate = isTest ? testRequestsPerSecond : requestsPerSecond;
    const limiter = byName.get(name) ?? makeLimiter(name, Math.max(1, Math.floor(rate / divisor)));
    byName.set(name, limiter);
    return limiter;
  }
  return {
    async takeForAccount({ id, plan }, headers, { divisor, isTest = false } = {}) {
      const policy = isTest ? 'test' : 'default';
      const limits = [{ policy, limiter: limiterOf(plan, isTest, 1) }];
      if (divisor !== undefined)
        limits.push({ policy: `${policy}/${divisor}`, limiter: limiterOf(plan, isTest, divisor) });
      await take(limits, id, headers);
    },
    takeForAddress: (address, headers) => take([{ policy: 'default', limiter: byAddress }], address, headers),
  };
}

/** A limit that applies to a request. Headers name it by its policy. */
interface NamedLimit {
  policy: string;
  limiter: Limiter;
}

/** The state of a limit after a request. */
interface Taken extends NamedLimit {
  remaining: number;
  resetSeconds: number;
}

/** Counts a request against several limits, up to the first that refuses it. */
async function take(limits: readonly NamedLimit[], key: string, headers: Headers): Promise<void> {
  const taken: Taken[] = [];
  for (const { policy, limiter } of limits) {
    const outcome = await limiter.consume(key).then(
      (left) => ({ left, refused: false }),
      (reason: unknown) => {
        if (reason instanceof RateLimiterRes) return { left: reason, refused: true };
        throw reason;
      },
    );
    const { msBeforeNext, remainingPoints } = outcome.left;
    const resetSeconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
    taken.push({ policy, limiter, remaining: Math.max(0, remainingPoints), resetSeconds });
    setHeaders(taken, headers);
    if (outcome.refused) throw refusal(limiter, resetSeconds);
  }
}

/** Describes the limits as draft-ietf-httpapi-ratelimit-headers-10, and one of them as draft 7. */
function setHeaders(taken: readonly Taken[], headers: Headers): void {
  const list = (describe: (limit: Taken) => string) =>
    taken.map((limit) => `"${limit.policy}";${describe(limit)}`).join(', ');
  headers.set(
    'RateLimit-Policy',
    list(({ limiter }) => `q=${limiter.points};w=${limiter.duration}`),
  );
  headers.set(
    'RateLimit',
    list(({ remaining, resetSeconds }) => `r=${remaining};t=${resetSeconds}`),
  );
  const [tightest] = taken.toSorted(
    (a, b) => a.remaining - b.remaining || a.limiter.points - b.limiter.points,
  );
  if (!tightest) return;
  headers.set('RateLimit-Limit', String(tightest.limiter.points));
  headers.set('RateLimit-Remaining', String(tightest.remaining));
  headers.set('RateLimit-Reset', String(tightest.resetSeconds));
}

function refusal({ points }: Limiter, retryAfterSeconds: number): AppError {
  return new AppError(
    'RATE_LIMITED',
    `more than ${points} ${points === 1 ? 'request' : 'requests'} in one second`,
    { retryAfterSeconds },
  );
}
