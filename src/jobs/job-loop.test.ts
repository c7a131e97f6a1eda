import { afterEach, expect, setDefaultTimeout, setSystemTime, test } from 'bun:test';
import { moveClock } from '../../tests/support/clock.ts';
import { away, JobBench } from '../../tests/support/jobs/job-bench.ts';
import { until } from '../../tests/support/until.ts';
import type { JobDocument } from './job-document.ts';

setDefaultTimeout(60_000);

const HOUR_MS = 60 * 60_000;

afterEach(() => {
  setSystemTime();
});

test('a job that is added during a search is found by the same search', async () => {
  await using bench = new JobBench();
  const ran: string[] = [];
  const { queue } = await bench.start(async (id) => void ran.push(id));
  let claims = 0;
  bench.before = async (operation, where) => {
    if (operation !== 'update' || !('shareKey' in where)) return;
    claims += 1;
    // The first search has claimed `first` and finds nothing else.
    if (claims === 2) await queue.add(['second'], undefined, { account: 'b' });
  };
  await queue.add(['first'], undefined, { account: 'a' });
  await bench.ended();
  expect(ran).toEqual(['first', 'second']);
});

test('a job that another process stored is found by the next poll', async () => {
  await using bench = new JobBench();
  const ran: string[] = [];
  await bench.start(async (id) => void ran.push(id), { pollMs: 10 });
  const idle = await bench.start(async () => {});
  await idle.stop();
  await idle.queue.add(['a']);
  await bench.ended();
  expect(ran).toEqual(['a']);
});

test('a database that is away is left alone for a while, reported once, and read again', async () => {
  await using bench = new JobBench();
  const ran: string[] = [];
  const { queue } = await bench.start(async (id) => void ran.push(id), { pollMs: 1, pauseMs: 40 });
  let failures = 0;
  const failedAt: number[] = [];
  bench.before = (operation) => {
    if (operation !== 'find' && operation !== 'update') return;
    failures += 1;
    failedAt.push(performance.now());
    away();
  };
  await until(() => failures === 3);
  bench.before = () => {};
  await queue.add(['a']);
  await bench.ended();
  expect(ran).toEqual(['a']);
  expect(bench.logged).toEqual(['the jobs could not be read']);
  for (const [index, time] of failedAt.slice(1).entries())
    expect(time - (failedAt[index] ?? 0)).toBeGreaterThanOrEqual(40);
});

test('a job whose end cannot be stored for longer than a lease does not run again', async () => {
  await using bench = new JobBench();
  let runs = 0;
  let refused = 0;
  const { queue } = await bench.start(
    async () => {
      runs += 1;
      bench.before = () => {
        refused += 1;
        away();
      };
    },
    { leaseMs: 30, pollMs: 5 },
  );
  await queue.add(['a']);
  const lockedAt = (await bench.job())?.lockedAt ?? Date.now();
  await until(() => refused > 3 && Date.now() - lockedAt > 90);
  bench.before = () => {};
  await bench.ended();
  expect(runs).toBe(1);
});

