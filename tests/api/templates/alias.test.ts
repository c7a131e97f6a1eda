import { describe, expect, test } from 'bun:test';
import { completed } from '../../support/batch/batches.ts';
import { pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = sharedService();

const TEMPLATE = { name: 'Letter', html_content: '<p>Dear {{name}}</p>' };

const send = (method: string, path: string, body?: unknown, key?: string) =>
  service().request(method, path, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  });
const newKey = () => service().newKey('enterprise');

async function create(key: string, fields: Record<string, unknown>) {
  const { status, body } = await send('POST', '/v1/templates', { ...TEMPLATE, ...fields }, key);
  expect(status).toBe(201);
  return body;
}

describe('an alias', () => {
  test('stands for the id in every request of its account', async () => {
    const key = await newKey();
    const { id, alias } = await create(key, { alias: 'letter' });
    expect(alias).toBe('letter');
    const get = async (path: string) => (await service().get(path, key)).body;
    expect(await get('/v1/templates/letter')).toMatchObject({ id, alias: 'letter', version: 1 });

    const changed = await send('PUT', '/v1/templates/letter', { html_content: '<p>Hi {{name}}</p>' }, key);
    expect([changed.status, changed.body.id, changed.body.version]).toEqual([200, id, 2]);
    expect((await get('/v1/templates/letter/versions')).data).toHaveLength(2);
    const restored = await send('POST', '/v1/templates/letter/versions/1/restore', undefined, key);
    expect([restored.status, restored.body.id, restored.body.version]).toEqual([201, id, 3]);

    const made = await send('POST', '/v1/generate', { template: 'letter', data: { name: 'Ann' } }, key);
    expect(made.status).toBe(200);
    expect((await get(`/v1/generations/${made.body.id}`)).template_id).toBe(id);
    expect(await pdfText(await service().download(made.body.url))).toContain('Dear Ann');

    const items = [{ template: 'letter', data: { name: 'Bob' } }, { template: 'unknown' }];
    const batch = await send('POST', '/v1/generate/batch', { items }, key);
    expect(batch.status).toBe(202);
    expect(await completed(service(), batch, key)).toMatchObject({ completed: 1, failed: 1 });

    const listed = (await get('/v1/generations?template_id=letter')).data;
    expect(listed.map(({ template_id }: { template_id: string }) => template_id)).toEqual([id, id]);

    const published = await send('POST', '/v1/marketplace/letter/publish', {}, key);
    expect([published.status, published.body.id]).toEqual([200, id]);
    expect((await service().get('/v1/marketplace/letter', key)).status).toBe(404);
    const cloner = await newKey();
    const cloned = await send('POST', `/v1/marketplace/${id}/clone`, {}, cloner);
    expect((await service().get(`/v1/templates/${cloned.body.id}`, cloner)).body.alias).toBeNull();

    const deleted = await send('DELETE', '/v1/templates/letter', undefined, key);
    expect(deleted.body).toEqual({ id, deleted: true });
    expect((await service().get('/v1/templates/letter', key)).status).toBe(404);
  }, 60_000);

  test('belongs to one template of the account, and can move to another', async () => {
    const key = await newKey();
    const first = await create(key, { alias: 'letter' });
    const second = await create(key, {});
    const taken = await send('POST', '/v1/templates', { ...TEMPLATE, alias: 'letter' }, key);
    const takenLater = await send('PUT', `/v1/templates/${second.id}`, { alias: 'letter' }, key);
    const takenWithHtml = await send(
      'PUT',
      `/v1/templates/${second.id}`,
      { alias: 'letter', html_content: '<p>New</p>' },
      key,
    );
    for (const { status, body } of [taken, takenLater, takenWithHtml])
      expect([status, body.error.details[0]]).toEqual([
        400,
        { path: 'alias', message: 'is the alias of another template' },
      ]);
    expect((await service().get(`/v1/templates/${second.id}`, key)).body.version).toBe(1);

    await send('PUT', `/v1/templates/${first.id}`, { alias: null }, key);
    const moved = await send('PUT', `/v1/templates/${second.id}`, { alias: 'letter' }, key);
    expect([moved.status, moved.body.alias]).toEqual([200, 'letter']);
    expect((await service().get('/v1/templates/letter', key)).body.id).toBe(second.id);
  });

  test('of another account is not found', async () => {
    await create(await newKey(), { alias: 'secret-letter' });
    const other = await newKey();
    for (const [method, path, body] of [
      ['GET', '/v1/templates/secret-letter'],
      ['PUT', '/v1/templates/secret-letter', { name: 'x' }],
      ['DELETE', '/v1/templates/secret-letter'],
      ['GET', '/v1/templates/secret-letter/versions'],
      ['POST', '/v1/marketplace/secret-letter/publish', {}],
      ['POST', '/v1/generate', { template: 'secret-letter' }],
    ] as const)
      expect([path, (await send(method, path, body, other)).status]).toEqual([path, 404]);
    expect((await create(other, { alias: 'secret-letter' })).alias).toBe('secret-letter');
  });

  test.each(['', 'Letter', 'tmpl_x', '-x', 'a b', 'ä', 'x'.repeat(65), 7])('%j is refused', async (alias) => {
    const { status, body } = await send('POST', '/v1/templates', { ...TEMPLATE, alias });
    expect([status, body.error.details[0].path]).toEqual([400, 'alias']);
  });

  test('that was given to another template keeps its first one in the trash', async () => {
    const owner = await Browser.signedIn(service());
    const make = async () => (await owner.post('/v1/templates', { ...TEMPLATE, alias: 'letter' })).body.id;
    const id = await make();
    await owner.post(`/studio/api/trash/templates/${id}`);
    const second = await make();
    const restore = () => owner.post(`/studio/api/trash/templates/${id}/restore`);
    const refused = await restore();
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
    await owner.request('PUT', `/v1/templates/${second}`, { alias: null });
    expect((await restore()).status).toBe(200);
    expect((await owner.get('/v1/templates/letter')).body.id).toBe(id);
  });
});

