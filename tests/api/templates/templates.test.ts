import { describe, expect, test } from 'bun:test';
import {
  createdExample,
  createExamples,
  templateExample,
  updateExamples,
} from '../../../plugins/templates/examples.ts';
import { pdfText, toolsAvailable } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const draft = { name: 'Letter', html_content: '<p>Dear {{name}}</p>', schema: { name: 'string' } };

async function create(body: object = draft, key?: string) {
  const answer = await service().post('/v1/templates', body, key);
  expect(answer.status).toBe(201);
  return answer.body;
}

const put = (id: string, body: unknown, key?: string) =>
  service().request('PUT', `/v1/templates/${id}`, { body, ...(key !== undefined && { key }) });
const remove = (id: string, key?: string) =>
  service().request('DELETE', `/v1/templates/${id}`, key === undefined ? {} : { key });

describe('templates', () => {
  test('are created as version 1, private, and read back unchanged', async () => {
    const made = await create();
    expect(made).toEqual({
      ...draft,
      id: expect.stringMatching(/^tmpl_[0-9A-Za-z]{24}$/),
      version: 1,
      is_public: false,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    });
    const whole = {
      ...made,
      current_version: 1,
      draft_version: null,
      etag: expect.stringMatching(/^[\w-]{22}$/),
      category: 'other',
      updated_at: made.created_at,
      options: null,
      alias: null,
      tags: [],
      format: 'html',
      partial: false,
      require_checks: false,
      sample_data: {},
    };
    expect((await service().get(`/v1/templates/${made.id}`)).body).toEqual(whole);
    expect((await put(made.id, { category: 'letter' })).body).toEqual({
      ...whole,
      category: 'letter',
      updated_at: expect.any(String),
    });
  });

  test('keep options and sample data', async () => {
    const options = {
      format: 'a4',
      margin: { top: '2cm', left: 30 },
      footer: '{{pageNumber}}',
      firstPage: { header: 'Dear {{name}}' },
      pageRanges: '1-3, 5',
      waitFor: { selector: '.done', delayMs: 100 },
      strict: true,
    };
    const sample_data = { name: 'Ada', lines: [{ price: 1.5 }], $a: { 'b.c': null }, '': '\u{1f600}' };
    const { id } = await create({ ...draft, options, sample_data });
    const read = async () => (await service().get(`/v1/templates/${id}`)).body;
    expect(await read()).toMatchObject({ options, sample_data });
    await put(id, { name: 'Renamed', html_content: 'two' });
    expect(await read()).toMatchObject({ options, sample_data, version: 2 });
    const changed = await put(id, { options: null, sample_data: {} });
    expect(changed.body).toMatchObject({ options: null, sample_data: {}, version: 2 });
    expect(await read()).toEqual(changed.body);
    const { body: list } = await service().get('/v1/templates?limit=1');
    expect(Object.keys(list.data[0])).not.toContain('sample_data');
  });

  test.each([
    [{ options: { frobnicate: true } }, 'options.frobnicate'],
    [{ options: { format: 'A99' } }, 'options.format'],
    [{ options: { singlePage: true, pageRanges: '1' } }, 'options.pageRanges'],
    [{ options: [] }, 'options'],
    [{ options: { header: 'x'.repeat(65_530) } }, 'options'],
    [{ sample_data: null }, 'sample_data'],
    [{ sample_data: [1] }, 'sample_data'],
    [{ sample_data: 'x' }, 'sample_data'],
    [{ sample_data: { a: 'x'.repeat(65_530) } }, 'sample_data'],
  ])('reject invalid options and sample data: %.60j', async (fields, path) => {
    const { id } = await create();
    for (const answer of [
      await service().post('/v1/templates', { ...draft, ...fields }),
      await put(id, fields),
    ])
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
  });

  test('match the documented examples', async () => {
    const made = await create(createExamples.invoice);
    expect(Object.keys(made).toSorted()).toEqual(Object.keys(createdExample).toSorted());
    const read = (await service().get(`/v1/templates/${made.id}`)).body;
    expect(Object.keys(read).toSorted()).toEqual(Object.keys(templateExample).toSorted());
    for (const example of Object.values(updateExamples)) {
      const { status, body } = await put(made.id, example);
      expect(status).toBe(200);
      const { draft: isDraft, ...fields } = { draft: false, ...example };
      expect(body).toMatchObject(fields);
      expect(body.version === body.draft_version).toBe(isDraft);
    }
  });

  test('get a new version when their HTML changes, and keep every version', async () => {
    const { id } = await create();
    const versions: [object, number][] = [
      [{ name: 'Other' }, 1],
      [{ html_content: draft.html_content }, 1],
      [{ html_content: 'two', category: 'letter' }, 2],
      [{ html_content: 'two', schema: {} }, 2],
      [{ html_content: 'three' }, 3],
      [{ html_content: 'two' }, 4],
    ];
    for (const [change, version] of versions)
      expect((await put(id, change)).body).toMatchObject({ ...change, version });
    const read = async (version: number) =>
      (await service().get(`/v1/templates/${id}?version=${version}`)).body.html_content;
    expect(await Promise.all([1, 2, 3, 4].map(read))).toEqual([draft.html_content, 'two', 'three', 'two']);
    expect((await service().get(`/v1/templates/${id}`)).body).toMatchObject({
      name: 'Other',
      category: 'letter',
      schema: {},
      version: 4,
    });
    expect((await service().get(`/v1/templates/${id}?version=5`)).status).toBe(404);
    for (const version of ['0', '-1', 'x', '1.5'])
      expect((await service().get(`/v1/templates/${id}?version=${version}`)).status).toBe(400);
  });

  test('lose none of 50 concurrent updates and no update of another field', async () => {
    const { id } = await create();
    const changes = Array.from({ length: 50 }, (_, index) => `<p>change ${index}</p>`);
    const [answers] = await Promise.all([
      Promise.all(changes.map((html) => put(id, { html_content: html }))),
      Promise.all(['a', 'b', 'c'].map((name) => put(id, { name }))),
    ]);
    const versions = answers.map(({ body }) => body.version).toSorted((a, b) => a - b);
    expect(versions).toEqual(changes.map((_, index) => index + 2));
    for (const { body } of answers) {
      const read = await service().get(`/v1/templates/${id}?version=${body.version}`);
      expect(read.body.html_content).toBe(body.html_content);
    }
    const last = await service().get(`/v1/templates/${id}`);
    expect(last.body.version).toBe(51);
    expect(['a', 'b', 'c']).toContain(last.body.name);
  }, 60_000);

  test('are listed per account, newest first, in pages, without HTML', async () => {
    const key = await service().newKey();
    const made: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      made.unshift((await create({ ...draft, name: `t${index}` }, key)).id);
      await Bun.sleep(2);
    }
    const { body: first } = await service().get('/v1/templates?limit=2', key);
    const { body: rest } = await service().get('/v1/templates?limit=2&offset=2', key);
    expect([first.has_more, rest.has_more]).toEqual([true, false]);
    expect([...first.data, ...rest.data].map(({ id }: { id: string }) => id)).toEqual(made);
    expect(first.data[0]).not.toHaveProperty('html_content');
    for (const query of ['limit=0', 'limit=101', 'offset=-1'])
      expect((await service().get(`/v1/templates?${query}`, key)).status).toBe(400);
  });

  test('make PDFs in their current or a given version', async () => {
    const { id } = await create({ ...draft, html_content: '<p>first {{name}}</p>' });
    await put(id, { html_content: '<p>second {{name}}</p>' });
    const data = { name: 'Ada' };
    const latest = await service().pdf({ template: id, data });
    const pinned = await service().pdf({ template: id, template_version: 1, data });
    if (toolsAvailable) {
      expect(await pdfText(latest)).toContain('second Ada');
      expect(await pdfText(pinned)).toContain('first Ada');
    }
    const never = await service().post('/v1/generate', { template: id, template_version: 3 });
    expect([never.status, never.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const foreign = await service().post('/v1/generate', { template: id }, await service().newKey());
    expect(foreign.status).toBe(404);
  });

  test('are deleted with their versions, and generations keep the id', async () => {
    const { id } = await create();
    const generation = (await service().post('/v1/generate', { template: id })).body;
    const { status, body } = await remove(id);
    expect([status, body]).toEqual([200, { id, deleted: true }]);
    for (const path of [id, `${id}?version=1`])
      expect((await service().get(`/v1/templates/${path}`)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    expect((await put(id, { name: 'x' })).status).toBe(404);
    expect((await service().post('/v1/generate', { template: id })).status).toBe(404);
    expect((await service().get(`/v1/generations/${generation.id}`)).body.template_id).toBe(id);
  });
});

describe('an unknown template', () => {
  const answerOf = ({ status, body }: { status: number; body: { error: object } }) => {
    const { request_id: _, ...error } = body.error as { request_id: string };
    return { status, error };
  };

  test("gets the same 404 as another account's template and an invalid id", async () => {
    const { id } = await create();
    const key = await service().newKey();
    const unknown = `tmpl_${'0'.repeat(24)}`;
    const absent = { status: 404, error: expect.objectContaining({ code: 'NOT_FOUND' }) };
    for (const odd of [
      id,
      unknown,
      '..%2f..%2fetc',
      '%00',
      `${id}%00`,
      'x'.repeat(10_000),
      '%F0%9F%A7%BE',
      '$ne',
    ]) {
      const answers = await Promise.all([
        service().get(`/v1/templates/${odd}`, key),
        put(odd, { name: 'x' }, key),
        remove(odd, key),
      ]);
      for (const answer of answers) expect(answerOf(answer)).toEqual(absent);
      expect(new Set(answers.map((answer) => JSON.stringify(answerOf(answer)))).size).toBe(1);
    }
    expect((await service().get(`/v1/templates/${id}`)).status).toBe(200);
  });
});

describe('an invalid template is rejected:', () => {
  const bodies: Record<string, [body: object, path: string, says: string]> = {
    'no name': [{ html_content: 'x' }, 'name', 'is required'],
    'no HTML': [{ name: 'x' }, 'html_content', 'is required'],
    'empty HTML': [{ ...draft, html_content: '' }, 'html_content', '1 to 2000000'],
    'a name of 1 MB': [{ ...draft, name: 'x'.repeat(1_000_000) }, 'name', '1 to 200 characters'],
    'HTML of 5 MB': [{ ...draft, html_content: 'x'.repeat(5_000_000) }, 'html_content', '1 to 2000000'],
    'an unclosed block': [{ ...draft, html_content: '<p>\n{{#if a}}' }, 'html_content', 'line 2'],
    'an unknown helper': [{ ...draft, html_content: '{{shout a}}' }, 'html_content', 'line 1, column 1'],
    'a schema that is a list': [{ ...draft, schema: ['name'] }, 'schema', 'an object'],
    'an unknown type': [{ ...draft, schema: { name: 'text' } }, 'schema.name', 'one of string, number'],
    'a type that is a number': [{ ...draft, schema: { 'a\nb': 3 } }, 'schema.a\nb', 'one of string, number'],
    'a variable without a name': [{ ...draft, schema: { '': 'any' } }, 'schema', '1 to 200 characters'],
    'a variable with a long name': [
      { ...draft, schema: { ['x'.repeat(201)]: 'any' } },
      'schema.',
      '1 to 200',
    ],
    '501 variables': [
      { ...draft, schema: Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`v${n}`, 'any'])) },
      'schema',
      'at most 500',
    ],
    __proto__: [
      { ...draft, schema: JSON.parse('{"__proto__":"string"}') },
      'schema.__proto__',
      'reserved name',
    ],
    'a name of spaces': [{ ...draft, name: ' \u3000 ' }, 'name', 'must not be blank'],
    'a line break in a name': [{ ...draft, name: 'a\nb' }, 'name', 'control characters'],
    'U+0000 in a name': [{ ...draft, name: 'a\0' }, 'name', 'control characters'],
    'an unpaired surrogate in a name': [{ ...draft, name: 'x\ud800' }, 'name', 'well-formed'],
    'an unpaired surrogate in HTML': [
      { ...draft, html_content: '<p>\udc00</p>' },
      'html_content',
      'well-formed',
    ],
    'an unpaired surrogate in the name of a variable': [
      { ...draft, schema: { 'a\ud800': 'any' } },
      'schema',
      'well-formed',
    ],
    is_public: [{ ...draft, is_public: true }, 'is_public', 'unknown field'],
    'an unknown category': [{ ...draft, category: 'poster' }, 'category', '"invoice", "receipt"'],
  };

  test.each(Object.entries(bodies))('%s', async (_name, [body, path, says]) => {
    const { id } = await create();
    const answers = [await service().post('/v1/templates', body), await put(id, body)];
    // An update may omit fields.
    const checked = says === 'is required' ? answers.slice(0, 1) : answers;
    for (const answer of checked) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(says);
      expect(answer.body.error.details[0].path).toStartWith(path);
    }
    const read = await service().get(`/v1/templates/${id}`);
    if (says !== 'is required') expect(read.body).toMatchObject({ ...draft, version: 1 });
  });

  test('an empty update', async () => {
    const { id } = await create();
    expect((await put(id, {})).status).toBe(400);
  });
});

test('prototype names in the data and schema of a template have no effect', async () => {
  const html = '[{{constructor}}|{{__proto__.x}}|{{lookup this "constructor"}}]';
  const { id } = await create({ ...draft, html_content: html, schema: { constructor: 'string' } });
  const body = `{"template":"${id}","data":{"__proto__":{"x":1},"constructor":"mine"}}`;
  const answer = await service().request('POST', '/v1/generate', { body });
  expect(answer.status).toBe(200);
  if (toolsAvailable)
    expect(await pdfText(await service().download(answer.body.url))).not.toMatch(/function|native|object/);
  expect(({} as Record<string, unknown>)['x']).toBeUndefined();
});

test('a category selects templates, and an unknown one selects none', async () => {
  const key = await service().newKey();
  await create(draft, key);
  const letter = await create({ ...draft, category: 'letter' }, key);
  const list = async (query: string) =>
    (await service().request('GET', `/v1/templates?${query}`, { key })).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect(await list('category=letter')).toEqual([letter.id]);
  expect(await list('category=letter&search=memo')).toEqual([]);
  expect(await list('category=novel')).toEqual([]);
  expect(await list('')).toHaveLength(2);
});
