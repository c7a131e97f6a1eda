import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { sharedService } from '../../support/service/shared-service.ts';

const plugin = join(import.meta.dir, '../../fixtures/plugins/audited.ts');
const service = sharedService({ config: { plugins: { [plugin]: true } } });

/** Sends a request with a new key and returns its status and the entries that its account then has. */
async function entriesAfter(path: string, headers: Record<string, string> = {}) {
  const key = await service().newKey();
  const { status, headers: received } = await service().request('PUT', path, { key, headers });
  const { body } = await service().get('/v1/audited/entries', key);
  return { status, requestId: received.get('x-request-id'), entries: body.records };
}

test('a route with an action leaves an entry that says who, what, when and from where', async () => {
  const before = Date.now();
  const { status, requestId, entries } = await entriesAfter('/v1/audited/thing_1/make');
  expect(status).toBe(200);
  expect(entries).toEqual([
    {
      id: expect.stringMatching(/^aud_\w+$/),
      at: expect.any(String),
      actor: { type: 'key', id: expect.stringMatching(/^key_/), name: 'test' },
      action: 'thing.changed',
      target: 'thing_new',
      ip: '127.0.0.1',
      request_id: requestId,
      outcome: 'completed',
    },
  ]);
  const at = Date.parse(entries[0].at);
  expect(at).toBeGreaterThanOrEqual(before);
  expect(at).toBeLessThanOrEqual(Date.now());
});

test.each([
  ['the name of the result if it has no id', 'name', 'Thing'],
  ['the first parameter of the path if the result has neither', 'empty', 'thing_1'],
])('the target is %s', async (...[, end, target]) => {
  const { entries } = await entriesAfter(`/v1/audited/thing_1/${end}`);
  expect(entries).toMatchObject([{ target, outcome: 'completed' }]);
});

test('a refused request leaves no entry', async () => {
  const { status, entries } = await entriesAfter('/v1/audited/thing_1/refuse');
  expect([status, entries]).toEqual([409, []]);
});

test('a request that failed in the middle leaves an entry whose outcome is unknown', async () => {
  const { status, entries } = await entriesAfter('/v1/audited/thing_1/break');
  expect(status).toBe(500);
  expect(entries).toMatchObject([{ action: 'thing.changed', target: 'thing_1', outcome: 'unknown' }]);
});

test('an entry is not shown while its request runs', async () => {
  const key = await service().newKey();
  const count = async () => (await service().request('PUT', '/v1/audited-count', { key })).body.total;
  expect([await count(), await count()]).toEqual([0, 1]);
});

test('a handler can describe several changes, and only the last description counts', async () => {
  const { entries } = await entriesAfter('/v1/audited-described');
  expect(entries.length).toBe(2);
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'thing.changed', target: 'a', outcome: 'completed' }),
  );
  expect(entries).toContainEqual(
    expect.objectContaining({ action: 'thing.split', target: 'b', outcome: 'completed' }),
  );
  const failed = await entriesAfter('/v1/audited-described', { 'x-break': '1' });
  expect(failed.entries).toMatchObject([{ outcome: 'unknown' }, { outcome: 'unknown' }]);
});

test('a handler that changes nothing leaves no entry', async () => {
  const { status, entries } = await entriesAfter('/v1/audited-unchanged');
  expect([status, entries]).toEqual([200, []]);
});
