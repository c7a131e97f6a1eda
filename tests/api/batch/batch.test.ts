import { afterAll, describe, expect, test } from 'bun:test';
import { batchExamples } from '../../../plugins/batch/examples.ts';
import { completed, onePagers, statusesOf, submit } from '../../support/batch/batches.ts';
import { HoldingReceiver } from '../../support/sites/holding-receiver.ts';
import { serviceOnDemand, sharedService } from '../../support/service/shared-service.ts';
import { TestService } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';
import { casesOfSuite, isBeyondNpmTest, isThorough } from '../../support/suite.ts';

const templates = new URL('../../fixtures/plugins/templates.ts', import.meta.url).pathname;
const receiver = new HoldingReceiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const CONCURRENCY = 4;
const replacedPlugins = {
  templates: false,
  'template-tests': false,
  marketplace: false,
  starters: false,
  [templates]: {},
};
const service = sharedService({
  env: { EGRESS_ALLOW: receiver.host },
  config: { plugins: { ...replacedPlugins, render: { concurrency: CONCURRENCY } } },
});
const withShortDeadline = serviceOnDemand({ config: { plugins: { render: { timeoutMs: 2_000 } } } });

const readGeneration = async (id: string, key?: string) =>
  (await service().get(`/v1/generations/${id}`, key)).body;

