import { afterEach, describe, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import { deployments, ids, kind, LEASE_MS, LONG_LEASE_MS } from '../support/jobs/job-deployment.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

afterEach(() => {
  setSystemTime();
});

describe.each(deployments)('jobs on %s', (_, open) => {
  test('each job runs once, within the concurrency limit, and is then deleted', async () => {
    await using deployment = await open();
    const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
    const seen: string[] = [];
    let running = 0;
    let mostRunning = 0;
    const queue = jobs.define(
      kind(async (id) => {
        mostRunning = Math.max(mostRunning, (running += 1));
        // The first job waits for another one.
        await until(() => mostRunning > 1);
        seen.push(id);
        running -= 1;
      }),
    );
    await jobs.start();
    await queue.add(ids(100));
    await until(async () => (await deployment.countJobs()) === 0);
    expect(seen.toSorted()).toEqual(ids(100).toSorted());
    expect(mostRunning).toBeLessThanOrEqual(4);
    expect(mostRunning).toBeGreaterThan(1);
  });

  test('two processes share the jobs, and no job runs twice', async () => {
    await using deployment = await open();
    const seen: [string, string][] = [];
    const begun = new Set<string>();
    const start = async (name: string) => {
      const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
      const queue = jobs.define(
        kind(async (id) => {
          begun.add(name);
          await until(() => begun.size === 2);
          seen.push([name, id]);
        }, 2),
      );
      await jobs.start();
      return queue;
    };
    const [queue] = [await start('a'), await start('b')];
    await queue.add(ids(60));
    await until(async () => (await deployment.countJobs()) === 0);
    expect(seen.map(([, id]) => id).toSorted()).toEqual(ids(60).toSorted());
    expect(new Set(seen.map(([name]) => name)).size).toBe(2);
  });

  test('adding a record twice creates one job', async () => {
    await using deployment = await open();
    const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
    const seen: string[] = [];
    const queue = jobs.define(kind(async (id) => void seen.push(id)));
    await queue.add(ids(3));
    await queue.add(ids(5));
    await queue.ensureQueued(ids(5));
    await queue.ensureQueued(ids(7));
    expect(await deployment.countJobs()).toBe(7);
    await jobs.start();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(seen.toSorted()).toEqual(ids(7));
  });

  test('a job of a dead process runs again when its lease has expired, and not before', async () => {
    await using deployment = await open();
    const dead = await deployment.process();
    const queue = dead.define(kind(async () => {}));
    await queue.add(['r0']);
    // State after `kill -9`: a lease that is no longer renewed.
    const collection = await deployment.store.collection(jobsSpec);
    const lockedAt = Date.now();
    await collection.update({ recordId: 'r0' }, { lockedAt, owner: 'dead', nextRunAt: null });
    const jobs = await deployment.process();
    let takenAt = 0;
    jobs.define(
      kind(async () => {
        takenAt = Date.now();
      }),
    );
    await jobs.start();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(takenAt - lockedAt).toBeGreaterThanOrEqual(LEASE_MS);
  });

  test('a job of a dead process runs again even if other jobs are always due', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const collection = await deployment.store.collection(jobsSpec);
    const abandon = () =>
      collection.update(
        { recordId: 'abandoned' },
        { lockedAt: 1, owner: 'dead', place: Date.now(), nextRunAt: null },
      );
    let isTaken = false;
    let added = 0;
    const queue = jobs.define(
      kind(async (id) => {
        if (id === 'abandoned') isTaken = true;
        if (isTaken) return;
        if (added === 0) await abandon();
        await queue.add([`n${(added += 1)}`, `m${added}`]);
      }, 2),
    );
    await queue.add(['abandoned'], Date.now() + 1_000_000);
    await queue.add(ids(20));
    await jobs.start();
    await until(() => isTaken);
    await until(async () => (await deployment.countJobs()) === 0);
    expect(added).toBeGreaterThan(0);
  });

  test('a lease is renewed while the job runs', async () => {
    await using deployment = await open();
    const collection = await deployment.store.collection(jobsSpec);
    const [gate, ran] = [Promise.withResolvers<void>(), [] as string[]];
    const start = async () => {
      // The clock stands still except where this test sets it, and no process takes that for a change of the
      // time of day.
      const jobs = await deployment.process({ now: () => Date.now() });
      const run = async (id: string) => {
        ran.push(id);
        if (id === 'long') await gate.promise;
      };
      const queue = jobs.define(kind(run, 1));
      await jobs.start();
      return queue;
    };
    let now = Date.now();
    setSystemTime(now);
    const queue = await start();
    await queue.add(['long']);
    await until(() => ran.includes('long'));
    // The first process has no free slot, so this one runs the other jobs. Before each of them, it searches
    // for jobs whose lease has expired.
    await start();
    for (const other of ids(6)) {
      setSystemTime((now += LEASE_MS / 2));
      await until(
        async () => (await collection.find({ where: { recordId: 'long', lockedAt: now } })).length > 0,
      );
      await queue.add([other]);
      await until(() => ran.includes(other));
    }
    gate.resolve();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(ran).toEqual(['long', ...ids(6)]);
  });

  test('a job of a dead process runs again even if the clock is set again and again', async () => {
    await using deployment = await open();
    let monotonic = 0;
    const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS, now: () => monotonic });
    const ran: string[] = [];
    const queue = jobs.define(kind(async (id) => void ran.push(id)));
    await queue.add(['dead', 'alive'], Date.now() + 1_000_000);
    const collection = await deployment.store.collection(jobsSpec);
    let now = Date.now();
    const held = { nextRunAt: now, place: now };
    for (const recordId of ['dead', 'alive'])
      await collection.update({ recordId }, { ...held, lockedAt: now, owner: recordId });
    await jobs.start();
    for (let step = 1; step <= 5; step += 1) {
      // An hour and a third of the lease pass alternately, or so it seems.
      setSystemTime((now += step % 2 === 0 ? -3_600_000 : 3_600_000));
      monotonic += LONG_LEASE_MS / 3;
      await collection.update({ owner: 'alive' }, { lockedAt: now });
      const other = `other-${step}`;
      await queue.add([other]);
      await until(() => ran.includes(other));
    }
    await until(() => ran.includes('dead'));
    expect(ran).not.toContain('alive');
  });

  test('an account whose limits cannot be read does not hold up the others', async () => {
    await using deployment = await open();
    const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
    let isBroken = true;
    const ran: string[] = [];
    const queue = jobs.define({
      ...kind(async (id) => void ran.push(id)),
      limits: ({ account }) => {
        if (isBroken && account === 'acct_broken') throw new Error('the record of the account is broken');
        return {};
      },
    });
    await jobs.start();
    await queue.add(['first'], undefined, { account: 'acct_broken' });
    await queue.add(ids(3), undefined, { account: 'acct_other' });
    await until(() => ran.length === 3);
    expect(ran.toSorted()).toEqual(ids(3));
    isBroken = false;
    await until(async () => (await deployment.countJobs()) === 0);
    expect(ran).toContain('first');
  });

  test('a failed job is retried, and a job that returns runAgainAt runs again at that time', async () => {
    await using deployment = await open();
    const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
    const runs: Record<string, number[]> = { bad: [], later: [] };
    const queue = jobs.define(
      kind(async (id) => {
        const times = (runs[id] ??= []);
        times.push(Date.now());
        if (id === 'bad' && times.length === 1) throw new Error('bad luck');
        if (id === 'later' && times.length < 3) return { runAgainAt: Date.now() + 300 };
      }),
    );
    await jobs.start();
    await queue.add(['bad', 'later']);
    await until(async () => (await deployment.countJobs()) === 0);
    expect(runs['bad']?.length).toBe(2);
    const [first = 0, second = 0, third = 0] = runs['later'] ?? [];
    expect(runs['later']?.length).toBe(3);
    expect(second - first).toBeGreaterThanOrEqual(300);
    expect(third - second).toBeGreaterThanOrEqual(300);
  });

  test('runNow runs a waiting or missing job now, and a running job once more', async () => {
    await using deployment = await open();
    const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
    const begun: string[] = [];
    const gates = { ends: Promise.withResolvers<void>(), waits: Promise.withResolvers<void>() };
    const queue = jobs.define(
      kind(async (id) => {
        begun.push(id);
        if (id !== 'ends' && id !== 'waits') return;
        await gates[id].promise;
        if (begun.filter((other) => other === id).length === 1 && id === 'waits')
          return { runAgainAt: Date.now() + 1_000_000 };
      }),
    );
    await jobs.start();
    await queue.add(['late'], Date.now() + 1_000_000);
    await queue.add(['ends', 'waits']);
    await until(() => begun.length === 2);
    await queue.runNow(['late', 'missing', 'ends', 'waits']);
    await until(() => begun.length === 4);
    expect(begun.slice(2).toSorted()).toEqual(['late', 'missing']);
    gates.ends.resolve();
    gates.waits.resolve();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(begun.slice(4).toSorted()).toEqual(['ends', 'waits']);
  });

  test('stop lets running jobs finish and starts no others; the rest runs after the next start', async () => {
    await using deployment = await open();
    const first = await deployment.process({ leaseMs: LONG_LEASE_MS });
    const begun: string[] = [];
    const finished: string[] = [];
    const gate = Promise.withResolvers<void>();
    const work = kind(async (id) => {
      begun.push(id);
      await gate.promise;
      finished.push(id);
    }, 2);
    const queue = first.define(work);
    await first.start();
    await queue.add(ids(6));
    await until(() => begun.length === 2);
    const stopped = first.stop(50_000);
    gate.resolve();
    await stopped;
    expect([begun.length, finished.length]).toEqual([2, 2]);
    const second = await deployment.process({ leaseMs: LONG_LEASE_MS });
    second.define(work);
    await second.start();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(finished.toSorted()).toEqual(ids(6));
  });
});
