import { expect, setDefaultTimeout, test } from 'bun:test';
import { readMetric } from '../../support/service/metrics.ts';
import { base64, rejectionOf } from '../../support/pdf/pdf-operations.ts';
import { until } from '../../support/until.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

// Only prevents a hang.
setDefaultTimeout(60_000);

// A separate service, because the tests read metrics of the whole service.
const service = sharedService({});
const pdf = base64(pagesPdf(2));

const running = () => readMetric(service(), 'sandbox_tasks_running');
const list = async (path: string, key: string) => (await service().get(path, key)).body.data;

/** Draws 3,000 pages, which takes many seconds. */
const slow = { do: 'images', dpi: 150 };

/** Sends a pipeline. `disconnect` closes the connection. */
function send(key: string, body: object) {
  const caller = new AbortController();
  const answer = service()
    .send('/v1/pdf/pipeline', body, { key, signal: caller.signal })
    .catch((error: unknown) => error);
  return { disconnect: () => caller.abort(), answer };
}

test('the steps end when the caller disconnects, and nothing is stored', async () => {
  const key = await service().newKey('pro');
  const steps = [{ do: 'properties', set: { title: 'x' } }, slow];
  const { disconnect, answer } = send(key, { pdf: base64(pagesPdf(3_000)), steps });
  await until(async () => (await running()) === 1);
  disconnect();
  expect(await answer).toBeInstanceOf(Error);
  await until(async () => (await running()) === 0);
  expect(await list('/v1/files', key)).toEqual([]);
  // The next pipeline of the account has the slot of the first.
  expect((await service().post('/v1/pdf/pipeline', { pdf, steps: [{ do: 'info' }] }, key)).status).toBe(200);
});

test('the steps of a generation with a webhook continue when the caller disconnects', async () => {
  const key = await service().newKey('pro');
  const generate = {
    html: '<p>text',
    options: { waitFor: { delayMs: 1_000 } },
    webhook: 'https://example.com/hook',
  };
  const { disconnect } = send(key, { generate, steps: [{ do: 'merge', pdfs: [pdf] }] });
  await until(async () => (await readMetric(service(), 'renders_running')) === 1);
  disconnect();
  await until(async () => (await list('/v1/generations', key)).length === 1);
  expect(await list('/v1/generations', key)).toMatchObject([{ status: 'completed', pages: 3 }]);
});

test('a generation whose caller disconnects during a step is not recorded and does not count', async () => {
  const key = await service().newKey('free');
  const steps = [
    { do: 'merge', pdfs: Array.from({ length: 400 }, () => base64(pagesPdf(100))) },
    ...Array.from({ length: 19 }, () => ({ do: 'properties', set: { title: 'x' } })),
  ];
  const { disconnect, answer } = send(key, { generate: { html: 'x' }, steps });
  await until(async () => (await running()) === 1);
  disconnect();
  expect(await answer).toBeInstanceOf(Error);
  await until(async () => (await running()) === 0);
  expect(await list('/v1/generations', key)).toEqual([]);
  await until(async () => (await service().get('/v1/usage', key)).body.used === 0);
});

test('the error names a hostile file of a later step, and the next request works', async () => {
  const bomb = base64(pagesPdf(1).replace('[0 0 300 200]', `[${'['.repeat(1_000_000)}`));
  const steps = [
    { do: 'outline', set: [] },
    { do: 'stamp', overlay: bomb },
  ];
  const answer = await service().post('/v1/pdf/pipeline', { pdf, steps });
  expect(rejectionOf(answer)).toStartWith('steps.1.overlay');
  expect((await service().post('/v1/pdf/pipeline', { pdf, steps: steps.slice(0, 1) })).status).toBe(200);
});
