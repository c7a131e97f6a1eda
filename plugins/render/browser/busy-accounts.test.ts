import { expect, test } from 'bun:test';
import { BusyAccounts } from './busy-accounts.ts';

function countWork(entries: Record<string, number>) {
  const clock = { now: 0 };
  const accounts = new BusyAccounts(() => clock.now);
  for (const [accountId, ms] of Object.entries(entries)) accounts.begin(accountId, () => ms)();
  return { accounts, clock };
}

test('an account with most of the work is busy while another account is active', () => {
  const { accounts } = countWork({ large: 3_000, small: 30 });
  expect(accounts.isBusy('large')).toBe(true);
  expect(accounts.isBusy('small')).toBe(false);
});

test('an account without neighbours is not busy', () => {
  expect(countWork({ large: 60_000 }).accounts.isBusy('large')).toBe(false);
});

test('an account with little work is not busy, even if the others have less', () => {
  expect(countWork({ large: 1_000, small: 30 }).accounts.isBusy('large')).toBe(false);
});

test('accounts that share the work are not busy', () => {
  const { accounts } = countWork({ first: 5_000, second: 4_000 });
  expect(accounts.isBusy('first')).toBe(false);
});

test('documents that are being printed count', () => {
  const { accounts } = countWork({ large: 3_000, small: 30 });
  const end = accounts.begin('other', () => 2_000);
  expect(accounts.isBusy('large')).toBe(false);
  end();
  expect(accounts.isBusy('large')).toBe(false);
  accounts.begin('large', () => 1_500);
  expect(accounts.isBusy('large')).toBe(true);
});

test('an account stops being busy some time after its work, or after the work of the others', () => {
  const { accounts, clock } = countWork({ large: 3_000, small: 30 });
  clock.now = 2_000;
  expect(accounts.isBusy('large')).toBe(true);
  clock.now = 6_000;
  expect(accounts.isBusy('large')).toBe(false);
  accounts.begin('large', () => 6_000)();
  expect(accounts.isBusy('large')).toBe(true);
  clock.now = 20_000;
  accounts.begin('large', () => 6_000)();
  expect(accounts.isBusy('large')).toBe(false);
});
