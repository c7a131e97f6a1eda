import { beforeAll, describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const TIME = /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/;
let other = '';
beforeAll(async () => {
  other = await service().newKey();
});

const put = (id: string, body: object) => service().request('PUT', `/v1/templates/${id}`, { body });
const list = async (id: string, query = '') =>
  (await service().get(`/v1/templates/${id}/versions${query}`)).body;
const restore = (id: string, version: number | string, key?: string | null) =>
  service().request('POST', `/v1/templates/${id}/versions/${version}/restore`, {
    ...(key !== undefined && { key }),
  });

/** Creates a template with a version for each HTML. */
async function create(...versions: string[]) {
  const [first, ...changes] = versions;
  const { body } = await service().post('/v1/templates', { name: 'Letter', html_content: first });
  for (const html of changes) await put(body.id, { html_content: html });
  return body;
}

describe('GET /v1/templates/:id/versions', () => {
  test('lists the versions, newest first, each with the time of its creation', async () => {
    const { id, created_at: createdAt } = await create('one', 'two');
    await Bun.sleep(2);
    await put(id, { name: 'Other', category: 'letter' });
    const { updated_at: changedAt } = (await service().get(`/v1/templates/${id}`)).body;
    const { data, has_more: hasMore } = await list(id);
    expect(hasMore).toBe(false);
    expect(data).toEqual([
      { version: 2, created_at: expect.stringMatching(TIME), current: true, draft: false },
      { version: 1, created_at: createdAt, current: false, draft: false },
    ]);
    // A change of another field creates no version.
    expect(Date.parse(data[0].created_at)).toBeLessThan(Date.parse(changedAt));
    await put(id, { html_content: 'three' });
    const [third, ...earlier] = (await list(id)).data;
    expect(third).toMatchObject({ version: 3, current: true });
    expect(earlier).toEqual([{ ...data[0], current: false }, data[1]]);
  });

  test('lists the versions in pages', async () => {
    const { id } = await create('1', '2', '3', '4', '5');
    const numbers = async (query: string) => {
      const { data, has_more: hasMore } = await list(id, query);
      return [data.map(({ version }: { version: number }) => version), hasMore];
    };
    expect(await numbers('?limit=2')).toEqual([[5, 4], true]);
    expect(await numbers('?limit=2&offset=2')).toEqual([[3, 2], true]);
    expect(await numbers('?limit=2&offset=3')).toEqual([[2, 1], false]);
    expect(await numbers('?offset=4')).toEqual([[1], false]);
    expect(await numbers('?offset=5')).toEqual([[], false]);
  });

  test("returns 404 for an unknown, a deleted and another account's template, and 400 for an invalid page", async () => {
    const { id } = await create('one');
    expect((await service().get(`/v1/templates/${id}/versions`, other)).status).toBe(404);
    expect((await service().get(`/v1/templates/${id}/versions?limit=0`)).status).toBe(400);
    await service().request('DELETE', `/v1/templates/${id}`);
    for (const unknown of [id, 'tmpl_x'])
      expect((await service().get(`/v1/templates/${unknown}/versions`)).status).toBe(404);
  });
});

describe('POST /v1/templates/:id/versions/:version/restore', () => {
  test('creates a new version with all that decides the document of an earlier version, and nothing else', async () => {
    const { id } = await create('<p>one</p>');
    const first = {
      schema: { x: 'string!' },
      options: { format: 'A5' },
      sample_data: { x: 'one' },
    };
    await put(id, { ...first, options: { format: 'A6' } });
    // The last state of a version counts.
    await put(id, first);
    const second = { schema: { y: 'number' }, options: null, sample_data: { y: 2 } };
    await put(id, { html_content: '<p>two</p>', ...second, name: 'Other', category: 'letter' });
    const { status, body } = await restore(id, 1);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      id,
      version: 3,
      current_version: 3,
      html_content: '<p>one</p>',
      ...first,
      name: 'Other',
      category: 'letter',
    });
    expect((await service().get(`/v1/templates/${id}`)).body).toEqual(body);
    const read = await service().get(`/v1/templates/${id}?version=2`);
    expect(read.body).toEqual({
      ...body,
      version: 2,
      html_content: '<p>two</p>',
      ...second,
      etag: expect.any(String),
    });
    const versions = (await list(id)).data.map(({ version }: { version: number }) => version);
    expect(versions).toEqual([3, 2, 1]);
  });

  test('of a template is printed with the schema of its version', async () => {
    const { id } = await create('<p>{{x}}</p>');
    await put(id, { schema: { x: 'string!' } });
    await put(id, { html_content: '<p>two</p>', schema: {} });
    const generate = (version?: number) =>
      service().post('/v1/generate', { template: id, ...(version && { template_version: version }) });
    expect((await generate()).status).toBe(200);
    const { status, body } = await generate(1);
    expect([status, body.error.details[0].code]).toEqual([400, 'SCHEMA_MISMATCH']);
  });

  test('creates a version for every request, even for the current version or a repeated request', async () => {
    const { id } = await create('one', 'two');
    const answers = await Promise.all([restore(id, 1), restore(id, 2), restore(id, 1)]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    const made = answers.map(({ body }) => body.version).toSorted((a, b) => a - b);
    expect(made).toEqual([3, 4, 5]);
    for (const { body } of answers) {
      const read = await service().get(`/v1/templates/${id}?version=${body.version}`);
      expect(read.body.html_content).toBe(body.html_content);
    }
  });

  test.each(['3', '0', '-1', 'x', '1.5', '01', '99999999999999999999'])(
    'returns 404 for version %s of a template with two versions',
    async (version) => {
      const { id } = await create('one', 'two');
      const { status, body } = await restore(id, version);
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
      expect((await service().get(`/v1/templates/${id}`)).body.version).toBe(2);
    },
  );

  test("returns 404 for an unknown, a deleted and another account's template, even if it is public", async () => {
    const { id } = await create('one', 'two');
    await service().request('POST', `/v1/marketplace/${id}/publish`);
    expect((await restore(id, 1, other)).status).toBe(404);
    expect((await restore(id, 1, null)).status).toBe(401);
    expect((await service().get(`/v1/templates/${id}`)).body.version).toBe(2);
    await service().request('DELETE', `/v1/templates/${id}`);
    for (const unknown of [id, 'tmpl_x']) expect((await restore(unknown, 1)).status).toBe(404);
  });
});
