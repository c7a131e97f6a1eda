import { describe, expect, test } from 'bun:test';
import { completed } from '../../support/batch/batches.ts';
import { pdfText } from '../../support/pdf/pdf.ts';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = sharedService();

const CURRENT = {
  html_content: '<p>Current {{name}}</p>',
  schema: { name: 'string' },
  options: { format: 'A4' },
  sample_data: { name: 'Ann' },
};
const DRAFT = {
  html_content: '<p>Draft {{name}} {{total}}</p>',
  schema: { name: 'string', total: 'number!' },
  options: { format: 'A5' },
  sample_data: { name: 'Bob', total: 3 },
};

const send = (method: string, path: string, body?: unknown, key?: string) =>
  service().request(method, path, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  });
const read = async (id: string, version?: number | 'draft') => {
  const { status, body } = await service().get(
    `/v1/templates/${id}${version === undefined ? '' : `?version=${version}`}`,
  );
  return status === 200 ? body : status;
};
const versionsOf = async (id: string, query = '') => {
  const { body } = await service().get(`/v1/templates/${id}/versions${query}`);
  return body.data.map((entry: { version: number; current: boolean; draft: boolean }) => [
    entry.version,
    entry.current ? 'current' : entry.draft ? 'draft' : '',
  ]);
};
const put = (id: string, body: object) => send('PUT', `/v1/templates/${id}`, body);
const saveDraft = (id: string, body: object = { html_content: '<p>Draft</p>' }) =>
  put(id, { ...body, draft: true });
const promote = (id: string, version: number | string, key?: string) =>
  send('POST', `/v1/templates/${id}/versions/${version}/promote`, undefined, key);
const discard = (id: string, version: number | string, key?: string) =>
  send('DELETE', `/v1/templates/${id}/versions/${version}`, undefined, key);
const codeOf = ({ status, body }: { status: number; body?: { error?: { code: string } } }) => [
  status,
  body?.error?.code,
];

async function create(fields: object = CURRENT): Promise<string> {
  const { status, body } = await send('POST', '/v1/templates', { name: 'Letter', ...fields });
  expect(status).toBe(201);
  return body.id;
}

describe('PUT /v1/templates/:id with draft: true', () => {
  test('stores a version that is not current, with all that decides the document', async () => {
    const id = await create();
    const before = await read(id);
    expect(before).toMatchObject({ version: 1, current_version: 1, draft_version: null });
    const { status, body } = await saveDraft(id, DRAFT);
    expect(status).toBe(200);
    const { etag } = body;
    expect(etag).not.toBe(before.etag);
    expect(body).toEqual({ ...before, ...DRAFT, version: 2, draft_version: 2, etag });
    expect(await read(id)).toEqual({ ...before, draft_version: 2, etag: expect.any(String) });
    expect(await read(id, 'draft')).toEqual(body);
    expect(await read(id, 2)).toEqual(body);
    expect(await versionsOf(id)).toEqual([
      [2, 'draft'],
      [1, 'current'],
    ]);
    const { data } = (await service().get('/v1/templates')).body;
    const listed = data.find((entry: { id: string }) => entry.id === id);
    expect(listed).toMatchObject({ version: 1, current_version: 1, draft_version: 2 });
  });

  test('replaces the earlier draft, whose number is never used again, and keeps absent fields', async () => {
    const id = await create();
    await saveDraft(id, DRAFT);
    const { body } = await saveDraft(id, { sample_data: { name: 'Eve', total: 4 } });
    expect(body).toMatchObject({
      ...DRAFT,
      sample_data: { name: 'Eve', total: 4 },
      version: 3,
      draft_version: 3,
    });
    expect(await read(id, 2)).toBe(404);
    expect(await versionsOf(id)).toEqual([
      [3, 'draft'],
      [1, 'current'],
    ]);
    expect((await discard(id, 3)).status).toBe(204);
    expect((await saveDraft(id)).body).toMatchObject({
      ...CURRENT,
      html_content: '<p>Draft</p>',
      version: 4,
    });
    expect((await put(id, { html_content: '<p>New</p>' })).body).toMatchObject({
      version: 5,
      current_version: 5,
      draft_version: 4,
    });
    expect(await versionsOf(id)).toEqual([
      [5, 'current'],
      [4, 'draft'],
      [1, ''],
    ]);
  });

  test.each([
    [{}, undefined],
    [{ name: 'Other' }, 'name'],
    [{ html_content: '<p>x</p>', alias: 'draft-alias' }, 'alias'],
    [{ html_content: '<p>x</p>', tags: [] }, 'tags'],
    [{ html_content: '<p>x</p>', partial: true }, 'partial'],
    [{ html_content: '<p>x</p>', category: 'letter' }, 'category'],
    [{ html_content: '{{#if}}' }, 'html_content'],
    [{ schema: { x: 'text' } }, 'schema.x'],
    [{ options: { protect: { user_password: 'x' } } }, undefined],
    [{ html_content: '<p>x</p>', draft: 'yes' }, 'draft'],
  ])('%j is refused', async (body, path) => {
    const id = await create();
    const answer = await put(id, { draft: true, ...body });
    expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
    if (path) expect(answer.body.error.details[0].path).toBe(path);
    expect(await read(id)).toMatchObject({ ...CURRENT, draft_version: null });
  });

  test('does not change when the template was updated', async () => {
    const id = await create();
    const { updated_at: updatedAt } = await read(id);
    await saveDraft(id);
    expect((await read(id)).updated_at).toBe(updatedAt);
  });
});

