import { afterAll, beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { TestService } from '../../support/service/service.ts';

let service: TestService;
beforeAll(async () => {
  const plugin = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'working.ts');
  service = await TestService.start({ config: { plugins: { [plugin]: true } } });
});
afterAll(() => service[Symbol.asyncDispose]());

test('a handler runs in the work context of its request and account', async () => {
  const { body, headers } = await service.get('/v1/working');
  const request_id = headers.get('x-request-id');
  expect(body).toEqual({
    log: { request_id },
    account: body.id,
    urgency: 'caller',
    aborted: false,
    id: expect.stringMatching(/^acct_/),
  });
});

test("the log fields of a request name the caller's trace", async () => {
  const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' };
  const { body } = await service.request('GET', '/v1/working', { headers });
  expect(body.log).toMatchObject({
    trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
    parent_id: '00f067aa0ba902b7',
  });
});

test("a public handler runs in the work context of its caller's address", async () => {
  const { body } = await service.get('/v1/working/public', null);
  expect(body).toMatchObject({ account: '127.0.0.1', urgency: 'caller' });
});

test('the signal of the context aborts when the caller disconnects while the handler runs', async () => {
  const caller = new AbortController();
  const call = service
    .send('/v1/working/wait', {}, { signal: caller.signal })
    .catch((error: unknown) => error);
  const waits = async () => (await service.get('/v1/working/waits')).body;
  await until(async () => (await waits()).begun === 1);
  caller.abort();
  await call;
  await until(async () => (await waits()).abandoned === 1);
});
