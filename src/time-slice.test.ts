import { expect, test } from 'bun:test';
import { yieldToEventLoop } from './time-slice.ts';
import { workContext } from './work-context.ts';

/** Runs slices of work for an account, and records each. */
function work(account: string, slices: number, note: (account: string) => void): Promise<void> {
  return workContext.run({ log: {}, account, urgency: 'caller', signal: undefined }, async () => {
    for (let slice = 0; slice < slices; slice += 1) {
      await yieldToEventLoop();
      note(account);
    }
  });
}

test('at most one slice runs in each turn of the event loop', async () => {
  let slices = 0;
  let turns = 0;
  const slicesPerTurn: number[] = [];
  const count = () => {
    slicesPerTurn.push(slices);
    slices = 0;
    turns += 1;
    if (turns < 40) setImmediate(count);
  };
  setImmediate(count);
  await Promise.all(Array.from({ length: 10 }, () => work('a', 3, () => (slices += 1))));
  expect(Math.max(...slicesPerTurn)).toBe(1);
});

test('accounts alternate, however much work one of them has', async () => {
  const order: string[] = [];
  const note = (account: string) => void order.push(account);
  await Promise.all([...Array.from({ length: 5 }, () => work('large', 4, note)), work('small', 4, note)]);
  expect(order).toHaveLength(24);
  expect(order.slice(0, 8).filter((account) => account === 'small')).toHaveLength(4);
});
