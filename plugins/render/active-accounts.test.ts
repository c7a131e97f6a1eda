import { availableParallelism } from 'node:os';
import { expect, test } from 'bun:test';
import { ActiveAccounts } from './active-accounts.ts';

const allButOne = Math.max(1, availableParallelism() - 1);

test('an account may use all processors while no other account is active, however busy it is', () => {
  const accounts = new ActiveAccounts();
  accounts.use('a', 60_000, 0);
  expect(accounts.arrive('a', false, 0)).toEqual({});
  expect(accounts.arrive('a', true, 10)).toEqual({});
});

test('the account that used more time leaves a processor to another active account', () => {
  const accounts = new ActiveAccounts();
  accounts.use('a', 3_000, 0);
  accounts.use('b', 2_000, 0);
  accounts.arrive('b', false, 0);
  expect(accounts.arrive('a', false, 10)).toEqual({ limit: allButOne });
  expect(accounts.arrive('b', false, 20)).toEqual({});
  // Use counts half after five seconds, so the account is no longer busy.
  expect(accounts.arrive('a', false, 9_000)).toEqual({});
});

test('the limit ends ten seconds after the last document of the other account', () => {
  const accounts = new ActiveAccounts();
  accounts.arrive('b', false, 0);
  accounts.use('a', 60_000, 9_000);
  expect(accounts.arrive('a', false, 9_999)).toEqual({ limit: allButOne });
  expect(accounts.arrive('a', false, 10_000)).toEqual({});
});

test('isolated accounts together leave a processor to an active account', () => {
  const accounts = new ActiveAccounts();
  accounts.arrive('b', false, 0);
  const together = { resources: [{ key: 'isolated', limit: allButOne }] };
  expect(accounts.arrive('a', true, 10)).toEqual(together);
  expect(accounts.arrive('c', true, 20)).toEqual(together);
  expect(accounts.arrive('b', false, 30)).toEqual({});
});
