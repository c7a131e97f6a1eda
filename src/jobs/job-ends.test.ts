import { expect, setDefaultTimeout, test } from 'bun:test';
import { away, JobBench } from '../../tests/support/jobs/job-bench.ts';
import { until } from '../../tests/support/until.ts';

setDefaultTimeout(60_000);

/** Starts a job that runs until its gate opens. */
async function startJob(bench: JobBench) {
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { queue, stop } = await bench.start(async () => {
    begun.resolve();
    await gate.promise;
  });
  await queue.add(['a']);
  await begun.promise;
  return { gate, stop };
}

test('each error of the search is reported once, also while the database is away', async () => {
  await using bench = new JobBench();
  const ran: string[] = [];
  const { queue } = await bench.start(async (id) => void ran.push(id), { pollMs: 1, pauseMs: 1 });
  let failures = 0;
  const failWith = (message: string) => {
    failures = 0;
    bench.before = (operation) => {
      if (operation !== 'find' && operation !== 'update') return;
      failures += 1;
      throw new Error(message);
    };
  };
  failWith('the database is away');
  await until(() => failures >= 3);
  failWith('a record is broken');
  await until(() => failures >= 3);
  bench.before = () => {};
  await queue.add(['a']);
  await bench.ended();
  expect(ran).toEqual(['a']);
  expect(bench.logged).toEqual(['the jobs could not be read', 'the jobs could not be read']);
});

test('a job that runNow asked to run once more runs again without a poll', async () => {
  await using bench = new JobBench();
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const { queue } = await bench.start(async () => {
    runs += 1;
    await gate.promise;
  });
  await queue.add(['a']);
  await until(() => runs === 1);
  await queue.runNow(['a']);
  // The end of the first run is stored only after the search that follows the run.
  bench.before = async (operation) => {
    if (operation !== 'delete') return;
    bench.before = () => {};
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  };
  gate.resolve();
  await bench.ended();
  expect(runs).toBe(2);
});

test('the end of a job is stored even if the first attempt fails while the process stops', async () => {
  await using bench = new JobBench();
  const { gate, stop } = await startJob(bench);
  const stopped = stop();
  let refused = 0;
  bench.before = (operation) => {
    if (operation === 'delete' && (refused += 1) === 1) away();
  };
  gate.resolve();
  await stopped;
  expect(refused).toBe(2);
  expect(await bench.job()).toBeUndefined();
});

test('a process stops although the end of a job cannot be stored', async () => {
  await using bench = new JobBench();
  const { gate, stop } = await startJob(bench);
  let refused = 0;
  bench.before = (operation) => {
    if (operation === 'delete' && (refused += 1)) away();
  };
  const stopped = stop();
  gate.resolve();
  await stopped;
  expect(refused).toBe(3);
  expect(await bench.job()).toMatchObject({ recordId: 'a' });
});

test('a lease is renewed by one write at a time, so that a late one does not shorten it', async () => {
  await using bench = new JobBench();
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let renewals = 0;
  const { queue } = await bench.start(() => gates[1]!.promise, { leaseMs: 30 });
  bench.before = async (operation, where) => {
    // Only renewals and ends name the owner.
    if (operation !== 'update' || !('owner' in where) || 'lockedAt' in where) return;
    renewals += 1;
    if (renewals === 1) await gates[0]!.promise;
  };
  await queue.add(['a']);
  await until(() => renewals === 1);
  const begunAt = performance.now();
  await until(() => performance.now() - begunAt > 50);
  expect(renewals).toBe(1);
  gates[0]!.resolve();
  await until(() => renewals > 2);
  gates[1]!.resolve();
  await bench.ended();
});

test('a run that has lost its lease goes on, and the loss is reported once', async () => {
  await using bench = new JobBench();
  const gate = Promise.withResolvers<void>();
  let [begun, ended] = [0, 0];
  const { queue } = await bench.start(
    async () => {
      begun += 1;
      await gate.promise;
      ended += 1;
    },
    { leaseMs: 600 },
  );
  await queue.add(['a']);
  await until(() => begun === 1);
  await (await bench.jobs()).update({}, { owner: 'another' });
  await until(() => bench.warned.length > 0);
  gate.resolve();
  await until(() => ended === 1);
  expect(bench.warned).toEqual(['the lease of a job was lost, so another process may run it as well']);
});
