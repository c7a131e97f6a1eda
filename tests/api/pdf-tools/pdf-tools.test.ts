import { describe, expect, test } from 'bun:test';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { describeWithPdfTools, pageCount, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { readQpdf } from '../../support/pdf/qpdf-objects.ts';
import { onMongoAndS3 } from '../../support/service/service.ts';
import { resultKeys } from '../../support/service/results.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import {
  hostilePdfs,
  hybridPdf,
  pagesPdf,
  plainPdf,
  sealedAttachmentPdf,
  withQpdf,
} from '../../support/pdf/samples.ts';

const service = sharedService();
const post = (operation: string, body: unknown) => service().post(`/v1/pdf/${operation}`, body);
const message = async (operation: string, body: unknown) => {
  const answer = await post(operation, body);
  expect(answer.status).toBe(400);
  expect(answer.body.error.code).toBe('VALIDATION_ERROR');
  return answer.body.error.message as string;
};

describe('POST /v1/pdf/info', () => {
  test('returns the record of section 2 of docs/internals/spec.md and additional fields', async () => {
    const pdf = pagesPdf(3, {
      info: "/Title <FEFF4F60597D> /Author (J\\366rg) /CreationDate (D:20260301093000+01'00) /ModDate (soon)",
    });
    const { status, body } = await post('info', { pdf: base64(pdf) });
    expect(status).toBe(200);
    expect(body).toEqual({
      pages: 3,
      title: '你好',
      author: 'Jörg',
      subject: '',
      creator: '',
      producer: '',
      creation_date: '2026-03-01T08:30:00.000Z',
      modification_date: null,
      file_size: pdf.length,
      encrypted: false,
      pdf_version: '1.4',
      page_sizes: [{ width: 300, height: 200, count: 3 }],
      has_form: false,
      has_signatures: false,
      tagged: false,
      pdfa: null,
    });
  });

  test('reports page sizes as displayed: inherited, cropped and rotated', async () => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 600 800]/Rotate 90>>',
      '<</Type/Page/Parent 2 0 R>>',
      '<</Type/Page/Parent 2 0 R/CropBox[100 100 300 200]/Rotate 0>>',
    ]);
    const { body } = await post('info', { pdf: base64(pdf) });
    expect(body.page_sizes).toEqual([
      { width: 800, height: 600, count: 1 },
      { width: 200, height: 100, count: 1 },
    ]);
  });

  test('accepts a data URL', async () => {
    for (const prefix of [
      'data:application/pdf;base64,',
      'DATA:application/PDF;base64,',
      'data:application/pdf;charset=utf-8;base64,',
      ' data:application/pdf;name=a.pdf;base64,',
    ]) {
      const { status, body } = await post('info', { pdf: prefix + samplePdf });
      expect([status, body.pages]).toEqual([200, 1]);
    }
  });

  test('accepts escaped slashes and plus signs, as PHP and .NET write them', async () => {
    const long = pagesPdf(500);
    const json = JSON.stringify({ pdf: `data:application/pdf;base64,${base64(long)}` });
    expect(json.length).toBeGreaterThan(100_000);
    const escaped = json.replaceAll('/', String.raw`\/`).replaceAll('+', String.raw`\u002B`);
    for (const body of [json, escaped]) {
      const answer = await post('info', body);
      expect([answer.status, answer.body.pages, answer.body.file_size]).toEqual([200, 500, long.length]);
    }
  });

  test('repairs a wrong startxref and a missing cross-reference table', async () => {
    const pdf = pagesPdf(2);
    for (const broken of [
      pdf.replace(/startxref\n\d+/, 'startxref\n99999'),
      pdf.slice(0, pdf.indexOf('xref')),
    ]) {
      const { status, body } = await post('info', { pdf: base64(broken) });
      expect([status, body.pages]).toEqual([200, 2]);
    }
  });
});

