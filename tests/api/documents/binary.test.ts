import { describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formOf, postForm, requestPart, type FormPart } from '../../support/service/multipart.ts';
import { describeWithPdfTools, pageCount, pdfText } from '../../support/pdf/pdf.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { unzip } from '../../support/unzip.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const pdfOf = (pages: number) => base64(pagesPdf(pages));
const send = (path: string, body: unknown, accept?: string) =>
  service().send(path, body, { headers: { ...(accept !== undefined && { accept }) } });

const field = { name: 'x', type: 'text', page: 0, x: 10, y: 10 };
const routes: [string, object, number][] = [
  ['/v1/generate', { html: '<p>hello' }, 1],
  ['/v1/pdf/merge', { pdfs: [pdfOf(1), pdfOf(2)] }, 3],
  ['/v1/pdf/sign', { pdf: pdfOf(2), name: 'Ada' }, 2],
  ['/v1/pdf/pdfa', { pdf: pdfOf(2) }, 2],
  ['/v1/pdf/forms/add-fields', { pdf: pdfOf(2), fields: [field] }, 2],
];

describeWithPdfTools('a binary response', () => {
  describe.each(routes)('of POST %s', (path, body, pages) => {
    test.each([
      ['output', { output: 'binary' }, undefined],
      ['the Accept header', {}, 'application/pdf'],
    ])('requested with %s is the PDF with its headers', async (_, more, accept) => {
      const response = await send(path, { ...body, ...more }, accept);
      expect(response.status).toBe(200);
      const { headers } = response;
      const pdf = await response.bytes();
      expect(headers.get('content-type')).toBe('application/pdf');
      expect(headers.get('content-length')).toBe(String(pdf.length));
      expect(headers.get('platen-pages')).toBe(String(pages));
      expect(headers.get('platen-generation-time-ms')).toMatch(/^\d+$/);
      expect(headers.get('x-request-id')).toMatch(/^req_/);
      expect(await pageCount(pdf)).toBe(pages);
      const isGeneration = path === '/v1/generate';
      const id = headers.get(isGeneration ? 'platen-generation-id' : 'platen-file-id') ?? '';
      expect(headers.get('content-disposition')).toBe(
        `inline; filename="${id}.pdf"; filename*=UTF-8''${id}.pdf`,
      );
      const record = await service().get(isGeneration ? `/v1/generations/${id}` : `/v1/files/${id}`);
      expect([record.status, record.body.file_size, record.body.pages]).toEqual([200, pdf.length, pages]);
      expect(Buffer.compare(await service().download(record.body.url), pdf)).toBe(0);
    });

    test('is sent only to callers that request it', async () => {
      const accepted = [undefined, '*/*', 'application/json', 'application/pdf, application/json', ''];
      for (const accept of accepted) {
        const response = await send(path, body, accept);
        expect(response.headers.get('content-type')).toStartWith('application/json');
        expect(await response.json()).toMatchObject({ url: expect.stringMatching(/\/file_\w+/) });
      }
      for (const output of ['url', 'base64']) {
        const response = await send(path, { ...body, output }, 'application/pdf');
        expect(response.headers.get('content-type')).toStartWith('application/json');
      }
    });
  });

  test('errors are JSON', async () => {
    for (const [path, body, status] of [
      ['/v1/generate', { output: 'binary' }, 400],
      ['/v1/pdf/merge', { pdfs: ['x', 'y'], output: 'binary' }, 400],
      ['/v1/pdf/info', { pdf: 'file_0' }, 404],
    ] as const) {
      const response = await send(path, body, 'application/pdf');
      expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
        status,
        'application/json',
      ]);
    }
  });

  test('routes whose result is JSON ignore the Accept header', async () => {
    for (const path of ['/v1/pdf/info', '/v1/pdf/forms/list-fields']) {
      const response = await send(path, { pdf: pdfOf(1) }, 'application/pdf');
      expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([
        200,
        'application/json',
      ]);
    }
    expect((await send('/v1/pdf/info', { pdf: pdfOf(1), output: 'binary' })).status).toBe(400);
  });

  test('is rejected for batch items', async () => {
    const { status, body } = await service().post('/v1/generate/batch', {
      items: [{ html: 'x', output: 'binary' }],
    });
    expect([status, body.error.details[0].path]).toEqual([400, 'items[0].output']);
  });

  test('a split is a zip of its parts in order', async () => {
    for (const [more, accept] of [
      [{ output: 'binary' }, undefined],
      [{}, 'application/zip'],
    ] as const) {
      const response = await send('/v1/pdf/split', { pdf: pdfOf(12), ...more }, accept);
      expect(response.headers.get('content-type')).toBe('application/zip');
      expect(response.headers.get('content-disposition')).toStartWith('inline; filename="split.zip"');
      expect(response.headers.get('platen-pages')).toBe('12');
      const parts = await unzip(await response.bytes());
      const names = Array.from(
        { length: 12 },
        (_, index) => `part-${String(index + 1).padStart(2, '0')}.pdf`,
      );
      expect(parts.map(({ name }) => name)).toEqual(names);
      for (const [index, { content }] of parts.entries())
        expect(await pdfText(content)).toContain(`Page ${index + 1}`);
    }
    const named = await send('/v1/pdf/split', { pdf: pdfOf(2), file_name: 'Zoë 日本', output: 'binary' });
    expect(named.headers.get('content-disposition')).toEndWith("UTF-8''Zo%C3%AB%20%E6%97%A5%E6%9C%AC.zip");
    expect((await unzip(await named.bytes())).map(({ name }) => name)).toEqual([
      'Zoë 日本-1.pdf',
      'Zoë 日本-2.pdf',
    ]);
    const json = await send('/v1/pdf/split', { pdf: pdfOf(2) }, 'application/pdf');
    expect(await json.json()).toMatchObject({ total: 2, parts: [{ file_id: expect.any(String) }, {}] });
  });
});