describe('tags', () => {
  test('select templates in a list', async () => {
    const key = await newKey();
    const sales = await create(key, { tags: ['sales', 'Q4 report'] });
    const both = await create(key, { tags: ['sales', 'eu'] });
    await create(key, {});
    const listed = async (query: string) => {
      const { body } = await service().get(`/v1/templates?${query}`, key);
      return body.data.map(({ id }: { id: string }) => id);
    };
    expect(await listed('tag=sales')).toEqual([both.id, sales.id]);
    expect(await listed('tag=Q4%20report')).toEqual([sales.id]);
    expect(await listed('tag=sale')).toEqual([]);
    expect((await service().get('/v1/templates?tag=sales%0Aeu', key)).status).toBe(400);
    const changed = await send('PUT', `/v1/templates/${both.id}`, { tags: ['eu'] }, key);
    expect(changed.body.tags).toEqual(['eu']);
    expect(await listed('tag=sales')).toEqual([sales.id]);
    await send('PUT', `/v1/templates/${both.id}`, { tags: [] }, key);
    expect(await listed('tag=eu')).toEqual([]);
  });

  test.each([
    [['a', 'a'], 'tags'],
    [[' '], 'tags[0]'],
    [['a', 'b\nc'], 'tags[1]'],
    [[''], 'tags[0]'],
    [['x'.repeat(51)], 'tags[0]'],
    [Array.from({ length: 21 }, (_, index) => `t${index}`), 'tags'],
    ['sales', 'tags'],
  ])('%j are refused', async (tags, path) => {
    const { status, body } = await send('POST', '/v1/templates', { ...TEMPLATE, tags });
    expect([status, body.error.details[0].path]).toEqual([400, path]);
  });
});
