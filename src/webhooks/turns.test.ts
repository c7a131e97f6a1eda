import { expect, test } from 'bun:test';
import { Turns } from './turns.ts';

const turn = (id: number, host: string, accountId = 'a') => ({ id: `${id}`, host, accountId });

test('an account has four turns a host and eight in all, whatever others have', () => {
  const turns = new Turns();
  const taken = (host: string, from: number) =>
    [0, 1, 2, 3, 4, 5].filter((index) => turns.take(turn(from + index, host))).length;
  expect([taken('x', 0), taken('y', 10), taken('z', 20)]).toEqual([4, 4, 0]);
  expect(turns.take(turn(30, 'x', 'b'))).toBe(true);
  turns.end(turn(0, 'x'));
  expect(turns.take(turn(40, 'y'))).toBe(false);
  expect(turns.take(turn(41, 'z'))).toBe(true);
  expect(turns.take(turn(42, 'z'))).toBe(false);
});

test('hosts that waited are called in turn, once there is room for them, until nobody waits', () => {
  const turns = new Turns();
  for (let id = 0; id < 5; id += 1) turns.take(turn(id, 'x'));
  for (let id = 10; id < 16; id += 1) turns.take(turn(id, 'y'));
  expect([turns.waitingFor(turn(0, 'x')), turns.waitingFor(turn(0, 'y'))]).toEqual([1, 2]);
  expect(turns.nextHost('a')).toBeUndefined();
  turns.end(turn(10, 'y'));
  expect(turns.nextHost('a')).toBe('y');
  turns.end(turn(0, 'x'));
  expect([turns.nextHost('a'), turns.nextHost('a'), turns.nextHost('a')]).toEqual(['x', 'y', 'x']);
  expect(turns.waitingAccounts()).toEqual(['a']);
  expect([turns.clear(turn(0, 'x')), turns.clear(turn(0, 'y'))]).toEqual([1, 2]);
  expect(turns.waitingAccounts()).toEqual([]);
  expect(turns.nextHost('a')).toBeUndefined();
  expect(turns.waitingFor(turn(0, 'y'))).toBe(0);
});

test('a delivery that is under way has no second turn', () => {
  const turns = new Turns();
  expect([turns.take(turn(1, 'x')), turns.take(turn(1, 'x'))]).toEqual([true, false]);
});

test('a host has sixteen turns over all accounts, and those who wait for one of them are called', () => {
  const turns = new Turns();
  const accounts = ['a', 'b', 'c', 'd', 'e'];
  const taken = accounts.flatMap((account) =>
    [0, 1, 2, 3].filter((id) => turns.take(turn(id, 'x', account))),
  );
  expect(taken.length).toBe(16);
  expect(turns.waitingAccounts()).toEqual(['e']);
  expect(turns.nextAccount(turn(0, 'x', 'a'))).toBeUndefined();
  expect(turns.nextHost('e')).toBeUndefined();
  expect(turns.take(turn(9, 'y', 'e'))).toBe(true);
  turns.end(turn(0, 'x', 'a'));
  expect(turns.nextAccount(turn(0, 'x', 'a'))).toBe('e');
  expect(turns.nextHost('e')).toBe('x');
  expect(turns.take(turn(0, 'x', 'e'))).toBe(true);
  expect(turns.take(turn(0, 'x', 'a'))).toBe(false);
});

test('accounts that wait for a host are called in turn, without those that could not go on', () => {
  const turns = new Turns();
  for (let id = 0; id < 8; id += 1) turns.take(turn(id, id < 4 ? 'y' : 'z', 'full'));
  for (const account of ['full', 'b', 'c', 'd']) turns.wait({ accountId: account, host: 'x' }, 9);
  turns.wait({ accountId: 'b', host: 'y' }, 9);
  const next = (accountId: string) => turns.nextAccount({ accountId, host: 'x' });
  expect([next('a'), next('a'), next('a'), next('a')]).toEqual(['b', 'c', 'd', 'b']);
  // The one whose turn has ended is called besides.
  expect([next('c'), next('c')]).toEqual(['d', 'b']);
  turns.end(turn(0, 'y', 'full'));
  expect(next('a')).toBe('full');
});
