import { describe, expect, test } from 'bun:test';
import { completed, onePagers, submit } from '../../support/batch/batches.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';

const service = sharedService();

const idsOf = (data: { batch_id: string }[]) => data.map(({ batch_id: id }) => id);

describe('GET /v1/batches', () => {
  test('lists batches newest first, in pages, each as its own route returns it', async () => {
    const key = await service().newKey();
    const made: string[] = [];
    for (const items of [onePagers(2), [{ html: 'a' }, { react: 'no' }], onePagers(1)]) {
      const accepted = await submit(service(), items, { key });
      await completed(service(), accepted, key);
      made.unshift(accepted.body.batch_id);
      await Bun.sleep(2);
    }
    const { status, body: all } = await service().get('/v1/batches', key);
    expect([status, all.has_more, idsOf(all.data)]).toEqual([200, false, made]);
    for (const listed of all.data) {
      const { generations: _, ...batch } = (await service().get(`/v1/batches/${listed.batch_id}`, key)).body;
      expect(listed).toEqual(batch);
    }
    expect(all.data[1]).toMatchObject({ status: 'completed', total: 2, completed: 1, failed: 1 });
    const first = (await service().get('/v1/batches?limit=2', key)).body;
    const rest = (await service().get('/v1/batches?limit=2&offset=2', key)).body;
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    expect(idsOf([...first.data, ...rest.data])).toEqual(made);
  });

  test('lists items with the number of their warnings', async () => {
    const html = '<p>{{customer.name}} {{number}}</p>';
    const items = [{}, { number: 1 }, { number: 2, customer: { name: 'Ada' } }].map((data) => ({
      html,
      data,
    }));
    const accepted = await submit(service(), items);
    await completed(service(), accepted);
    const listed = (await service().get(`/v1/batches/${accepted.body.batch_id}/items`)).body.data;
    expect(listed.map(({ warnings }: { warnings: number }) => warnings)).toEqual([2, 1, 0]);
  });

  test('shows the progress of an open batch', async () => {
    const key = await service().newKey('starter');
    const slow = { html: 'x', options: { waitFor: { delayMs: 1500 } } };
    const accepted = await submit(service(), [slow, slow, slow], { key });
    expect([accepted.status, accepted.body.error]).toEqual([202, undefined]);
    const [listed] = (await service().get('/v1/batches', key)).body.data;
    expect(listed).toMatchObject({ batch_id: accepted.body.batch_id, total: 3, failed: 0 });
    expect(['queued', 'processing']).toContain(listed.status);
    expect(listed.completed).toBeLessThan(3);
    await completed(service(), accepted, key);
    expect((await service().get('/v1/batches', key)).body.data).toMatchObject([
      { status: 'completed', completed: 3 },
    ]);
  });

  test('counts canceled and deleted items like the batch and the usage', async () => {
    const key = await service().newKey('starter');
    const slow = { html: 'x', options: { waitFor: { delayMs: 800 } } };
    const accepted = await submit(
      service(),
      Array.from({ length: 20 }, () => slow),
      { key },
    );
    const id = accepted.body.batch_id;
    const read = async () => (await service().get(`/v1/batches/${id}`, key)).body;
    await until(async () => (await read()).completed > 0);
    await service().request('POST', `/v1/batches/${id}/cancel`, { key });
    await until(async () => {
      const { total, completed: made, failed, canceled } = await read();
      return made + failed + canceled === total;
    });
    const done = (await read()).generations.find(({ status }: { status: string }) => status === 'completed');
    await service().request('DELETE', `/v1/generations/${done.id}`, { key });
    const { generations: _, ...batch } = await read();
    expect(batch).toMatchObject({ status: 'canceled', failed: 0 });
    expect(batch.completed).toBeGreaterThan(0);
    expect(batch.canceled).toBeGreaterThan(0);
    expect((await service().get('/v1/batches', key)).body.data).toEqual([batch]);
    const usage = async () => (await service().get('/v1/usage', key)).body;
    await until(async () => (await usage()).used === batch.completed);
    const days: { completed: number; failed: number }[] = (await usage()).by_day;
    expect(days.reduce((sum, day) => sum + day.completed, 0)).toBe(batch.completed);
    expect(days.reduce((sum, day) => sum + day.failed, 0)).toBe(0);
  });

  test('is empty for another account', async () => {
    await submit(service(), onePagers(1));
    const { body } = await service().get('/v1/batches', await service().newKey());
    expect(body).toEqual({ data: [], has_more: false });
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'offset=-1'])('rejects %s', async (query) => {
    const { status, body } = await service().get(`/v1/batches?${query}`);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

test('generations of a batch have its id and their index, in lists and by id; others have neither', async () => {
  const key = await service().newKey();
  const single = (await service().post('/v1/generate', { html: 'alone' }, key)).body.id;
  const accepted = await submit(service(), onePagers(3), { key });
  await completed(service(), accepted, key);
  const batchId = accepted.body.batch_id;
  const { data } = (await service().get('/v1/generations', key)).body;
  expect(data).toHaveLength(4);
  for (const listed of data) {
    const read = (await service().get(`/v1/generations/${listed.id}`, key)).body;
    for (const generation of [listed, read]) {
      if (listed.id === single) {
        expect(generation).not.toHaveProperty('batch_id');
        expect(generation).not.toHaveProperty('index');
      } else {
        expect(generation.batch_id).toBe(batchId);
        expect(accepted.body.generations[generation.index].id).toBe(listed.id);
      }
    }
  }
});