describeWithPdfTools('POST /v1/generate as multipart', () => {
  const generate = async (parts: readonly FormPart[]) => {
    const { status, body } = await postForm(service(), '/v1/generate', formOf(parts));
    return { status, body, text: status === 200 ? await pdfText(await service().download(body.url)) : '' };
  };
  const file = (text: string): FormPart[1] => new Blob([text], { type: 'text/html' });

  test('takes html, header and footer as text or files, and data and options as JSON', async () => {
    for (const content of [(text: string) => text, file]) {
      const { status, text } = await generate([
        ['html', content('\u{feff}<h1>Hello {{name}} ü</h1>'), 'a.html'],
        ['header', content('<p>top {{name}}</p>'), 'header.html'],
        ['footer', content('<p>page {{pageNumber}}</p>'), 'footer.html'],
        ['data', '{"name":"Ada"}'],
        requestPart({ options: { margin: '1in' } }),
      ]);
      expect(status).toBe(200);
      for (const word of ['Hello Ada ü', 'top Ada', 'page 1']) expect(text).toContain(word);
    }
  });

  test('a header given both ways and html that is not UTF-8 are 400', async () => {
    const twice = await generate([['html', 'x'], ['header', 'a'], requestPart({ options: { header: 'b' } })]);
    expect([twice.status, twice.body.error.message]).toEqual([
      400,
      'header: is given both as a part and as options.header',
    ]);
    const invalid = await generate([['html', new Blob([Buffer.from([0x3c, 0x70, 0x3e, 0xff])]), 'a.html']]);
    expect([invalid.status, invalid.body.error.message]).toEqual([400, 'html: is not valid UTF-8']);
  });

  test.skipIf(Bun.which('curl') === null)('curl makes a PDF file of an HTML file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-curl-'));
    try {
      await Bun.write(join(folder, 'invoice.html'), '<h1>Invoice 118</h1>');
      await Bun.$`curl -sS -H ${`Authorization: Bearer ${service().key}`} -H ${'Accept: application/pdf'} -F html=@invoice.html -o invoice.pdf ${service().url}/v1/generate`.cwd(
        folder,
      );
      expect(await pdfText(await Bun.file(join(folder, 'invoice.pdf')).bytes())).toContain('Invoice 118');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
