import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import type { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const REMAINING = 'platen-quota-remaining';

async function usageOf(key: string) {
  const { status, body } = await service().get('/v1/usage', key);
  expect(status).toBe(200);
  return body;
}

/** Returns the totals of all days, so that a test that runs at midnight gives the same result. */
function totals(usage: { by_day: { completed: number; failed: number }[] }) {
  const sum = (field: 'completed' | 'failed') => usage.by_day.reduce((total, day) => total + day[field], 0);
  return { completed: sum('completed'), failed: sum('failed') };
}

describe('GET /v1/usage', () => {
  test('shows the plan, the month and its limits before the first PDF', async () => {
    const usage = await usageOf(await service().newKey('free'));
    const now = new Date();
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    expect(usage).toEqual({
      plan: 'free',
      period: {
        start: new Date(Date.UTC(year, month)).toISOString(),
        end: new Date(Date.UTC(year, month + 1)).toISOString(),
      },
      used: 0,
      limit: 50,
      remaining: 50,
      by_day: Array.from({ length: now.getUTCDate() }, (_, index) => ({
        date: new Date(Date.UTC(year, month, index + 1)).toISOString().slice(0, 10),
        completed: 0,
        failed: 0,
      })),
      rate_limit: { limit: 10, window_seconds: 1 },
    });
  });

  test('counts completed and failed PDFs of every route, and no rejected request', async () => {
    const key = await service().newKey('starter');
    const failing = { html: '<img src="http://127.0.0.1:1/x.png">', options: { strict: true } };
    expect((await service().post('/v1/generate', { html: 'x' }, key)).status).toBe(200);
    expect((await service().post('/v1/integrations/actions/generate', { html: 'x' }, key)).status).toBe(200);
    expect((await service().post('/v1/generate', failing, key)).status).toBe(400);
    expect((await service().post('/v1/generate', { html: '{{#if}}', data: {} }, key)).status).toBe(400);
    expect((await service().post('/v1/generate', { html: 'x', colour: 1 }, key)).status).toBe(400);
    expect((await service().post('/v1/generate', { template: 'tmpl_x' }, key)).status).toBe(404);
    expect((await service().post('/v1/pdf/info', { pdf: 'x' }, key)).status).toBe(400);
    const accepted = await submit(service(), [{ html: 'a' }, { html: 'b' }, { react: 'no' }], { key });
    await completed(service(), accepted, key);
    const usage = await usageOf(key);
    expect(usage).toMatchObject({ used: 4, limit: 2_000, remaining: 1_996 });
    expect(totals(usage)).toEqual({ completed: 4, failed: 3 });
  });

  test('has limit and remaining null without a limit, and follows the limit of the account', async () => {
    const key = await service().newKey('enterprise', 'limit@example.com');
    await service().post('/v1/generate', { html: 'x' }, key);
    expect(await usageOf(key)).toMatchObject({ used: 1, limit: null, remaining: null });
    await service().accounts.set('limit@example.com', { monthlyLimit: 3 });
    expect(await usageOf(key)).toMatchObject({ used: 1, limit: 3, remaining: 2 });
    await service().accounts.set('limit@example.com', { monthlyLimit: 0 });
    expect(await usageOf(key)).toMatchObject({ used: 1, limit: 0, remaining: 0 });
  });

  test('covers only the account of the key', async () => {
    const [key, other] = [await service().newKey('pro'), await service().newKey('pro')];
    await service().post('/v1/generate', { html: 'x' }, key);
    expect((await usageOf(other)).used).toBe(0);
  });
});

describe('Platen-Quota-Remaining', () => {
  async function limited(monthlyLimit: number): Promise<string> {
    const email = `${crypto.randomUUID()}@example.com`;
    const key = await service().newKey('starter', email);
    await service().accounts.set(email, { monthlyLimit });
    return key;
  }

  const remaining = async (request: ReturnType<TestService['post']>) => {
    const { status, headers } = await request;
    return [status, headers.get(REMAINING)];
  };

  test('is in every response of the routes that use quota, also in errors', async () => {
    const key = await limited(4);
    const post = (path: string, body: object) => remaining(service().post(path, body, key));
    expect(await post('/v1/generate', { html: 'x' })).toEqual([200, '3']);
    expect(await post('/v1/generate', { html: 'x', output: 'base64' })).toEqual([200, '2']);
    expect(await post('/v1/integrations/actions/generate', { html: 'x' })).toEqual([200, '1']);
    expect(await post('/v1/generate', {})).toEqual([400, '1']);
    expect(await post('/v1/generate/batch', { items: [{ html: 'x' }, { html: 'x' }] })).toEqual([403, '1']);
    expect(await post('/v1/generate/batch', { items: [{ html: 'x' }] })).toEqual([202, '0']);
    expect(await post('/v1/generate', { html: 'x' })).toEqual([403, '0']);
  });

  test('is absent without a limit, without a key and on other routes', async () => {
    const key = await limited(4);
    expect(await remaining(service().post('/v1/generate', { html: 'x' }))).toEqual([200, null]);
    expect(await remaining(service().post('/v1/generate', { html: 'x' }, null))).toEqual([401, null]);
    expect(await remaining(service().get('/v1/generations', key))).toEqual([200, null]);
  });
});
