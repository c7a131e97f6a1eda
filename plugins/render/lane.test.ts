import { expect, test } from 'bun:test';
import { Lane, type Turn } from './lane.ts';

const callerOf = (accountId: string): Turn => ({ accountId, urgency: 'caller' });
const batchOf = (accountId: string): Turn => ({ accountId, urgency: 'batch' });

test('accounts take turns, each in its own order', async () => {
  const lane = new Lane({ concurrency: 1, queueLimit: 10, maxWaitMs: 1_000 });
  const done: string[] = [];
  const work = (name: string) => lane.run(callerOf(name.slice(0, 1)), async () => void done.push(name));
  await Promise.all(['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'].map(work));
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect([lane.running, lane.depth]).toEqual([0, 0]);
});

test('runs as many at once as it may, and refuses what may not wait', async () => {
  const lane = new Lane({ concurrency: 2, queueLimit: 1, maxWaitMs: 1_000 });
  const gate = Promise.withResolvers<void>();
  const running = [1, 2, 3].map(() => lane.run(callerOf('a'), () => gate.promise));
  expect([lane.running, lane.depth]).toEqual([2, 1]);
  const refused = await lane.run(callerOf('b'), async () => 'ran').catch((error: Error) => error.message);
  expect(refused).toContain('busy');
  gate.resolve();
  await Promise.all(running);
  expect([lane.running, lane.depth]).toEqual([0, 0]);
});

test('refuses what has waited too long, and goes on', async () => {
  const lane = new Lane({ concurrency: 1, queueLimit: 5, maxWaitMs: 20 });
  const gate = Promise.withResolvers<void>();
  const first = lane.run(callerOf('a'), () => gate.promise);
  const late = await lane.run(callerOf('a'), async () => 'ran').catch((error: Error) => error.message);
  expect(late).toContain('busy');
  gate.resolve();
  await first;
  expect(await lane.run(callerOf('a'), async () => 'ran')).toBe('ran');
  expect([lane.running, lane.depth]).toEqual([0, 0]);
});

test('work that fails gives its place on', async () => {
  const lane = new Lane({ concurrency: 1, queueLimit: 5, maxWaitMs: 1_000 });
  const failed = lane.run(callerOf('a'), () => Promise.reject(new Error('no'))).catch(() => 'failed');
  expect(await Promise.all([failed, lane.run(callerOf('a'), async () => 'ran')])).toEqual(['failed', 'ran']);
});

test('a batch may have every place, and leaves one more to a caller; callers go before it', async () => {
  const lane = new Lane({ concurrency: 2, queueLimit: 10, maxWaitMs: 1_000 });
  const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  const begun: string[] = [];
  const work = (turn: Turn, name: string, gate?: Promise<void>) =>
    lane.run(turn, async () => {
      begun.push(name);
      await gate;
    });
  const all = [
    ...[0, 1, 2].map((index) => work(batchOf('a'), `batch ${index}`, gates[index]?.promise)),
    work(callerOf('b'), 'caller 0', gates[3]?.promise),
    work(callerOf('b'), 'caller 1'),
  ];
  await Bun.sleep(0);
  expect(begun).toEqual(['batch 0', 'batch 1', 'caller 0']);
  expect(lane.depth).toBe(1);
  gates[0]?.resolve();
  gates[1]?.resolve();
  await Bun.sleep(0);
  expect(begun.slice(3)).toEqual(['caller 1', 'batch 2']);
  gates[2]?.resolve();
  gates[3]?.resolve();
  await Promise.all(all);
  expect(lane.running).toBe(0);
});

test('a batch waits for longer than callers may, takes turns by account, and goes on while callers keep coming', async () => {
  const lane = new Lane({ concurrency: 1, queueLimit: 1_000, maxWaitMs: 20 });
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const work = (turn: Turn) => lane.run(turn, async () => void begun.push(turn.urgency[0] + turn.accountId));
  const first = lane.run(callerOf('x'), () => gate.promise);
  const batches = ['a', 'a', 'b'].map((account) => work(batchOf(account)));
  await Bun.sleep(50);
  const callers = Array.from({ length: 40 }, () => work(callerOf('c')));
  gate.resolve();
  await Promise.all([first, ...batches, ...callers]);
  expect(begun.filter((name) => name !== 'cc')).toEqual(['ba', 'bb', 'ba']);
  expect(begun.indexOf('ba')).toBe(16);
  expect(begun.length).toBe(43);
});
