import { AppError } from '../errors.ts';
import type { Collection, CollectionSpec, Document, Store } from '../store/store.ts';
import type { Account } from './accounts.ts';
import { Ledger, type Entry } from './ledger.ts';
import type { Plan, PlanName } from './plans.ts';

/** Units reserved for work that has not ended. `at` is epoch milliseconds. */
interface Hold {
  units: number;
  at: number;
}

/** The usage of an account in one UTC calendar month. The id is made of the account's id and the month: `acct_…:2026-11`. */
export interface Usage extends Document, Entry {
  /** Units spent and units held. */
  used: number;
  /** Keyed by the id of the work. */
  holds: Readonly<Record<string, Hold>>;
  /** The time of the oldest hold. */
  heldSince: number | null;
}

const usageSpec: CollectionSpec<Usage> = { name: 'usage', indexes: [{ fields: { heldSince: 'asc' } }] };

/** Identifies the units that are held for one piece of work. Store it with the work: unspent units are returned to the same month. */
export interface Reservation {
  usageId: string;
  /** The id of the work: a generation, or a batch. */
  workId: string;
}

/** Tells {@link Quota.sweep} the outcome of one kind of work. */
export interface Reconciler {
  /** The prefix of the work's ids, such as `gen_`. */
  prefix: string;
  /** The longest time for which work may be in progress before it is recorded in the store. */
  graceMs: number;
  /** Returns how many units the work spent: `undefined` while it is in progress, 0 when the store has no record of it. */
  unitsSpent(workId: string): Promise<number | undefined>;
}

/**
 * Counts PDFs against the monthly limit. Units are held before the work begins and settled when it ends. The holds are part of the usage
 * record and change with it in one atomic write, so units held by a crashed process can be found and settled.
 */
export class Quota {
  readonly #usage: Collection<Usage>;
  readonly #ledger: Ledger<Usage>;
  readonly #plans: Readonly<Record<PlanName, Plan>>;
  readonly #reconcilers: Reconciler[] = [];

  private constructor(usage: Collection<Usage>, plans: Readonly<Record<PlanName, Plan>>) {
    this.#usage = usage;
    this.#plans = plans;
    this.#ledger = new Ledger(usage, (id) => ({ id, used: 0, holds: {}, heldSince: null, revision: 0 }));
  }

  static async open(store: Store, plans: Readonly<Record<PlanName, Plan>>): Promise<Quota> {
    return new Quota(await store.collection(usageSpec), plans);
  }

  /** Holds units for a piece of work, all or none. @throws {AppError} USAGE_LIMIT_EXCEEDED when fewer units are left. */
  async reserve(account: Account, workId: string, units = 1): Promise<Reservation> {
    const limit = account.monthlyLimit ?? this.#plans[account.plan].monthlyLimit ?? Number.MAX_SAFE_INTEGER;
    const { month, usageId } = usageNow(account);
    const held = await this.#ledger.change(usageId, ({ used, holds }) =>
      used + units > limit
        ? null
        : withHolds(used + units, { ...holds, [workId]: { units, at: Date.now() } }),
    );
    if (!held) {
      const monthlyLimit = `monthly limit of ${limit} ${limit === 1 ? 'PDF' : 'PDFs'}`;
      throw new AppError(
        'USAGE_LIMIT_EXCEEDED',
        units === 1
          ? `${monthlyLimit} reached (${month})`
          : `${monthlyLimit} does not allow ${units} more (${month})`,
      );
    }
    return { usageId, workId };
  }

  /** Returns how many PDFs an account has used this month, including those in progress. */
  async usedBy(account: Account): Promise<number> {
    return (await this.#usage.get(usageNow(account).usageId))?.used ?? 0;
  }

  /** Returns the ids of the work for which an account holds units this month. */
  async heldFor(account: Account): Promise<string[]> {
    return Object.keys((await this.#usage.get(usageNow(account).usageId))?.holds ?? {});
  }

  /** Ends a hold: `spent` units stay used, the others are returned. Does nothing when the hold has already ended. */
  async settle({ usageId, workId }: Reservation, spent: number): Promise<void> {
    await this.#ledger.change(usageId, ({ used, holds }) => {
      const { [workId]: hold, ...others } = holds;
      return hold ? withHolds(used - hold.units + spent, others) : null;
    });
  }

  /** Registers the reconciler of one kind of work for {@link Quota.sweep}. */
  registerReconciler(reconciler: Reconciler): void {
    this.#reconcilers.push(reconciler);
  }

  /** Settles the holds of crashed processes. Tests pass `graceMs` to override that of the reconcilers. */
  async sweep(graceMs?: number): Promise<void> {
    const now = Date.now();
    const shortest = Math.min(...this.#reconcilers.map((reconciler) => graceMs ?? reconciler.graceMs));
    for (const { id: usageId, holds } of await this.#usage.find({
      where: { heldSince: { lte: now - shortest } },
    })) {
      for (const [workId, { at }] of Object.entries(holds)) {
        const reconciler = this.#reconcilers.find(({ prefix }) => workId.startsWith(prefix));
        if (!reconciler || at > now - (graceMs ?? reconciler.graceMs)) continue;
        const spent = await reconciler.unitsSpent(workId);
        if (spent !== undefined) await this.settle({ usageId, workId }, spent);
      }
    }
  }
}

function usageNow({ id }: Account): { month: string; usageId: string } {
  const month = new Date().toISOString().slice(0, 7);
  return { month, usageId: `${id}:${month}` };
}

function withHolds(used: number, holds: Usage['holds']) {
  const times = Object.values(holds).map(({ at }) => at);
  return { used, holds, heldSince: times.length === 0 ? null : Math.min(...times) };
}
