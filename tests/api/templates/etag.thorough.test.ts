import { describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const put = (id: string, body: object) => service().request('PUT', `/v1/templates/${id}`, { body });
const read = async (id: string, query = '') => (await service().get(`/v1/templates/${id}${query}`)).body;
async function create(fields: object = {}): Promise<{ id: string; etag: string }> {
  const { body } = await service().post('/v1/templates', {
    name: 'Letter',
    html_content: '<p>1</p>',
    ...fields,
  });
  return read(body.id);
}

describe('PUT /v1/templates/:id with expected_etag', () => {
  test('changes the template that the caller has read, and gives the next etag', async () => {
    const { id, etag } = await create();
    const { status, body } = await put(id, { html_content: '<p>2</p>', expected_etag: etag });
    expect([status, body.version]).toEqual([200, 2]);
    expect(body.etag).not.toBe(etag);
    expect((await read(id)).etag).toBe(body.etag);
    expect((await put(id, { name: 'Offer', expected_etag: body.etag })).status).toBe(200);
  });

  test.each([
    { html_content: '<p>other</p>' },
    { name: 'Other' },
    { category: 'letter' },
    { partial: true },
    { alias: `other-${crypto.randomUUID()}` },
    { tags: ['other'] },
    { schema: { name: 'string' } },
    { options: { format: 'A5' } },
    { sample_data: { name: 'Ann' } },
  ])('gives 409 and changes nothing after %j', async (change) => {
    const { id, etag } = await create({ name: `letter_${Math.random().toString(36).slice(2)}` });
    await put(id, change);
    const between = await read(id);
    const { status, body } = await put(id, { html_content: '<p>mine</p>', expected_etag: etag });
    expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
    expect(body.error.message).toContain('read it again');
    expect(await read(id)).toEqual(between);
  });

  test('lets one of ten concurrent changes succeed', async () => {
    const { id, etag } = await create();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) => put(id, { sample_data: { index }, expected_etag: etag })),
    );
    expect(results.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array(9).fill(409),
    ]);
    const { body } = results.find(({ status }) => status === 200) ?? {};
    expect((await read(id)).sample_data).toEqual(body.sample_data);
  });

  test('with draft: true compares the draft, or else the current version', async () => {
    const { id, etag } = await create();
    const first = await put(id, { html_content: '<p>draft</p>', draft: true, expected_etag: etag });
    expect(first.status).toBe(200);
    expect((await read(id)).etag).toBe(etag);
    expect((await read(id, '?version=draft')).etag).toBe(first.body.etag);
    const stale = await put(id, { html_content: '<p>other</p>', draft: true, expected_etag: etag });
    expect([stale.status, stale.body.error.code]).toEqual([409, 'CONFLICT']);
    const next = { html_content: '<p>third</p>', draft: true, expected_etag: first.body.etag };
    expect((await put(id, next)).status).toBe(200);
  });

  test('names the field in 400', async () => {
    const { id, etag } = await create();
    const { status, body } = await put(id, { name: 'x', expected_etag: 5 });
    expect([status, body.error.details[0].path]).toEqual([400, 'expected_etag']);
    expect((await put(id, { expected_etag: etag })).status).toBe(400);
  });
});
