import { expect, test } from 'bun:test';
import { LargeBodyTurns } from './large-body-turns.ts';

const { signal } = new AbortController();
const LARGE = 50_000_000;

test('large bodies begin one at a time, in order, and small bodies do not wait', async () => {
  const turns = new LargeBodyTurns();
  const began: string[] = [];
  const begin = (name: string, account: string, bytes: number) => {
    const turn = turns.open(account, signal);
    return { started: turn.begin(bytes).then(() => began.push(name)), end: () => turn.end() };
  };
  const first = begin('first', 'a', LARGE);
  await first.started;
  const second = begin('second', 'b', LARGE);
  const third = begin('third', 'c', LARGE);
  const small = begin('small', 'b', 1_000);
  await small.started;
  expect(began).toEqual(['first', 'small']);
  first.end();
  await second.started;
  expect(began).toEqual(['first', 'small', 'second']);
  second.end();
  await third.started;
  expect(began).toEqual(['first', 'small', 'second', 'third']);
  third.end();
});

test('a waiting body whose caller disconnects is rejected, and the next body gets its turn', async () => {
  const turns = new LargeBodyTurns();
  const first = turns.open('a', signal);
  await first.begin(LARGE);
  const caller = new AbortController();
  const waiting = turns.open('a', caller.signal).begin(LARGE);
  const failure = waiting.catch((error: Error) => error.message);
  caller.abort(new Error('disconnected'));
  expect(await failure).toBe('disconnected');
  const last = turns.open('a', signal);
  const began = last.begin(LARGE);
  first.end();
  await began;
  last.end();
});
