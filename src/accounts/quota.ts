import type { AccountData } from '../account-data.ts';
import { AppError, NameTakenError } from '../errors.ts';
import type { Collection, CollectionSpec, Document, Store } from '../store/store.ts';
import { yieldToEventLoop } from '../time-slice.ts';
import type { ListOutbox, ListOutboxSpec } from '../webhooks/outbox.ts';
import type { Account } from './accounts.ts';
import { Ledger, type Entry } from './ledger.ts';
import type { Plan, PlanName } from './plans.ts';
import { newThresholds, noteThresholds, type ThresholdEvents, type ThresholdFields } from './thresholds.ts';

/** Units reserved for work that has not ended. `at` is epoch milliseconds. */
interface Hold {
  units: number;
  at: number;
}

/**
 * The usage of an account in one UTC calendar month. The id is made of the account's id and the month:
 * `acct_…:2026-11`.
 */
export interface Usage extends Document, Entry, ThresholdFields {
  /** Units spent and units held. */
  used: number;
  /** Keyed by the id of the work. */
  holds: Readonly<Record<string, Hold>>;
  /** The time of the oldest hold. */
  heldSince: number | null;
  /**
   * PDFs by the UTC day (`2026-11-22`) on which their units were held. Days without ended work are absent.
   */
  days: Readonly<Record<string, Outcome>>;
}

/** The units of ended work, by result. Units of work that never began are in neither count. */
export interface Outcome {
  completed: number;
  failed: number;
}

/** The usage of an account in the current UTC calendar month. Times are epoch milliseconds. */
export interface UsageReport {
  startsAt: number;
  /** The start of the next month, when the count begins again. */
  endsAt: number;
  /** PDFs counted against the limit, including those in progress. */
  used: number;
  /** `null` means no limit. */
  limit: number | null;
  /** Never negative; `null` means no limit. */
  remaining: number | null;
  /** Every day from the start of the month to today, in order. */
  byDay: (Outcome & { date: string })[];
}

/**
 * The usage of an account in one UTC calendar month, such as `2026-11`. Days without ended work are absent.
 */
export interface MonthUsage {
  month: string;
  used: number;
  byDay: (Outcome & { date: string })[];
}

const usageSpec: CollectionSpec<Usage> = {
  name: 'usage',
  indexes: [{ fields: { heldSince: 'asc' } }, { fields: { unreportedAt: 'asc' } }],
  // The record of the work is stored after its hold, and the sweep repeats a settlement.
  isRecoverable: true,
};

/**
 * Identifies the units that are held for one piece of work. Store it with the work: unspent units are
 * returned to the same month.
 */
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
  /**
   * Returns the outcome of the work: `undefined` while it is in progress, {@link NO_OUTCOME} when the store
   * has no record of it.
   */
  outcomeOf(workId: string): Promise<Outcome | undefined>;
}

/**
 * The outcome of work that made nothing and did not fail, such as a request that turned out to be invalid.
 */
export const NO_OUTCOME: Outcome = { completed: 0, failed: 0 };

const DAY_MS = 86_400_000;

/**
 * Counts PDFs against the monthly limit. Units are held before the work begins and settled when it ends. The
 * holds are part of the usage record and change with it in one atomic write, so units held by a crashed
 * process can be found and settled.
 */
export class Quota {
  readonly #usage: Collection<Usage>;
  readonly #ledger: Ledger<Usage>;
  readonly #plans: Readonly<Record<PlanName, Plan>>;
  readonly #reconcilers: Reconciler[] = [];
  #thresholds: ThresholdEvents<Usage> | undefined;