/** Invalid PDFs and the resulting message. */
const invalid: Record<string, [pdf: () => string, says: RegExp]> = {
  empty: [() => '', /is empty/],
  'only the prefix': [() => 'data:application/pdf;base64,', /is empty/],
  'not base64': [() => 'this is not base64!', /is not valid base64/],
  'base64 of the URL alphabet': [
    () => base64(Buffer.alloc(30, 0xfb)).replaceAll('+', '-').replaceAll('/', '_'),
    /is not valid base64/,
  ],
  'another data URL': [
    () => `data:image/png;base64,${samplePdf}`,
    /is a data URL, but its type is not application\/pdf/,
  ],
  HTML: [() => base64('<!DOCTYPE html><h1>Hello</h1>'), /is not a PDF but HTML/],
  PNG: [() => base64('\u0089PNG\r\n\u001a\n'), /is not a PDF but a PNG/],
  text: [() => base64('Hello, how are you?'), /is not a PDF/],
  'truncated before its pages': [() => base64(pagesPdf(3).slice(0, 60)), /is damaged/],
  'only a header': [() => base64('%PDF-1.7\n'), /is damaged/],
  'encrypted with a user password': [() => base64(hostilePdfs.userPassword()), /is encrypted/],
  'one byte too large': [
    () => base64(Buffer.alloc(27_000_001, '%PDF-1.4\n')),
    /is larger than 27000000 bytes/,
  ],
};

describe('an invalid PDF is rejected, naming its field:', () => {
  test.each(Object.entries(invalid))('%s', async (_, [pdf, says]) => {
    for (const operation of ['info', 'split']) {
      const rejection = await message(operation, { pdf: pdf() });
      expect(rejection).toStartWith('pdf: ');
      expect(rejection).toMatch(says);
    }
    const merged = await message('merge', { pdfs: [samplePdf, pdf()] });
    expect(merged).toMatch(/^pdfs\[1\]: /);
    expect(merged).toMatch(says);
  });

  test.each([
    ['info', {}, 'pdf: is required'],
    ['info', { pdf: 3 }, 'pdf: must be a PDF as a file part, a base64 string or an id'],
    ['info', { pdf: samplePdf, output: 'url' }, 'output: unknown field'],
    ['merge', {}, 'pdfs: is required'],
    ['merge', { pdfs: [] }, 'pdfs: must be a list of 2'],
    ['merge', { pdfs: [samplePdf] }, 'pdfs: must be a list of 2'],
    ['merge', { pdfs: samplePdf }, 'pdfs: must be a list of 2'],
    ['merge', { pdfs: [samplePdf, 3] }, 'pdfs[1]: must be a PDF'],
    [
      'merge',
      { pdfs: [samplePdf, samplePdf], output: 'file' },
      'output: must be "url", "base64" or "binary"',
    ],
    ['split', { ranges: [[1]] }, 'pdf: is required'],
    ['split', { pdf: samplePdf, output: 1 }, 'output: must be'],
  ])('%s %j', async (operation, body, says) => {
    expect(await message(operation, body)).toStartWith(says);
  });
});

describe('invalid ranges are rejected:', () => {
  test.each([
    [[[1], [2], []], 'ranges[2]'],
    [[[1], [2], [0]], 'ranges[2]'],
    [[[3, 1]], 'ranges[0]'],
    [[[1, 999]], 'ranges[0]'],
    [[[1.5]], 'ranges[0]'],
    [[['1']], 'ranges[0]'],
    [[[1, 2, 3]], 'ranges[0]'],
    [[[null]], 'ranges[0]'],
    [[[-1, 2]], 'ranges[0]'],
  ])('%j', async (ranges, field) => {
    const error = await message('split', { pdf: base64(pagesPdf(3)), ranges });
    expect(error).toStartWith(`${field}: `);
    expect(error).toContain('the PDF has 3 pages');
  });

  test('no ranges, too many ranges, and ranges that are not a list', async () => {
    const pdf = samplePdf;
    expect(await message('split', { pdf, ranges: [] })).toContain('at least one range');
    expect(await message('split', { pdf, ranges: Array.from({ length: 10_000 }, () => [1]) })).toContain(
      '1 to 5000 ranges',
    );
    expect(await message('split', { pdf: base64(pagesPdf(5_001)) })).toStartWith(
      'ranges: is required: the PDF has 5001 pages',
    );
    expect(await message('split', { pdf, ranges: 3 })).toStartWith('ranges: ');
    expect(await message('split', { pdf, ranges: [3] })).toStartWith('ranges[0]: must be a range');
  });
});

