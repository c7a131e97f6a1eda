import { describe, expect, setDefaultTimeout, spyOn, test } from 'bun:test';
import { InMemoryNotificationChannel } from 'agenda';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import { deployments, ids, kind, LEASE_MS, LONG_LEASE_MS } from '../support/job-deployment.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

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
        await Bun.sleep(2);
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

  test('a wake-up that fails does not prevent later ones', async () => {
    await using deployment = await open();
    const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
    const queue = jobs.define(kind(async () => {}));
    await jobs.start();
    using publish = spyOn(InMemoryNotificationChannel.prototype, 'publish').mockImplementationOnce(() => {
      throw new Error('the channel failed');
    });
    await queue.add(['first']);
    await until(async () => (await deployment.countJobs()) === 0);
    const before = publish.mock.calls.length;
    await queue.add(['second']);
    expect(publish.mock.calls.length).toBeGreaterThan(before);
    await until(async () => (await deployment.countJobs()) === 0);
  });

  test('two processes share the jobs, and no job runs twice', async () => {
    await using deployment = await open();
    const seen: [string, string][] = [];
    const start = async (name: string) => {
      const jobs = await deployment.process({ leaseMs: LONG_LEASE_MS });
      const queue = jobs.define(
        kind(async (id) => {
          await Bun.sleep(20);
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
    let isTaken = false;
    let added = 0;
    const queue = jobs.define(
      kind(async (id) => {
        if (id === 'abandoned') isTaken = true;
        else if (!isTaken) await queue.add([`n${(added += 1)}`, `m${added}`]);
      }, 2),
    );
    await queue.add(['abandoned', ...ids(20)]);
    const collection = await deployment.store.collection(jobsSpec);
    await collection.update({ recordId: 'abandoned' }, { lockedAt: 1, owner: 'dead', nextRunAt: null });
    await jobs.start();
    await until(() => isTaken);
    await until(async () => (await deployment.countJobs()) === 0);
    expect(added).toBeGreaterThan(0);
  });

  test('a lease is renewed while the job runs', async () => {
    await using deployment = await open();
    const leaseMs = 3_000;
    let runs = 0;
    for (let process = 0; process < 2; process += 1) {
      const jobs = await deployment.process({ leaseMs });
      const queue = jobs.define(
        kind(async () => {
          runs += 1;
          await Bun.sleep(leaseMs * 1.5);
        }),
      );
      await jobs.start();
      await queue.add(['long']);
    }
    await until(async () => (await deployment.countJobs()) === 0);
    expect(runs).toBe(1);
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
    const work = kind(async (id) => {
      begun.push(id);
      await Bun.sleep(300);
      finished.push(id);
    }, 2);
    const queue = first.define(work);
    await first.start();
    await queue.add(ids(6));
    await until(() => begun.length === 2);
    await first.stop(5_000);
    expect([begun.length, finished.length]).toEqual([2, 2]);
    const second = await deployment.process({ leaseMs: LONG_LEASE_MS });
    second.define(work);
    await second.start();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(finished.toSorted()).toEqual(ids(6));
  });
});
