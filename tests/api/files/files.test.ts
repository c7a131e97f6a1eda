import { describe, expect, setSystemTime, test } from 'bun:test';
import { onMongoAndS3 } from '../../support/suite.ts';
import { formOf, postForm, type FormPart } from '../../support/service/multipart.ts';
import { describeWithPdfTools, pageCount } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const pdf = (pages: number) => Buffer.from(pagesPdf(pages), 'latin1');
const base64 = (pages: number) => pdf(pages).toString('base64');
const upload = async (pages: number, key?: string) => {
  const form = formOf([['file', pdf(pages)]]);
  return postForm(service(), '/v1/files', form, key === undefined ? {} : { key });
};
const remove = (id: string, key?: string) =>
  service().request('DELETE', `/v1/files/${id}`, key === undefined ? {} : { key });
const content = (id: string, key = service().key) =>
  fetch(`${service().url}/v1/files/${id}/content`, { headers: { authorization: `Bearer ${key}` } });

describe('POST /v1/files', () => {
  test('stores an upload sent as multipart or base64, and returns its record', async () => {
    const json = await service().post('/v1/files', { file: base64(3) });
    for (const { status, body } of [await upload(3), json]) {
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^file_\w{24}$/),
        operation: 'upload',
        pages: 3,
        file_size: pdf(3).length,
        file_name: null,
        reference: null,
        metadata: {},
        created_at: expect.stringMatching(/^20\d\d-.*Z$/),
        expires_at: null,
        test: false,
        url: expect.stringContaining(body.id),
      });
      expect(Buffer.compare(await service().download(body.url), pdf(3))).toBe(0);
    }
  });

  test('a long upload in base64 is stored decoded', async () => {
    const { status, body } = await service().post('/v1/files', { file: base64(2_000) });
    expect([status, body.pages, body.file_size]).toEqual([201, 2_000, pdf(2_000).length]);
    expect(Buffer.compare(await service().download(body.url), pdf(2_000))).toBe(0);
  });

  test('a file that is not a PDF is rejected, and nothing is stored', async () => {
    const key = await service().newKey();
    for (const file of ['hello', '', base64(1).slice(0, 40)])
      expect((await service().post('/v1/files', { file }, key)).body.error.code).toBe('VALIDATION_ERROR');
    expect((await service().get('/v1/files', key)).body).toEqual({ data: [], has_more: false });
  });
});