describe('POST /v1/templates/:id/versions/:version/promote', () => {
  test('makes the draft current', async () => {
    const id = await create();
    await saveDraft(id, DRAFT);
    const { status, body } = await promote(id, 2);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...DRAFT, version: 2, current_version: 2, draft_version: null });
    expect(await read(id)).toEqual(body);
    expect(await read(id, 'draft')).toBe(404);
    expect(await read(id, 1)).toMatchObject({ ...CURRENT, version: 1, current_version: 2 });
    expect(await versionsOf(id)).toEqual([
      [2, 'current'],
      [1, ''],
    ]);
    // A repetition changes nothing, and the HTML of the version is known to be the same.
    expect((await promote(id, 2)).body).toEqual(body);
    expect((await put(id, { html_content: DRAFT.html_content })).body.version).toBe(2);
    expect((await put(id, { html_content: '<p>3</p>' })).body.version).toBe(3);
    expect(await read(id, 2)).toMatchObject(DRAFT);
  });

  test('refuses a draft when the current version has changed since', async () => {
    for (const change of [{ html_content: '<p>Other</p>' }, { options: { format: 'A6' } }, { schema: {} }]) {
      const id = await create();
      await saveDraft(id, DRAFT);
      await put(id, change);
      expect(codeOf(await promote(id, 2))).toEqual([409, 'CONFLICT']);
      expect(await read(id)).toMatchObject({ ...CURRENT, ...change });
      // Storing the draft again confirms it.
      const { body } = await saveDraft(id, DRAFT);
      expect(codeOf(await promote(id, 2))).toEqual([409, 'CONFLICT']);
      const promoted = await promote(id, body.version);
      expect([promoted.status, promoted.body]).toEqual([200, expect.objectContaining(DRAFT)]);
    }
  });

  test('is not hindered by changes of other fields, or by the same values', async () => {
    const id = await create();
    await saveDraft(id, DRAFT);
    await put(id, { name: 'Renamed', tags: ['x'], alias: `renamed-${id.slice(-4).toLowerCase()}` });
    await put(id, CURRENT);
    const { status, body } = await promote(id, 2);
    expect([status, body.name, body.version]).toEqual([200, 'Renamed', 2]);
  });

  test('and DELETE refuse other versions', async () => {
    const id = await create();
    await put(id, { html_content: '<p>2</p>' });
    await saveDraft(id);
    await saveDraft(id);
    for (const version of [1, 3]) {
      expect(codeOf(await promote(id, version))).toEqual([409, 'CONFLICT']);
      expect(codeOf(await discard(id, version))).toEqual([409, 'CONFLICT']);
    }
    expect(codeOf(await discard(id, 2))).toEqual([409, 'CONFLICT']);
    for (const version of [5, 0, 'draft', '01']) {
      expect(codeOf(await promote(id, version))).toEqual([404, 'NOT_FOUND']);
      expect(codeOf(await discard(id, version))).toEqual([404, 'NOT_FOUND']);
    }
    const other = await service().newKey();
    expect(codeOf(await promote(id, 4, other))).toEqual([404, 'NOT_FOUND']);
    expect(codeOf(await discard(id, 4, other))).toEqual([404, 'NOT_FOUND']);
    expect(await versionsOf(id)).toEqual([
      [4, 'draft'],
      [2, 'current'],
      [1, ''],
    ]);
  });

  test('lets one of several concurrent changes win, and loses none that succeeded', async () => {
    const id = await create();
    await saveDraft(id, DRAFT);
    const [promoted, changed] = await Promise.all([
      promote(id, 2),
      put(id, { html_content: '<p>Changed</p>' }),
    ]);
    expect(changed.status).toBe(200);
    // The change came after the promotion, or the promotion was refused.
    expect([200, 409]).toContain(promoted.status);
    expect(await read(id)).toMatchObject({ html_content: '<p>Changed</p>', version: 3 });
    const states = await versionsOf(id);
    expect(states).toContainEqual([3, 'current']);
    expect(states).toContainEqual([2, promoted.status === 200 ? '' : 'draft']);
    const drafts = await Promise.all(Array.from({ length: 6 }, () => saveDraft(id)));
    const numbers = drafts.map(({ body }) => body.version);
    expect(new Set(numbers).size).toBe(6);
    const last = Math.max(...numbers);
    const answers = await Promise.all(numbers.map((version) => promote(id, version)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await read(id)).version).toBe(last);
  });
});

