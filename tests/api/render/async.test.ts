import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { Receiver } from '../../support/sites/receiver.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { pdfText, toolsAvailable } from '../../support/pdf/pdf.ts';
import { until } from '../../support/until.ts';

// Only ends a test that hangs: on a busy machine, a document takes seconds.
setDefaultTimeout(120_000);

const service = extendedService();

const submit = (body: object, options: { key?: string; headers?: Record<string, string> } = {}) =>
  service().request('POST', '/v1/generate', { body: { ...body, async: true }, ...options });

/** Waits until a generation has ended, and returns it. */
async function ended(id: string, key?: string): Promise<ApiResponse['body']> {
  let read: ApiResponse['body'];
  await until(async () => {
    ({ body: read } = await service().get(`/v1/generations/${id}`, key));
    return ['completed', 'failed'].includes(read.status);
  });
  return read;
}

const usedBy = async (key: string) => (await service().get('/v1/usage', key)).body.used;

describe('POST /v1/generate with async', () => {
  test('answers 202 with a queued generation, which is then made', async () => {
    const { status, body } = await submit({
      html: '<h1>Hello {{name}}</h1>',
      data: { name: 'Ada' },
      file_name: 'hello',
      reference: 'order 1',
      metadata: { customer: '88' },
    });
    expect(status).toBe(202);
    expect(body).toEqual({
      id: expect.stringMatching(/^gen_/),
      status: 'queued',
      test: false,
      url: null,
      pages: null,
      file_size: null,
      generation_time_ms: null,
      file_name: 'hello.pdf',
      reference: 'order 1',
      metadata: { customer: '88' },
      expires_at: null,
      warnings: [],
    });
    const generation = await ended(body.id);
    expect(generation).toMatchObject({ status: 'completed', pages: 1, error: null, reference: 'order 1' });
    expect(generation).not.toHaveProperty('batch_id');
    const pdf = await service().download(generation.url);
    if (toolsAvailable) expect(await pdfText(pdf)).toContain('Hello Ada');
    const { body: listed } = await service().get('/v1/generations?reference=order%201');
    expect(listed.data.map(({ id }: ApiResponse['body']) => id)).toEqual([body.id]);
    const { body: withReceipt } = await service().get(`/v1/generations/${body.id}?receipt=true`);
    expect(withReceipt.receipt).toHaveProperty('phases');
  });

  test('takes every kind of source, and parts of a form', async () => {
    const form = new FormData();
    form.set('html', '<h1>Form</h1>');
    form.set('header', 'Page {{pageNumber}}');
    form.set('async', 'true');
    const sent = await fetch(`${service().url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service().key}` },
      body: form,
    });
    expect(sent.status).toBe(202);
    await using site = new Receiver(
      async () => new Response('<p>A page</p>', { headers: { 'content-type': 'text/html' } }),
    );
    const answers = await Promise.all([
      submit({ markdown: '# Hello' }),
      submit({ react: 'export default () => <p>Hello</p>' }),
      submit({ url: site.url('/page'), headers: { 'x-key': 'secret' } }),
    ]);
    const ids = [...answers.map(({ body }) => body.id), ((await sent.json()) as { id: string }).id];
    for (const id of ids) expect(await ended(id)).toMatchObject({ status: 'completed', error: null });
    expect(site.at('/page')[0]?.headers['x-key']).toBe('secret');
  });

  test('returns a base64 result in GET; an output as bytes is rejected', async () => {
    const key = await service().newKey('pro');
    const { body } = await submit({ html: 'x', output: 'base64' }, { key });
    const { data } = await ended(body.id, key);
    expect(Buffer.from(data, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    const binary = await submit({ html: 'x', output: 'binary' });
    expect(binary.status).toBe(400);
    expect(binary.body.error.details[0].path).toBe('output');
    const preferred = await submit({ html: 'x' }, { headers: { accept: 'application/pdf' } });
    expect([preferred.status, preferred.body.status]).toEqual([202, 'queued']);
  });

  test('sends the webhook and stores the event, once each, and settles one unit of quota', async () => {
    await using receiver = new Receiver();
    const key = await service().newKey('pro');
    const good = await submit({ html: 'x', webhook: receiver.url('/hook') }, { key });
    const bad = await submit({ html: '{{#if}}', data: {}, webhook: receiver.url('/hook') }, { key });
    expect([good.status, bad.status]).toEqual([202, 202]);
    expect(await ended(bad.body.id, key)).toMatchObject({
      status: 'failed',
      url: null,
      error: expect.stringMatching(/^TEMPLATE_ERROR: /),
    });
    await ended(good.body.id, key);
    await until(() => receiver.at('/hook').length === 2);
    const messages = receiver.at('/hook').map(({ body }) => JSON.parse(body));
    const completed = messages.find(({ type }) => type === 'generation.completed');
    expect(completed.data).toMatchObject({ id: good.body.id, status: 'completed', error: null });
    expect((await service().download(completed.data.url)).length).toBeGreaterThan(100);
    const failed = messages.find(({ type }) => type === 'generation.failed');
    expect(failed.data).toMatchObject({ id: bad.body.id, status: 'failed', url: null });
    await until(async () => (await usedBy(key)) === 1);
    const { body: events } = await service().get('/v1/events', key);
    expect(events.data.map(({ type }: ApiResponse['body']) => type).toSorted()).toEqual([
      'generation.completed',
      'generation.failed',
    ]);
    const { body: deliveries } = await service().get('/v1/webhooks/deliveries', key);
    expect(deliveries.data).toHaveLength(2);
  });

  test('rejects before it accepts what the waiting request rejects before it prints', async () => {
    const key = await service().newKey('pro');
    const invalid: [object, number, string][] = [
      [{ html: 'x', async: 'yes' }, 400, 'async'],
      [{}, 400, 'html'],
      [{ html: 'x', options: { format: 'A99' } }, 400, 'options.format'],
      [{ html: 'x', options: { margin: '20in' } }, 400, 'options.margin'],
      [{ html: 'x', options: { header: '<script>1</script>' } }, 400, 'options.header'],
      [{ html: 'x', webhook: 'http://10.0.0.1/' }, 400, 'webhook'],
      [{ url: 'http://user:pass@example.com/' }, 400, 'url'],
      [{ html: 'x'.repeat(12_000_001) }, 400, ''],
    ];
    for (const [body, status, path] of invalid) {
      const answer = await service().post('/v1/generate', { async: true, ...body }, key);
      expect([path, answer.status]).toEqual([path, status]);
      if (path !== '') expect(answer.body.error.details[0].path).toBe(path);
    }
    const template = await submit({ template: 'tmpl_5rS7tU9vW2xY4zA6bC8dE1fG' }, { key });
    expect([template.status, template.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const signature = { certificate: 'cert_5rS7tU9vW2xY4zA6bC8dE1fG' };
    const certificate = await submit({ html: 'x', options: { signature } }, { key });
    expect([certificate.status, certificate.body.error.code]).toEqual([404, 'NOT_FOUND']);
    expect((await service().get('/v1/generations', key)).body.data).toEqual([]);
    expect(await usedBy(key)).toBe(0);
  });

  test('gives 403 when the quota is used up', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const key = await service().newKey('free', email);
    const account = await service().accounts.findByEmail(email);
    await service().accounts.update(account?.id ?? '', { monthlyLimit: 1 });
    const first = await submit({ html: 'x' }, { key });
    const second = await submit({ html: 'x' }, { key });
    expect([first.status, second.status]).toEqual([202, 403]);
    expect(second.body.error.code).toBe('USAGE_LIMIT_EXCEEDED');
    expect(first.headers.get('platen-quota-remaining')).toBe('0');
    await ended(first.body.id, key);
  });

  test('returns the first response to a request with the same Idempotency-Key', async () => {
    const key = await service().newKey('pro');
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await submit({ html: 'x' }, { key, headers });
    await ended(first.body.id, key);
    const again = await submit({ html: 'x' }, { key, headers });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const other = await submit({ html: 'y' }, { key, headers });
    expect(other.status).toBe(422);
    expect((await service().get('/v1/generations', key)).body.data).toHaveLength(1);
    expect(await usedBy(key)).toBe(1);
  });
});

describe('POST /v1/images with async', () => {
  test('answers 202, and the image is made', async () => {
    const body = { html: '<h1>Hello</h1>', options: { format: 'webp', width: 200 }, async: true };
    const key = await service().newKey('pro');
    const accepted = await service().post('/v1/images', body, key);
    expect([accepted.status, accepted.body.status]).toEqual([202, 'queued']);
    expect(accepted.body).toMatchObject({ content_type: 'image/webp', url: null });
    const generation = await ended(accepted.body.id, key);
    expect(generation).toMatchObject({ status: 'completed', content_type: 'image/webp', pages: null });
    const image = await service().download(generation.url);
    expect(Buffer.from(image).subarray(8, 12).toString()).toBe('WEBP');
    const invalid = await service().post('/v1/images', { ...body, options: { quality: 50 } });
    expect(invalid.body.error.details[0].path).toBe('options.quality');
  });
});
