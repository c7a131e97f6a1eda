import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { actionExamples } from '../../../plugins/integrations/examples.ts';
import { TestKeyClient } from '../../support/accounts/test-key-client.ts';
import { completed, onePagers, submit } from '../../support/batch/batches.ts';
import { pdfText, requireTools } from '../../support/pdf/pdf.ts';
import { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';

setDefaultTimeout(60_000);
const service = sharedService();
const ACTION = '/v1/integrations/actions/generate';
const GENERATIONS = '/v1/integrations/triggers/new-generation';
const TEMPLATES = '/v1/integrations/triggers/new-template';

/** Expects a text in a PDF if poppler is installed. */
async function expectText(pdf: Uint8Array, text: string): Promise<void> {
  if (requireTools()) expect(await pdfText(pdf)).toContain(text);
}

const idsOf = (items: { id: string }[]) => items.map(({ id }) => id);

describe('GET /v1/integrations/auth/test', () => {
  test('returns the account of the key', async () => {
    const key = await service().newKey('starter', 'zap@example.com');
    const { status, body } = await service().get('/v1/integrations/auth/test', key);
    expect([status, body]).toEqual([200, { authenticated: true, email: 'zap@example.com', plan: 'starter' }]);
  });

  test('rejects a wrong key', async () => {
    for (const key of [null, 'plt_live_wrong'])
      expect((await service().get('/v1/integrations/auth/test', key)).status).toBe(401);
  });
});

describe('GET /v1/integrations/triggers/new-generation', () => {
  test('returns a plain list of ended generations, newest first, with exactly the documented fields', async () => {
    const key = await service().newKey();
    expect((await service().get(GENERATIONS, key)).body).toEqual([]);
    const made = [];
    for (const html of ['<p>1</p>', '<p>2</p>', '<p>3</p>'])
      made.unshift((await service().post(ACTION, { html }, key)).body);
    const { status, body } = await service().get(GENERATIONS, key);
    expect(status).toBe(200);
    expect(idsOf(body)).toEqual(idsOf(made));
    const [newest] = body;
    expect(newest).toEqual({
      content_type: 'application/pdf',
      id: made[0].id,
      template_id: null,
      input_type: 'html',
      status: 'completed',
      url: expect.stringMatching(/\/file_[0-9A-Za-z]{24}/),
      pages: 1,
      file_size: made[0].file_size,
      generation_time_ms: expect.any(Number),
      error: null,
      expires_at: null,
      file_name: null,
      metadata: {},
      reference: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    await expectText(await service().download(newest.url), '3');
    expect(idsOf((await service().get(GENERATIONS, key)).body)).toEqual(idsOf(made));
    expect((await service().get(GENERATIONS, await service().newKey())).body).toEqual([]);
  });

  test('returns no field that the schema does not describe', async () => {
    const key = await service().newKey();
    await completed(service(), await submit(service(), onePagers(1), { key }), key);
    const { PolledGeneration } = (await service().get('/openapi.json')).body.components.schemas;
    const [item] = (await service().get(GENERATIONS, key)).body;
    expect(Object.keys(item).toSorted()).toEqual(Object.keys(PolledGeneration.properties).toSorted());
  });

  test('returns test documents to test keys, and all others to live keys', async () => {
    const { live, testKey } = await new TestKeyClient(service).newKeys();
    const real = (await service().post(ACTION, { html: 'live' }, live)).body;
    const marked = (await service().post(ACTION, { html: 'test' }, testKey)).body;
    // A failed document.
    await service().post('/v1/generate', { react: 'no component' }, testKey);
    expect(idsOf((await service().get(GENERATIONS, live)).body)).toEqual([real.id]);
    const { body } = await service().get(GENERATIONS, testKey);
    expect(body.map(({ status }: { status: string }) => status)).toEqual(['failed', 'completed']);
    expect(body[1].id).toBe(marked.id);
    expect(idsOf((await service().get(`${GENERATIONS}?limit=1`, live)).body)).toEqual([real.id]);
  });

  test('includes failed generations with their error', async () => {
    const key = await service().newKey();
    const batch = await submit(service(), [{ html: 'a' }, { html: '{{#if}}', data: {} }, { html: 'b' }], {
      key,
    });
    await completed(service(), batch, key);
    const { body } = await service().get(GENERATIONS, key);
    expect(body).toHaveLength(3);
    const failed = body.filter(({ status }: { status: string }) => status === 'failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]).toMatchObject({
      url: null,
      pages: null,
      error: expect.stringMatching(/^TEMPLATE_ERROR: /),
    });
    expect(idsOf(body)).toEqual(idsOf((await service().get('/v1/generations', key)).body.data));
  });

  test('lists a generation only after it has ended', async () => {
    const key = await service().newKey();
    const batch = await submit(service(), onePagers(30), { key });
    const seen = new Set<string>();
    const poll = async () => {
      for (const item of (await service().get(`${GENERATIONS}?limit=100`, key)).body) {
        expect(item.status).toBe('completed');
        expect(item.url).toBeString();
        seen.add(item.id);
      }
    };
    await poll();
    await completed(service(), batch, key);
    await poll();
    expect([...seen].toSorted()).toEqual(idsOf(batch.body.generations).toSorted());
  });
});

test('GET /v1/integrations/triggers/new-template returns a plain list, newest first, with exactly the documented fields', async () => {
  const key = await service().newKey();
  expect((await service().get(TEMPLATES, key)).body).toEqual([]);
  const made = [];
  for (const name of ['A', 'B', 'C'])
    made.unshift((await service().post('/v1/templates', { name, html_content: name }, key)).body);
  await service().request('PUT', `/v1/templates/${made[2].id}`, { body: { html_content: 'A2' }, key });
  const { body } = await service().get(TEMPLATES, key);
  expect(idsOf(body)).toEqual(idsOf(made));
  expect(body[2]).toEqual({
    id: made[2].id,
    name: 'A',
    version: 2,
    is_public: false,
    created_at: made[2].created_at,
    updated_at: expect.any(String),
  });
  expect((await service().get(TEMPLATES, await service().newKey())).body).toEqual([]);
});

describe('the limit parameter of a trigger', () => {
  test('is 10 by default and at most 100', async () => {
    const key = await service().newKey();
    await completed(service(), await submit(service(), onePagers(12), { key }), key);
    for (let i = 0; i < 12; i += 1)
      await service().post('/v1/templates', { name: `T${i}`, html_content: 'x' }, key);
    for (const path of [GENERATIONS, TEMPLATES]) {
      const count = async (query: string) => (await service().get(path + query, key)).body.length;
      expect(await count('')).toBe(10);
      expect(await count('?limit=1')).toBe(1);
      expect(await count('?limit=11')).toBe(11);
      expect(await count('?limit=100')).toBe(12);
    }
  });

  test.each(['0', '101', '-1', 'abc', '', '1.5', '1e1', ' 5', '99999999999999999999'])(
    'rejects "%s"',
    async (limit) => {
      for (const path of [GENERATIONS, TEMPLATES]) {
        const { status, body } = await service().get(`${path}?limit=${encodeURIComponent(limit)}`);
        expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
        expect(body.error.message).toBe('limit: must be an integer 1 to 100');
      }
    },
  );
});

describe('POST /v1/integrations/actions/generate', () => {
  test('makes a PDF from a flat body, and records and counts it', async () => {
    const email = 'action@example.com';
    const key = await service().newKey('free', email);
    await service().accounts.set(email, { monthlyLimit: 1 });
    const { status, body } = await service().post(ACTION, actionExamples.html, key);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^gen_/),
      url: expect.stringMatching(/\/file_[0-9A-Za-z]{24}/),
      pages: 1,
      file_size: expect.any(Number),
    });
    const pdf = await service().download(body.url);
    expect(pdf.byteLength).toBe(body.file_size);
    await expectText(pdf, 'Hello Ada');
    expect((await service().get(`/v1/generations/${body.id}`, key)).body).toMatchObject({
      id: body.id,
      input_type: 'html',
      status: 'completed',
    });
    const full = await service().post(ACTION, { html: 'x' }, key);
    expect([full.status, full.body.error.code]).toEqual([403, 'USAGE_LIMIT_EXCEEDED']);
  });

  test('accepts a template of the account, but not of another account', async () => {
    const [key, other] = [await service().newKey(), await service().newKey()];
    const template = (
      await service().post('/v1/templates', { name: 'T', html_content: '<p>No. {{number}}</p>' }, key)
    ).body;
    const { status, body } = await service().post(
      ACTION,
      { template_id: template.id, data: { number: 7 } },
      key,
    );
    expect(status).toBe(200);
    await expectText(await service().download(body.url), 'No. 7');
    expect((await service().get(GENERATIONS, key)).body[0]).toMatchObject({
      template_id: template.id,
      input_type: 'template',
    });
    for (const id of [template.id, 'tmpl_000000000000000000000000', 'x']) {
      const answer = await service().post(ACTION, { template_id: id }, other);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('lists the known fields in the error for an unknown one', async () => {
    const { body } = await service().post(ACTION, { html: 'x', margin: '1in' });
    expect(body.error.message).toBe(
      'margin: unknown field; valid fields are html, template_id, data, format, orientation',
    );
  });

  test.each(
    Object.entries({
      'no source': [{}, 'html', 'one of html and template_id is required'],
      'both sources': [{ html: 'x', template_id: 'tmpl_x' }, 'template_id', 'html or template_id, not both'],
      'nested options': [{ html: 'x', options: { format: 'A4' } }, 'options', 'the body is flat'],
      'options of null': [{ html: 'x', options: null }, 'options', 'the body is flat'],
      'the field name of /v1/generate': [
        { template: 'tmpl_x' },
        'template',
        'valid fields are html, template_id, data, format, orientation',
      ],
      'an output': [{ html: 'x', output: 'base64' }, 'output', 'unknown field'],
      'a webhook': [{ html: 'x', webhook: 'https://example.com/' }, 'webhook', 'unknown field'],
      'an unknown format': [{ html: 'x', format: 'A9' }, 'format', 'one of A0, A1, A2'],
      'a format with width and height': [
        { html: 'x', format: { width: '5in', height: '5in' } },
        'format',
        'one of A0, A1, A2',
      ],
      'an unknown orientation': [
        { html: 'x', orientation: 'up' },
        'orientation',
        '"portrait" or "landscape"',
      ],
      'data that is a list': [{ html: 'x', data: [] }, 'data', 'an object'],
      'data that is a string': [{ html: 'x', data: '{}' }, 'data', 'an object'],
      'empty html': [{ html: '' }, 'html', '1 to'],
      'an empty template': [{ template_id: '' }, 'template_id', '1 to 100'],
      'html of null': [{ html: null }, 'html', 'a string'],
      'a template that is a number': [{ template_id: 7 }, 'template_id', 'a string'],
      'Handlebars that does not parse': [{ html: '{{#if a}}', data: {} }, 'html', 'line 1'],
      'a body that is a list': [[], '', 'the body must be an object'],
    } satisfies Record<string, [unknown, string, string]>),
  )('rejects %s', async (_, [sent, field, says]) => {
    const { status, body } = await service().post(ACTION, sent);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain(says);
    if (field) expect(body.error.details.map(({ path }: { path: string }) => path)).toContain(field);
  });

  test('names template_id if the template fails', async () => {
    const { body: template } = await service().post('/v1/templates', {
      name: 'T',
      html_content: '{{formatCurrency a "EUR"}}',
    });
    const { status, body } = await service().post(ACTION, { template_id: template.id, data: { a: 'x' } });
    expect([status, body.error.details[0].path]).toEqual([400, 'template_id']);
  });
});

test('without the plugin templates, its trigger gets 404 and the other routes work', async () => {
  await using own = await TestService.start({
    env: { PLATEN_PLUGINS: '-templates,-template-tests,-marketplace,-starters' },
  });
  expect((await own.get(TEMPLATES)).status).toBe(404);
  expect((await own.get(GENERATIONS)).body).toEqual([]);
  expect((await own.post(ACTION, { html: 'x' })).status).toBe(200);
  const { status, body } = await own.post(ACTION, { template_id: 'tmpl_x' });
  expect([status, body.error.details[0].path]).toEqual([400, 'template_id']);
});
