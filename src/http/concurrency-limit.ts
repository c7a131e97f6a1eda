import type { Account } from '../accounts/accounts.ts';
import type { Plan, PlanName } from '../accounts/plans.ts';
import { AppError } from '../errors.ts';

/** How long a request waits for an earlier one of its account to end. */
const WAIT_MS = 5_000;

/** What the limit works with. */
export interface ConcurrencyLimitOptions {
  plans: Readonly<Record<PlanName, Pick<Plan, 'concurrency'>>>;
  /** 5 s when absent. */
  waitMs?: number;
}

/** The requests of one account. */
interface AccountRequests {
  running: number;
  /** Begin the requests that wait, in their order. */
  waiting: Set<() => void>;
}

/**
 * Bounds how many requests of an account this process works on at once, by the account's plan. One more waits for its turn, first come
 * first served, but not for long.
 */
export class ConcurrencyLimit {
  readonly #plans: ConcurrencyLimitOptions['plans'];
  readonly #waitMs: number;
  readonly #accounts = new Map<string, AccountRequests>();

  constructor({ plans, waitMs = WAIT_MS }: ConcurrencyLimitOptions) {
    this.#plans = plans;
    this.#waitMs = waitMs;
  }

  /** How many requests of an account are worked on at once; `null` is without limit. */
  of({ plan }: Pick<Account, 'plan'>): number | null {
    return this.#plans[plan].concurrency;
  }

  /**
   * Waits until a request may begin, and counts it until the result is disposed of.
   * @throws {AppError} RATE_LIMITED when it had to wait too long. Rejects with the signal's reason when that aborts first.
   */
  async enter({ id, plan }: Pick<Account, 'id' | 'plan'>, signal: AbortSignal): Promise<Disposable> {
    const limit = this.#plans[plan].concurrency;
    if (limit === null) return { [Symbol.dispose]() {} };
    const requests = this.#accounts.get(id) ?? { running: 0, waiting: new Set() };
    this.#accounts.set(id, requests);
    if (requests.running < limit) requests.running += 1;
    else await this.#wait(requests, { plan, limit, signal });
    let entered = true;
    return {
      [Symbol.dispose]: () => {
        if (entered) this.#leave(id, requests);
        entered = false;
      },
    };
  }

  async #wait(
    requests: AccountRequests,
    { plan, limit, signal }: { plan: PlanName; limit: number; signal: AbortSignal },
  ): Promise<void> {
    signal.throwIfAborted();
    const turn = Promise.withResolvers<void>();
    const begin = () => turn.resolve();
    // Out of the line at once: a place that is handed to a request that gave up would be lost.
    const giveUp = (reason: unknown) => {
      requests.waiting.delete(begin);
      turn.reject(reason);
    };
    const abort = () => giveUp(signal.reason);
    const timer = setTimeout(() => giveUp(this.#refusal(plan, limit)), this.#waitMs);
    signal.addEventListener('abort', abort, { once: true });
    requests.waiting.add(begin);
    try {
      await turn.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Hands the place on, or gives it up. */
  #leave(id: string, requests: AccountRequests): void {
    const [next] = requests.waiting;
    if (next) {
      requests.waiting.delete(next);
      return next();
    }
    requests.running -= 1;
    if (requests.running === 0) this.#accounts.delete(id);
  }

  #refusal(plan: PlanName, limit: number): AppError {
    const seconds = Math.ceil(this.#waitMs / 1000);
    return new AppError(
      'RATE_LIMITED',
      `the plan ${plan} allows ${limit} ${limit === 1 ? 'request' : 'requests'} at once, and none of them ended within ${seconds} s`,
      { retryAfterSeconds: seconds },
    );
  }
}