describe('POST /v1/generate/batch', () => {
  test('accepts items, makes each one and reports progress', async () => {
    const accepted = await submit(service(), onePagers(12));
    expect(accepted.status).toBe(202);
    expect(Object.keys(accepted.body)).toEqual(['batch_id', 'total', 'generations', 'status']);
    expect(accepted.body).toMatchObject({ total: 12, status: 'queued' });
    expect(accepted.body.batch_id).toMatch(/^batch_[0-9A-Za-z]{24}$/);
    const indexes = accepted.body.generations.map(({ index }: { index: number }) => index);
    expect(indexes).toEqual(onePagers(12).map((_, index) => index));
    const batch = await completed(service(), accepted);
    expect(batch).toMatchObject({ total: 12, completed: 12, failed: 0, status: 'completed' });
    const generation = await readGeneration(accepted.body.generations[7].id);
    expect(generation).toMatchObject({ status: 'completed', pages: 1, input_type: 'html', error: null });
    const pdf = Buffer.from(await service().download(generation.url));
    expect(pdf.toString('latin1', 0, 5)).toBe('%PDF-');
  });

  test('shows null results for a queued item', async () => {
    const key = await service().newKey();
    const { held, release } = receiver.hold();
    const items = [...Array.from({ length: CONCURRENCY }, () => held), { html: 'last' }];
    const accepted = await submit(service(), items, { key });
    const last = await readGeneration(accepted.body.generations[CONCURRENCY].id, key);
    expect(last).toMatchObject({ status: 'queued', error: null });
    for (const field of ['url', 'pages', 'file_size', 'generation_time_ms']) expect(last[field]).toBeNull();
    const batch = (await service().get(`/v1/batches/${accepted.body.batch_id}`, key)).body;
    expect(['queued', 'processing']).toContain(batch.status);
    expect(batch.completed).toBe(0);
    release();
    expect(await completed(service(), accepted, key)).toMatchObject({ completed: items.length });
  });

  test.each(casesOfSuite(Object.entries(batchExamples), 6))(
    'makes the documented example "%s"',
    async (_, { items }) => {
      const batch = await completed(service(), await submit(service(), items));
      expect(batch).toMatchObject({ completed: items.length, failed: 0 });
    },
  );

  test('supports the options of generate, styles and base64, and prefers html to react to template', async () => {
    const items = [
      { html: '<p>A', react: 'export default () => <p>B</p>', template: 'tmpl_good' },
      { react: 'export default ({ n }) => <p>{n}</p>', data: { n: 1 }, template: 'tmpl_good' },
      { template: 'tmpl_good', data: { name: 'Ada' }, output: 'base64' },
      { html: '<p>one</p><p>two', styles: 'p { break-after: page }' },
      { html: 'small', options: { format: { width: '2in', height: '2in' }, margin: '0.1in' } },
    ];
    const accepted = await submit(service(), items);
    expect(await completed(service(), accepted)).toMatchObject({ failed: 0 });
    const made = await Promise.all(
      accepted.body.generations.map(({ id }: { id: string }) => readGeneration(id)),
    );
    expect(made.map(({ input_type: type }) => type)).toEqual(['html', 'react', 'template', 'html', 'html']);
    expect(made[2]).toMatchObject({ template_id: 'tmpl_good' });
    expect(made[2].url).toBeUndefined();
    expect(Buffer.from(made[2].data, 'base64').toString('latin1', 0, 5)).toBe('%PDF-');
    expect(made[3].pages).toBe(2);
    const sizes = await Promise.all([0, 4].map((index) => service().download(made[index].url)));
    const boxes = sizes.map(
      (pdf) => /\/MediaBox\s*\[([^\]]*)\]/.exec(Buffer.from(pdf).toString('latin1'))?.[1],
    );
    expect(boxes[0]?.trim().split(/\s+/).slice(2).map(Number).map(Math.round)).toEqual([596, 842]);
    expect(boxes[1]?.trim().split(/\s+/).slice(2).map(Number).map(Math.round)).toEqual([144, 144]);
  });

  test('items fail independently, each with its reason', async () => {
    const key = await service().newKey();
    const items = [
      { html: '<p>good' },
      { template: 'tmpl_deleted' },
      { template: 'tmpl_mine', data: {} },
      { html: '<p>{{#if}}', data: {} },
      { react: 'export default () => <p' },
      { html: '<p>{{n}}', data: { n: 1 }, options: { header: '{{{h}}}' } },
      { html: 'x', data: { h: '<script>1</script>' }, options: { header: '{{{h}}}' } },
      { html: 'x', options: { header: '<div style="height: 11in">' } },
      { html: '<p>also good' },
    ];
    const accepted = await submit(service(), items, { key });
    const batch = await completed(service(), accepted, key);
    const made = await Promise.all(
      accepted.body.generations.map(({ id }: { id: string }) => readGeneration(id, key)),
    );
    const codes = made.map(({ error }) => error?.split(':')[0] ?? null);
    expect(codes).toEqual([
      null,
      'TEMPLATE_NOT_FOUND',
      'TEMPLATE_ERROR',
      'TEMPLATE_ERROR',
      'COMPONENT_ERROR',
      null,
      'TEMPLATE_ERROR',
      'NO_ROOM',
      null,
    ]);
    expect(made[1].error).toBe('TEMPLATE_NOT_FOUND: template tmpl_deleted not found');
    expect(batch).toMatchObject({ completed: 3, failed: 6, status: 'completed' });
    expect(statusesOf(batch)).toEqual(codes.map((code) => (code === null ? 'completed' : 'failed')));
    const errors = batch.generations.map(({ error }: { error: unknown }) => error);
    expect(errors).toEqual(made.map(({ error }) => error));
    const { body } = await service().get('/v1/generations?status=failed&limit=1', key);
    expect(body.data[0]).toMatchObject({ status: 'failed', url: null, pages: null });
  });

  test.if(isThorough)('documents that never end do not affect the others', async () => {
    const forever = 'while (true) {}';
    const items = [
      { html: '<p>good' },
      { html: `<script>${forever}</script>` },
      { react: `export default () => { ${forever} }` },
      { html: '<p>also good' },
    ];
    // On a busy machine, the browser may not print the others within the short deadline.
    const expected = ['completed', 'failed', 'failed', 'completed'];
    let statuses: string[] = [];
    for (let attempt = 1; attempt <= 10 && statuses.join() !== expected.join(); attempt += 1) {
      const own = await withShortDeadline();
      const key = await own.newKey();
      const batch = await completed(own, await submit(own, items, { key }), key);
      statuses = statusesOf(batch);
      const errors = [1, 2].map((index) => batch.generations[index].error);
      expect(errors).toEqual([1, 2].map(() => expect.stringMatching(/^RENDER_TIMEOUT: /)));
    }
    expect(statuses).toEqual(expected);
  });

  test('batch.completed is sent once, with the batch', async () => {
    const path = '/completed';
    const accepted = await submit(service(), [...onePagers(3), { template: 'tmpl_gone' }], {
      webhook: receiver.url(path),
    });
    const batch = await completed(service(), accepted);
    await until(() => receiver.at(path).length > 0);
    const [message] = receiver.at(path).map(({ body }) => JSON.parse(body));
    expect(message).toMatchObject({ type: 'batch.completed', data: batch });
    expect(batch).toMatchObject({ completed: 3, failed: 1 });
    // A delivery that has succeeded is never attempted again.
    const deliveries = async () => {
      const { body } = await service().get('/v1/webhooks/deliveries');
      return body.data.filter(({ url }: { url: string }) => url === receiver.url(path));
    };
    await until(async () => (await deliveries())[0]?.status === 'delivered');
    expect(await deliveries()).toMatchObject([{ attempts: 1 }]);
    expect(receiver.at(path).length).toBe(1);
  });

  test("another account's batch gets the same 404 as an unknown one", async () => {
    const { body } = await submit(service(), onePagers(1));
    const stranger = await service().newKey();
    const others = await service().get(`/v1/batches/${body.batch_id}`, stranger);
    const unknown = await service().get('/v1/batches/batch_000000000000000000000000', stranger);
    expect([others.status, unknown.status]).toEqual([404, 404]);
    expect(others.body.error.message).toBe(unknown.body.error.message);
    expect(await readGeneration(body.generations[0].id, stranger)).toMatchObject({
      error: { code: 'NOT_FOUND' },
    });
  });
});

