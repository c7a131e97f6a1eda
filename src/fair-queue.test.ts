import { expect, test } from 'bun:test';
import type { Share } from '@platen/runtime';
import { until } from '../tests/support/until.ts';
import { FairQueue, type FairQueueOptions } from './fair-queue.ts';

const callerOf = (account: string): Share => ({ account, urgency: 'caller' });
const batchOf = (account: string): Share => ({ account, urgency: 'batch' });

function makeQueue(options: Partial<FairQueueOptions> = {}): FairQueue {
  const defaults = { concurrency: 1, queueLimit: 100, maxWaitMs: 5_000, busyMessage: 'the queue is full' };
  return new FairQueue({ ...defaults, slowAfterMs: 60_000, ...options });
}

/** Creates work that runs until its gate opens, and a list of the names of started work. */
function makeWork(queue: FairQueue) {
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  return {
    begun,
    run: (share: Share, name: string) => {
      const gate = Promise.withResolvers<void>();
      gates.set(name, gate);
      return queue.run(share, () => (begun.push(name), gate.promise));
    },
    end: async (name: string) => {
      gates.get(name)?.resolve();
      await Bun.sleep(0);
    },
  };
}

test('the account whose work took less time goes first, however many requests it sends', async () => {
  let now = 0;
  const queue = makeQueue({ now: () => now });
  const { run, end } = makeWork(queue);
  const holders = [run(callerOf('x'), 'x'), run(callerOf('y'), 'y')];
  const done: string[] = [];
  const work = (name: string, ms: number) =>
    queue.run(callerOf(name[0] ?? ''), async () => {
      now += ms;
      done.push(name);
    });
  const slow = ['a1', 'a2', 'a3'].map((name) => work(name, 1_000));
  const quick = ['b1', 'b2', 'b3', 'b4'].map((name) => work(name, 10));
  await end('x');
  await Promise.all([...slow, ...quick]);
  expect(done).toEqual(['a1', 'b1', 'b2', 'b3', 'b4', 'a2', 'a3']);
  await end('y');
  await Promise.all(holders);
  expect([queue.running, queue.depth]).toEqual([0, 0]);
});

test('a second of work two minutes ago counts less than half a second of work now', async () => {
  let now = 0;
  const queue = makeQueue({ now: () => now });
  const use = (account: string, ms: number) => queue.run(callerOf(account), async () => void (now += ms));
  await use('old', 1_000);
  now += 120_000;
  await use('new', 500);
  const { begun, run, end } = makeWork(queue);
  const all = ['x', 'y', 'new', 'old'].map((name) => run(callerOf(name), name));
  await end('x');
  expect(begun).toEqual(['x', 'y', 'old']);
  for (const name of ['y', 'old', 'new']) await end(name);
  await Promise.all(all);
});

test('when an account holds every slot, another account gets an additional one', async () => {
  const queue = makeQueue({ concurrency: 2 });
  const { begun, run, end } = makeWork(queue);
  const all = [
    ...['a1', 'a2', 'a3'].map((name) => run(callerOf('a'), name)),
    run(callerOf('b'), 'b1'),
    run(callerOf('c'), 'c1'),
  ];
  await Bun.sleep(0);
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  await end('b1');
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1']);
  await end('c1');
  expect([queue.running, queue.depth]).toEqual([2, 1]);
  for (const name of ['a1', 'a2', 'a3']) await end(name);
  await Promise.all(all);
  expect([queue.running, queue.depth]).toEqual([0, 0]);
});

test('slow work of several accounts makes room for another account, up to twice the slots', async () => {
  let now = 0;
  const queue = makeQueue({ concurrency: 2, slowAfterMs: 30, now: () => now });
  const { begun, run, end } = makeWork(queue);
  const names = ['a', 'b', 'c', 'd', 'e'];
  const all = names.map((name) => run(callerOf(name), name));
  await Bun.sleep(0);
  expect(begun).toEqual(['a', 'b']);
  now = 1_000;
  await until(() => begun.length > 2);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  // All four are slow now, and no slot is left for further accounts.
  now = 2_000;
  all.push(run(callerOf('f'), 'f'));
  await Bun.sleep(0);
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  for (const name of [...names, 'f']) await end(name);
  await Promise.all(all);
  expect(begun).toEqual([...names, 'f']);
});

test('an account at its limit waits, and others pass it', async () => {
  const queue = makeQueue({ concurrency: 4 });
  const { begun, run, end } = makeWork(queue);
  const limited = { ...callerOf('a'), limit: 1 };
  const all = [run(limited, 'a1'), run(limited, 'a2'), run(callerOf('b'), 'b1')];
  await Bun.sleep(0);
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun).toEqual(['a1', 'b1', 'a2']);
  for (const name of ['a2', 'b1']) await end(name);
  await Promise.all(all);
});

