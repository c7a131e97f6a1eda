import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test';
import { openBatchHarness, request, type BatchHarness } from '../../tests/support/batch/harness.ts';
import { createBatchService } from './service.ts';

const [item] = request.items;
let harness: BatchHarness;
let submit: (accountId: string, count: number) => Promise<void>;

beforeEach(async () => {
  harness = await openBatchHarness();
  const service = createBatchService(harness.parts, (id) => harness.completion.finish(id));
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

/** Makes the first items of the queue and returns their accounts. */
async function run(count: number): Promise<string[]> {
  const accounts: string[] = [];
  for (let made = 0; made < count; made += 1) {
    // Among equal positions, the databases take the job that was added first.
    const [id = ''] = [...harness.jobs].toSorted(
      (a, b) => (harness.dueAt.get(a) ?? 0) - (harness.dueAt.get(b) ?? 0),
    );
    harness.jobs.delete(id);
    accounts.push((await harness.items.complete(id))?.accountId ?? 'unknown');
  }
  return accounts;
}

const count = (accounts: string[], accountId: string) => accounts.filter((one) => one === accountId).length;

test('accounts take turns, however long items take and however many an account has queued', async () => {
  for (let batch = 0; batch < 10; batch += 1) await submit('many', 100);
  await run(10);
  // The ten items took a day.
  setSystemTime(Date.now() + 24 * 60 * 60_000);
  await submit('few', 5);
  expect(count(await run(10), 'few')).toBe(5);
});

test('an account that keeps adding items does not overtake an account that waits', async () => {
  await submit('stream', 50);
  await submit('patient', 20);
  let accounts: string[] = [];
  for (let round = 0; round < 10; round += 1) {
    setSystemTime(Date.now() + 60_000);
    await submit('stream', 5);
    accounts = [...accounts, ...(await run(4))];
  }
  expect(count(accounts, 'patient')).toBe(20);
});

test('new accounts do not hold up an account with many items', async () => {
  await submit('large', 40);
  let accounts: string[] = [];
  for (let round = 0; round < 20; round += 1) {
    setSystemTime(Date.now() + 60_000);
    await submit(`newcomer ${round}`, 1);
    accounts = [...accounts, ...(await run(2))];
  }
  expect(count(accounts, 'large')).toBeGreaterThanOrEqual(19);
});

test('items of one account start in the order in which they were submitted', async () => {
  for (let batch = 0; batch < 3; batch += 1) {
    await submit('one', 10);
    await run(2);
    setSystemTime(Date.now() - 1_000);
  }
  const positions = [...harness.jobs].map((id) => harness.dueAt.get(id) ?? 0);
  expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  expect(new Set(positions).size).toBe(24);
});
