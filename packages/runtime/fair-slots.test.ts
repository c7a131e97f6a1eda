import { expect, test } from 'bun:test';
import { FairSlots, type Share } from './fair-slots.ts';

const shareOf = (account: string, more: Partial<Share> = {}): Share => ({
  account,
  urgency: 'batch',
  ...more,
});

/** Creates slots with a clock that the test sets. */
function makeSlots(concurrency: number) {
  const clock = { now: 0 };
  return { slots: new FairSlots({ concurrency, now: () => clock.now }), clock };
}

test('picks the account that used the least time, and the first of its work that may start', () => {
  const { slots, clock } = makeSlots(4);
  const a = slots.take(shareOf('a'));
  const b = slots.take(shareOf('b'));
  clock.now = 100;
  a.release();
  clock.now = 400;
  b.release();
  const full = { key: 'host', limit: 0 };
  const candidates = [
    { name: 'b1', share: shareOf('b') },
    { name: 'a1', share: shareOf('a', { resources: [full] }) },
    { name: 'a2', share: shareOf('a') },
    { name: 'a3', share: shareOf('a') },
  ];
  expect(slots.pick(candidates)?.name).toBe('a2');
  expect(slots.pick(candidates.slice(0, 2))?.name).toBe('b1');
  expect(slots.pick([])).toBeUndefined();
});

test('running work counts for its account from its start', () => {
  const { slots, clock } = makeSlots(8);
  for (let count = 0; count < 3; count += 1) slots.take(shareOf('many'));
  clock.now = 100;
  slots.take(shareOf('long'));
  clock.now = 150;
  const candidates = ['many', 'long', 'new'].map((account) => ({ share: shareOf(account) }));
  expect(slots.pick(candidates)?.share.account).toBe('new');
  expect(slots.pick(candidates.slice(0, 2))?.share.account).toBe('long');
});

test('the limit of a resource applies to all accounts, and work may use several resources', () => {
  const { slots } = makeSlots(100);
  const to = (account: string, host: string) =>
    shareOf(account, {
      limit: 8,
      resources: [
        { key: host, limit: 5 },
        { key: `${account} ${host}`, limit: 4 },
      ],
    });
  const takeAll = (share: Share) => {
    let taken = 0;
    for (; slots.mayBegin(share); taken += 1) slots.take(share);
    return taken;
  };
  expect([takeAll(to('a', 'x')), takeAll(to('a', 'y')), takeAll(to('a', 'z'))]).toEqual([4, 4, 0]);
  expect([takeAll(to('b', 'x')), takeAll(to('c', 'x')), takeAll(to('c', 'y'))]).toEqual([1, 0, 1]);
});

test('releasing a slot twice frees it once', () => {
  const { slots } = makeSlots(1);
  const share = shareOf('a', { resources: [{ key: 'host', limit: 1 }] });
  const first = slots.take(share);
  first.release();
  first.release();
  slots.take(share);
  expect([slots.running, slots.mayBegin(share)]).toEqual([1, false]);
});

test('work becomes slow after a time, and then other accounts may start', () => {
  const { slots, clock } = makeSlots(2);
  slots.take(shareOf('a'));
  clock.now = 200;
  slots.take(shareOf('b'));
  expect([slots.mayBegin(shareOf('c')), slots.untilSlowMs()]).toEqual([false, 300]);
  clock.now = 500;
  expect([slots.mayBegin(shareOf('c')), slots.untilSlowMs()]).toEqual([true, 200]);
  expect(slots.mayBegin(shareOf('a'))).toBe(false);
});