describe('results', () => {
  test('are stored with a link, or inline', async () => {
    const pdfs = [samplePdf, samplePdf];
    const { body } = await post('merge', { pdfs });
    expect(Object.keys(body).toSorted()).toEqual(resultKeys('url'));
    const file = await fetch(body.url);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    if (!onMongoAndS3) expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await file.bytes()).length).toBe(body.file_size);

    const { body: inline } = await post('merge', { pdfs, output: 'base64' });
    expect(Object.keys(inline).toSorted()).toEqual(resultKeys('data'));
    expect(Buffer.from(inline.data, 'base64').length).toBe(inline.file_size);

    const large = base64(pagesPdf(2_000));
    const answer = await post('merge', { pdfs: [large, large], output: 'base64' });
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-request-id')).toStartWith('req_');
    expect(answer.headers.get('ratelimit-limit')).toBeString();
    expect(answer.body.data.length).toBeGreaterThan(1_000_000);
    expect(Buffer.from(answer.body.data, 'base64').length).toBe(answer.body.file_size);

    const { body: parts } = await post('split', { pdf: base64(pagesPdf(3)), output: 'base64' });
    expect([parts.total, parts.parts.length]).toEqual([3, 3]);
    expect(Object.keys(parts.parts[0]).toSorted()).toEqual(resultKeys('data'));
  });
});

describeWithPdfTools('merge and split, checked with qpdf and poppler', () => {
  test('keep the pages of a tree of ten levels with inherited attributes and a repeated page', async () => {
    const { body } = await post('merge', {
      pdfs: [base64(hostilePdfs.deepPageTree()), samplePdf],
      output: 'base64',
    });
    const merged = Buffer.from(body.data, 'base64');
    await qpdfCheck(merged);
    expect(await pageCount(merged)).toBe(3);
  });

  test('accept a file with only an owner password, and do not encrypt the result', async () => {
    const pdf = base64(hostilePdfs.ownerPassword());
    const { body: info } = await post('info', { pdf });
    expect([info.encrypted, info.title]).toEqual([true, 'Secret plans']);
    const { body } = await post('merge', { pdfs: [pdf, samplePdf], output: 'base64' });
    const merged = Buffer.from(body.data, 'base64');
    await qpdfCheck(merged);
    expect((await post('info', { pdf: base64(merged) })).body).toMatchObject({
      encrypted: false,
      title: 'Secret plans',
    });
  });

  test('accept a file with a user password and an empty owner password', async () => {
    const pdf = withQpdf(pagesPdf(1), ['--encrypt', 'user', '', '256', '--allow-insecure', '--']);
    const { body } = await post('merge', { pdfs: [base64(pdf), samplePdf], output: 'base64' });
    expect(await pdfText(Buffer.from(body.data, 'base64'))).toContain('Page 1');
  });

  test('accept a file with an encrypted attachment, and leave the attachment out', async () => {
    const pdf = base64(sealedAttachmentPdf());
    const { body: info } = await post('info', { pdf });
    expect([info.pages, info.encrypted, info.title]).toEqual([1, true, 'In the clear']);
    const { body } = await post('merge', { pdfs: [pdf, pdf], output: 'base64' });
    const merged = Buffer.from(body.data, 'base64');
    await qpdfCheck(merged);
    expect(await pdfText(merged)).toContain('Page one');
    expect((await readQpdf(merged)).typed('/EmbeddedFile')).toEqual([]);
  });

  test('keep the objects of a hybrid file that its table hides from old readers', async () => {
    const pdf = base64(hybridPdf());
    const { body: merged } = await post('merge', { pdfs: [pdf, samplePdf], output: 'base64' });
    const { body: split } = await post('split', { pdf, output: 'base64' });
    const { body: signed } = await post('sign', { pdf, name: 'Ann', output: 'base64' });
    for (const { data } of [merged, split.parts[0], signed]) {
      const file = Buffer.from(data, 'base64');
      await qpdfCheck(file);
      expect(JSON.stringify((await readQpdf(file)).outline())).toContain('Hidden');
    }
  });

  test('split overlapping ranges', async () => {
    const ranges = [[1, 3], [2], [2, 3]];
    const { body } = await post('split', { pdf: base64(pagesPdf(3)), ranges, output: 'base64' });
    const parts: Buffer[] = body.parts.map(({ data }: { data: string }) => Buffer.from(data, 'base64'));
    expect(await Promise.all(parts.map((part) => pageCount(part)))).toEqual([3, 1, 2]);
    for (const part of parts) await qpdfCheck(part);
  });
});
