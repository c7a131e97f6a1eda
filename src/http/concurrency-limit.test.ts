import { expect, test } from 'bun:test';
import { AppError } from '../errors.ts';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const plans = {
  free: { concurrency: 2 },
  starter: { concurrency: 1 },
  pro: { concurrency: 8 },
  enterprise: { concurrency: null },
};
const ann = { id: 'acct_ann', plan: 'free' } as const;
const bob = { id: 'acct_bob', plan: 'starter' } as const;
const never = new AbortController().signal;

/** Enters, and records when it has. */
function enter(limit: ConcurrencyLimit, account: typeof ann | typeof bob, signal = never) {
  const entry = { entered: false, slot: limit.enter(account, signal) };
  entry.slot.then(
    () => (entry.entered = true),
    () => {},
  );
  return entry;
}

test('requests beyond the limit wait and start in order of arrival', async () => {
  const limit = new ConcurrencyLimit({ plans, waitMs: 60_000 });
  const [one, two, three, four] = [1, 2, 3, 4].map(() => enter(limit, ann));
  await Bun.sleep(0);
  expect([one, two, three, four].map((entry) => entry?.entered)).toEqual([true, true, false, false]);
  (await two?.slot)?.[Symbol.dispose]();
  await Bun.sleep(0);
  expect([three?.entered, four?.entered]).toEqual([true, false]);
  // Leaving twice frees one slot only.
  (await two?.slot)?.[Symbol.dispose]();
  await Bun.sleep(0);
  expect(four?.entered).toBe(false);
  (await one?.slot)?.[Symbol.dispose]();
  (await three?.slot)?.[Symbol.dispose]();
  await four?.slot;
});

test('each account has the limit of its plan', async () => {
  const limit = new ConcurrencyLimit({ plans, waitMs: 60_000 });
  await limit.enter(bob, never);
  const second = enter(limit, bob);
  await limit.enter(ann, never);
  await limit.enter(ann, never);
  for (let count = 0; count < 100; count += 1) await limit.enter({ id: 'x', plan: 'enterprise' }, never);
  expect(second.entered).toBe(false);
});

test('a request that waits too long is refused with the reason and a time to retry', async () => {
  const limit = new ConcurrencyLimit({ plans, waitMs: 20 });
  await limit.enter(ann, never);
  const last = await limit.enter(ann, never);
  const error = await limit.enter(ann, never).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(AppError);
  expect(error).toMatchObject({
    code: 'RATE_LIMITED',
    message: 'the plan free allows 2 concurrent requests, and none of them ended within 1 s',
    retryAfterSeconds: 1,
  });
  last[Symbol.dispose]();
  await limit.enter(ann, never);
});

test('a caller that disconnects leaves the queue', async () => {
  const limit = new ConcurrencyLimit({ plans, waitMs: 60_000 });
  const first = await limit.enter(bob, never);
  const caller = new AbortController();
  const gone = enter(limit, bob, caller.signal);
  const next = enter(limit, bob);
  caller.abort(new Error('disconnected'));
  expect(await gone.slot.catch((cause: unknown) => cause)).toEqual(new Error('disconnected'));
  first[Symbol.dispose]();
  await next.slot;
  expect(await limit.enter(bob, AbortSignal.abort('gone')).catch((cause: unknown) => cause)).toBe('gone');
});

test('a caller that has just disconnected passes its turn to the next request', async () => {
  const limit = new ConcurrencyLimit({ plans, waitMs: 60_000 });
  const first = await limit.enter(bob, never);
  const caller = new AbortController();
  const gone = enter(limit, bob, caller.signal);
  const next = enter(limit, bob);
  caller.abort(new Error('disconnected'));
  // The queue does not know of the disconnection yet.
  first[Symbol.dispose]();
  expect(await gone.slot.catch((cause: unknown) => cause)).toEqual(new Error('disconnected'));
  await next.slot;
});