describe('quota', () => {
  test.if(isBeyondNpmTest)('is reserved for all items or none, and returned for failed items', async () => {
    await using limited = await TestService.start({
      config: {
        plugins: replacedPlugins,
        plans: { free: { monthlyLimit: 10, requestsPerSecond: 1_000 } },
      },
    });
    const key = await limited.newKey('free');
    const refused = await submit(limited, onePagers(11), { key });
    expect(refused.status).toBe(403);
    expect(refused.body.error.code).toBe('USAGE_LIMIT_EXCEEDED');
    expect((await limited.get('/v1/generations', key)).body.data).toEqual([]);
    const items = [...onePagers(4), ...Array.from({ length: 4 }, () => ({ template: 'tmpl_gone' }))];
    const accepted = await submit(limited, items, { key });
    expect(accepted.status).toBe(202);
    expect(await completed(limited, accepted, key)).toMatchObject({ completed: 4, failed: 4 });
    expect((await submit(limited, onePagers(7), { key })).status).toBe(403);
    const rest = await submit(limited, onePagers(6), { key });
    expect(rest.status).toBe(202);
    await completed(limited, rest, key);
    expect((await limited.post('/v1/generate', { html: 'over' }, key)).status).toBe(403);
  });
});

test('an account with a full queue gets 429, and others do not', async () => {
  await using bounded = await TestService.start({
    env: { EGRESS_ALLOW: receiver.host },
    config: { plugins: { batch: { maxQueuedItems: 3 }, render: { concurrency: 1 } } },
  });
  const { held, release } = receiver.hold();
  const first = await submit(
    bounded,
    Array.from({ length: 2 }, () => held),
  );
  expect(first.status).toBe(202);
  const refused = await submit(bounded, onePagers(3));
  expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  const key = await bounded.newKey();
  const other = await submit(bounded, onePagers(3), { key });
  expect(other.status).toBe(202);
  release();
  await completed(bounded, first);
  await completed(bounded, other, key);
  expect((await submit(bounded, onePagers(3))).status).toBe(202);
});

test.if(isBeyondNpmTest)('a small batch does not wait for a large one of another account', async () => {
  const [large, small] = [await service().newKey(), await service().newKey()];
  const slow = { html: 'x', options: { waitFor: { delayMs: 150 } } };
  const first = await submit(
    service(),
    Array.from({ length: 24 }, () => slow),
    { key: large },
  );
  const second = await submit(
    service(),
    Array.from({ length: 3 }, () => slow),
    { key: small },
  );
  await completed(service(), second, small);
  const { body } = await service().get(`/v1/batches/${first.body.batch_id}`, large);
  expect(body.status).toBe('processing');
  expect(body.completed).toBeLessThan(20);
  await completed(service(), first, large);
});
