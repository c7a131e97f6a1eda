import { AppError } from '../errors.ts';
import type { Collection, CollectionSpec, Document, Store } from '../store/store.ts';
import type { Account } from './accounts.ts';
import { Ledger, type Entry } from './ledger.ts';
import type { Plan, PlanName } from './plans.ts';

/** Units that are taken and whose work has not ended. `at` is epoch milliseconds. */
export interface Hold {
  units: number;
  at: number;
}

/** What an account used in one UTC calendar month. The id is the account's and the month's: `acct_…:2026-11`. */
export interface Usage extends Document, Entry {
  /** Units spent and held. */
  used: number;
  /** By the id of the work that they are for. */
  holds: Readonly<Record<string, Hold>>;
  /** The time of the oldest hold. */
  heldSince: number | null;
}

const usageSpec: CollectionSpec<Usage> = { name: 'usage', indexes: [{ fields: { heldSince: 'asc' } }] };

/** Units taken from a month for one piece of work. Keep it with the work: what is given back goes to the month that it came from. */
export interface Reservation {
  usageId: string;
  /** The id of the work: a generation, or a batch. */
  workId: string;
}

/** Knows what became of work of one kind. */
export interface WorkRecords {
  /** What its ids begin with, such as `gen_`. */
  prefix: string;
  /** The longest time that the work may be under way without a trace in the store. */
  patienceMs: number;
  /** Tells how many units the work spent; `undefined` while it is still under way, 0 when there is no trace of it. */
  spentBy(workId: string): Promise<number | undefined>;
}

/**
 * Counts PDFs against the monthly limit. Units are held before the work and settled when it ended. Who holds what is part of the
 * count itself and changes with it in one atomic write, so that units whose process died are found and settled.
 */
export class Quota {
  readonly #usage: Collection<Usage>;
  readonly #ledger: Ledger<Usage>;
  readonly #plans: Readonly<Record<PlanName, Plan>>;
  readonly #records: WorkRecords[] = [];

  private constructor(usage: Collection<Usage>, plans: Readonly<Record<PlanName, Plan>>) {
    this.#usage = usage;
    this.#plans = plans;
    this.#ledger = new Ledger(usage, (id) => ({ id, used: 0, holds: {}, heldSince: null, revision: 0 }));
  }

  static async open(store: Store, plans: Readonly<Record<PlanName, Plan>>): Promise<Quota> {
    return new Quota(await store.collection(usageSpec), plans);
  }

  /** Holds units for a piece of work, all or none. @throws {AppError} USAGE_LIMIT_EXCEEDED when they are not left. */
  async reserve(account: Account, workId: string, units = 1): Promise<Reservation> {
    const limit = account.monthlyLimit ?? this.#plans[account.plan].monthlyLimit ?? Number.MAX_SAFE_INTEGER;
    const { month, usageId } = usageNow(account);
    const held = await this.#ledger.change(usageId, ({ used, holds }) =>
      used + units > limit
        ? null
        : withHolds(used + units, { ...holds, [workId]: { units, at: Date.now() } }),
    );
    if (!held) {
      throw new AppError(
        'USAGE_LIMIT_EXCEEDED',
        `the account's limit of ${limit} PDFs in ${month} does not leave room for ${units} more`,
      );
    }
    return { usageId, workId };
  }

  /** Reads how many PDFs of this month an account has used, those under way included. */
  async usedBy(account: Account): Promise<number> {
    return (await this.#usage.get(usageNow(account).usageId))?.used ?? 0;
  }

  /** Reads for which work an account holds units of this month. */
  async heldFor(account: Account): Promise<string[]> {
    return Object.keys((await this.#usage.get(usageNow(account).usageId))?.holds ?? {});
  }

  /** Ends a hold: `spent` units stay used, the others are given back. Does nothing when it has ended already. */
  async settle({ usageId, workId }: Reservation, spent: number): Promise<void> {
    await this.#ledger.change(usageId, ({ used, holds }) => {
      const { [workId]: hold, ...others } = holds;
      return hold ? withHolds(used - hold.units + spent, others) : null;
    });
  }

  /** Makes it known what became of work of one kind, for {@link Quota.sweep}. */
  know(records: WorkRecords): void {
    this.#records.push(records);
  }

  /** Settles the holds whose process died. `patienceMs` in place of each kind's own is for tests. */
  async sweep(patienceMs?: number): Promise<void> {
    const now = Date.now();
    const shortest = Math.min(...this.#records.map((records) => patienceMs ?? records.patienceMs));
    for (const { id: usageId, holds } of await this.#usage.find({
      where: { heldSince: { lte: now - shortest } },
    })) {
      for (const [workId, { at }] of Object.entries(holds)) {
        const records = this.#records.find(({ prefix }) => workId.startsWith(prefix));
        if (!records || at > now - (patienceMs ?? records.patienceMs)) continue;
        const spent = await records.spentBy(workId);
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
