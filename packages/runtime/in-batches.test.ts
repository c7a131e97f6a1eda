import { expect, test } from 'bun:test';
import { inBatches } from './in-batches.ts';

test('inputs that come while others are worked on are worked on together', async () => {
  const batches: (readonly number[])[] = [];
  const double = inBatches(
    async (inputs: readonly number[]) => {
      batches.push(inputs);
      await Bun.sleep(0);
      return inputs.map((input) => 2 * input);
    },
    { size: 3 },
  );
  expect(await Promise.all([1, 2, 3, 4, 5].map(double))).toEqual([2, 4, 6, 8, 10]);
  expect(batches).toEqual([[1], [2, 3, 4], [5]]);
});

test('a failure is that of the inputs that were worked on, and of no others', async () => {
  const work = inBatches(
    async (inputs: readonly string[]) => {
      if (inputs.includes('bad')) throw new Error('bad');
      return inputs;
    },
    { size: 1 },
  );
  const outcomes = await Promise.allSettled([work('a'), work('bad'), work('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