test('a full queue rejects the account that fills it, not another one', async () => {
  const queue = makeQueue({ queueLimit: 2 });
  const { begun, run, end } = makeWork(queue);
  const refused: string[] = [];
  const all = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) =>
    run(callerOf(name[0] ?? ''), name).catch((error: Error) => refused.push(`${name}: ${error.message}`)),
  );
  await Bun.sleep(0);
  // b1 gets the additional slot at once; c1 finds the queue full of a's.
  expect(refused).toEqual(['a4: the queue is full']);
  all.push(run(callerOf('c'), 'c1'));
  await Bun.sleep(0);
  expect(refused).toEqual(['a4: the queue is full', 'a3: the queue is full']);
  for (const name of ['b1', 'a1', 'c1', 'a2']) await end(name);
  await Promise.all(all);
  expect(begun.toSorted()).toEqual(['a1', 'a2', 'b1', 'c1']);
  expect([queue.running, queue.depth]).toEqual([0, 0]);
});

test('a caller that has waited too long is rejected, and the queue continues', async () => {
  const queue = makeQueue({ maxWaitMs: 20 });
  const { run, end } = makeWork(queue);
  const first = run(callerOf('a'), 'a1');
  const late = await run(callerOf('a'), 'a2').catch((error: Error) => error.message);
  expect(late).toBe('the queue is full');
  await end('a1');
  await first;
  expect(await queue.run(callerOf('a'), async () => 'ran')).toBe('ran');
});

test('work whose caller has disconnected never starts', async () => {
  const queue = makeQueue();
  const { begun, run, end } = makeWork(queue);
  const caller = new AbortController();
  const first = run(callerOf('a'), 'a1');
  const waiting = run({ ...callerOf('a'), signal: caller.signal }, 'a2').catch(
    (error: Error) => error.message,
  );
  caller.abort(new Error('disconnected'));
  expect(await waiting).toBe('disconnected');
  expect(await run({ ...callerOf('a'), signal: caller.signal }, 'a3').catch(() => 'refused')).toBe('refused');
  await end('a1');
  await first;
  expect(begun).toEqual(['a1']);
  expect([queue.running, queue.depth]).toEqual([0, 0]);
});

test('work that fails frees its slot', async () => {
  const queue = makeQueue();
  const failed = queue.run(callerOf('a'), () => Promise.reject(new Error('no'))).catch(() => 'failed');
  expect(await Promise.all([failed, queue.run(callerOf('a'), async () => 'ran')])).toEqual(['failed', 'ran']);
});

test('batches may hold every slot, callers get an additional one and precede batches', async () => {
  const queue = makeQueue({ concurrency: 2 });
  const { begun, run, end } = makeWork(queue);
  const all = [
    ...[0, 1, 2].map((index) => run(batchOf('a'), `batch ${index}`)),
    run(callerOf('a'), 'caller 0'),
    run(callerOf('a'), 'caller 1'),
  ];
  await Bun.sleep(0);
  expect(begun).toEqual(['batch 0', 'batch 1', 'caller 0']);
  await end('batch 0');
  await end('batch 1');
  expect(begun.slice(3)).toEqual(['caller 1']);
  await end('caller 0');
  expect(begun.slice(4)).toEqual(['batch 2']);
  for (const name of ['caller 1', 'batch 2']) await end(name);
  await Promise.all(all);
});

test('a batch may wait longer than callers, and advances while callers keep coming', async () => {
  const queue = makeQueue({ queueLimit: 1_000, maxWaitMs: 20 });
  const { begun, run, end } = makeWork(queue);
  const holders = [run(callerOf('c'), 'caller'), run(batchOf('d'), 'batch')];
  const order: string[] = [];
  const work = (share: Share) => queue.run(share, async () => void order.push(share.urgency));
  const batches = ['a', 'a', 'b'].map((account) => work(batchOf(account)));
  expect(await work(callerOf('e')).catch((error: Error) => error.message)).toBe('the queue is full');
  const callers = Array.from({ length: 40 }, () => work(callerOf('c')));
  expect(begun).toEqual(['caller', 'batch']);
  await end('caller');
  await Promise.all([...batches, ...callers]);
  expect(order.indexOf('batch')).toBe(16);
  expect(order.length).toBe(43);
  await end('batch');
  await Promise.all(holders);
});
