import { expect, test } from 'bun:test';
import { KeyedTurns } from './keyed-turns.ts';

test('work with the same key runs one after another, also after a failure', async () => {
  const turns = new KeyedTurns();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`begin ${name}`);
    await Bun.sleep(1);
    log.push(`end ${name}`);
    if (name === 'b') throw new Error('b failed');
    return name;
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.run('key', work(name))));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c']);
});

test('work with other keys does not wait', async () => {
  const turns = new KeyedTurns();
  const held = Promise.withResolvers<string>();
  const waiting = turns.run('one', () => held.promise);
  expect(await turns.run('two', () => Promise.resolve('done'))).toBe('done');
  held.resolve('released');
  expect(await waiting).toBe('released');
});
