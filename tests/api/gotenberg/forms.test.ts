import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { basic, postForm, read } from '../../support/gotenberg/client.ts';
import { follow } from '../../support/openapi.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const echo = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'gotenberg-echo.ts');
const service = sharedService({
  env: { API_BODY_LIMIT: '100KB' },
  config: { plugins: { [echo]: true } },
});
const pdf = (name: string, content = `content of ${name}`) => ({ name, content });
const get = async (path: string, headers: Record<string, string> = {}) =>
  read(await fetch(service().url + path, { headers }));

describe('a form', () => {
  const send = (fields: Record<string, string>) =>
    postForm(service(), 'forms/test/fields', { fields: { url: 'x', ...fields } });

  test('has values as Go reads them, and defaults', async () => {
    const { text } = await send({
      flag: 'T',
      count: '+7',
      scale: '.5',
      wait: '1m2.5s',
      media: 'print',
      data: '{"a":[1]}',
    });
    expect(JSON.parse(text)).toMatchObject({
      text: 'usual',
      flag: true,
      count: 7,
      scale: 0.5,
      wait: 62_500,
      media: 'print',
      data: { a: [1] },
    });
    expect(JSON.parse((await send({})).text)).toMatchObject({ flag: false, count: 0, wait: 0, media: '' });
  });

  test('with faults is rejected with the texts of Gotenberg, all at once', async () => {
    const { status, type, text } = await send({
      flag: 'yes',
      count: '1.5',
      scale: 'a',
      wait: '10',
      media: 'tv',
      data: 'foo',
      url: '',
    });
    expect([status, type]).toEqual([400, 'text/plain; charset=UTF-8']);
    expect(text).toBe(
      [
        `Invalid form data: form field 'flag' is invalid (got 'yes', resulting to strconv.ParseBool: parsing "yes": invalid syntax)`,
        `form field 'count' is invalid (got '1.5', resulting to strconv.Atoi: parsing "1.5": invalid syntax)`,
        `form field 'scale' is invalid (got 'a', resulting to strconv.ParseFloat: parsing "a": invalid syntax)`,
        `form field 'wait' is invalid (got '10', resulting to time: missing unit in duration "10")`,
        `form field 'media' is invalid (got 'tv', resulting to wrong value, expected either 'screen', 'print' or empty)`,
        `form field 'data' is invalid (got 'foo', resulting to unmarshal data: invalid character 'o' in literal false (expecting 'a'))`,
        `form field 'url' is required`,
      ].join('\n'),
    );
  });

  test('is read as clients of other languages write it', async () => {
    const lines = [
      'preamble',
      '--b',
      'Content-Type: text/plain; charset=ISO-8859-1',
      'Content-Disposition: form-data; name=text',
      'Content-Transfer-Encoding: 8bit',
      '',
      'caf\u00E9',
      '--b',
      'Content-Disposition: form-data; name="url"',
      '',
      'x',
      '--b--',
    ];
    const body = Buffer.from(lines.join('\r\n'), 'latin1');
    const headers = {
      authorization: `Bearer ${service().key}`,
      'content-type': 'multipart/form-data; boundary=b',
    };
    const sent = await fetch(`${service().url}/forms/test/fields`, { method: 'POST', headers, body });
    expect(await sent.json()).toMatchObject({ text: 'caf\u00E9', url: 'x' });
  });

  test('with a file whose name is too long is rejected by name', async () => {
    const { status, text } = await postForm(service(), 'forms/test/files', {
      files: [{ name: `${'a'.repeat(1_000)}.pdf`, content: 'x' }],
    });
    expect([status, text]).toEqual([
      400,
      `Invalid form data: the name of form file '${'a'.repeat(100)}…' is longer than 1000 characters`,
    ]);
  });

  test('of another type, without a boundary, malformed or too large gets the error of Gotenberg', async () => {
    const path = `${service().url}/forms/test/fields`;
    const post = async (type: string, body: string) => {
      const headers = { authorization: `Bearer ${service().key}`, 'content-type': type };
      const { status, text } = await read(await fetch(path, { method: 'POST', headers, body }));
      return [status, text];
    };
    expect(await post('application/json', '{}')).toEqual([
      415,
      "Invalid 'Content-Type' header value: want 'multipart/form-data'",
    ]);
    expect(await post('multipart/form-data', 'x')).toEqual([
      415,
      "Invalid 'Content-Type' header value: no boundary",
    ]);
    expect(await post('multipart/form-data; boundary=b', 'x')).toEqual([
      400,
      "Malformed body: it does not match the 'Content-Type' header boundaries",
    ]);
    expect(await post('multipart/form-data; boundary=b', 'x'.repeat(100_001))).toEqual([
      413,
      'Request Entity Too Large',
    ]);
  });
});

