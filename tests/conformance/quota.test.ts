import { afterEach, describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../../src/accounts/accounts.ts';
import { DEFAULT_PLANS } from '../../src/accounts/plans.ts';
import { NO_OUTCOME, Quota, type Outcome, type Usage } from '../../src/accounts/quota.ts';
import { AppError } from '../../src/errors.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { newMongoUrl } from '../support/service/servers.ts';
import { onMongoAndS3 } from '../support/suite.ts';

setDefaultTimeout(60_000);
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Opens one database twice, as two processes would. */
async function onSqlite(): Promise<[Store, Store]> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  cleanups.push(() => rm(folder, { recursive: true, force: true }));
  const open = () => createSqliteStore({ path: join(folder, 'quota.sqlite') });
  return [open(), open()];
}

async function onMongo(): Promise<[Store, Store]> {
  const url = await newMongoUrl();
  return [await createMongoStore({ url }), await createMongoStore({ url })];
}

const COMPLETED: Outcome = { completed: 1, failed: 0 };
const FAILED: Outcome = { completed: 0, failed: 1 };

const account = (monthlyLimit: number): Account => ({
  id: 'acct_1',
  email: 'ann@example.com',
  plan: 'pro',
  monthlyLimit,
  suspendedAt: null,
  createdAt: 0,
});

const stores: [string, () => Promise<[Store, Store]>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];

