import type { Account } from '../accounts/accounts.ts';
import type { Plan, PlanName } from '../accounts/plans.ts';
import { AppError } from '../errors.ts';
import { untilAborted, withTimeout } from '@platen/runtime';

/** How long a request waits for another request of its account to end. */
const WAIT_MS = 5_000;

/** The plans, and how long requests wait. */
export interface ConcurrencyLimitOptions {
  plans: Readonly<Record<PlanName, Pick<Plan, 'concurrency'>>>;
  /** 5 s when absent. */
  waitMs?: number;
}

interface AccountRequests {
  running: number;
  /** Start the waiting requests, in order of arrival. */
  waiting: Set<() => void>;
}

/**
 * Limits the concurrent requests of an account in this process to the number that its plan allows. Further
 * requests wait for a short time, in order of arrival.
 */
export class ConcurrencyLimit {
  readonly #plans: ConcurrencyLimitOptions['plans'];
  readonly #waitMs: number;
  readonly #accounts = new Map<string, AccountRequests>();

  constructor({ plans, waitMs = WAIT_MS }: ConcurrencyLimitOptions) {
    this.#plans = plans;
    this.#waitMs = waitMs;
  }

  /** Returns the number of concurrent requests that an account's plan allows; `null` means no limit. */
  of({ plan }: Pick<Account, 'plan'>): number | null {
    return this.#plans[plan].concurrency;
  }

  /**
   * Waits until a request may start. The request counts until the result is disposed of.
   * @throws {AppError} RATE_LIMITED after waiting too long
   * @throws the reason of the signal when it aborts first
   */
  async enter({ id, plan }: Pick<Account, 'id' | 'plan'>, signal: AbortSignal): Promise<Disposable> {
    const limit = this.#plans[plan].concurrency;
    if (limit === null) return { [Symbol.dispose]() {} };
    const requests = this.#accounts.get(id) ?? { running: 0, waiting: new Set() };
    this.#accounts.set(id, requests);
    const leave = () => this.#leave(id, requests);
    if (requests.running < limit) requests.running += 1;
    else await this.#wait(requests, { signal, leave, refuse: () => this.#refuse(plan, limit) });
    let entered = true;
    return {
      [Symbol.dispose]: () => {
        if (entered) leave();
        entered = false;
      },
    };
  }

  async #wait(
    { waiting }: AccountRequests,
    { signal, leave, refuse }: { signal: AbortSignal; leave: () => void; refuse: () => never },
  ): Promise<void> {
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    waiting.add(start);
    try {
      await withTimeout(untilAborted(started, signal), { limitMs: this.#waitMs, onTimeout: refuse });
    } catch (error) {
      // If another request has already passed its turn to this one, the turn goes to the next.
      if (!waiting.delete(start)) leave();
      throw error;
    }
  }

  /** Passes the turn of a request to the first that waits. */
  #leave(id: string, requests: AccountRequests): void {
    const [start] = requests.waiting;
    if (start) {
      requests.waiting.delete(start);
      return start();
    }
    requests.running -= 1;
    if (requests.running === 0) this.#accounts.delete(id);
  }

  #refuse(plan: PlanName, limit: number): never {
    const seconds = Math.ceil(this.#waitMs / 1000);
    throw new AppError(
      'RATE_LIMITED',
      `the plan ${plan} allows ${limit} concurrent ${limit === 1 ? 'request' : 'requests'}, and none of them ended within ${seconds} s`,
      { retryAfterSeconds: seconds },
    );
  }
}
