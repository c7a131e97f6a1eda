import { describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { toThresholdEvent } from '../../plugins/usage/threshold.ts';
import type { Account } from '../../src/accounts/accounts.ts';
import { DEFAULT_PLANS } from '../../src/accounts/plans.ts';
import { Quota, type Outcome, type Usage } from '../../src/accounts/quota.ts';
import type { CollectionSpec, Document, Store } from '../../src/store/store.ts';
import { onMongo, onSqlite, type Deployment } from '../support/jobs/webhook-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';
import { onMongoAndS3 } from '../support/suite.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

const deployments: [string, () => Promise<Deployment>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];
const COMPLETED: Outcome = { completed: 1, failed: 0 };
const FAILED: Outcome = { completed: 0, failed: 1 };

const many = (length: number): Outcome[] => Array.from({ length }, () => COMPLETED);

const accountOf = (id: string, monthlyLimit: number | null): Account => ({
  id,
  email: 'ann@example.com',
  plan: monthlyLimit === null ? 'enterprise' : 'pro',
  monthlyLimit,
  suspendedAt: null,
  createdAt: 0,
});

/** Opens the quota of a process, which dies at one of its writes. */
async function openProcess(deployment: Deployment, dying = new DyingProcess()) {
  const store = dying.store(deployment.store);
  const { webhooks, jobs } = await deployment.process({ store });
  const quota = await Quota.open(store, DEFAULT_PLANS);
  quota.reportThresholds(webhooks, toThresholdEvent);
  quota.registerReconciler({ prefix: 'gen_', graceMs: 60_000, outcomeOf: async () => COMPLETED });
  let made = 0;
  /** Makes documents, one after the other. */
  const make = async (account: Account, outcomes: readonly Outcome[]) => {
    for (const outcome of outcomes)
      await quota.settle(await quota.reserve(account, `gen_${(made += 1)}`), outcome);
  };
  /** Lists the thresholds of an account, in order. */
  const thresholdsOf = async ({ id }: Account) => {
    const { records } = await webhooks.listEvents(id, { limit: 100, type: 'quota.threshold' });
    return records
      .map(({ data }) => data as { threshold: number; used: number; limit: number; period: object })
      .toSorted((a, b) => a.limit - b.limit || a.threshold - b.threshold)
      .map(({ threshold, used, limit }) => `${threshold} % of ${limit}: ${used}`);
  };
  const usage = await deployment.store.collection<Usage>({ name: 'usage' });
  return { webhooks, jobs, quota, usage, make, thresholdsOf };
}

/** Starts another process, whose sweeps complete what dead processes have left. */
async function repair(deployment: Deployment) {
  const { jobs, quota, usage } = await openProcess(deployment);
  await quota.sweep(0);
  await jobs.start();
  await until(async () => (await usage.count({ unreportedAt: { gte: 0 } })) === 0);
  await jobs.stop(5_000);
}

describe.each(deployments)('quota thresholds on %s', (_, open) => {
  test('a document that is interrupted at any write leaves one event, of what is counted', async () => {
    await using deployment = await open();
    const { make, thresholdsOf, quota } = await openProcess(deployment);
    const dying = new DyingProcess();
    const broken = await openProcess(deployment, dying);
    const counted: number[] = [];
    for (let dieAt = 1, survived = false; !survived; dieAt += 1) {
      const account = accountOf(`acct_${dieAt}`, 5);
      await make(account, [COMPLETED, COMPLETED, COMPLETED]);
      dying.revive({ dieAt });
      await broken.make(account, [COMPLETED]).catch(() => {});
      await broken.webhooks.close();
      survived = dying.writes < dieAt;
      dying.revive();
      await repair(deployment);

      const used = await quota.usedBy(account);
      counted.push(used);
      expect(await thresholdsOf(account)).toEqual(used === 4 ? ['80 % of 5: 4'] : []);
      await make(account, [COMPLETED]);
      const next = used === 4 ? ['80 % of 5: 4', '100 % of 5: 5'] : ['80 % of 5: 4'];
      expect(await thresholdsOf(account)).toEqual(next);
    }
    // The reservation, the count with its event, the stored event, and the mark.
    expect(counted).toEqual([3, 4, 4, 4, 4]);
  });

  test('each threshold of many documents at the same time, of two processes, has one event', async () => {
    await using deployment = await open();
    const [one, two] = [await openProcess(deployment), await openProcess(deployment)];
    const account = accountOf('acct_a', 30);
    await Promise.all(
      Array.from({ length: 30 }, async (__, index) => {
        const { quota } = index % 2 ? one : two;
        await quota.settle(await quota.reserve(account, `gen_many_${index}`), COMPLETED);
      }),
    );
    await two.thresholdsOf(account);
    expect(await one.thresholdsOf(account)).toEqual(['80 % of 30: 24', '100 % of 30: 30']);
    await until(async () => (await one.usage.count({ unreportedAt: null, unreported: null })) === 1);
  });

  test('counts completed documents: none in progress, failed or for a test key, and none without a limit', async () => {
    await using deployment = await open();
    const { quota, make, thresholdsOf, webhooks } = await openProcess(deployment);
    const account = accountOf('acct_a', 10);
    await make(account, [...many(7), FAILED]);
    const held = await quota.reserve(account, 'batch_1', 3);
    await quota.settle(await quota.reserve(account, 'gen_test', 0), { completed: 0, failed: 0 });
    expect(await thresholdsOf(account)).toEqual([]);
    await quota.settle(held, { completed: 1, failed: 2 });
    expect(await thresholdsOf(account)).toEqual(['80 % of 10: 8']);
    const [event] = (await webhooks.listEvents('acct_a', { limit: 1 })).records;
    const now = new Date();
    const monthAt = (offset: number) =>
      new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset)).toISOString();
    expect(event?.data).toEqual({
      threshold: 80,
      used: 8,
      limit: 10,
      period: { start: monthAt(0), end: monthAt(1) },
    });

    const unlimited = accountOf('acct_b', null);
    await make(unlimited, many(20));
    expect(await thresholdsOf(unlimited)).toEqual([]);
    // A batch can reach both thresholds.
    const other = accountOf('acct_c', 10);
    await quota.settle(await quota.reserve(other, 'batch_2', 10), { completed: 10, failed: 0 });
    expect(await thresholdsOf(other)).toEqual(['80 % of 10: 10', '100 % of 10: 10']);
  });

  test('has an event for each limit and month, and for a month that an earlier release began', async () => {
    await using deployment = await open();
    const { make, thresholdsOf, usage } = await openProcess(deployment);
    try {
      setSystemTime(new Date('2026-01-20T12:00:00Z'));
      await usage.insert({
        id: 'acct_a:2026-01',
        used: 7,
        holds: {},
        heldSince: null,
        days: { '2026-01-19': { completed: 7, failed: 0 } },
        revision: 14,
      });
      await make(accountOf('acct_a', 10), [COMPLETED, COMPLETED]);
      expect(await thresholdsOf(accountOf('acct_a', 10))).toEqual(['80 % of 10: 8']);
      const raised = accountOf('acct_a', 12);
      await make(raised, [COMPLETED]);
      expect(await thresholdsOf(raised)).toEqual(['80 % of 10: 8', '80 % of 12: 10']);
      // Back at the first limit, with no document left: nothing is made and nothing is reached.
      const before = await thresholdsOf(raised);
      expect(await make(accountOf('acct_a', 10), [COMPLETED]).catch(() => 'refused')).toBe('refused');
      expect(await thresholdsOf(raised)).toEqual(before);
      setSystemTime(new Date('2026-02-01T00:00:00Z'));
      await make(raised, many(10));
      expect(await thresholdsOf(raised)).toEqual([...before, '80 % of 12: 10']);
    } finally {
      setSystemTime();
    }
  });

  test('an event that is stored while a document is counted is not listed again', async () => {
    await using deployment = await open();
    const dying = new DyingProcess();
    const { make, usage } = await openProcess(deployment, dying);
    const account = accountOf('acct_a', 5);
    await make(account, [COMPLETED, COMPLETED, COMPLETED]);
    dying.revive({ dieAt: 3 });
    await make(account, [COMPLETED]);
    const { id, eventCount, unreported } = (await usage.find())[0] ?? {};
    expect([eventCount, unreported?.length]).toEqual([1, 1]);
    /** A store in which another process stores the event after each time that this one reads the record. */
    const store: Store = {
      ...deployment.store,
      collection: async <T extends Document>(spec: CollectionSpec<T>) => {
        const collection = await deployment.store.collection(spec);
        const get = async (read: string) => {
          const found = await collection.get(read);
          if (read === id) await usage.update({ id }, { unreported: null, unreportedAt: null });
          return found;
        };
        return { ...collection, get };
      },
    };
    const other = await Quota.open(store, DEFAULT_PLANS);
    const exported = JSON.stringify(await Array.fromAsync(other.accountData.read(account.id)));
    expect(exported).toContain('"used":4');
    expect(exported).not.toMatch(/unreported|eventCount|quota\.threshold/);
    await other.reserve(account, 'gen_other');
    expect((await usage.find())[0]).toMatchObject({ used: 5, unreported: null, unreportedAt: null });
  });

  test('needs no extra write for a document that reaches no threshold', async () => {
    await using deployment = await open();
    const dying = new DyingProcess();
    const { make, webhooks, thresholdsOf } = await openProcess(deployment, dying);
    const account = accountOf('acct_a', 10);
    await make(account, [COMPLETED]);
    const writesOf = async (outcome: Outcome) => {
      dying.revive();
      await make(account, [outcome]);
      await webhooks.close();
      return dying.writes;
    };
    const writes: number[] = [];
    for (let number = 2; number <= 10; number += 1) writes.push(await writesOf(COMPLETED));
    // Two for each document; at a threshold also the event and the mark that it is stored.
    expect(writes).toEqual([2, 2, 2, 2, 2, 2, 4, 2, 4]);
    expect(await thresholdsOf(account)).toEqual(['80 % of 10: 8', '100 % of 10: 10']);
  });
});