describe('records', () => {
  test('every result has a file_id, whatever its output', async () => {
    const key = await service().newKey();
    const send = (operation: string, body: object) => service().post(`/v1/pdf/${operation}`, body, key);
    const two = [base64(1), base64(2)];
    const merged = await send('merge', { pdfs: two });
    const inline = await send('merge', { pdfs: two, output: 'base64' });
    const signed = await send('sign', { pdf: base64(2), name: 'Ada' });
    const converted = await send('pdfa', { pdf: base64(1) });
    const added = await send('forms/add-fields', {
      pdf: base64(1),
      fields: [{ name: 'x', type: 'text', page: 0, x: 10, y: 10 }],
    });
    const filled = await send('forms/fill', { pdf: added.body.file_id, fields: [{ name: 'x', value: 'y' }] });
    const split = await send('split', { pdf: base64(2) });
    const ids = [merged, inline, signed, converted, added, filled].map(({ body }) => body.file_id);
    ids.push(...split.body.parts.map(({ file_id }: { file_id: string }) => file_id));
    const { body } = await service().get('/v1/files?limit=100', key);
    expect(new Set(body.data.map(({ id }: { id: string }) => id))).toEqual(new Set(ids));
    const made = body.data.map(
      ({ operation, pages }: { operation: string; pages: number }) => `${operation} ${pages}`,
    );
    expect(made.toSorted()).toEqual(
      ['merge 3', 'merge 3', 'sign 2', 'pdfa 1', 'add-fields 1', 'fill 1', 'split 1', 'split 1'].toSorted(),
    );
    for (const { id, file_size } of body.data)
      expect((await (await content(id, key)).bytes()).length).toBe(file_size);
  });

  test('the list is newest first, in pages', async () => {
    const key = await service().newKey();
    const ids = [];
    for (let pages = 1; pages <= 3; pages += 1) {
      ids.unshift((await upload(pages, key)).body.id);
      await Bun.sleep(2);
    }
    const list = async (query: string) => {
      const { body } = await service().get(`/v1/files?${query}`, key);
      return { ids: body.data.map(({ id }: { id: string }) => id), more: body.has_more };
    };
    expect(await list('')).toEqual({ ids, more: false });
    expect(await list('limit=2')).toEqual({ ids: ids.slice(0, 2), more: true });
    expect(await list('limit=2&offset=2')).toEqual({ ids: ids.slice(2), more: false });
    expect(await list('offset=900000')).toEqual({ ids: [], more: false });
    expect(await list('reference=none')).toEqual({ ids: [], more: false });
    for (const query of ['limit=0', 'limit=101', 'offset=-1', 'limit=x'])
      expect((await service().get(`/v1/files?${query}`, key)).status).toBe(400);
  });

  test('the content is sent to the API key with its headers', async () => {
    const { body } = await upload(2);
    const response = await content(body.id);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-length')).toBe(String(pdf(2).length));
    expect(response.headers.get('content-disposition')).toBe(
      `inline; filename="${body.id}.pdf"; filename*=UTF-8''${body.id}.pdf`,
    );
    expect(response.headers.get('platen-pages')).toBe('2');
    expect(Buffer.compare(await response.bytes(), pdf(2))).toBe(0);
  });

  test('a deleted file is gone from every route, and only one of two deletions succeeds', async () => {
    const { body } = await upload(1);
    const deletions = await Promise.all([remove(body.id), remove(body.id)]);
    expect(new Set(deletions.map(({ status }) => status))).toEqual(new Set([204, 404]));
    expect((await service().get(`/v1/files/${body.id}`)).status).toBe(404);
    expect((await content(body.id)).status).toBe(404);
    expect((await fetch(body.url)).status).toBe(404);
    expect((await service().post('/v1/pdf/info', { pdf: body.id })).status).toBe(404);
  });

  test("another account's file is 404 on every route", async () => {
    const { body } = await upload(1);
    const key = await service().newKey();
    expect((await service().get(`/v1/files/${body.id}`, key)).status).toBe(404);
    expect((await content(body.id, key)).status).toBe(404);
    expect((await remove(body.id, key)).status).toBe(404);
    expect((await service().post('/v1/pdf/info', { pdf: body.id }, key)).status).toBe(404);
    expect((await content(body.id)).status).toBe(200);
  });
});

describe('names, references, metadata and lifetime', () => {
  const properties = { file_name: 'Report März', reference: 'order-7', metadata: { a: 'b' } };

  test('are in the response, the record and the headers, and lists are filtered by reference', async () => {
    const key = await service().newKey();
    const shown = {
      file_name: 'Report März.pdf',
      reference: 'order-7',
      metadata: { a: 'b' },
      expires_at: null,
      test: false,
    };
    const merge = { pdfs: [base64(1), base64(1)] };
    const { body } = await service().post('/v1/pdf/merge', { ...merge, ...properties }, key);
    expect(body).toMatchObject(shown);
    await service().post('/v1/pdf/merge', merge, key);
    const list = await service().get('/v1/files?reference=order-7', key);
    expect(list.body.data).toEqual([expect.objectContaining({ id: body.file_id, ...shown })]);
    const named = `inline; filename="Report M_rz.pdf"; filename*=UTF-8''Report%20M%C3%A4rz.pdf`;
    expect((await content(body.file_id, key)).headers.get('content-disposition')).toBe(named);
    const parts: FormPart[] = [
      ['pdf', pdf(1)],
      ['name', 'Ada'],
      ['output', 'binary'],
      ['file_name', 'Report März'],
      ['metadata', '{"a":"b"}'],
    ];
    const { headers } = await postForm(service(), '/v1/pdf/sign', formOf(parts), { key });
    expect(headers.get('content-disposition')).toBe(named);
  });

  test('number the parts of a split', async () => {
    const { body } = await service().post('/v1/pdf/split', { pdf: base64(11), file_name: 'a.PDF' });
    const names = body.parts.map(({ file_name }: { file_name: string }) => file_name);
    expect([names[0], names[10]]).toEqual(['a-01.pdf', 'a-11.pdf']);
  });

  test.each([
    ['/v1/files', { file: 'x' }],
    ['/v1/pdf/merge', { pdfs: ['x', 'y'] }],
    ['/v1/pdf/split', { pdf: 'x' }],
  ])('POST %s rejects invalid ones before it reads the PDF', async (path, body) => {
    for (const [invalid, field] of [
      [{ file_name: '../a.pdf' }, 'file_name'],
      [{ expires_in: 59 }, 'expires_in'],
      [{ metadata: { a: 1 } }, 'metadata.a'],
    ] as const) {
      const answer = await service().post(path, { ...body, ...invalid });
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, field]);
    }
  });

  test('a file expires on every route', async () => {
    const before = Date.now();
    const { body } = await service().post('/v1/files', { file: base64(1), expires_in: 60 });
    const lifetimeMs = Date.parse(body.expires_at) - before;
    expect(lifetimeMs).toBeGreaterThanOrEqual(60_000);
    expect(lifetimeMs).toBeLessThan(90_000);
    expect(Number(new URL(body.url).searchParams.get('expires')) * 1000).toBeLessThanOrEqual(
      Date.parse(body.expires_at),
    );
    try {
      setSystemTime(Date.parse(body.expires_at) + 1);
      expect((await service().get(`/v1/files/${body.id}`)).status).toBe(404);
      expect((await content(body.id)).status).toBe(404);
      expect((await service().post('/v1/pdf/info', { pdf: body.id })).status).toBe(404);
      // A bucket checks the expiry of links by its own clock.
      if (!onMongoAndS3) expect((await fetch(body.url)).status).toBe(404);
      const { body: list } = await service().get('/v1/files?limit=100');
      expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(body.id);
    } finally {
      setSystemTime();
    }
  });
});