describe.each(stores)('quota on %s', (_, open) => {
  async function quotas() {
    const [a, b] = await open();
    cleanups.push(
      () => a.close(),
      () => b.close(),
    );
    const read = async () => {
      const [usage] = await (await a.collection<Usage>({ name: 'usage' })).find({ order: { id: 'asc' } });
      return { used: usage?.used, held: Object.keys(usage?.holds ?? {}).length, heldSince: usage?.heldSince };
    };
    return { a: await Quota.open(a, DEFAULT_PLANS), b: await Quota.open(b, DEFAULT_PLANS), read };
  }

  const refused = (error: unknown) => {
    if (error instanceof AppError && error.code === 'USAGE_LIMIT_EXCEEDED') return 'refused' as const;
    throw error;
  };

  test('a settlement that may wait is in every report, and is written within a moment', async () => {
    const { a, b, read } = await quotas();
    const first = await a.reserve(account(25), 'gen_1');
    const settling = a.settleSoon(first, COMPLETED);
    const { used, byDay } = await a.report(account(25));
    expect([used, byDay.at(-1)?.completed]).toEqual([1, 1]);
    await settling;

    const waiting = ['gen_2', 'gen_3'].map(async (id) =>
      a.settleSoon(await a.reserve(account(25), id), COMPLETED),
    );
    await Promise.all(waiting);
    expect(await read()).toEqual({ used: 3, held: 0, heldSince: null });

    const last = await a.reserve(account(25), 'gen_4');
    void a.settleSoon(last, COMPLETED);
    await a.close();
    expect((await b.report(account(25))).byDay.at(-1)?.completed).toBe(4);
  });

  test('a reservation writes the settlements that wait', async () => {
    const { a, read } = await quotas();
    const first = await a.reserve(account(25), 'gen_1');
    const settling = a.settleSoon(first, COMPLETED);
    await a.reserve(account(25), 'gen_2');
    expect(await read()).toMatchObject({ used: 2, held: 1 });
    await settling;
  });

  test('is never exceeded by two processes with many callers each', async () => {
    const { a, b, read } = await quotas();
    const asked = Array.from({ length: 60 }, (__, index) =>
      (index % 2 ? a : b).reserve(account(25), `gen_${index}`).catch(refused),
    );
    const taken = (await Promise.all(asked)).filter((reservation) => reservation !== 'refused');
    expect(taken.length).toBe(25);
    expect(await read()).toMatchObject({ used: 25, held: 25 });
    await Promise.all(
      taken.map((reservation, index) =>
        (index % 2 ? a : b).settle(reservation, index < 10 ? FAILED : COMPLETED),
      ),
    );
    expect(await read()).toEqual({ used: 15, held: 0, heldSince: null });
  });

  test('concurrent first requests of a month all succeed', async () => {
    const { a, b, read } = await quotas();
    await Promise.all([a, b, a, b].map((quota, index) => quota.reserve(account(4), `gen_${index}`)));
    expect(await read()).toMatchObject({ used: 4, held: 4 });
  });

  test('reserves all units or none, and returns unspent units once', async () => {
    const { a, b, read } = await quotas();
    const batch = await a.reserve(account(10), 'batch_1', 8);
    expect(await b.reserve(account(10), 'batch_2', 3).catch(refused)).toBe('refused');
    await b.reserve(account(10), 'batch_3', 2);
    await a.settle(batch, { completed: 5, failed: 3 });
    await b.settle(batch, { completed: 5, failed: 3 });
    expect(await read()).toMatchObject({ used: 7, held: 1 });
  });

  test('units reserved in one month and settled in the next count in the first', async () => {
    const { a, b, read } = await quotas();
    try {
      setSystemTime(new Date('2026-01-31T23:59:59Z'));
      const batch = await a.reserve(account(5), 'batch_1', 5);
      setSystemTime(new Date('2026-02-01T00:00:05Z'));
      await b.reserve(account(5), 'batch_2', 5);
      await b.settle(batch, { completed: 3, failed: 2 });
      expect(batch.usageId).toBe('acct_1:2026-01');
      expect(await read()).toEqual({ used: 3, held: 0, heldSince: null });
      // The report covers February, in which the other batch is in progress.
      expect(await a.report(account(5))).toEqual({
        startsAt: Date.UTC(2026, 1),
        endsAt: Date.UTC(2026, 2),
        used: 5,
        limit: 5,
        remaining: 0,
        byDay: [{ date: '2026-02-01', completed: 0, failed: 0 }],
      });
      setSystemTime(new Date('2026-01-31T23:59:59Z'));
      expect((await a.report(account(2))).byDay.slice(-2)).toEqual([
        { date: '2026-01-30', completed: 0, failed: 0 },
        { date: '2026-01-31', completed: 3, failed: 2 },
      ]);
      expect(await a.remainingFor(account(2))).toBe(0);
    } finally {
      setSystemTime();
    }
  });

  test('the sweep settles reservations of a dead process according to the result of the work', async () => {
    const { a, b, read } = await quotas();
    const outcomes: Record<string, Outcome | undefined> = {
      gen_done: COMPLETED,
      gen_failed: FAILED,
      gen_lost: NO_OUTCOME,
      gen_underway: undefined,
    };
    const register = (quota: Quota, graceMs: number) => {
      quota.registerReconciler({ prefix: 'gen_', graceMs, outcomeOf: async (id) => outcomes[id] });
      quota.registerReconciler({ prefix: 'batch_', graceMs: 60_000, outcomeOf: async () => NO_OUTCOME });
    };
    register(a, 60_000);
    register(b, 0);
    for (const id of Object.keys(outcomes)) await a.reserve(account(10), id);
    await a.reserve(account(10), 'batch_young', 4);
    await a.sweep();
    expect(await read()).toMatchObject({ used: 8, held: 5 });
    await b.sweep();
    expect(await read()).toMatchObject({ used: 6, held: 2 });
    await b.sweep(0);
    expect(await read()).toMatchObject({ used: 2, held: 1 });
    expect((await a.report(account(10))).byDay.at(-1)).toMatchObject({ completed: 1, failed: 1 });
  });

  test('the sweep lets other work run between two reservations', async () => {
    const { a } = await quotas();
    const ids = [...Array(20).keys()].map((index) => `gen_${index}`);
    await Promise.all(ids.map((id) => a.reserve(account(20), id)));
    let turns = 0;
    const outcomeOf = async () => void setImmediate(() => (turns += 1));
    a.registerReconciler({ prefix: 'gen_', graceMs: 0, outcomeOf });
    await a.sweep();
    expect(turns).toBe(ids.length);
  });
});
