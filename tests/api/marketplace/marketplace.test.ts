import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const draft = {
  name: 'Invoice',
  html_content: '<p>{{number}}</p>',
  schema: { number: 'string' },
  category: 'invoice',
};
let other = '';
beforeAll(async () => {
  other = await service().newKey();
});

async function create(fields: object = {}, key?: string): Promise<string> {
  return (await service().post('/v1/templates', { ...draft, ...fields }, key)).body.id;
}
const act = (id: string, action: string, key?: string) =>
  service().request('POST', `/v1/marketplace/${id}/${action}`, key === undefined ? {} : { key });

async function publish(fields: object = {}): Promise<string> {
  const id = await create(fields);
  expect((await act(id, 'publish')).status).toBe(200);
  return id;
}

describe('publishing', () => {
  test('shows a template to all accounts, without its owner, until it is unpublished', async () => {
    const id = await create();
    expect((await service().get(`/v1/marketplace/${id}`, other)).status).toBe(404);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await act(id, 'publish');
      expect([status, body]).toEqual([200, { id, name: 'Invoice', is_public: true }]);
    }
    const { category: _, ...shown } = draft;
    const stored = (await service().get(`/v1/templates/${id}`)).body;
    expect(stored.is_public).toBe(true);
    expect((await service().get(`/v1/marketplace/${id}`, other)).body).toEqual({
      ...shown,
      id,
      version: 1,
      options: null,
      sample_data: {},
      created_at: stored.created_at,
      updated_at: stored.updated_at,
    });
    for (let time = 0; time < 2; time += 1)
      expect((await act(id, 'unpublish')).body).toEqual({ id, name: 'Invoice', is_public: false });
    expect((await service().get(`/v1/marketplace/${id}`, other)).status).toBe(404);
    expect((await service().get(`/v1/marketplace/${id}`)).status).toBe(404);
  });

  test('shows the current content', async () => {
    const id = await publish();
    await service().request('PUT', `/v1/templates/${id}`, { body: { html_content: 'new' } });
    expect((await service().get(`/v1/marketplace/${id}`, other)).body).toMatchObject({
      html_content: 'new',
      version: 2,
    });
  });

  test('is possible only for the owner, and gives others no access to the template', async () => {
    const id = await publish();
    for (const action of ['publish', 'unpublish']) expect((await act(id, action, other)).status).toBe(404);
    expect((await service().get(`/v1/templates/${id}`, other)).status).toBe(404);
    expect((await service().post('/v1/generate', { template: id }, other)).status).toBe(404);
    expect((await service().get(`/v1/marketplace/${id}`, other)).status).toBe(200);
  });
});

describe('cloning', () => {
  test('creates a private copy with version 1, and "(Copy)" is added once', async () => {
    const id = await publish();
    await service().request('PUT', `/v1/templates/${id}`, { body: { html_content: 'new' } });
    const { status, body: copy } = await act(id, 'clone', other);
    expect(status).toBe(201);
    expect(copy).toEqual({
      id: expect.stringMatching(/^tmpl_/),
      name: 'Invoice (Copy)',
      version: 1,
      created_at: expect.any(String),
    });
    expect(copy.id).not.toBe(id);
    expect((await service().get(`/v1/templates/${copy.id}`, other)).body).toMatchObject({
      html_content: 'new',
      schema: draft.schema,
      category: 'invoice',
      is_public: false,
    });
    await act(copy.id, 'publish', other);
    expect((await act(copy.id, 'clone')).body.name).toBe('Invoice (Copy)');
  });

  test('keeps options and sample data', async () => {
    const usage = { options: { orientation: 'landscape', margin: 0 }, sample_data: { number: '7' } };
    const id = await publish(usage);
    expect((await service().get(`/v1/marketplace/${id}`, other)).body).toMatchObject(usage);
    const { body: copy } = await act(id, 'clone', other);
    await service().request('PUT', `/v1/templates/${id}`, { body: { options: null } });
    expect((await service().get(`/v1/templates/${copy.id}`, other)).body).toMatchObject(usage);
  });

  test("works for the owner's public template, but not for a private one", async () => {
    const id = await publish();
    expect((await act(id, 'clone')).status).toBe(201);
    await act(id, 'unpublish');
    for (const key of [service().key, other]) expect((await act(id, 'clone', key)).status).toBe(404);
  });
});

describe('GET /v1/marketplace', () => {
  test('lists public templates newest first, in pages and by category', async () => {
    const made: string[] = [];
    for (const name of ['a', 'b', 'c']) {
      made.unshift(await publish({ name, category: 'resume' }));
      await Bun.sleep(2);
    }
    await create({ category: 'resume' });
    const list = async (query: string) => (await service().get(`/v1/marketplace?${query}`, other)).body;
    const first = await list('category=resume&limit=2');
    const rest = await list('category=resume&limit=2&offset=2');
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    expect([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(made);
    expect(Object.keys(first.data[0]).toSorted()).toEqual([
      'created_at',
      'id',
      'name',
      'updated_at',
      'version',
    ]);
    expect((await list('')).data.slice(0, 3).map(({ id }: { id: string }) => id)).toEqual(made);
    for (const category of ['poster', '', '%00', '__proto__'])
      expect(await list(`category=${category}`)).toEqual({ data: [], has_more: false });
    for (const query of ['limit=101', 'limit=0', 'offset=-1'])
      expect((await service().get(`/v1/marketplace?${query}`)).status).toBe(400);
  });
});

test('invalid ids get 404', async () => {
  for (const id of ['..%2f..', '%00', 'x'.repeat(10_000), `tmpl_${'0'.repeat(24)}`]) {
    expect((await service().get(`/v1/marketplace/${id}`)).status).toBe(404);
    for (const action of ['clone', 'publish', 'unpublish']) expect((await act(id, action)).status).toBe(404);
  }
});
