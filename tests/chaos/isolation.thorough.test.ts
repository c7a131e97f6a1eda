import { expect, test } from 'bun:test';
import { sharedService } from '../support/service/shared-service.ts';

// A separate service, because the tests read metrics of the whole service.
const service = sharedService({});

async function isolatedAccounts(): Promise<number> {
  const text = await (await fetch(`${service().url}/metrics`)).text();
  return Number(/^platen_isolated_accounts (\S+)$/m.exec(text)?.[1]);
}

const busyFor = (ms: number) =>
  `<p>text</p><script>const end = Date.now() + ${ms}; while (Date.now() < end);</script>`;
const chatty = '<p>text</p><script>for (let i = 0; i < 60_000; i += 1) console.log(i)</script>';

test('an account whose document runs for seconds is isolated, and its next documents are printed', async () => {
  const key = await service().newKey('pro');
  expect(await isolatedAccounts()).toBe(0);
  expect((await service().post('/v1/generate', { html: busyFor(1_500) }, key)).status).toBe(200);
  expect(await isolatedAccounts()).toBe(1);
  for (const html of ['<p>plain</p>', busyFor(1)])
    expect((await service().post('/v1/generate', { html }, key)).body).toMatchObject({ pages: 1 });
});

test('a document that floods the browser with events fails with a reason, and its account is isolated', async () => {
  const key = await service().newKey('pro');
  const before = await isolatedAccounts();
  const { body } = await service().post('/v1/generate', { html: chatty }, key);
  expect(body.error.details[0].message).toContain('more than 50000 events in the browser');
  expect(await isolatedAccounts()).toBe(before + 1);
  expect((await service().post('/v1/generate', { html: '<p>next</p>' }, key)).status).toBe(200);
}, 60_000);