describe('a result', () => {
  const send = (files: { name: string; content: string; field?: string }[], name = '') =>
    postForm(service(), 'forms/test/files', { files, headers: { 'gotenberg-output-filename': name } });

  test('is the file, under the name that the caller chooses', async () => {
    const own = await send([pdf('a.PDF')]);
    expect([own.status, own.type, own.text]).toEqual([200, 'application/pdf', 'content of a.PDF']);
    expect(own.headers.get('content-disposition')).toStartWith('attachment; filename="a.PDF"');
    const chosen = await send([pdf('a.pdf')], '/tmp/foo');
    expect(chosen.headers.get('content-disposition')).toStartWith('attachment; filename="foo.pdf"');
  });

  test('of several files is an archive in the order of their numbers', async () => {
    const files = ['10_b.pdf', 'page_10.pdf', 'x.pdf', '2_a.pdf', 'page_2.pdf'].map((name) => pdf(name));
    const { type, headers, text } = await send([...files, { ...pdf('x.pdf'), field: 'embeds' }], 'foo');
    expect(type).toBe('application/zip');
    expect(headers.get('content-disposition')).toContain('filename="foo.zip"');
    const names = ['2_a.pdf', '10_b.pdf', 'page_2.pdf', 'page_10.pdf', 'x.pdf', 'x_1.pdf'];
    expect([...text.matchAll(/content of \S+?\.pdf/g)].length).toBe(6);
    const positions = names.map((name) => text.indexOf(name));
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  test('of a file by its name ignores the case of the extension', async () => {
    expect((await send([pdf('a.pdf'), pdf('index.PDF')])).text).toBe('content of index.PDF');
  });

  test('needs files with the right extension', async () => {
    const { status, text } = await send([pdf('a.txt')]);
    expect([status, text]).toEqual([400, 'Invalid form data: no form file found for extensions: [.pdf]']);
  });

  test('that fails is an error in text, which reveals nothing about faults of the service', async () => {
    const fail = (mode: string) =>
      postForm(service(), 'forms/test/files', { fields: { mode }, files: [pdf('a.pdf')] });
    const conflict = await fail('conflict');
    expect([conflict.status, conflict.text]).toEqual([409, 'Invalid HTTP status code: 404']);
    const fault = await fail('fault');
    expect([fault.status, fault.text]).toEqual([500, 'Internal Server Error']);
  });
});

describe('callers', () => {
  test('identify themselves with a key, as a token or as a password', async () => {
    const send = (headers: Record<string, string>) =>
      postForm(service(), 'forms/test/fields', { fields: { url: 'x' }, headers });
    const key = await service().newKey('free', 'gina@example.com');
    for (const headers of [{ authorization: `Bearer ${key}` }, basic('anyone', key)])
      expect(JSON.parse((await send(headers)).text)).toMatchObject({ email: 'gina@example.com' });
    const wrong = [
      '',
      'Bearer plt_live_x',
      'Bearer',
      'Digest x',
      basic('a', 'b').authorization ?? '',
      'Basic !',
    ];
    for (const authorization of wrong) {
      const { status, text, headers } = await send({ authorization });
      expect([authorization, status, text]).toEqual([authorization, 401, 'Unauthorized']);
      expect(headers.get('www-authenticate')).toBe('basic realm=Restricted');
    }
  });

  test('need the scope of the route', async () => {
    const key = await service().newKeyOfAccount({ scopes: ['generate'] });
    const { status, text } = await postForm(service(), 'forms/test/fields', {
      headers: { authorization: `Bearer ${key}` },
    });
    expect([status, text]).toEqual([403, 'the API key lacks the scope "pdf"']);
  });

  test('find the trace of their request in every response, or a new one', async () => {
    const trace = { 'gotenberg-trace': 'mine' };
    const answers = [
      await get('/version', trace),
      await get('/forms/unknown', trace),
      await postForm(service(), 'forms/test/fields', { headers: { ...trace, authorization: '' } }),
      await postForm(service(), 'forms/test/fields', { headers: trace }),
    ];
    expect(answers.map(({ status, headers }) => [status, headers.get('gotenberg-trace')])).toEqual(
      [200, 404, 401, 400].map((status) => [status, 'mine']),
    );
    expect((await get('/version')).headers.get('gotenberg-trace')).toMatch(/^[\da-f-]{36}$/);
  });

  test('get 404 and 405 in text', async () => {
    const unknown = await get('/forms/unknown');
    expect([unknown.status, unknown.text]).toEqual([404, 'Not Found']);
    const wrong = await get('/forms/test/fields');
    expect([wrong.status, wrong.text, wrong.headers.get('allow')]).toEqual([
      405,
      'Method Not Allowed',
      'POST',
    ]);
  });
});

describe('the routes without forms', () => {
  test('tell the version and the metrics', async () => {
    const version = await get('/version');
    expect([version.text, version.type]).toEqual(['8.36.0', 'text/plain; charset=UTF-8']);
    const metrics = await get('/prometheus/metrics');
    expect(metrics.type).toBe('text/plain; version=0.0.4; charset=utf-8; escaping=underscores');
    expect(metrics.text).toContain(
      '# HELP gotenberg_chromium_requests_queue_size Current number of Chromium conversion requests waiting to be treated.\n# TYPE gotenberg_chromium_requests_queue_size gauge\ngotenberg_chromium_requests_queue_size 0\n',
    );
    expect((await get('/favicon.ico')).status).toBe(204);
    expect((await get('/debug')).status).toBe(404);
    // The page at / is that of the studio.
    expect((await get('/')).text).not.toContain('gotenberg.dev');
  });

  test('are documented with the fields of forms', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    const { post } = document.paths['/forms/test/fields'];
    expect(post).toMatchObject({ 'x-platen-protocol': 'Gotenberg', 'x-platen-scope': 'pdf' });
    expect(post.security).toEqual([{ apiKey: [] }, { basicKey: [] }]);
    const { schema } = post.requestBody.content['multipart/form-data'];
    expect(schema.required).toEqual(['url']);
    expect(schema.properties).toMatchObject({
      count: { type: 'integer', default: 0, description: 'An integer.' },
      downloadFrom: { type: 'string' },
    });
    expect(Object.keys(follow(document, post.responses['400']).content)).toEqual(['text/plain']);
    const parameters = post.parameters.map((parameter: object) => follow(document, parameter).name);
    expect(parameters).toContain('Gotenberg-Webhook-Url');
    expect(post.responses['204'].description).toContain('webhook');
    expect(document.paths['/version'].get.security).toEqual([]);
  });
});
