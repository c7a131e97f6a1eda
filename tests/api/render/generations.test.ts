import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

describe('GET /v1/generations', () => {
  test('lists newest first, in pages, without the error field', async () => {
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
      'test',
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

  test('filters by template, also together with the status and the source', async () => {
    const key = await service().newKey();
    const newTemplate = async (html: string) =>
      (await service().post('/v1/templates', { name: 'T', html_content: html }, key)).body.id as string;
    const [first, second] = [await newTemplate('<p>{{a}}</p>'), await newTemplate('<p>{{b}}</p>')];
    const print = async (body: object) => (await service().post('/v1/generate', body, key)).body.id as string;
    const ofFirst = await print({ template: first });
    const faulty = {
      template: first,
      styles: 'p { background: url(asset:none.png) }',
      options: { strict: true },
    };
    expect((await service().post('/v1/generate', faulty, key)).status).toBe(400);
    await print({ template: second });
    await print({ html: '<p>c</p>' });
    const list = async (query: string, as = key): Promise<{ id: string; status: string }[]> =>
      (await service().get(`/v1/generations?template_id=${first}${query}`, as)).body.data;
    expect((await list('')).map(({ status }) => status)).toEqual(['failed', 'completed']);
    expect((await list('&status=completed')).map(({ id }) => id)).toEqual([ofFirst]);
    expect((await list('&status=failed')).map(({ status }) => status)).toEqual(['failed']);
    expect((await list('&input_type=template&status=completed')).map(({ id }) => id)).toEqual([ofFirst]);
    expect(await list('&input_type=html')).toEqual([]);
    expect(await list('', await service().newKey())).toEqual([]);
  });

  test('filters by the time of creation, at or after created_after and before created_before', async () => {
    const key = await service().newKey();
    const made: { id: string; created_at: string }[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { id } = (await service().post('/v1/generate', { html: `${index}` }, key)).body;
      made.push((await service().get(`/v1/generations/${id}`, key)).body);
    }
    const [first, second, third] = made;
    const list = async (query: Record<string, string>): Promise<string[]> =>
      (await service().get(`/v1/generations?${new URLSearchParams(query)}`, key)).body.data.map(
        ({ id }: { id: string }) => id,
      );
    const [at = '', next = ''] = [second?.created_at, third?.created_at];
    expect(await list({ created_after: at })).toEqual([third?.id ?? '', second?.id ?? '']);
    expect(await list({ created_before: at })).toEqual([first?.id ?? '']);
    expect(await list({ created_after: at, created_before: next })).toEqual([second?.id ?? '']);
    expect(await list({ created_after: at, created_before: next, status: 'completed', offset: '1' })).toEqual(
      [],
    );
    const day = at.slice(0, 10);
    const offset = new Date(Date.parse(at) + 2 * 3_600_000).toISOString().replace('Z', '+02:00');
    expect(await list({ created_after: offset, created_before: next })).toEqual([second?.id ?? '']);
    expect((await list({ created_after: day })).length).toBe(3);
    expect(await list({ created_before: day })).toEqual([]);
  });

  test.each(['yesterday', '2026-02-30', '2026-13-01', '2026-11-22T25:00:00Z', '2026-11-22T09:30', '1', ' '])(
    'rejects the time %j and names the field',
    async (text) => {
      for (const field of ['created_after', 'created_before']) {
        const query = new URLSearchParams({ [field]: text });
        const { status, body } = await service().get(`/v1/generations?${query}`);
        expect([status, body.error.details[0].path]).toEqual([400, field]);
        expect(body.error.message).toContain('must be a date such as 2026-11-22, or a time such as');
      }
    },
  );

  test('rejects a range that ends before it begins', async () => {
    const query = 'created_after=2026-11-22&created_before=2026-11-21';
    const { status, body } = await service().get(`/v1/generations?${query}`);
    expect([status, body.error.details[0].path]).toEqual([400, 'created_before']);
  });

  test.each([
    ['status=done', 'status: must be "queued", "processing", "completed", "failed" or "canceled"'],
    ['input_type=pdf', 'input_type: must be "html", "template", "react", "markdown" or "url"'],
  ])('rejects %s and names the valid values', async (query, message) => {
    const { status, body } = await service().get(`/v1/generations?${query}`);
    expect([status, body.error.message]).toEqual([400, message]);
  });
});
