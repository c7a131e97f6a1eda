import { describe, expect, test } from 'bun:test';
import type { Scope } from '../../src/accounts/scopes.ts';
import { describeWithPdfTools, pdfText } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { callTool } from './agent-session.ts';
import { connect, connectOlder } from './connect.ts';

const service = sharedService();

const TOOLS = [
  'render_document',
  'look_at_pages',
  'check_layout',
  'list_templates',
  'get_template',
  'save_template',
  'describe_operation',
  'run_pdf_operation',
  'fill_form',
  'find_documents',
];

/** Calls a tool with a key; by default with that of the service. */
async function call(name: string, given: Record<string, unknown> = {}, key = service().key) {
  const client = await connect({ url: service().url, key });
  try {
    return await callTool(client, name, given);
  } finally {
    await client.close();
  }
}

/** Sends a message without a client. */
const post = (body: unknown, headers: Record<string, string> = {}) =>
  service().request('POST', '/mcp', { body, headers });

const rpc = (method: string, params?: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  ...(params && { params }),
});

describe('the official clients', () => {
  test.each(['2025', '2026'] as const)('list and call tools in the era %s', async (era) => {
    const client = await connect(service(), era);
    expect(client.getNegotiatedProtocolVersion()).toStartWith(era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    for (const { description = '', inputSchema } of tools) {
      expect(description.length).toBeGreaterThan(80);
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    }
    const { answer } = await callTool(client, 'list_templates', { limit: 1 });
    expect(answer).toEqual({ templates: [], has_more: false });
    await client.close();
  });

  test('of the first SDK list and call tools', async () => {
    const client = await connectOlder(service());
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(TOOLS);
    const result = await client.callTool({ name: 'describe_operation', arguments: { operation: 'stamp' } });
    expect(result.structuredContent).toMatchObject({ operation: 'stamp', fields: { text: {} } });
    await client.close();
  });
});

describeWithPdfTools('documents of tools', () => {
  test('have the language that locale names', async () => {
    const { body: made } = await service().post('/v1/templates', {
      name: 'Bill',
      html_content: '<p>{{t "total"}}</p>',
      translations: { en: { total: 'Total' }, de: { total: 'Summe' } },
    });
    const textIn = async (locale: object) => {
      const { answer } = await call('render_document', { template: made.id, data: {}, ...locale });
      return (await pdfText(await service().download(String(answer['url'])))).trim();
    };
    expect(await textIn({ locale: 'de-AT' })).toBe('Summe');
    expect(await textIn({})).toBe('Total');
  });
});

describe('documents', () => {
  test('blank pages, missing glyphs and failed assets are findings; images are limited', async () => {
    const blank = '<p style="break-after: page">1</p><div style="break-after: page"></div>';
    const html = `${blank.repeat(3)}<p>\u{10fffd}</p><img src="http://10.0.0.1/logo.png">`;
    const strict = await call('render_document', { html });
    expect(strict.isError).toBe(true);
    expect(strict.text).toMatch(/^2 faults: .*http:\/\/10\.0\.0\.1\/logo\.png/);
    const { answer } = await call('render_document', { html, options: { strict: false } });
    expect(answer).toMatchObject({ pages: 7, test: false });
    const { answer: layout } = await call('check_layout', { id: answer.id });
    expect(layout.findings.map(({ code, page }: { code: string; page?: number }) => [code, page])).toEqual([
      ['ASSET_FAILED', undefined],
      ['MISSING_GLYPHS', undefined],
      ['BLANK_PAGE', 2],
      ['BLANK_PAGE', 4],
      ['BLANK_PAGE', 6],
    ]);
    const looked = await call('look_at_pages', { id: answer.id, width: 100 });
    expect([looked.images.length, looked.answer.shown, looked.answer.not_shown]).toEqual([
      4,
      [1, 2, 3, 4],
      3,
    ]);
    expect((await call('look_at_pages', { id: answer.id, pages: '5,7-', width: 100 })).answer.shown).toEqual([
      5, 7,
    ]);
    for (const pages of [[5, 7], 5])
      expect((await call('look_at_pages', { id: answer.id, pages, width: 100 })).answer.shown).toEqual(
        [pages].flat(),
      );
    expect((await call('look_at_pages', { id: answer.id, pages: ['5'] })).text).toBe(
      'pages[0]: must be a page number such as 7',
    );
    expect((await call('look_at_pages', { id: answer.id, pages: true })).text).toBe(
      'pages: must be a selection such as "1-3,7", or a list of page numbers such as [1, 7]',
    );
    const repeated = await call('look_at_pages', { id: answer.id, pages: '1-4,2,1-4', width: 100 });
    expect([repeated.answer.shown, repeated.answer.not_shown]).toEqual([[1, 2, 3, 4], undefined]);
    expect((await call('look_at_pages', { id: answer.id, pages: '8' })).text).toBe(
      'pages: must be within 1-7: the document has 7 pages',
    );
    const { answer: found } = await call('find_documents', { status: 'completed', limit: 1 });
    expect(found.documents[0]).toMatchObject({ id: answer.id, pages: 7 });
  });

  test('tags without data are an error under strict, which is the default', async () => {
    const { isError, text } = await call('render_document', { html: '<p>{{name}}</p>' });
    expect([isError, text.slice(0, 16)]).toEqual([true, 'data: is missing']);
    const printed = { html: '<p>{{name}}</p>', options: { strict: false } };
    expect((await call('render_document', printed)).answer.pages).toBe(1);
    expect(
      (await call('render_document', { markdown: '# {{name}}', data: { name: 'a' } })).answer.pages,
    ).toBe(1);
  });
});

describeWithPdfTools('operations', () => {
  test('run on ids, and their results have ids', async () => {
    const { answer: document } = await call('render_document', {
      html: '<form>Name <input name="name"></form>',
      options: { format: 'A5' },
    });
    const merged = await call('run_pdf_operation', {
      id: document.id,
      operation: 'merge',
      fields: { pdfs: [document.id] },
      file_name: 'two.pdf',
    });
    expect(merged.answer).toMatchObject({ pages: 2, file_name: 'two.pdf' });
    const text = await call('run_pdf_operation', {
      id: merged.answer.id,
      operation: 'text',
      fields: { pages: [2] },
    });
    expect(text.answer.pages[0].text).toContain('Name');
    const listed = await call('fill_form', { id: document.id });
    expect(listed.answer.total).toBe(0);
    const added = await service().post('/v1/pdf/forms/add-fields', {
      pdf: document.id,
      fields: [{ type: 'text', name: 'name', page: 0, x: 50, y: 50, width: 200, height: 20 }],
    });
    const filled = await call('fill_form', {
      id: added.body.file_id,
      fields: { name: 'Ada' },
      flatten: true,
    });
    expect(filled.answer.url).toStartWith(service().url);
    const read = await call('run_pdf_operation', { id: filled.answer.id, operation: 'text' });
    expect(read.answer.pages[0].text).toContain('Ada');
    const unknown = await call('fill_form', { id: added.body.file_id, fields: { nme: 'Ada' } });
    expect(unknown.text).toStartWith('fields.nme: there is no field "nme"');
  });

  test.each([
    [{ operation: 'nothing' }, 'operation: must be one of accessible'],
    [{ operation: 'protect', fields: { user_password: 'a' } }, 'operation: protect is off'],
    [{ operation: 'stamp', fields: { txt: 'a' } }, 'fields.txt: unknown field; valid fields are text'],
    [{ operation: 'stamp', fields: { do: 'sign', text: 'a' } }, 'fields.do: is not a field'],
    [{ operation: 'stamp', feilds: {} }, 'feilds: unknown field; valid fields are id, operation, fields'],
    [{ operation: 'stamp', e: 1, o: 2 }, '2 faults: e, o: unknown field; valid fields are id, operation'],
  ])('%j is answered in a sentence', async (given, sentence) => {
    const { answer } = await call('render_document', { html: '<p>a</p>' });
    const result = await call('run_pdf_operation', { id: answer.id, ...given });
    expect(result.isError).toBe(true);
    expect(result.text).toStartWith(sentence);
  });
});

describe('keys', () => {
  const NEEDED: readonly (readonly [Scope, string, Record<string, unknown>])[] = [
    ['generate', 'render_document', { html: 'x' }],
    ['generations', 'look_at_pages', { id: 'gen_x' }],
    ['files', 'check_layout', { id: 'file_x' }],
    ['templates:read', 'list_templates', {}],
    ['templates:read', 'get_template', { id: 'tmpl_x' }],
    ['templates:write', 'save_template', { name: 'x', html: 'x' }],
    ['pdf', 'describe_operation', {}],
    ['pdf', 'run_pdf_operation', { id: 'gen_x', operation: 'info' }],
    ['pdf', 'fill_form', { id: 'gen_x' }],
    ['generations', 'find_documents', {}],
  ];

  test('without a scope get an error that names it, and see all tools', async () => {
    const key = await service().newKeyOfAccount({ scopes: ['usage'] });
    const client = await connect({ url: service().url, key });
    expect((await client.listTools()).tools).toHaveLength(TOOLS.length);
    for (const [scope, name, given] of NEEDED) {
      const { isError, text } = await callTool(client, name, given);
      expect([name, isError, text]).toEqual([
        name,
        true,
        `the API key lacks the scope "${scope}"; use a key that has it`,
      ]);
    }
    await client.close();
  });

  test('of another account find nothing', async () => {
    const { answer } = await call('render_document', { html: '<p>secret</p>' });
    const { answer: template } = await call('save_template', { name: 'secret', html: '<p>secret</p>' });
    const { answer: file } = await call('run_pdf_operation', { id: answer.id, operation: 'flatten' });
    const foreign = await service().newKey();
    const tries: [string, Record<string, unknown>][] = [
      ['look_at_pages', { id: answer.id }],
      ['look_at_pages', { id: file.id }],
      ['check_layout', { id: answer.id }],
      ['check_layout', { id: file.id }],
      ['run_pdf_operation', { id: file.id, operation: 'text' }],
      ['fill_form', { id: answer.id }],
      ['get_template', { id: template.id }],
      ['save_template', { id: template.id, html: 'x' }],
      ['render_document', { template: template.id, data: {} }],
    ];
    for (const [name, given] of tries) {
      const { isError, text } = await call(name, given, foreign);
      expect([name, isError]).toEqual([name, true]);
      expect([name, text]).toEqual([name, expect.stringContaining('not found')]);
    }
    expect((await call('find_documents', {}, foreign)).answer.documents).toEqual([]);
    expect((await call('list_templates', {}, foreign)).answer.templates).toEqual([]);
    expect((await call('get_template', { id: template.id })).answer.html).toBe('<p>secret</p>');
  });

  test('that are test keys make marked documents', async () => {
    const key = await service().newKeyOfAccount({ test: true });
    const html = '<p>1</p><div style="break-before: page"></div>';
    const { answer } = await call(
      'render_document',
      { html: `${html}<p style="break-before: page">3</p>` },
      key,
    );
    expect(answer).toMatchObject({ test: true, pages: 3 });
    const { answer: layout } = await call('check_layout', { id: answer.id }, key);
    expect(layout.findings).toMatchObject([{ code: 'BLANK_PAGE', page: 2 }]);
  });

  test.each([
    ['no key', {}],
    ['an unknown key', { authorization: `Bearer plt_live_${'x'.repeat(40)}` }],
    ['another scheme', { authorization: 'Basic eDp4' }],
  ])('%s is a 401 that says how to send one', async (_, headers) => {
    const {
      status,
      body,
      headers: sent,
    } = await service().request('POST', '/mcp', {
      key: null,
      body: rpc('tools/list'),
      headers,
    });
    expect([status, sent.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(body).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
    expect(body.error.message).toContain('Authorization: Bearer <API key>');
  });

  test('that were revoked are a 401', async () => {
    const key = await service().newKey();
    const owner = await service().accounts.authenticate(key);
    await service().accounts.revokeKey(owner?.keyId ?? '');
    expect((await service().request('POST', '/mcp', { key, body: rpc('tools/list') })).status).toBe(401);
  });
});

describe('faulty messages', () => {
  test.each([
    ['a batch', [rpc('tools/list')], 400, -32_600],
    ['no JSON', '{"jsonrpc"', 400, -32_600],
    ['text', '"tools/list"', 400, -32_600],
    ['another version of JSON-RPC', { ...rpc('tools/list'), jsonrpc: '1.0' }, 400, -32_600],
    ['arguments that are a list', rpc('tools/call', { name: 'find_documents', arguments: [] }), 400, -32_600],
    ['a message of 70 kB beside the arguments', rpc('ping', { x: 'x'.repeat(70_000) }), 400, -32_600],
    ['an unknown method', rpc('tools/delete'), 200, -32_601],
    ['a stream of events', rpc('subscriptions/listen'), 200, -32_601],
  ])('%s is an error of JSON-RPC', async (_, body, status, code) => {
    const answer = await post(body);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(JSON.stringify(answer.body)).not.toMatch(/\bat .*\.ts/);
  });

  test.each([
    ['2099-01-01', {}],
    ['2026-07-28', { 'mcp-protocol-version': '2026-07-28' }],
  ])('the protocol version %s in a wrong message is a 400', async (version, headers) => {
    const answer = await post(rpc('tools/list'), { 'mcp-protocol-version': version, ...headers });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBeString();
  });

  test('other content types are a 400, and a body of more than 10 MB is refused', async () => {
    const plain = await post(JSON.stringify(rpc('tools/list')), { 'content-type': 'text/plain' });
    expect([plain.status, plain.body.error.message]).toEqual([
      400,
      'the body must be JSON with the header Content-Type: application/json',
    ]);
    const html = 'x'.repeat(10_000_000);
    const large = await post(rpc('tools/call', { name: 'render_document', arguments: { html } }));
    expect(large.status).toBe(400);
  });

  test.each(['GET', 'DELETE', 'PUT'])('%s is a 405, because there are no sessions', async (method) => {
    const { status, headers, body } = await service().request(method, '/mcp');
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    expect(body.error.code).toBe(-32_000);
  });

  test('unknown tools and arguments are results that name them', async () => {
    const client = await connect(service());
    expect((await callTool(client, 'constructor')).text).toStartWith(
      'there is no tool of this name; the tools are',
    );
    const given = { html: 'x', url: 'http://10.0.0.1/' };
    expect(await callTool(client, 'render_document', given)).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^url: unknown field; valid fields are html, markdown/),
    });
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`x${index}`, 1]));
    expect((await callTool(client, 'find_documents', many)).isError).toBe(true);
    await client.close();
  });
});
