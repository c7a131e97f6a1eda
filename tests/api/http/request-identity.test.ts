import { expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

test("the caller's X-Request-Id names the request in the response and the error", async () => {
  const headers = { 'X-Request-Id': 'order-4711' };
  const listed = await service().request('GET', '/v1/usage', { headers });
  expect([listed.status, listed.headers.get('x-request-id')]).toEqual([200, 'order-4711']);
  const failed = await service().request('POST', '/v1/generate', { body: { html: 7 }, headers });
  expect(failed.status).toBe(400);
  expect(failed.headers.get('x-request-id')).toBe('order-4711');
  expect(failed.body.error.request_id).toBe('order-4711');
});

test('an invalid X-Request-Id and traceparent are ignored', async () => {
  const headers = { 'X-Request-Id': 'two words', traceparent: `00-${TRACE}` };
  const { status, headers: received } = await service().request('GET', '/v1/usage', { headers });
  expect([status, received.get('x-request-id')]).toEqual([200, expect.stringMatching(/^req_\w{24}$/)]);
});

test('doc_url of an error leads to the row of its code', async () => {
  const { body } = await service().get('/v1/generations/gen_none');
  expect(body.error.doc_url).toBe(`${service().url}/docs/errors.md#NOT_FOUND`);
  const page = await (await fetch(body.error.doc_url)).text();
  expect(page).toContain('<td id="NOT_FOUND">');
});

test('the page of errors has a row for each code', async () => {
  const page = await (await fetch(`${service().url}/docs/errors.md`)).text();
  const document = await (await fetch(`${service().url}/openapi.json`)).text();
  const codes = new Set([...document.matchAll(/errors\.md#([A-Z_]+)/g)].map(([, code]) => code));
  expect(codes.size).toBeGreaterThan(12);
  for (const code of codes) expect(page, code).toContain(`<td id="${code}">`);
});
