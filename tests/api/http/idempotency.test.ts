import { describe, expect, test } from 'bun:test';
import { loadConfig } from '../../../src/config.ts';
import { IDEMPOTENCY_LIFETIME_MS } from '../../../src/idempotency/key-leases.ts';
import { keyRecords } from '../../../src/idempotency/key-record.ts';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { openState } from '../../../src/state.ts';
import { moveClock } from '../../support/clock.ts';
import { follow } from '../../support/openapi.ts';
import { sendRaw } from '../../support/service/raw-http.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const PDF = Buffer.from(samplePdf, 'base64');

interface Sent {
  body?: unknown;
  key?: string;
  account?: string;
  headers?: Record<string, string>;
}

/** Posts a request with an `Idempotency-Key`. */
function post(path: string, { body, key = 'order-1', account, headers = {} }: Sent): Promise<ApiResponse> {
  return service().request('POST', path, {
    body,
    ...(account !== undefined && { key: account }),
    headers: { 'idempotency-key': key, ...headers },
  });
}

async function generations(account: string): Promise<number> {
  return (await service().get('/v1/generations', account)).body.data.length;
}

function expectReplay(second: ApiResponse, first: ApiResponse): void {
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect([second.status, second.body]).toEqual([first.status, first.body]);
}

describe('a repeated request', () => {
  test('gets the first response, and makes and counts one document', async () => {
    const account = await service().newKey();
    const request = { account, body: { html: '<p>One', webhook: 'https://example.com/hook' } };
    const first = await post('/v1/generate', request);
    expect(first.status).toBe(200);
    expectReplay(await post('/v1/generate', request), first);
    expect(await generations(account)).toBe(1);
    expect((await service().get('/v1/usage', account)).body.used).toBe(1);
    expect((await service().get('/v1/webhooks/deliveries', account)).body.data.length).toBe(1);
  });

  test('with another body or path gets 422, which names the first request', async () => {
    const account = await service().newKey();
    await post('/v1/generate', { account, body: { html: 'x' } });
    for (const [path, body] of [
      ['/v1/generate', { html: 'y' }],
      ['/v1/images', { html: 'x' }],
      ['/v1/pdf/merge', { pdfs: [samplePdf] }],
    ] as const) {
      const { status, body: answer } = await post(path, { account, body });
      expect([status, answer.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
      expect(answer.error.message).toContain('POST /v1/generate');
      expect(answer.error.message).toMatch(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/);
    }
    expect(await generations(account)).toBe(1);
  });

  test('that comes while the first runs gets 409 with Retry-After; one of them runs', async () => {
    const account = await service().newKey();
    const request = { account, body: { html: '<script>1</script>x' } };
    const answers = await Promise.all(Array.from({ length: 6 }, () => post('/v1/generate', request)));
    const ran = answers.filter(
      ({ status, headers }) => status === 200 && !headers.has('idempotent-replayed'),
    );
    expect(ran.length).toBe(1);
    for (const { status, headers, body } of answers.filter((answer) => answer.status !== 200)) {
      expect([status, body.error.code]).toEqual([409, 'CONFLICT']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await generations(account)).toBe(1);
  });

  test('after a 400 gets the same 400, and a corrected request needs another key', async () => {
    const account = await service().newKey();
    for (const body of ['{', { html: '' }, { html: '{{#if}}', options: { header: '<script>' } }]) {
      const key = crypto.randomUUID();
      const first = await post('/v1/generate', { account, key, body });
      expect(first.status).toBe(400);
      expectReplay(await post('/v1/generate', { account, key, body }), first);
      expect((await post('/v1/generate', { account, key, body: { html: 'x' } })).status).toBe(422);
    }
  });

  test('of another account is independent', async () => {
    const [one, other] = [await service().newKey(), await service().newKey()];
    const first = await post('/v1/generate', { account: one, body: { html: 'x' } });
    const second = await post('/v1/generate', { account: other, body: { html: 'y' } });
    expect(second.status).toBe(200);
    expect(second.body.id).not.toBe(first.body.id);
    expect(second.headers.has('idempotent-replayed')).toBe(false);
  });

  test('runs again after a failure that was not kept', async () => {
    const account = await service().newKey();
    const request = { account, body: { template: 'tmpl_none', data: {} } };
    expect((await post('/v1/generate', request)).status).toBe(404);
    expect((await post('/v1/generate', { account, body: { html: 'x' } })).status).toBe(200);
  });

  test('runs again after 24 hours', async () => {
    const account = await service().newKey();
    const request = { account, body: { html: 'x' } };
    const first = await post('/v1/generate', request);
    const madeAt = Date.now();
    {
      using _ = moveClock(madeAt + IDEMPOTENCY_LIFETIME_MS - 60_000);
      expectReplay(await post('/v1/generate', request), first);
    }
    {
      using _ = moveClock(madeAt + IDEMPOTENCY_LIFETIME_MS + 1_000);
      const again = await post('/v1/generate', request);
      expect(again.status).toBe(200);
      expect(again.body.id).not.toBe(first.body.id);
    }
  });
});

describe('the response', () => {
  test('in base64 is read again from the stored file', async () => {
    const account = await service().newKey();
    for (const [path, body] of [
      ['/v1/generate', { html: 'x', output: 'base64' }],
      ['/v1/pdf/merge', { pdfs: [samplePdf, samplePdf], output: 'base64' }],
      ['/v1/pdf/split', { pdf: samplePdf, ranges: [[1]], output: 'base64' }],
    ] as const) {
      const request = { account, key: path, body };
      const first = await post(path, request);
      expect(first.status).toBe(200);
      expectReplay(await post(path, request), first);
    }
  });

  test.each([
    ['/v1/generate', { html: 'x', output: 'binary', file_name: 'a.pdf' }],
    ['/v1/images', { html: 'x', output: 'binary' }],
    ['/v1/pdf/merge', { pdfs: [samplePdf, samplePdf], output: 'binary' }],
    ['/v1/pdf/split', { pdf: samplePdf, ranges: [[1], [1]], output: 'binary', file_name: 'b.pdf' }],
    ['/v1/pdf/images', { pdf: samplePdf, output: 'binary' }],
  ])('of %s in bytes is the stored file, with its headers', async (path, body) => {
    const headers = { 'idempotency-key': `binary ${path}` };
    const first = await service().send(path, body, { headers });
    expect(first.status).toBe(200);
    const second = await service().send(path, body, { headers });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    for (const name of ['content-type', 'content-disposition', 'platen-file-id', 'platen-generation-id'])
      expect(second.headers.get(name)).toBe(first.headers.get(name));
    expect(Buffer.from(await second.bytes()).equals(Buffer.from(await first.bytes()))).toBe(true);
  });

  test('is 410 if its bytes were deleted; JSON with a link is returned as it was', async () => {
    const account = await service().newKey();
    const inBase64 = { account, key: 'base64', body: { html: 'x', output: 'base64' } };
    const withLink = { account, key: 'link', body: { html: 'x' } };
    const [one, two] = [await post('/v1/generate', inBase64), await post('/v1/generate', withLink)];
    for (const { body } of [one, two])
      await service().request('DELETE', `/v1/generations/${body.id}`, { key: account });
    const gone = await post('/v1/generate', inBase64);
    expect([gone.status, gone.body.error.code]).toEqual([410, 'GONE']);
    expectReplay(await post('/v1/generate', withLink), two);
  });
});

describe('every kind of route', () => {
  test('uploads in multipart with other boundaries are the same request', async () => {
    const account = await service().newKey();
    const upload = (content: Uint8Array<ArrayBuffer>, name = 'a.pdf') => {
      const form = new FormData();
      form.append('file', new Blob([content], { type: 'application/pdf' }), name);
      const headers = { authorization: `Bearer ${account}`, 'idempotency-key': 'upload' };
      return fetch(`${service().url}/v1/files`, { method: 'POST', headers, body: form });
    };
    const first = await upload(PDF);
    expect(first.status).toBe(201);
    const second = await upload(PDF);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(await second.json()).toEqual(await first.json());
    expect((await service().get('/v1/files', account)).body.data.length).toBe(1);
    expect((await upload(Buffer.concat([PDF, Buffer.from('\n')]))).status).toBe(422);
    expect((await upload(PDF, 'b.pdf')).status).toBe(422);
  });

  test('templates, versions and clones are made once', async () => {
    const account = await service().newKey();
    const template = { name: 'Letter', html_content: '<p>Dear {{name}}', schema: {} };
    const first = await post('/v1/templates', { account, key: 'a', body: template });
    expectReplay(await post('/v1/templates', { account, key: 'a', body: template }), first);
    const clone = () => post('/v1/starter-templates/contract/clone', { account, key: 'b' });
    const cloned = await clone();
    expect(cloned.status).toBe(201);
    expectReplay(await clone(), cloned);
    expect((await service().get('/v1/templates', account)).body.data.length).toBe(2);
  });

  test('a route that only reads ignores the key', async () => {
    const account = await service().newKey();
    for (const pdf of [samplePdf, PDF.toString('base64')]) {
      const { status, headers } = await post('/v1/pdf/info', { account, key: 'read', body: { pdf } });
      expect([status, headers.has('idempotent-replayed')]).toEqual([200, false]);
    }
    expect((await post('/v1/generate', { account, key: 'read', body: { html: 'x' } })).status).toBe(200);
  });

  test('a batch returns the first response, and says whether the body differs', async () => {
    const account = await service().newKey();
    const submit = (items: unknown) => post('/v1/generate/batch', { account, key: 'batch', body: { items } });
    const first = await submit([{ html: 'x' }]);
    expect(first.status).toBe(202);
    const same = await submit([{ html: 'x' }]);
    expectReplay(same, first);
    expect(same.headers.has('platen-idempotency-mismatch')).toBe(false);
    const other = await submit([{ html: 'y' }, { html: 'z' }]);
    expectReplay(other, first);
    expect(other.headers.get('platen-idempotency-mismatch')).toBe('true');
  });
});

/** POSTs that ignore the header, each with the reason. */
const IGNORED: Readonly<Record<string, string>> = {
  '/v1/batches/{id}/cancel': 'a batch is canceled only once',
  '/v1/keys': 'the response has the key, which the service stores only as a hash and so cannot repeat',
  '/v1/marketplace/{id}/publish': 'the template is public afterwards, however often this is sent',
  '/v1/marketplace/{id}/unpublish': 'the template is private afterwards, however often this is sent',
  '/v1/pdf/compare': 'stores nothing',
  '/v1/pdf/forms/list-fields': 'stores nothing',
  '/v1/pdf/info': 'stores nothing',
  '/v1/pdf/invoice/read': 'stores nothing',
  '/v1/pdf/text': 'stores nothing',
  '/v1/pdf/validate': 'stores nothing',
  '/v1/pdf/verify': 'stores nothing',
  '/v1/templates/preview': 'stores and counts nothing',
  '/v1/templates/{id}/check': 'counts nothing, and stores only images that expire',
};

describe('route audit', () => {
  test('every POST takes the header, or is listed with the reason why not', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    const without = Object.entries<{ post?: { parameters: object[] } }>(document.paths)
      // Other APIs have no such header.
      .filter(([, { post: operation }]) => operation && !('x-platen-protocol' in operation))
      .filter(
        ([, { post: operation }]) =>
          !operation?.parameters.some((each) => follow(document, each).name === 'Idempotency-Key'),
      )
      .map(([path]) => path);
    expect(without.toSorted()).toEqual(Object.keys(IGNORED).toSorted());
  });

  test('every route that takes the header repeats the response to its own example', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    const account = await service().newKey();
    const repeated: string[] = [];
    for (const [path, { post: operation }] of Object.entries<Record<string, ApiResponse['body']>>(
      document.paths,
    )) {
      if (!operation || path in IGNORED || path.includes('{')) continue;
      const examples = operation.requestBody?.content['application/json']?.examples ?? {};
      const [example] = Object.values<{ value: unknown }>(examples);
      if (!example) continue;
      const request = { account, key: path, body: example.value };
      const first = await post(path, request);
      const second = await post(path, request);
      // Some parts, such as a timestamping authority, are not configured here.
      if (first.status >= 400) continue;
      expectReplay(second, first);
      repeated.push(path);
    }
    expect(repeated.length).toBeGreaterThanOrEqual(25);
  }, 120_000);
});

describe('a crash between the record and the response', () => {
  /** Makes the key of an account look as if the process had died before it stored the response. */
  async function forgetResponses(): Promise<void> {
    const { env, dataDir } = service();
    const { store } = await openState(loadConfig({ env, cwd: dataDir }));
    const records = await store.collection(keyRecords);
    for (const { id } of await records.find())
      await records.update({ id }, { leaseUntil: Date.now() - 1, status: 0, response: null });
    await store.close();
  }

  test('leads to one document and one unit of quota', async () => {
    const headers = { 'idempotency-key': 'k' };
    const bodies = [
      ['/v1/generate', { html: 'x' }],
      ['/v1/images', { html: 'x', output: 'base64' }],
      ['/v1/integrations/actions/generate', { html: 'x' }],
      ['/v1/pdf/pipeline', { generate: { html: 'x' }, steps: [{ do: 'number' }] }],
    ] as const;
    for (const [path, body] of bodies) {
      const account = await service().newKey();
      const send = () => service().request('POST', path, { body, key: account, headers });
      const first = await send();
      expect([path, first.status]).toEqual([path, 200]);
      await forgetResponses();
      const retried = await send();
      expect([retried.status, retried.body.id]).toEqual([200, first.body.id]);
      expect(retried.headers.has('idempotent-replayed')).toBe(false);
      expect((await service().get('/v1/generations', account)).body.data.length).toBe(1);
      expect((await service().get('/v1/usage', account)).body.used).toBe(1);
      expectReplay(await send(), retried);
    }
  });

  test('after a failed document runs the request again', async () => {
    const own = await service().forNewAccount();
    const headers = { 'idempotency-key': 'k' };
    const send = () => own.request('POST', '/v1/generate', { body: { html: '{{#if}}', data: {} }, headers });
    expect((await send()).status).toBe(400);
    await forgetResponses();
    expect((await send()).status).toBe(400);
    const { body } = await own.get('/v1/generations');
    expect(body.data.map(({ status }: { status: string }) => status)).toEqual(['failed', 'failed']);
    expect((await own.get('/v1/usage')).body.used).toBe(0);
  });
});

describe('a key', () => {
  test.each(['', 'x'.repeat(256), 'a\tb', 'é'])('%j is refused with the name of the header', async (key) => {
    const body = JSON.stringify({ html: 'x' });
    const head = [
      'POST /v1/generate HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${service().key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Idempotency-Key: ${key}`,
      'Connection: close',
    ];
    const answer = await sendRaw(service().url, `${head.join('\r\n')}\r\n\r\n${body}`);
    expect(answer).toStartWith('HTTP/1.1 400');
    expect(answer).toContain('Idempotency-Key');
  });

  test('of 255 characters is accepted', async () => {
    const { status } = await post('/v1/generate', { key: '~'.repeat(255), body: { html: 'x' } });
    expect(status).toBe(200);
  });
});

test('neither the key nor the body nor the link is readable in the database', async () => {
  const own = await service().forNewAccount();
  const headers = { 'idempotency-key': 'the-visible-key' };
  const body = { html: 'the-visible-html' };
  const { body: made } = await own.request('POST', '/v1/generate', { body, headers });
  const files = ['platen.sqlite', 'platen.sqlite-wal'].map((name) => Bun.file(`${own.dataDir}/${name}`));
  for (const file of files) {
    if (!(await file.exists())) continue;
    const text = Buffer.from(await file.bytes()).toString('latin1');
    for (const secret of [
      'the-visible-key',
      'the-visible-html',
      new URL(made.url).searchParams.get('signature'),
    ])
      expect(text).not.toContain(String(secret));
  }
});