  private constructor(usage: Collection<Usage>, plans: Readonly<Record<PlanName, Plan>>) {
    this.#usage = usage;
    this.#plans = plans;
    this.#ledger = new Ledger(usage, (id) => ({
      id,
      used: 0,
      holds: {},
      heldSince: null,
      days: {},
      revision: 0,
    }));
  }

  static async open(store: Store, plans: Readonly<Record<PlanName, Plan>>): Promise<Quota> {
    return new Quota(await store.collection(usageSpec), plans);
  }

  /**
   * Holds units for a piece of work, all or none. A second call for the same work, after the process of the
   * first died, holds nothing more. A hold without units, which no limit refuses, lets the sweep find work
   * whose process died.
   * @throws {AppError} USAGE_LIMIT_EXCEEDED when fewer units are left
   */
  async reserve(account: Account, workId: string, units = 1): Promise<Reservation> {
    const monthlyLimit = this.#limitOf(account);
    const limit = monthlyLimit ?? Number.MAX_SAFE_INTEGER;
    // The time of the hold is in the month of the record, even if the write takes longer than the rest of the
    // month.
    const at = Date.now();
    const { month, usageId } = usageAt(account, at);
    await this.#releaseYesterday(account, { workId, at });
    const held = await this.#ledger.change(usageId, ({ used, holds }) => {
      const added = units - (holds[workId]?.units ?? 0);
      return added > 0 && used + added > limit
        ? null
        : { ...withHolds(used + added, { ...holds, [workId]: { units, at } }), limit: monthlyLimit };
    });
    if (!held) {
      const name = `monthly limit of ${limit} ${limit === 1 ? 'PDF' : 'PDFs'}`;
      throw new AppError(
        'USAGE_LIMIT_EXCEEDED',
        units === 1 ? `${name} reached (${month})` : `${name} does not allow ${units} more (${month})`,
      );
    }
    return { usageId, workId };
  }

  /**
   * On the first day of a month, ends the hold that an earlier attempt at the same work took in the month
   * before.
   */
  async #releaseYesterday(account: Account, { workId, at }: { workId: string; at: number }): Promise<void> {
    const { usageId } = usageAt(account, at - DAY_MS);
    if (usageId === usageAt(account, at).usageId) return;
    const before: Partial<Usage> | null = await this.#usage.get(usageId);
    if (before?.holds?.[workId]) await this.settle({ usageId, workId }, NO_OUTCOME);
  }

  /** Returns how many PDFs an account has used this month, including those in progress. */
  async usedBy(account: Account): Promise<number> {
    return (await this.#current(account))?.used ?? 0;
  }

  /** Returns how many PDFs are left to an account this month; `null` means no limit. */
  async remainingFor(account: Account): Promise<number | null> {
    const limit = this.#limitOf(account);
    return limit === null ? null : Math.max(0, limit - (await this.usedBy(account)));
  }

  /** Reports the usage of an account this month. Reads one record, however many PDFs it counts. */
  async report(account: Account): Promise<UsageReport> {
    const now = Date.now();
    await this.#ledger.flush(`${account.id}:`);
    const { used = 0, days = {} } = (await this.#current(account, now)) ?? {};
    const limit = this.#limitOf(account);
    const { startsAt, endsAt } = monthOf(now);
    const byDay: UsageReport['byDay'] = [];
    for (let time = startsAt; time <= now; time += DAY_MS) {
      const date = dateOf(time);
      byDay.push({ date, ...(days[date] ?? NO_OUTCOME) });
    }
    const remaining = limit === null ? null : Math.max(0, limit - used);
    return { startsAt, endsAt, used, limit, remaining, byDay };
  }

  /** Returns the usage of an account in the last months, newest first. Months without usage are absent. */
  async history(account: Account, months: number): Promise<MonthUsage[]> {
    const now = new Date();
    const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months + 1)).toISOString();
    await this.#ledger.flush(`${account.id}:`);
    const found = await this.#usage.find({
      where: { id: { gte: `${account.id}:${first.slice(0, 7)}`, lt: `${account.id};` } },
      order: { id: 'desc' },
      limit: months,
    });
    return found.map(({ id, used, days }) => ({
      month: id.slice(account.id.length + 1),
      used,
      byDay: Object.entries(days)
        .map(([date, { completed, failed }]) => ({ date, completed, failed }))
        .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    }));
  }

  /** Returns the ids of the work for which an account holds units this month. */
  async heldFor(account: Account): Promise<string[]> {
    await this.#ledger.flush(`${account.id}:`);
    return Object.keys((await this.#current(account))?.holds ?? {});
  }

  /** The usage of each month as data of the accounts. */
  get accountData(): AccountData {
    const usage = this.#usage;
    const ledger = this.#ledger;
    // Ids of accounts contain neither `:` nor `;`, its successor.
    const ofAccount = (accountId: string) => ({ id: { gte: `${accountId}:`, lt: `${accountId};` } });
    return {
      name: 'usage',
      count: (accountId) => usage.count(ofAccount(accountId)),
      async *read(accountId) {
        await ledger.flush(`${accountId}:`);
        const months = await usage.find({ where: ofAccount(accountId), order: { id: 'asc' } });
        yield months.map(({ id, used, days }) => ({
          record: {
            month: id.slice(accountId.length + 1),
            used,
            days: Object.fromEntries(
              Object.entries(days).map(([day, { completed, failed }]) => [day, { completed, failed }]),
            ),
          },
        }));
      },
      async delete(accountId) {
        // A later settlement would create the record again.
        await ledger.flush(`${accountId}:`);
        await usage.delete(ofAccount(accountId));
      },
    };
  }

  /**
   * From now on, makes an event when the completed PDFs of an account reach 80 % or 100 % of its monthly
   * limit: one for each threshold, month and limit. Call it once, in `setup`.
   */
  reportThresholds(
    webhooks: { listOutbox(spec: ListOutboxSpec<Usage>): ListOutbox<Usage> },
    toEvent: ThresholdEvents<Usage>['toEvent'],
  ): void {
    const outbox = webhooks.listOutbox({ name: 'usage', collection: this.#usage });
    this.#thresholds = { outbox, toEvent };
  }

  /**
   * Ends a hold: the units of completed PDFs stay used, the others are returned. Does nothing when the hold
   * has already ended.
   */
  async settle(reservation: Reservation, outcome: Outcome): Promise<void> {
    await this.#settle(reservation, outcome, (id, change) => this.#ledger.change(id, change));
  }

  /**
   * Ends a hold like {@link settle}, but within 100 ms, mostly together with the next reservation of the
   * account. For work that spent all its units, so that none has to be returned at once. Every report of this
   * process includes it.
   */
  async settleSoon(reservation: Reservation, outcome: Outcome): Promise<void> {
    await this.#settle(reservation, outcome, (id, change) => this.#ledger.changeSoon(id, change));
  }

  /** Writes the settlements that wait. Call it before the store is closed. */
  async close(): Promise<void> {
    await this.#ledger.flush();
  }

  async #settle(
    { usageId, workId }: Reservation,
    { completed, failed }: Outcome,
    apply: Ledger<Usage>['change'],
  ): Promise<void> {
    const settled = await apply(usageId, (usage) => {
      const { used, holds, days } = usage;
      const { [workId]: hold, ...others } = holds;
      if (!hold) return null;
      const counts = withHolds(used - hold.units + completed, others);
      if (completed + failed === 0) return counts;
      const date = dateOf(hold.at);
      const day = days[date] ?? NO_OUTCOME;
      const counted = { completed: day.completed + completed, failed: day.failed + failed };
      return {
        ...counts,
        days: { ...days, [date]: counted },
        ...(completed > 0 && this.#noteThresholds({ ...usage, ...counts })),
      };
    });
    if (settled) this.#thresholds?.outbox.report(settled);
  }

  /** Returns the fields that note the thresholds that a month has reached now; mostly none. */
  #noteThresholds(usage: Usage): ThresholdFields {
    const { id, used, holds } = usage;
    // Checked first, because an account can have thousands of holds.
    if (!this.#thresholds || newThresholds(usage, used).length === 0) return {};
    const held = Object.values(holds).reduce((sum, { units }) => sum + units, 0);
    const [accountId = '', month = ''] = id.split(':');
    const counted = { accountId, used: used - held, ...monthOf(Date.parse(month)) };
    return noteThresholds(this.#thresholds, usage, counted);
  }

  #current(account: Account, now = Date.now()): Promise<Usage | null> {
    return this.#usage.get(usageAt(account, now).usageId);
  }

  #limitOf({ monthlyLimit, plan }: Account): number | null {
    return monthlyLimit ?? this.#plans[plan].monthlyLimit;
  }

  /**
   * Registers the reconciler of one kind of work for {@link Quota.sweep}.
   * @throws {NameTakenError} for a prefix that is already registered
   */
  registerReconciler(reconciler: Reconciler): void {
    if (this.#reconcilers.some(({ prefix }) => prefix === reconciler.prefix))
      throw new NameTakenError(`the quota of the work "${reconciler.prefix}" is already registered`);
    this.#reconcilers.push(reconciler);
  }

  /**
   * Settles the holds of crashed processes. Tests pass `graceMs` to override the grace period of the
   * reconcilers.
   */
  async sweep(graceMs?: number): Promise<void> {
    const now = Date.now();
    const shortest = Math.min(...this.#reconcilers.map((reconciler) => graceMs ?? reconciler.graceMs));
    for (const { id: usageId, holds } of await this.#usage.find({
      where: { heldSince: { lte: now - shortest } },
    })) {
      for (const [workId, { at }] of Object.entries(holds)) {
        const reconciler = this.#reconcilers.find(({ prefix }) => workId.startsWith(prefix));
        if (!reconciler || at > now - (graceMs ?? reconciler.graceMs)) continue;
        const outcome = await reconciler.outcomeOf(workId);
        if (outcome !== undefined) await this.settle({ usageId, workId }, outcome);
        // An embedded store answers without an end of the turn, and an account can have thousands of holds.
        await yieldToEventLoop();
      }
    }
  }
}

function usageAt({ id }: Account, time: number): { month: string; usageId: string } {
  const month = dateOf(time).slice(0, 7);
  return { month, usageId: `${id}:${month}` };
}

function monthOf(time: number): { startsAt: number; endsAt: number } {
  const date = new Date(time);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startsAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function withHolds(used: number, holds: Usage['holds']) {
  const times = Object.values(holds).map(({ at }) => at);
  return { used, holds, heldSince: times.length === 0 ? null : Math.min(...times) };
}