describe('GET /v1/templates/:id/versions', () => {
  test('lists the versions in pages, also beside the numbers of former drafts', async () => {
    const id = await create({ html_content: '1' });
    await put(id, { html_content: '2' });
    await saveDraft(id);
    await saveDraft(id);
    await put(id, { html_content: '5' });
    await put(id, { html_content: '6' });
    // 6 is current, 4 the draft, and 3 a former draft.
    const numbers = async (query: string) =>
      (await versionsOf(id, query)).map(([version]: [number]) => version);
    expect(await numbers('')).toEqual([6, 5, 4, 2, 1]);
    for (let offset = 0; offset <= 6; offset += 1)
      for (const limit of [1, 2, 5]) {
        const expected = [6, 5, 4, 2, 1].slice(offset, offset + limit);
        expect([offset, limit, await numbers(`?limit=${limit}&offset=${offset}`)]).toEqual([
          offset,
          limit,
          expected,
        ]);
      }
    expect(await numbers('?starting_after=4')).toEqual([2, 1]);
    expect(await numbers('?starting_after=3')).toEqual([2, 1]);
    expect(await numbers('?starting_after=6&limit=2')).toEqual([5, 4]);
    expect(await numbers('?ending_before=2&limit=2')).toEqual([5, 4]);
    expect(await numbers('?ending_before=3&limit=9')).toEqual([6, 5, 4]);
    const { body } = await service().get(`/v1/templates/${id}/versions?limit=5&include=total`);
    expect([body.has_more, body.total]).toEqual([false, 5]);
    expect((await service().get(`/v1/templates/${id}/versions?limit=4`)).body.has_more).toBe(true);
    expect((await service().get(`/v1/templates/${id}/versions?starting_after=7`)).status).toBe(400);
  });
});

describe('template_version: "draft"', () => {
  const data = { name: 'Zoe', total: 7 };

  test('makes documents, images, batches and previews of the draft', async () => {
    const id = await create();
    await saveDraft(id, DRAFT);
    const draft = { template: id, template_version: 'draft', data };
    expect(await pdfText(await service().pdf({ template: id, data }))).toContain('Current Zoe');
    expect(await pdfText(await service().pdf(draft))).toContain('Draft Zoe 7');
    const refused = await send('POST', '/v1/generate', { ...draft, data: {} });
    expect([refused.status, refused.body.error.details[0].code]).toEqual([400, 'SCHEMA_MISMATCH']);
    const preview = await send('POST', '/v1/templates/preview', { ...draft, output: 'base64' });
    expect(await pdfText(Buffer.from(preview.body.data, 'base64'))).toContain('Draft Zoe 7');
    expect((await send('POST', '/v1/images', draft)).status).toBe(200);
    const batch = await send('POST', '/v1/generate/batch', { items: [draft, { template: id, data }] });
    expect(await completed(service(), batch)).toMatchObject({ completed: 2, failed: 0 });
    for (const [version, text] of [
      ['draft', 'Draft Zoe 7'],
      ['1', 'Current Zoe'],
    ] as const) {
      const form = formOf([
        ['template', id],
        ['template_version', version],
        ['data', JSON.stringify(data)],
      ]);
      const { body } = await postForm(service(), '/v1/generate', form);
      expect(await pdfText(await service().download(body.url))).toContain(text);
    }
  }, 60_000);

  test('is 404 for a template without a draft, and 400 for other words', async () => {
    const id = await create();
    const generate = (version: unknown) =>
      send('POST', '/v1/generate', { template: id, template_version: version, data });
    const missing = await generate('draft');
    expect([missing.status, missing.body.error.message]).toEqual([
      404,
      expect.stringContaining(`draft of template ${id}`),
    ]);
    for (const version of ['Draft', 'current', '1', 1.5, null]) {
      const { status, body } = await generate(version);
      expect([version, status, body.error.details[0].path]).toEqual([version, 400, 'template_version']);
    }
    for (const version of ['x', '0', '1.5', ''])
      expect((await service().get(`/v1/templates/${id}?version=${version}`)).status).toBe(400);
  });
});

