import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { Receiver, verify } from '../../support/sites/receiver.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);
const service = extendedService();
const receiver = new Receiver();
afterAll(() => receiver[Symbol.asyncDispose]());

/** Creates an account with a limit. */
async function limited(monthlyLimit: number) {
  const email = `${crypto.randomUUID()}@example.com`;
  const key = await service().newKey('pro', email);
  const account = await service().accounts.set(email, { monthlyLimit });
  return { key, email, account };
}

const generate = async (key: string, body: object = { html: 'x' }) =>
  (await service().post('/v1/generate', body, key)).status;
const eventsOf = async (key: string): Promise<ApiResponse['body'][]> =>
  (await service().get('/v1/events?type=quota.threshold', key)).body.data;
const thresholdsOf = async (key: string) =>
  (await eventsOf(key)).map(({ data }): number => data.threshold).toSorted((a, b) => a - b);

describe('quota.threshold', () => {
  test('reaches an endpoint once at 80 % and once at 100 % of the monthly limit', async () => {
    const { key } = await limited(5);
    const subscription = { url: receiver.url('/quota'), events: ['quota.threshold'] };
    const endpoint = (await service().post('/v1/webhook-endpoints', subscription, key)).body;
    for (let made = 0; made < 3; made += 1) expect(await generate(key)).toBe(200);
    expect(await generate(key, { react: 'no component' })).toBe(400);
    expect(await generate(key)).toBe(200);
    await until(() => receiver.at('/quota').length === 1);
    expect(await generate(key)).toBe(200);
    await until(() => receiver.at('/quota').length === 2);
    expect(await generate(key)).toBe(403);

    const { period } = (await service().get('/v1/usage', key)).body;
    const messages = receiver.at('/quota').map((request) => verify(endpoint.secret, request));
    expect(messages).toEqual([
      {
        type: 'quota.threshold',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        data: { threshold: 80, used: 4, limit: 5, period },
      },
      {
        type: 'quota.threshold',
        timestamp: expect.any(String),
        data: { threshold: 100, used: 5, limit: 5, period },
      },
    ]);
    expect(await thresholdsOf(key)).toEqual([80, 100]);
  });

  test('counts the completed items of a batch, and documents in the background', async () => {
    const { key } = await limited(5);
    const batch = await submit(service(), [{ html: '1' }, { html: '2' }, { html: '3' }, { react: 'no' }], {
      key,
    });
    await completed(service(), batch, key);
    expect(await thresholdsOf(key)).toEqual([]);
    expect(await generate(key, { html: 'x', async: true })).toBe(202);
    await until(async () => (await thresholdsOf(key)).length === 1);
    expect((await eventsOf(key))[0].data).toMatchObject({ threshold: 80, used: 4 });
  });

  test('does not count test documents', async () => {
    const { key, account } = await limited(1);
    if (!account) throw new Error('there is no account');
    const limits = { limits: { test: true } };
    const { key: testKey } = await service().accounts.createKey(account, 'tests', limits);
    for (let made = 0; made < 2; made += 1) expect(await generate(testKey)).toBe(200);
    expect(await generate(testKey, { html: 'x', async: true })).toBe(202);
    const list = async () => (await service().get('/v1/generations?status=completed', testKey)).body.data;
    await until(async () => (await list()).length === 3);
    expect(await thresholdsOf(key)).toEqual([]);
    expect(await generate(key)).toBe(200);
    await until(async () => (await thresholdsOf(key)).length === 2);
  });
});