describeWithPdfTools('references', () => {
  test('ids of files and generations take the place of a PDF, in JSON and in parts', async () => {
    const generated = await service().post('/v1/generate', { html: '<p>x' });
    const { body: uploaded } = await upload(2);
    const pdfs = [generated.body.id, base64(1), uploaded.id, uploaded.id];
    const merged = await service().post('/v1/pdf/merge', { pdfs, output: 'base64' });
    expect(await pageCount(Buffer.from(merged.body.data, 'base64'))).toBe(6);
    const parts: FormPart[] = [
      ['pdfs', merged.body.file_id],
      ['pdfs', pdf(1)],
      ['output', 'base64'],
    ];
    const again = await postForm(service(), '/v1/pdf/merge', formOf(parts));
    expect(await pageCount(Buffer.from(again.body.data, 'base64'))).toBe(7);
    const signed = await service().post('/v1/pdf/sign', { pdf: again.body.file_id, name: 'Ada' });
    const split = await service().post('/v1/pdf/split', { pdf: signed.body.file_id, ranges: [[7]] });
    expect((await service().post('/v1/pdf/info', { pdf: split.body.parts[0].file_id })).body.pages).toBe(1);
    const listed = await service().post('/v1/pdf/forms/list-fields', { pdf: uploaded.id });
    expect(listed.body.total).toBe(0);
  });

  test.each([
    ['file_000000000000000000000000', 'pdfs[1]: file_000000000000000000000000 not found'],
    ['gen_000000000000000000000000', 'pdfs[1]: gen_000000000000000000000000 not found'],
    ['gen_', 'pdfs[1]: gen_ not found'],
    [`file_${'x'.repeat(20_000)}`, 'pdfs[1]: file_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx not found'],
    ['file_/../../etc/passwd', 'pdfs[1]: file_/../../etc/passwd not found'],
  ])('an unknown id is 404: %.30s', async (id, message) => {
    const { status, body } = await service().post('/v1/pdf/merge', { pdfs: [base64(1), id] });
    expect([status, body.error.code, body.error.message]).toEqual([404, 'NOT_FOUND', message]);
  });

  test("a failed generation and another account's generation are 404", async () => {
    const html = '<img src="http://127.0.0.1:1/a.png">';
    const failed = await service().post('/v1/generate', { html, options: { strict: true } });
    const [id = ''] = /gen_\w+/.exec(failed.body.error.message) ?? [];
    const answer = await service().post('/v1/pdf/info', { pdf: id });
    expect([answer.status, answer.body.error.message]).toEqual([
      404,
      `the generation ${id} has no PDF: its status is failed`,
    ]);
    const { body } = await service().post('/v1/generate', { html: 'x' });
    const other = await service().newKey();
    expect((await service().post('/v1/pdf/info', { pdf: body.id }, other)).status).toBe(404);
  });
});