describe('a draft', () => {
  const SECRET = '<p>Secret</p>';

  test('is seen by no other account', async () => {
    const id = await create({ ...CURRENT, partial: true, name: `Part${Date.now()}` });
    await send('POST', `/v1/marketplace/${id}/publish`, {});
    await saveDraft(id, { html_content: SECRET, sample_data: { secret: 'Secret' } });
    const other = await service().newKey();
    const seen = await service().get(`/v1/marketplace/${id}`, other);
    expect(seen.body).toMatchObject(CURRENT);
    const { body: listed } = await service().get('/v1/marketplace?limit=100', other);
    const { body: clone } = await send('POST', `/v1/marketplace/${id}/clone`, {}, other);
    const { body: copy } = await service().get(`/v1/templates/${clone.id}`, other);
    expect(copy).toMatchObject({ ...CURRENT, draft_version: null });
    for (const text of [seen.body, listed, clone, copy]) expect(JSON.stringify(text)).not.toContain('ecret');
    for (const path of [`/v1/templates/${id}?version=draft`, `/v1/templates/${id}?version=2`])
      expect((await service().get(path, other)).status).toBe(404);
    const generated = await send(
      'POST',
      '/v1/generate',
      { template: id, template_version: 'draft', data: { name: 'x' } },
      other,
    );
    expect(generated.status).toBe(404);
    // Publishing again publishes the current version.
    await send('POST', `/v1/marketplace/${id}/publish`, {});
    expect((await service().get(`/v1/marketplace/${id}`, other)).body).toMatchObject(CURRENT);
  }, 60_000);

  test('of a partial is not used by other templates, and is checked again when it is promoted', async () => {
    const name = `Draft${Date.now()}`;
    const id = await create({ html_content: 'published', name, partial: true });
    const outer = await create({ html_content: `<p>{{> ${name}}}</p>`, name: `${name}Outer`, partial: true });
    await saveDraft(id, { html_content: 'unpublished' });
    const { url } = (await send('POST', '/v1/generate', { template: outer })).body;
    expect(await pdfText(await service().download(url))).toContain('published');
    const cycle = await saveDraft(id, { html_content: `{{> ${name}Outer}}` });
    expect([cycle.status, cycle.body.error.details[0].path]).toEqual([400, 'html_content']);
    await put(outer, { html_content: 'plain' });
    const { body } = await saveDraft(id, { html_content: `{{> ${name}Outer}}` });
    await put(outer, { html_content: `{{> ${name}}}` });
    const promoted = await promote(id, body.version);
    expect([promoted.status, promoted.body.error.details[0].path]).toEqual([400, 'html_content']);
    expect((await read(id)).html_content).toBe('published');
  }, 60_000);

  test('stays with its template in the trash', async () => {
    const owner = await Browser.signedIn(service());
    const { id } = (await owner.post('/v1/templates', { name: 'Letter', ...CURRENT })).body;
    await owner.request('PUT', `/v1/templates/${id}`, { ...DRAFT, draft: true });
    await owner.post(`/studio/api/trash/templates/${id}`);
    expect((await owner.get(`/v1/templates/${id}?version=draft`)).status).toBe(404);
    expect((await owner.post(`/studio/api/trash/templates/${id}/restore`)).status).toBe(200);
    expect((await owner.get(`/v1/templates/${id}?version=draft`)).body).toMatchObject({
      ...DRAFT,
      version: 2,
    });
    expect((await owner.post(`/v1/templates/${id}/versions/2/promote`)).body).toMatchObject(DRAFT);
  });

  test('is deleted with DELETE /v1/templates/:id/versions/:version', async () => {
    const id = await create();
    await saveDraft(id, DRAFT);
    const { status, body } = await discard(id, 2);
    expect([status, body]).toEqual([204, undefined]);
    expect(await read(id)).toMatchObject({ ...CURRENT, version: 1, draft_version: null });
    expect(await read(id, 2)).toBe(404);
    expect(codeOf(await discard(id, 2))).toEqual([409, 'CONFLICT']);
    expect(await versionsOf(id)).toEqual([[1, 'current']]);
  });
});
