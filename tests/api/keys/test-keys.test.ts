import { describe, expect, test } from 'bun:test';
import { SCOPES } from '../../../src/accounts/scopes.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = sharedService();
const newManager = (isTest: boolean) => service().newKeyOfAccount({ scopes: SCOPES, test: isTest });
const create = (key: string, body: object) => service().post('/v1/keys', { name: 'new', ...body }, key);

describe('test keys', () => {
  test('have a prefix of their own, and are listed as test keys', async () => {
    const manager = await newManager(false);
    const { status, body } = await create(manager, { test: true });
    expect([status, body.test]).toEqual([201, true]);
    expect(body.key).toMatch(/^plt_test_\w{49}$/);
    expect((await service().get(`/v1/keys/${body.id}`, manager)).body.test).toBe(true);
    expect((await service().get('/v1/usage', body.key)).status).toBe(200);
    // The mode is part of the key: the same secret with the other prefix is not a key.
    expect((await service().get('/v1/usage', body.key.replace('_test_', '_live_'))).status).toBe(401);
  });

  test('create only test keys', async () => {
    const manager = await newManager(true);
    const made = await create(manager, { scopes: ['generate', 'keys'] });
    expect([made.status, made.body.test]).toEqual([201, true]);
    for (const key of [manager, made.body.key]) {
      const { status, body } = await create(key, { scopes: ['generate'], test: false });
      expect([status, body.error.code, body.error.details[0].path]).toEqual([403, 'FORBIDDEN', 'test']);
    }
  });

  test('are live by default, also those that the studio creates', async () => {
    const live = await create(await newManager(false), {});
    expect([live.body.test, live.body.key.slice(0, 9)]).toEqual([false, 'plt_live_']);
    const browser = await Browser.signedIn(service());
    const post = (body: object) => browser.post('/studio/api/keys', { name: 'new', ...body });
    expect((await post({})).body).toMatchObject({ test: false, key: expect.stringMatching(/^plt_live_/) });
    expect((await post({ test: true })).body).toMatchObject({
      test: true,
      key: expect.stringMatching(/^plt_test_/),
    });
  });
});
