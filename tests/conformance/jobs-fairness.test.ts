import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import { workContext } from '../../src/work-context.ts';
import { deployments, ids, kind } from '../support/jobs/job-deployment.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

/** Creates work that, for selected ids, lasts until the test opens the gate. Other work ends at once. */
function gatedWork(isGated: (id: string) => boolean) {
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const ended: string[] = [];
  const run = async (id: string) => {
    begun.push(id);
    if (isGated(id)) await gate.promise;
    ended.push(id);
  };
  return { run, begun, ended, open: () => gate.resolve() };
}

const named = (prefix: string, count: number) => ids(count).map((id) => `${prefix}-${id}`);

describe.each(deployments)('fair jobs on %s', (_, open) => {
  test('an account whose jobs never end does not starve others, including one that arrives later', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const work = gatedWork((id) => id.startsWith('endless'));
    const queue = jobs.define(kind(work.run, 2));
    await jobs.start();
    await queue.add(named('endless', 40), Date.now() - 100_000, { account: 'a' });
    await until(() => work.begun.length === 2);
    for (const account of ['b', 'c'])
      await queue.add(named(account, 5), (index) => Date.now() - 100_000 + index, { account });
    await until(() => work.ended.length === 10);
    expect(work.ended.filter((id) => id.startsWith('b'))).toEqual(named('b', 5));
    expect(work.ended.filter((id) => id.startsWith('c'))).toEqual(named('c', 5));
    expect(work.begun.filter((id) => id.startsWith('endless')).length).toBe(2);
    work.open();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(work.ended.length).toBe(50);
  });

  test('accounts share running time, not a number of jobs', async () => {
    await using deployment = await open();
    let now = 0;
    const jobs = await deployment.process({ now: () => now });
    const [x, y] = [gatedWork(() => true), gatedWork(() => true)];
    const done: string[] = [];
    const queue = jobs.define(
      kind(async (id) => {
        if (id === 'x' || id === 'y') return (id === 'x' ? x : y).run(id);
        now += id.startsWith('slow') ? 1_000 : 10;
        done.push(id);
      }, 1),
    );
    await jobs.start();
    // One slot, and an extra one for the second account.
    for (const account of ['x', 'y']) await queue.add([account], undefined, { account });
    await until(() => x.begun.length + y.begun.length === 2);
    const inOrder = (index: number) => Date.now() - 100_000 + index;
    await queue.add(named('slow', 3), inOrder, { account: 'a' });
    await queue.add(named('quick', 5), inOrder, { account: 'b' });
    x.open();
    await until(() => done.length === 8);
    y.open();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(done.indexOf('quick-r4')).toBeLessThan(done.indexOf('slow-r1'));
    expect(done.filter((id) => id.startsWith('slow'))).toEqual(named('slow', 3));
  });

  test('the limits of an account and of a target both hold', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const work = gatedWork((id) => id.startsWith('dead'));
    const queue = jobs.define({
      ...kind(work.run, 100),
      limits: ({ account, target = '' }) => ({
        limit: 5,
        resources: [
          { key: target, limit: 3 },
          { key: `${account} ${target}`, limit: 2 },
        ],
      }),
    });
    await jobs.start();
    for (const account of ['a', 'b'])
      await queue.add(named(`dead-${account}`, 50), undefined, { account, target: 'dead' });
    await until(() => work.begun.length === 3);
    await queue.add(named('good', 20), undefined, { account: 'a', target: 'good' });
    await until(() => work.ended.length === 20);
    expect(work.begun.filter((id) => id.startsWith('dead')).length).toBe(3);
    work.open();
    await until(async () => (await deployment.countJobs()) === 0);
  });

  test('a job of another process is found behind hundreds that must wait', async () => {
    await using deployment = await open();
    const producer = (await deployment.process()).define(kind(async () => {}));
    const early = Date.now() - 1_000_000;
    for (const account of ['a', 'b'])
      for (const target of ['dead', 'dying'])
        await producer.add(named(`${account}-${target}`, 100), early, { account, target });
    await producer.add(named('a-good', 3), undefined, { account: 'a', target: 'good' });
    for (const target of ['x', 'y', 'z'])
      await producer.add(named(`c-${target}`, 3), undefined, { account: 'c', target });
    const jobs = await deployment.process();
    const work = gatedWork((id) => /dead|dying/.test(id));
    jobs.define({
      ...kind(work.run, 100),
      limits: ({ account, target }) => ({ resources: [{ key: `${account} ${target}`, limit: 1 }] }),
    });
    await jobs.start();
    await until(() => work.ended.length === 12);
    expect(work.begun.length).toBe(16);
    work.open();
    await until(async () => (await deployment.countJobs()) === 0);
  });

  test('jobs without an owner run for no account', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const accounts: (string | undefined)[] = [];
    const queue = jobs.define(kind(async () => void accounts.push(workContext.getStore()?.account), 1));
    await queue.add(ids(3));
    const stored = await deployment.store.collection(jobsSpec);
    const [first] = await stored.find({ where: { recordId: 'r0' } });
    if (!first) throw new Error('there is no job');
    const { shareKey: _shareKey, ...document } = first;
    await stored.delete({ id: document.id });
    await stored.insert(document);
    await jobs.start();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(accounts).toEqual(['', '', '']);
  });
});