test('a job that was claimed while the process stops is given back', async () => {
  await using bench = new JobBench();
  const ran: string[] = [];
  const { queue, stop } = await bench.start(async (id) => void ran.push(id));
  const [claiming, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  bench.before = async (operation, where) => {
    if (operation !== 'update' || !('shareKey' in where)) return;
    claiming.resolve();
    await gate.promise;
  };
  await queue.add(['a']);
  await claiming.promise;
  const stopped = stop();
  gate.resolve();
  await stopped;
  expect(ran).toEqual([]);
  expect(await bench.job()).toMatchObject({ lockedAt: null, owner: null, failCount: 0 });
  await bench.start(async (id) => void ran.push(id));
  await bench.ended();
  expect(ran).toEqual(['a']);
});

test('a process that lost its lease changes nothing in the job', async () => {
  await using bench = new JobBench();
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { queue, stop } = await bench.start(async () => {
    begun.resolve();
    await gate.promise;
    throw new Error('bad luck');
  });
  await queue.add(['a']);
  await begun.promise;
  const taken = { lockedAt: Date.now(), owner: 'another' };
  await (await bench.jobs()).update({}, taken);
  gate.resolve();
  await stop();
  expect(await bench.job()).toMatchObject({ ...taken, failCount: 0 });
});

test('a run that lost its lease does not end a later run in the same process', async () => {
  await using bench = new JobBench();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let begun = 0;
  let ended = 0;
  const { queue } = await bench.start(
    async () => {
      await gates[begun++]?.promise;
      ended += 1;
    },
    { pollMs: 10 },
  );
  await queue.add(['a']);
  await until(() => begun === 1);
  // Another process found the lease expired, claimed the job, and gave it back.
  await (await bench.jobs()).update({}, { lockedAt: null, owner: null });
  await until(() => begun === 2);
  const holder = (await bench.job())?.owner;
  gates[0]?.resolve();
  // The first run tries to delete the job, and then to make it due.
  await until(() => bench.done.includes('delete'));
  await until(() => bench.done.lastIndexOf('update') > bench.done.indexOf('delete'));
  expect((await bench.job())?.owner).toBe(holder);
  gates[1]?.resolve();
  await bench.ended();
  expect(ended).toBe(2);
});

test('a lease of another process does not expire because the clock is set forward', async () => {
  await using bench = new JobBench();
  const leaseMs = 60_000;
  let [ran, monotonic] = [0, 0];
  const now = () => monotonic;
  const { queue } = await bench.start(async () => void (ran += 1), { leaseMs, pollMs: 5, now });
  const jobs = await bench.jobs();
  await queue.add(['a'], Date.now() + 2 * HOUR_MS);
  const held = { lockedAt: Date.now(), owner: 'another', nextRunAt: Date.now() };
  await jobs.update({}, { ...held, place: held.nextRunAt });
  // The time of day then stands still.
  setSystemTime(Date.now() + HOUR_MS);
  monotonic += leaseMs / 2;
  let searches = 0;
  bench.before = (operation) => {
    if (operation === 'find') searches += 1;
  };
  await until(() => searches >= 2);
  // The other process renews its lease with the new time, and then dies.
  expect(await jobs.update({ owner: 'another' }, { lockedAt: Date.now() })).not.toBeNull();
  expect(ran).toBe(0);
  setSystemTime(Date.now() + leaseMs);
  monotonic += leaseMs;
  await bench.ended();
  expect(ran).toBe(1);
});

test('after the database was away, other processes have time to renew their leases', async () => {
  await using bench = new JobBench();
  const leaseMs = 60_000;
  let [ran, monotonic] = [0, 0];
  const now = () => monotonic;
  const pass = (ms: number) => {
    setSystemTime(Date.now() + ms);
    monotonic += ms;
  };
  // The time of day then stands still.
  pass(0);
  const { queue } = await bench.start(async () => void (ran += 1), { leaseMs, pollMs: 5, now });
  const jobs = await bench.jobs();
  await queue.add(['a'], Date.now() + 2 * HOUR_MS);
  let failures = 0;
  bench.before = (operation) => {
    if (operation !== 'find') return;
    failures += 1;
    away();
  };
  await until(() => failures >= 2);
  // The lease of another process expired during the outage.
  const due = Date.now() - HOUR_MS;
  await jobs.update({}, { lockedAt: due, owner: 'another', place: due, nextRunAt: due });
  let searches = 0;
  bench.before = (operation) => {
    if (operation === 'find') searches += 1;
  };
  pass(leaseMs / 2);
  await until(() => searches >= 2);
  expect((await bench.job())?.owner).toBe('another');
  expect(ran).toBe(0);
  pass(leaseMs);
  await bench.ended();
  expect(ran).toBe(1);
});

test('when the clock is set back, new jobs run, and leases that begin in the future expire', async () => {
  await using bench = new JobBench();
  const ran: string[] = [];
  const { queue } = await bench.start(async (id) => void ran.push(id), { leaseMs: 60, pollMs: 5 });
  const jobs = await bench.jobs();
  await queue.add(['abandoned'], Date.now() + 2 * HOUR_MS);
  const now = Date.now();
  await jobs.update({}, { lockedAt: now, owner: 'dead', place: now - HOUR_MS, nextRunAt: now - HOUR_MS });
  using _ = moveClock(now - HOUR_MS);
  await queue.add(['new']);
  await until(() => ran.length === 2);
  expect(ran.toSorted()).toEqual(['abandoned', 'new']);
});

test('jobs that the first release stored are run', async () => {
  await using bench = new JobBench();
  const jobs = await bench.jobs();
  const now = Date.now();
  const stored = (recordId: string, changes: object) =>
    jobs.insert({
      id: `test.work:${recordId}`,
      name: 'test.work',
      recordId,
      shareKey: 'acct_1',
      addedAt: now - HOUR_MS,
      priority: 0,
      place: now - HOUR_MS,
      nextRunAt: now - HOUR_MS,
      lockedAt: null,
      owner: null,
      hurriedAt: null,
      lastRunAt: null,
      lastFinishedAt: null,
      failedAt: null,
      failCount: 0,
      failReason: null,
      ...changes,
    } as JobDocument);
  await stored('waiting', {});
  await stored('failed', { failCount: 3, failReason: 'bad luck', failedAt: now, lastRunAt: now });
  const dead = { lockedAt: now - HOUR_MS, owner: 'host/1/6a0d', lastRunAt: now - HOUR_MS };
  await stored('left', dead);
  await stored('older', { ...dead, nextRunAt: null });
  await stored('hurried', { ...dead, hurriedAt: now - HOUR_MS });
  const ran: string[] = [];
  await bench.start(async (id) => void ran.push(id), { pollMs: 10 });
  await bench.ended();
  expect(ran.toSorted()).toEqual(['failed', 'hurried', 'left', 'older', 'waiting']);
});
