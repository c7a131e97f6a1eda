import { describe, expect, test } from 'bun:test';
import {
  ended,
  itemsOf,
  newTemplate,
  numbered,
  sendBulk,
  type BulkSettings,
} from '../../support/batch/bulk.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { expectMarked } from '../../support/pdf/test-marks.ts';
import { formOf } from '../../support/service/multipart.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';
import { unzip } from '../../support/unzip.ts';

const service = extendedService();

let stored: Promise<string> | undefined;
/** The template of this file's account. */
const invoice = () => (stored ??= newTemplate(service()));

async function send(
  body: Parameters<typeof sendBulk>[1],
  settings: BulkSettings = {},
  { type, ...others }: { type?: string; key?: string; headers?: Record<string, string> } = {},
) {
  return sendBulk(
    { service: service(), settings: { template: await invoice(), ...settings }, ...others },
    body,
    type,
  );
}

const namesOf = (items: { file_name: string }[]) => items.map((item) => item.file_name);
const CSV = 'text/csv';

describe('POST /v1/batches', () => {
  test('makes a PDF for each line of NDJSON, with names from a template', async () => {
    const lines = `{"number": 1}\r\n\n{"number": "2/a"}\n{"number": 1, "x": [null]}\n{"number": 4}`;
    const accepted = await send(lines, { file_name: 'Invoice {{number}}', options: { format: 'A5' } });
    expect([accepted.status, accepted.body]).toEqual([
      202,
      {
        batch_id: expect.stringMatching(/^batch_/),
        total: 4,
        skipped: 0,
        invalid_lines: [],
        status: 'queued',
      },
    ]);
    const id = accepted.body.batch_id;
    const batch = await ended(service(), id);
    expect(batch).toMatchObject({ total: 4, completed: 4, failed: 0, canceled: 0, result: 'links' });
    expect(batch).toMatchObject({
      generations: [],
      expected_end: null,
      result_url: null,
      result_error: null,
    });
    expect(batch.documents_per_second).toBeGreaterThan(0);
    const items = await itemsOf(service(), id);
    expect(namesOf(items)).toEqual([
      'Invoice 1.pdf',
      'Invoice 2-a.pdf',
      'Invoice 1 (2).pdf',
      'Invoice 4.pdf',
    ]);
    const pdf = await service().download(items[3].url);
    expect(await Bun.$`pdftotext - - < ${pdf}`.text()).toContain('Invoice 4');
    expect(await Bun.$`pdfinfo - < ${pdf}`.text()).toContain('A5');
    const made = (await service().get(`/v1/generations/${items[0].id}`)).body;
    expect(made).toMatchObject({ status: 'completed', batch_id: id, index: 0, file_name: 'Invoice 1.pdf' });
    // Its stored data is deleted with the end of the batch.
    expect((await service().get('/v1/batches?limit=1')).body.data[0]).toMatchObject({
      batch_id: id,
      skipped: 0,
    });
  });

  test('takes CSV, whose values are text, with the separator of a spreadsheet', async () => {
    const template = await newTemplate(service(), '<p>{{number}}|{{[full name]}}|{{__proto__}}</p>');
    const csv = '\ufeffnumber;full name;__proto__\r\n007;"Müller; ""Bo""\nx";p\r\n';
    const { body } = await send(csv, { template, file_name: '{{[full name]}}' }, { type: CSV });
    expect(body).toMatchObject({ total: 1, skipped: 0 });
    await ended(service(), body.batch_id);
    const [item] = await itemsOf(service(), body.batch_id);
    expect(item).toMatchObject({ status: 'completed', error: null, file_name: 'Müller; -Bo--x.pdf' });
    const text = await Bun.$`pdftotext - - < ${await service().download(item.url)}`.text();
    expect(text).toContain('007|Müller; "Bo" x|');
  });

  test('takes a form, in which the file comes first or last, and its name tells the format', async () => {
    const fields = [
      ['template', await invoice()],
      ['options', '{"format":"A6"}'],
    ] as const;
    const csv = ['file', Buffer.from('number\n5\n6\n'), 'data.csv'] as const;
    const lines = ['file', Buffer.from(numbered(3)), 'data.ndjson'] as const;
    for (const [parts, total] of [
      [[csv, ...fields], 2],
      [[...fields, lines], 3],
    ] as const) {
      const sent = await sendBulk({ service: service(), settings: {} }, formOf(parts));
      expect([sent.status, sent.body.total]).toEqual([202, total]);
      await ended(service(), sent.body.batch_id);
      const [item] = await itemsOf(service(), sent.body.batch_id);
      expect(await Bun.$`pdfinfo - < ${await service().download(item.url)}`.text()).toContain(
        '298.08 x 420 pts',
      );
    }
  });

  test('names the invalid lines as the file counts them, or skips them', async () => {
    const lines = '{"number": 1}\n\n[2]\n{"number": 3\n"four"\n{"number": 5}\n';
    const refused = await send(lines);
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.error.message).toContain('3 lines are invalid; line 3 must be a JSON object');
    expect(refused.body.error.details.map(({ line }: { line: number }) => line)).toEqual([3, 4, 5]);
    const csv = 'a,b\n1,"x\ny"\n1,2,3\n"q"w,1\n';
    const table = await send(csv, {}, { type: CSV });
    expect(table.body.error.details).toMatchObject([
      { line: 4, message: 'has 3 values, but the header names 2 columns' },
      { line: 5, message: 'has text after a closing quote' },
    ]);
    const skipped = await send(lines, { on_invalid: 'skip' });
    expect(skipped.body).toMatchObject({
      total: 2,
      skipped: 3,
      invalid_lines: [{ line: 3 }, { line: 4 }, { line: 5 }],
    });
    expect(await ended(service(), skipped.body.batch_id)).toMatchObject({
      total: 2,
      completed: 2,
      skipped: 3,
    });
    const many = await send('x\n'.repeat(500));
    expect([many.body.error.details.length, many.body.error.message]).toEqual([
      100,
      expect.stringContaining('500 lines are invalid'),
    ]);
  });

  test('refuses what it cannot make, and names the field', async () => {
    const one = numbered(1);
    const refusals: [string, BulkSettings, string, string?][] = [
      [one, { deliver_to: 'https://example.com' }, 'deliver_to: unknown query parameter'],
      [one, { template: '' }, 'template'],
      [one, { options: '{' }, 'options: must be JSON'],
      [one, { options: { format: 'A99' } }, 'options.format'],
      [one, { options: { margin: 'x' } }, 'options.margin'],
      [one, { result: 'tar' }, 'result'],
      [one, { on_invalid: 'x' }, 'on_invalid'],
      [one, { file_name: '{{#if}' }, 'file_name'],
      [one, { webhook: 'http://127.0.0.1:1/' }, 'webhook'],
      ['', {}, 'file: has no items'],
      ['\n \n', { on_invalid: 'skip' }, 'file: has no items'],
      ['[]', { on_invalid: 'skip' }, '1 line is invalid'],
      ['{"a":1}\n'.repeat(10_001), {}, 'file: has more than 10000 items'],
      ['a,a\n1,2', {}, 'line 1 names the column "a" twice', CSV],
      ['a,\n1,2', {}, 'line 1 has a column without a name', CSV],
      ['', {}, 'must begin with a line that names the columns', CSV],
      ['a', {}, 'file: has no items', CSV],
      [one, {}, 'the body must be NDJSON', 'application/json'],
    ];
    for (const [body, settings, message, type] of refusals) {
      const { status, body: answer } = await send(body, settings, type === undefined ? {} : { type });
      expect([status, answer.error?.code, message]).toEqual([400, 'VALIDATION_ERROR', message]);
      expect(answer.error.message).toContain(message);
    }
    const latin = new Blob([Buffer.from('a\n\xe4\n', 'latin1')]);
    expect((await send(latin, {}, { type: CSV })).body.error.message).toContain('is not valid UTF-8');
    const unknown = await send(one, { template: 'tmpl_000000000000000000000000' });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const twice = await sendBulk(
      { service: service(), settings: { template: 'x' } },
      formOf([
        ['template', 'x'],
        ['file', Buffer.from(one), 'a.ndjson'],
      ]),
    );
    expect(twice.body.error.message).toContain('template: is given both');
    const part = await sendBulk({ service: service(), settings: {} }, formOf([['deliver_to', 'x']]));
    expect([part.status, part.body.error.message]).toEqual([
      400,
      expect.stringContaining('deliver_to: is unknown'),
    ]);
    expect((await service().get('/v1/batches?limit=1', await service().newKey())).body.data).toEqual([]);
  });

  test('reserves quota for all items or none, and a repeated request makes nothing twice', async () => {
    const key = await service().newKey('free');
    const template = await newTemplate(service(), undefined, key);
    const { limit } = (await service().get('/v1/usage', key)).body;
    const used = async () => (await service().get('/v1/usage', key)).body.used;
    const tooMany = await send(numbered(limit + 1), { template }, { key });
    expect([tooMany.status, tooMany.body.error.code]).toEqual([403, 'USAGE_LIMIT_EXCEEDED']);
    expect(await used()).toBe(0);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const first = await send(numbered(3), { template }, { key, headers });
    const again = await send(numbered(3), { template }, { key, headers });
    expect(again.body).toEqual(first.body);
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    const form = (boundary: string) =>
      new Blob([
        `--${boundary}\r\ncontent-disposition: form-data; name="template"\r\n\r\n${template}\r\n`,
        `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nnumber\n1\n\r\n`,
        `--${boundary}--\r\n`,
      ]);
    const formKey = { 'idempotency-key': crypto.randomUUID() };
    const sendForm = async (boundary: string) =>
      sendBulk(
        { service: service(), settings: {}, key, headers: formKey },
        form(boundary),
        `multipart/form-data; boundary=${boundary}`,
      );
    const formed = await sendForm('first');
    expect(formed.status).toBe(202);
    expect((await sendForm('second')).body).toEqual(formed.body);
    const other = await send(numbered(2), { template }, { key, headers });
    expect([other.status, other.body.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect(await ended(service(), first.body.batch_id, key)).toMatchObject({ total: 3, completed: 3 });
    expect(await ended(service(), formed.body.batch_id, key)).toMatchObject({ total: 1, completed: 1 });
    expect(await used()).toBe(4);
    expect((await service().get('/v1/batches', key)).body.data.length).toBe(2);
  });

  test('belongs to its account and to the scope `batches`, and a test key marks its documents', async () => {
    const { body } = await send(numbered(1));
    const stranger = await service().newKey();
    for (const path of ['', '/items'])
      expect((await service().get(`/v1/batches/${body.batch_id}${path}`, stranger)).status).toBe(404);
    const limited = await service().newKeyOfAccount({ scopes: ['generate'] });
    const forbidden = await send(numbered(1), {}, { key: limited });
    expect([forbidden.status, forbidden.body.error.message]).toEqual([
      403,
      expect.stringContaining('batches'),
    ]);
    const key = await service().newKeyOfAccount({ test: true });
    const { used } = (await service().get('/v1/usage')).body;
    const tested = await send(numbered(2), { result: 'zip' }, { key });
    const batch = await ended(service(), tested.body.batch_id, key);
    expect(batch).toMatchObject({ test: true, completed: 2 });
    const [item] = await itemsOf(service(), tested.body.batch_id, 'limit=1', key);
    await expectMarked(await service().download(item.url));
    expect((await service().get('/v1/usage')).body.used).toBeLessThanOrEqual(used + 1);
  });
});

describe('a batch of many items', () => {
  test('lists its items by status and page, and is canceled at once', async () => {
    await using receiver = new Receiver();
    const key = await service().newKey('starter');
    const template = await newTemplate(service(), undefined, key);
    const options = { waitFor: { delayMs: 300 } };
    const settings = { template, options, webhook: receiver.url('/hook'), result: 'zip' };
    const accepted = await send(numbered(900), settings, { key });
    expect([accepted.status, accepted.body.total]).toEqual([202, 900]);
    const id = accepted.body.batch_id;
    const read = async (query: string) => (await service().get(`/v1/batches/${id}/items?${query}`, key)).body;
    await until(async () => (await service().get(`/v1/batches/${id}`, key)).body.completed > 0);
    const open = (await service().get(`/v1/batches/${id}`, key)).body;
    expect(open).toMatchObject({ status: 'processing', total: 900, result_url: null });
    expect(Date.parse(open.expected_end)).toBeGreaterThan(Date.now());
    const pages: ApiResponse['body'][] = [];
    for (let offset = 0; offset < 900; offset += 100) pages.push(await read(`offset=${offset}`));
    expect(pages.map((page) => [page.data.length, page.has_more])).toEqual(
      pages.map((_, index) => [100, index < 8]),
    );
    const all: { id: string; index: number }[] = pages.flatMap((page) => page.data);
    expect(all.map((item) => item.index)).toEqual(Array.from({ length: 900 }, (_, index) => index));
    expect(new Set(all.map((item) => item.id)).size).toBe(900);
    const tail = await read('status=queued&limit=10&offset=700');
    expect(tail.data.map((item: { status: string }) => item.status)).toEqual(Array(10).fill('queued'));
    expect((await read('status=failed')).data).toEqual([]);
    const sentAt = performance.now();
    const canceled = await service().request('POST', `/v1/batches/${id}/cancel`, { key });
    expect(canceled.body).toMatchObject({ status: 'canceled', total: 900 });
    expect(performance.now() - sentAt).toBeLessThan(10_000);
    await until(() => receiver.received.length > 0);
    const { data } = JSON.parse(receiver.received[0]?.body ?? '');
    expect(data).toMatchObject({
      batch_id: id,
      status: 'canceled',
      total: 900,
      result_url: null,
      result_error: null,
    });
    expect(data.completed + data.failed + data.canceled).toBe(900);
    expect((await service().get('/v1/usage', key)).body.used).toBe(data.completed);
    const rest = await read(`status=canceled&offset=${data.canceled - 5}`);
    expect([rest.data.length, rest.has_more]).toEqual([5, false]);
    // Items keep their ids.
    expect(rest.data.at(-1)).toEqual({ ...all[899], status: 'canceled' });
  });

  test('ends with one archive, whose link is in the webhook', async () => {
    await using receiver = new Receiver();
    const settings = { result: 'zip', file_name: 'Invoice {{number}}', webhook: receiver.url('/hook') };
    const lines = numbered(3) + numbered(2) + '{"number": {"x": 1}}\n';
    const { body } = await send(lines, settings);
    const batch = await ended(service(), body.batch_id);
    expect(batch).toMatchObject({ completed: 6, result: 'zip', result_error: null });
    const entries = await unzip(await service().download(batch.result_url));
    expect(entries.map(({ name }) => name)).toEqual([
      'Invoice 1.pdf',
      'Invoice 2.pdf',
      'Invoice 3.pdf',
      'Invoice 1 (2).pdf',
      'Invoice 2 (2).pdf',
      'Invoice.pdf',
    ]);
    for (const { content } of entries) expect(content.toString('latin1', 0, 5)).toBe('%PDF-');
    await until(() => receiver.received.length > 0);
    const { data } = JSON.parse(receiver.received[0]?.body ?? '');
    expect((await unzip(await service().download(data.result_url))).length).toBe(6);
    // A document that is deleted is in no archive.
    const [item] = await itemsOf(service(), body.batch_id);
    expect((await service().request('DELETE', `/v1/generations/${item.id}`)).status).toBe(204);
    expect((await fetch(data.result_url)).status).toBe(404);
    const without = (await service().get(`/v1/batches/${body.batch_id}`)).body;
    expect(without).toMatchObject({ completed: 6, result_url: null });
    expect(without.result_error).toContain('RESULT_DELETED: ');
    const [deleted] = await itemsOf(service(), body.batch_id, 'status=deleted');
    expect(deleted).toEqual({ ...item, status: 'deleted', url: null, file_name: null });
  });

  test('ends with one merged PDF, with an item of the outline for each document', async () => {
    const template = await newTemplate(
      service(),
      '<h1>Invoice {{number}}</h1><p style="break-before: page">2</p>',
    );
    const { body } = await send(numbered(5), { template, result: 'pdf', file_name: 'Nr. {{number}}' });
    const batch = await ended(service(), body.batch_id);
    const pdf = await service().download(batch.result_url);
    const read = await service().request('POST', '/v1/pdf/outline', {
      body: { pdf: Buffer.from(pdf).toString('base64') },
    });
    const outline: { title: string; page: number }[] = read.body.outline;
    expect(outline.map(({ title, page }) => [title, page])).toEqual([
      ['Nr. 1', 1],
      ['Nr. 2', 3],
      ['Nr. 3', 5],
      ['Nr. 4', 7],
      ['Nr. 5', 9],
    ]);
  });

  test('says why there is no merged PDF, and keeps its items', async () => {
    const options = { protect: { userPassword: 'secret', ownerPassword: 'owner' } };
    const { body } = await send(numbered(2), { result: 'pdf', options });
    const batch = await ended(service(), body.batch_id);
    expect(batch).toMatchObject({
      completed: 2,
      result_url: null,
      result_error: expect.stringContaining('RESULT_FAILED: '),
    });
    const items = await itemsOf(service(), body.batch_id);
    expect(items.every(({ url }: { url: string | null }) => url !== null)).toBe(true);
  });
});
