import { expect, test } from 'bun:test';
import { BusyAccounts } from './busy-accounts.ts';

function work(entries: Record<string, number>): BusyAccounts {
  const accounts = new BusyAccounts();
  for (const [accountId, ms] of Object.entries(entries)) accounts.add(accountId, ms, 0);
  return accounts;
}

test('an account with most of the work is busy while another account is active', () => {
  const accounts = work({ large: 3_000, small: 30 });
  expect(accounts.isBusy('large', 0)).toBe(true);
  expect(accounts.isBusy('small', 0)).toBe(false);
  expect(accounts.find(0)).toBe('large');
});

test('an account without neighbours is not busy', () => {
  expect(work({ large: 60_000 }).find(0)).toBeUndefined();
});

test('an account with little work is not busy, even if the others have less', () => {
  expect(work({ large: 1_000, small: 30 }).find(0)).toBeUndefined();
});

test('accounts that share the work are not busy', () => {
  expect(work({ first: 5_000, second: 4_000 }).find(0)).toBeUndefined();
});

test('an account stops being busy some time after its work, or after the work of the others', () => {
  const accounts = work({ large: 3_000, small: 30 });
  expect(accounts.find(2_000)).toBe('large');
  expect(accounts.find(6_000)).toBeUndefined();
  accounts.add('large', 6_000, 8_000);
  expect(accounts.find(8_000)).toBe('large');
  accounts.add('large', 6_000, 20_000);
  expect(accounts.find(20_000)).toBeUndefined();
});
