import { expect, test } from 'bun:test';
import { sharedService } from '../support/service/shared-service.ts';

const service = sharedService();

// tests/security/event-loop.test.ts shows that these headers do not block the event loop.
const spaces = `<p>url(${' '.repeat(99_900)}data:</p>`;
const padded = (times: number) =>
  `<p>url({{#each (range 1 ${times})}}{{padStart "" 1000}}{{/each}}data:,)</p>`;

test('prints a header of spaces inside url()', async () => {
  const { status } = await service().post('/v1/generate', { html: 'x', options: { header: spaces } });
  expect(status).toBe(200);
}, 120_000);

test('accepts two batch items with that header and footer', async () => {
  const item = { html: 'x', options: { header: spaces, footer: spaces } };
  expect((await service().post('/v1/generate/batch', { items: [item, item] })).status).toBe(202);
}, 120_000);

test('prints a short header that Handlebars expands', async () => {
  const options = { header: padded(200) };
  expect((await service().post('/v1/generate', { html: 'x', data: {}, options })).status).toBe(200);
}, 120_000);

test('rejects a header that Handlebars expands beyond the limit', async () => {
  const options = { header: padded(500) };
  const refused = await service().post('/v1/generate', { html: 'x', data: {}, options });
  expect(refused.status).toBe(400);
  expect(refused.body.error.details[0].path).toBe('options.header');
  expect(refused.body.error.message).toContain('at most 400000 characters');
});
