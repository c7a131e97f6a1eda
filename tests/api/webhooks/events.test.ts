import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);
const service = sharedService();

const list = async (key: string, query = '') => (await service().get(`/v1/events${query}`, key)).body;

describe('GET /v1/events', () => {
  test('has one event for each generation, completed or failed, without a webhook', async () => {
    const key = await service().newKey();
    const made = await service().post('/v1/generate', { html: '<p>one</p>', reference: 'r1' }, key);
    const refused = await service().post('/v1/generate', { react: 'no component' }, key);
    expect([made.status, refused.status]).toEqual([200, 400]);
    const { data, has_more } = await list(key);
    expect(has_more).toBe(false);
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      'generation.failed',
      'generation.completed',
    ]);
    expect(data[1]).toEqual({
      id: expect.stringMatching(/^evt_[0-9A-Za-z]{24}$/),
      type: 'generation.completed',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      stored_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      data: expect.objectContaining({ id: made.body.id, status: 'completed', reference: 'r1', error: null }),
    });
    expect(data[0].data.error).toStartWith('COMPONENT_ERROR');
    expect(data[1].data.url).toBeNull();
    expect((await service().get(`/v1/events/${data[1].id}`, key)).body).toEqual(data[1]);
  });

  test('has an event for each item of a batch, and one for the batch', async () => {
    const key = await service().newKey();
    const items = [{ html: '1' }, { react: 'no component' }];
    const batch = (await service().post('/v1/generate/batch', { items }, key)).body;
    await until(async () => (await list(key, '?type=batch.completed')).data.length === 1);
    const { data } = await list(key);
    expect(data.map(({ type }: { type: string }) => type).toSorted()).toEqual([
      'batch.completed',
      'generation.completed',
      'generation.failed',
    ]);
    const [{ data: completed }] = (await list(key, '?type=batch.*')).data;
    expect(completed).toMatchObject({
      batch_id: batch.batch_id,
      status: 'completed',
      completed: 1,
      failed: 1,
    });
    const read = await service().get(`/v1/batches/${batch.batch_id}`, key);
    expect(completed).toEqual(read.body);
  });

  test('filters by type, pages, and rejects types that do not exist', async () => {
    const key = await service().newKey();
    for (const html of ['1', '2', '3']) await service().post('/v1/generate', { html }, key);
    const first = await list(key, '?type=generation.*&limit=2');
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const rest = await list(key, `?type=generation.*&limit=2&starting_after=${first.data[1].id}`);
    expect([rest.data.length, rest.has_more]).toEqual([1, false]);
    expect((await list(key, '?type=generation.failed')).data).toEqual([]);
    expect((await list(key, '?include=total')).total).toBe(3);
    for (const type of ['nothing.*', 'generation', '*', ''])
      expect(await service().get(`/v1/events?type=${type}`, key)).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'type' }] } },
      });
  });

  test('lists the events that were stored since a time', async () => {
    const key = await service().newKey();
    for (const html of ['1', '2', '3']) await service().post('/v1/generate', { html }, key);
    const [newest, middle, oldest] = (await list(key)).data;
    const since = async (time: string, query = '') =>
      (await list(key, `?stored_after=${encodeURIComponent(time)}${query}`)).data;
    expect(await since(oldest.stored_at)).toEqual([newest, middle, oldest]);
    const later = new Date(Date.parse(newest.stored_at) + 1).toISOString();
    expect(await since(later)).toEqual([]);
    expect(await since(later.replace('Z', '+01:00'))).toHaveLength(3);
    expect(await since(oldest.stored_at, `&starting_after=${newest.id}&limit=1`)).toEqual([middle]);
    for (const time of [
      '',
      'now',
      '2026-11-22',
      '2026-02-30T00:00:00Z',
      '2026-11-22T25:00:00Z',
      '1790000000',
    ])
      expect(await service().get(`/v1/events?stored_after=${time}`, key)).toMatchObject({
        status: 400,
        body: { error: { code: 'VALIDATION_ERROR', details: [{ path: 'stored_after' }] } },
      });
  });

  test('shows no account the events of another', async () => {
    const [owner, other] = [await service().newKey(), await service().newKey()];
    await service().post('/v1/generate', { html: 'x' }, owner);
    const [{ id }] = (await list(owner)).data;
    expect((await list(other)).data).toEqual([]);
    expect((await service().get(`/v1/events/${id}`, other)).status).toBe(404);
    expect((await service().get('/v1/events/evt_x', other)).status).toBe(404);
  });

  test('loses the event of a generation with the generation', async () => {
    const key = await service().newKey();
    const { id } = (await service().post('/v1/generate', { html: 'x' }, key)).body;
    expect((await service().request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(204);
    expect((await list(key)).data).toEqual([]);
  });
});
