import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../support/batches.ts';
import { sharedService } from '../support/shared-service.ts';

const service = sharedService();

describe('GET /v1/generations', () => {
  test('lists newest first, in pages, without the field error', async () => {
    const key = await service().newKey();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1)
      made.push((await service().post('/v1/generate', { html: `${index}` }, key)).body.id);

    const { body: all } = await service().get('/v1/generations', key);
    expect(all.has_more).toBe(false);
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
    expect(Object.keys(all.data[0]).toSorted()).toEqual([
      'content_type',
      'created_at',
      'expires_at',
      'file_name',
      'file_size',
      'generation_time_ms',
      'id',
      'input_type',
      'metadata',
      'pages',
      'reference',
      'status',
      'template_id',
      'url',
    ]);

    const paged: string[] = [];
    for (let offset = 0; ; offset += 2) {
      const { body: page } = await service().get(`/v1/generations?limit=2&offset=${offset}`, key);
      paged.push(...page.data.map(({ id }: { id: string }) => id));
      if (!page.has_more) break;
    }
    expect(paged).toEqual(made.toReversed());
  });

  test('is empty for an account without generations', async () => {
    expect((await service().get('/v1/generations', await service().newKey())).body).toEqual({
      data: [],
      has_more: false,
    });
  });

  test('filters by batch, status and input type', async () => {
    const key = await service().newKey();
    const single = (await service().post('/v1/generate', { html: 'alone' }, key)).body.id;
    const items = [{ html: 'a' }, { react: 'export default () => <p>b</p>' }, { react: 'no' }];
    const accepted = await submit(service(), items, { key });
    await completed(service(), accepted, key);
    const [html, good, bad] = accepted.body.generations.map(({ id }: { id: string }) => id);
    const batchId = accepted.body.batch_id;
    const list = async (query: string, as = key): Promise<Set<string>> =>
      new Set(
        (await service().get(`/v1/generations?${query}`, as)).body.data.map(({ id }: { id: string }) => id),
      );
    expect(await list(`batch_id=${batchId}`)).toEqual(new Set([html, good, bad]));
    expect(await list(`batch_id=${batchId}&status=completed`)).toEqual(new Set([html, good]));
    expect(await list(`batch_id=${batchId}&input_type=react&status=failed`)).toEqual(new Set([bad]));
    expect(await list('status=failed')).toEqual(new Set([bad]));
    expect(await list('input_type=react')).toEqual(new Set([good, bad]));
    expect(await list('input_type=html&status=completed')).toEqual(new Set([html, single]));
    expect(await list('status=queued')).toEqual(new Set());
    expect(await list('batch_id=batch_000000000000000000000000')).toEqual(new Set());
    expect(await list(`batch_id=${batchId}`, await service().newKey())).toEqual(new Set());
    const page = await service().get(`/v1/generations?batch_id=${batchId}&limit=2`, key);
    expect([page.body.data.length, page.body.has_more]).toEqual([2, true]);
  });

  test.each([
    ['status=done', 'status: must be "queued", "processing", "completed", "failed" or "canceled"'],
    ['input_type=pdf', 'input_type: must be "html", "template", "react", "markdown" or "url"'],
  ])('rejects %s and names the valid values', async (query, message) => {
    const { status, body } = await service().get(`/v1/generations?${query}`);
    expect([status, body.error.message]).toEqual([400, message]);
  });
});
