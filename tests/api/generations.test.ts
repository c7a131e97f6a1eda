import { describe, expect, test } from 'bun:test';
import { sharedService } from '../support/shared-service.ts';

const service = sharedService();

describe('GET /v1/generations', () => {
  test('lists newest first, page by page, without error', async () => {
    const key = await service().newKey();
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1)
      made.push((await service().post('/v1/generate', { html: `${index}` }, key)).body.id);

    const { body: all } = await service().get('/v1/generations', key);
    expect(all.has_more).toBe(false);
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(made.toReversed());
    expect(Object.keys(all.data[0]).toSorted()).toEqual([
      'created_at',
      'file_size',
      'generation_time_ms',
      'id',
      'input_type',
      'pages',
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

  test('is empty for an account that made none', async () => {
    expect((await service().get('/v1/generations', await service().newKey())).body).toEqual({
      data: [],
      has_more: false,
    });
  });
});
