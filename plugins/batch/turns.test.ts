import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test';
import { openBatchHarness, request, type BatchHarness } from '../../tests/support/batch-harness.ts';
import { createBatchService } from './service.ts';

const [item] = request.items;
let harness: BatchHarness;
let submit: (accountId: string, count: number) => Promise<void>;

beforeEach(async () => {
  harness = await openBatchHarness();
  const service = createBatchService(harness.parts);
  submit = async (accountId, count) => {
    const account = { ...request.account, id: accountId, monthlyLimit: null };
    const items = Array.from(
      { length: count },
      () => item ?? { source: { html: '' }, output: 'url' as const },
    );
    await service.submit({ account, items, webhook: null, idempotencyKey: null });
  };
});

afterEach(async () => {
  setSystemTime();
  await harness[Symbol.asyncDispose]();
});

/** Makes the items whose places come first, and tells whose they were. */
async function run(count: number): Promise<string[]> {
  const whose: string[] = [];
  for (let made = 0; made < count; made += 1) {
    // Of one place the one that was added first, as the databases have it.
    const [id = ''] = [...harness.jobs].toSorted(
      (a, b) => (harness.dueAt.get(a) ?? 0) - (harness.dueAt.get(b) ?? 0),
    );
    harness.jobs.delete(id);
    whose.push((await harness.background.complete(id))?.accountId ?? 'nobody');
  }
  return whose;
}

const count = (whose: string[], accountId: string) => whose.filter((one) => one === accountId).length;

test('accounts take turns, however long items take and however many one has queued', async () => {
  for (let batch = 0; batch < 10; batch += 1) await submit('many', 100);
  await run(10);
  // Ten items took a day.
  setSystemTime(Date.now() + 24 * 60 * 60_000);
  await submit('few', 5);
  expect(count(await run(10), 'few')).toBe(5);
});

test('one that adds to its queue all the time does not go before one that waits', async () => {
  await submit('stream', 50);
  await submit('patient', 20);
  let whose: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    setSystemTime(Date.now() + 60_000);
    await submit('stream', 5);
    whose = [...whose, ...(await run(4))];
  }
  expect(count(whose, 'patient')).toBe(20);
});

test('newcomers do not keep one back that has much', async () => {
  await submit('large', 40);
  let whose: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    setSystemTime(Date.now() + 60_000);
    await submit(`newcomer ${round}`, 1);
    whose = [...whose, ...(await run(2))];
  }
  expect(count(whose, 'large')).toBeGreaterThanOrEqual(19);
});

test('items of one account are begun in the order in which they came', async () => {
  for (let batch = 0; batch < 3; batch += 1) {
    await submit('one', 10);
    await run(2);
    setSystemTime(Date.now() - 1_000);
  }
  const places = [...harness.jobs].map((id) => harness.dueAt.get(id) ?? 0);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(new Set(places).size).toBe(24);
});
