import { expect, test } from 'bun:test';
import { readMetric } from '../../support/service/metrics.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';

// A separate service, because the tests read metrics of the whole service.
const service = sharedService({});

const rendersRunning = () => readMetric(service(), 'renders_running');

/** Starts a generation. `disconnect` closes the connection. */
function startGeneration(key: string, body: object) {
  const caller = new AbortController();
  const answer = service()
    .send('/v1/generate', body, { key, signal: caller.signal })
    .catch((error: unknown) => error);
  return { disconnect: () => caller.abort(), answer };
}

test('a document is dropped if its caller disconnects: it is not recorded and does not count', async () => {
  const key = await service().newKey('pro');
  const { disconnect, answer } = startGeneration(key, { html: '<script>for (;;);</script>' });
  await until(async () => (await rendersRunning()) === 1);
  disconnect();
  expect(await answer).toBeInstanceOf(Error);
  await until(async () => (await rendersRunning()) === 0);
  expect((await service().get('/v1/generations', key)).body.data).toEqual([]);
  expect((await service().post('/v1/generate', { html: '<p>next</p>' }, key)).status).toBe(200);
});

test('a document with a webhook is finished although its caller disconnects', async () => {
  const key = await service().newKey('pro');
  const options = { waitFor: { delayMs: 1500 } };
  const webhook = 'https://example.com/hook';
  const { disconnect } = startGeneration(key, { html: 'text', options, webhook });
  await until(async () => (await rendersRunning()) === 1);
  disconnect();
  await until(async () => (await service().get('/v1/generations', key)).body.data.length === 1);
  const [generation] = (await service().get('/v1/generations', key)).body.data;
  expect(generation).toMatchObject({ status: 'completed', pages: 1 });
});
