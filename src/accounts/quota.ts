import { AppError } from '../errors.ts';
import { DuplicateKeyError, type Collection, type CollectionSpec, type Store } from '../store/store.ts';
import type { Account } from './accounts.ts';
import type { Plan, PlanName } from './plans.ts';

/** How many PDFs an account made in one UTC calendar month. The id is the account's and the month's: `acct_…:2026-11`. */
export interface Usage {
  id: string;
  used: number;
}

const usageSpec: CollectionSpec<Usage> = { name: 'usage' };

/** Units taken from a month. Keep it with the work: what is given back goes to the month that it came from. */
export interface Reservation {
  usageId: string;
}

/** Counts PDFs against the monthly limit. A unit is taken before the work and given back when the work fails. */
export class Quota {
  readonly #usage: Collection<Usage>;
  readonly #plans: Readonly<Record<PlanName, Plan>>;

  private constructor(usage: Collection<Usage>, plans: Readonly<Record<PlanName, Plan>>) {
    this.#usage = usage;
    this.#plans = plans;
  }

  static async open(store: Store, plans: Readonly<Record<PlanName, Plan>>): Promise<Quota> {
    return new Quota(await store.collection(usageSpec), plans);
  }

  /** Takes units, all or none, by one guarded increment. @throws {AppError} USAGE_LIMIT_EXCEEDED when they are not left. */
  async reserve(account: Account, units = 1): Promise<Reservation> {
    const limit = account.monthlyLimit ?? this.#plans[account.plan].monthlyLimit ?? Number.MAX_SAFE_INTEGER;
    const month = new Date().toISOString().slice(0, 7);
    const id = `${account.id}:${month}`;
    const take = () => this.#usage.increment({ id, used: { lte: limit - units } }, { used: units });
    if (!(await take())) {
      await this.#createMonth(id);
      if (!(await take())) {
        throw new AppError(
          'USAGE_LIMIT_EXCEEDED',
          `the account's limit of ${limit} PDFs in ${month} does not leave room for ${units} more`,
        );
      }
    }
    return { usageId: id };
  }

  /** Gives units back. */
  async release(reservation: Reservation, units = 1): Promise<void> {
    await this.#usage.increment({ id: reservation.usageId }, { used: -units });
  }

  /** Makes the month's counter where it is missing; of several callers at once one makes it. */
  async #createMonth(id: string): Promise<void> {
    if (await this.#usage.get(id)) return;
    try {
      await this.#usage.insert({ id, used: 0 });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
    }
  }
}
