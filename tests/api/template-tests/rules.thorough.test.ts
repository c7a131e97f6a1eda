import { describe, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const send = (method: string, path: string, body?: unknown, key?: string) =>
  service().request(method, path, {
    ...(body !== undefined && { body }),
    ...(key !== undefined && { key }),
  });

const HTML = '<h1>Invoice {{number}}</h1><p style="width: 200px">{{text}}</p>';
const NARROW = HTML.replace('200px', '100px');
const DATA = { number: 1, text: 'Payable within ten days' };

/** Creates a template, and returns its path. */
async function create(fields: object = {}): Promise<string> {
  const created = await send('POST', '/v1/templates', { name: 'Test', html_content: HTML, ...fields });
  expect(created.status).toBe(201);
  return `/v1/templates/${created.body.id}`;
}

const putCase = (template: string, name: string, data: object = DATA) =>
  send('PUT', `${template}/cases/${name}`, { data });
const accept = (template: string, name: string) => send('POST', `${template}/cases/${name}/accept`, {});
const check = (template: string, body: object = {}) => send('POST', `${template}/check`, body);

/** Creates a template with an accepted case. */
async function createAccepted(fields: object = {}): Promise<string> {
  const template = await create(fields);
  await putCase(template, 'one');
  expect((await accept(template, 'one')).status).toBe(200);
  return template;
}

/** Returns the status and the message of an error. */
const messageOf = ({ status, body }: { status: number; body?: { error?: { message: string } } }) =>
  `${status} ${body?.error?.message}`;

describe('checks and acceptances', () => {
  test('apply the schema of the template to the data of a case', async () => {
    const template = await create({ schema: { number: 'number!', text: 'number' } });
    await putCase(template, 'lacking', { text: 'x' });
    await putCase(template, 'one');
    const { body } = await check(template);
    expect(body.cases).toMatchObject([
      {
        name: 'lacking',
        status: 'failed',
        error: { code: 'SCHEMA_MISMATCH', message: expect.stringContaining('the data has no number') },
      },
      {
        name: 'one',
        status: 'new',
        layout: [{ page: null, finding: expect.stringMatching(/^SCHEMA_MISMATCH: text is /) }],
      },
    ]);
    const { body: ofHtml } = await check(template, { html_content: '{{number}}', cases: ['lacking'] });
    expect(ofHtml.cases).toMatchObject([{ status: 'failed', error: { code: 'SCHEMA_MISMATCH' } }]);
    expect(messageOf(await accept(template, 'lacking'))).toMatch(/^400 .*the data has no number/);
    expect((await accept(template, 'one')).status).toBe(200);
    expect((await check(template, { cases: ['one'] })).body.passed).toBe(true);
  });

  test('make documents, so the key needs the scope generate', async () => {
    const template = await createAccepted();
    const key = await service().newKeyOfAccount({ scopes: ['templates:read', 'templates:write'] });
    for (const path of ['/check', '/cases/one/accept']) {
      const refused = await send('POST', template + path, {}, key);
      expect([path, messageOf(refused)]).toEqual([path, expect.stringMatching(/^403 .*generate/)]);
    }
    expect((await send('GET', `${template}/cases/one`, undefined, key)).status).toBe(200);
  });
});

describe('require_checks', () => {
  test('checks a change of the schema', async () => {
    const template = await createAccepted({ require_checks: true });
    const held = await send('PUT', template, { schema: { customer: 'string!' } });
    expect(held.body).toMatchObject({
      draft_version: 2,
      check: { passed: false, cases: [{ name: 'one', status: 'failed' }] },
    });
    expect((await send('GET', template)).body.schema).toEqual({});
  });

  test('holds no change back that another request has overtaken', async () => {
    const template = await createAccepted({ require_checks: true });
    const [held, tagged] = await Promise.all([
      send('PUT', template, { html_content: NARROW }),
      send('PUT', template, { sample_data: { number: 7 } }),
    ]);
    expect(tagged.status).toBe(200);
    const current = (await send('GET', template)).body;
    expect(current.sample_data).toEqual({ number: 7 });
    if (held.status === 200) {
      // The change began after the other one.
      expect(held.body.sample_data).toEqual({ number: 7 });
    } else {
      expect(messageOf(held)).toMatch(/^409 another request changed the template/);
      expect(current.draft_version).toBeNull();
    }
  });
});
