import { expect, test } from 'bun:test';
import { Lane } from './lane.ts';

test('accounts take turns, each in its own order', async () => {
  const lane = new Lane({ concurrency: 1, queueLimit: 10, maxWaitMs: 1_000 });
  const done: string[] = [];
  const work = (name: string) => lane.run(name.slice(0, 1), async () => void done.push(name));
  await Promise.all(['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2'].map(work));
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  expect([lane.running, lane.depth]).toEqual([0, 0]);
});

test('runs as many at once as it may, and refuses what may not wait', async () => {
  const lane = new Lane({ concurrency: 2, queueLimit: 1, maxWaitMs: 1_000 });
  const gate = Promise.withResolvers<void>();
  const running = [1, 2, 3].map(() => lane.run('a', () => gate.promise));
  expect([lane.running, lane.depth]).toEqual([2, 1]);
  const refused = await lane.run('b', async () => 'ran').catch((error: Error) => error.message);
  expect(refused).toContain('busy');
  gate.resolve();
  await Promise.all(running);
  expect([lane.running, lane.depth]).toEqual([0, 0]);
});

test('refuses what has waited too long, and goes on', async () => {
  const lane = new Lane({ concurrency: 1, queueLimit: 5, maxWaitMs: 20 });
  const gate = Promise.withResolvers<void>();
  const first = lane.run('a', () => gate.promise);
  const late = await lane.run('a', async () => 'ran').catch((error: Error) => error.message);
  expect(late).toContain('busy');
  gate.resolve();
  await first;
  expect(await lane.run('a', async () => 'ran')).toBe('ran');
  expect([lane.running, lane.depth]).toEqual([0, 0]);
});

test('work that fails gives its place on', async () => {
  const lane = new Lane({ concurrency: 1, queueLimit: 5, maxWaitMs: 1_000 });
  const failed = lane.run('a', () => Promise.reject(new Error('no'))).catch(() => 'failed');
  expect(await Promise.all([failed, lane.run('a', async () => 'ran')])).toEqual(['failed', 'ran']);
});
