import { describe, expect, test } from 'bun:test';
import { generateExamples } from '../../../plugins/render/examples.ts';
import {
  describeWithPdfTools,
  links,
  pageCount,
  pageSizes,
  pdfInfo,
  pdfText,
  qpdfCheck,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { completed, submit } from '../../support/batch/batches.ts';
import { onMongoAndS3 } from '../../support/service/service.ts';
import { readWords } from '../../forms/words.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

describe('POST /v1/generate', () => {
  test('returns a link that needs no key, and records the generation', async () => {
    const { status, body } = await service().post('/v1/generate', { html: '<h1>Hello</h1>' });
    expect(status).toBe(200);
    expect(Object.keys(body).toSorted()).toEqual([
      'expires_at',
      'file_name',
      'file_size',
      'generation_time_ms',
      'id',
      'metadata',
      'pages',
      'reference',
      'status',
      'test',
      'url',
      'warnings',
    ]);
    expect(body.id).toMatch(/^gen_[0-9A-Za-z]{24}$/);
    expect([body.status, body.pages]).toEqual(['completed', 1]);

    const file = await fetch(body.url);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    // A presigned link leads to the bucket, which sets its own headers.
    if (!onMongoAndS3) expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    const pdf = await file.bytes();
    expect(pdf.length).toBe(body.file_size);
    expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');

    const { body: read } = await service().get(`/v1/generations/${body.id}`);
    expect(read).toMatchObject({
      id: body.id,
      template_id: null,
      input_type: 'html',
      status: 'completed',
      pages: 1,
      error: null,
    });
    expect(read.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await fetch(read.url)).ok).toBe(true);
  });

  test('returns data instead of url with output base64, in the response and in the record', async () => {
    const { body } = await service().post('/v1/generate', { html: 'x', output: 'base64' });
    expect(body.url).toBeUndefined();
    const pdf = Buffer.from(body.data, 'base64');
    expect(pdf.length).toBe(body.file_size);
    const { body: read } = await service().get(`/v1/generations/${body.id}`);
    expect(read.url).toBeUndefined();
    expect(Buffer.from(read.data, 'base64').equals(pdf)).toBe(true);
    const { body: list } = await service().get('/v1/generations?limit=1');
    expect(list.data[0].data).toBeUndefined();
    expect((await fetch(list.data[0].url)).ok).toBe(true);
  });

  test('accepts every documented example', async () => {
    for (const example of Object.values(generateExamples)) {
      const status = 'async' in example ? 202 : 200;
      expect((await service().post('/v1/generate', example)).status).toBe(status);
    }
  });

  // The tests of the S3 driver cover links to a bucket.
  test.skipIf(onMongoAndS3)('a link with a modified expiry, signature or file gets 403', async () => {
    const { body } = await service().post('/v1/generate', { html: 'x' });
    const { body: other } = await service().post('/v1/generate', { html: 'y' });
    const signature = new URL(body.url).searchParams.get('signature') ?? '';
    for (const url of [
      body.url.replace(/expires=\d+/, 'expires=99999999999'),
      body.url.replace(/expires=\d+/, 'expires=1'),
      body.url.replace(/signature=.{3}/, 'signature=AAA'),
      body.url.replace(/&signature=.*/, ''),
      `${other.url.split('?')[0]}?${body.url.split('?')[1]}`,
      `${body.url}x`,
    ]) {
      expect([url, (await fetch(url)).status]).toEqual([url, 403]);
    }
    expect(signature.length).toBeGreaterThan(40);
  });
});

describe('data', () => {
  test('turns html into a template; without it, braces are kept', async () => {
    const html = '<p>Dear {{name}}{{#each items}} [{{this}}]{{/each}}{{#if paid}} paid{{/if}}</p>';
    const merged = await service().pdf({ html, data: { name: 'Zoë & Co <b>', items: [1, 2], paid: true } });
    expect(await pdfText(merged)).toContain('Dear Zoë & Co <b> [1] [2] paid');
    expect(await pdfText(await service().pdf({ html }))).toContain('Dear {{name}}');
    expect(await pdfText(await service().pdf({ html, data: {} }))).toContain('Dear');
  });
});

describeWithPdfTools('options', () => {
  test('format and orientation set the page size', async () => {
    const sizes: [object, [number, number]][] = [
      [{}, [595, 842]],
      [{ format: 'Letter' }, [612, 792]],
      [{ format: 'Legal' }, [612, 1008]],
      [{ format: 'letter' }, [612, 792]],
      [{ format: 'a4', orientation: 'landscape' }, [842, 595]],
      [{ format: 'A4', orientation: 'landscape' }, [842, 595]],
      [{ format: { width: '100mm', height: '50mm' } }, [283, 142]],
      [{ format: { width: '4in', height: '6in' }, orientation: 'landscape', margin: '0' }, [432, 288]],
    ];
    for (const [options, size] of sizes) {
      const pdf = await service().pdf({ html: '<p>x', options });
      await qpdfCheck(pdf);
      await expectSize(pdf, size);
    }
  });

  test('options that are null mean no options, also in a batch', async () => {
    await expectSize(await service().pdf({ html: '<p>x', options: null }), [595, 842]);
    const accepted = await submit(service(), [{ html: 'x', options: null }]);
    expect(await completed(service(), accepted)).toMatchObject({ completed: 1 });
  });

  test('the @page size of a document applies unless the request has a format', async () => {
    const html = '<style>@page { size: A5 }</style>x';
    await expectSize(await service().pdf({ html }), [420, 595]);
    await expectSize(await service().pdf({ html, options: { format: 'A4' } }), [595, 842]);
  });

  test('margins move the text, and a number without a unit is in pixels', async () => {
    const left = async (margin: unknown) => {
      const [page] = await rasterise(
        await service().pdf({
          html: '<body style="margin:0"><div style="background:#000;height:1in">',
          options: { margin },
        }),
        { dpi: 72 },
      );
      if (!page) throw new Error('no page');
      for (let x = 0; x < page.width; x += 1)
        if (page.data[(page.width * 200 + x) * 4] === 0 || page.data[(page.width * 150 + x) * 4] === 0)
          return x;
      return -1;
    };
    expect(await left({ left: '1in', top: '2in' })).toBe(72);
    expect(await left({ left: '192', top: '2in' })).toBe(144);
    expect(await left({ left: '0', top: '2in' })).toBe(0);
    expect(await left({ top: '2in' })).toBe(36);
    expect(await left(192)).toBe(144);
    expect(await left({ left: 192, top: '2in' })).toBe(144);
    expect(await left('2in 1in')).toBe(72);
    expect(await left(' 2in  3in 1in ')).toBe(216);
    expect(await left('2in 3in 1in 96px')).toBe(72);
  });

  test('printBackground decides whether backgrounds are printed', async () => {
    const dark = async (printBackground: boolean | undefined) => {
      const pages = await rasterise(
        await service().pdf({
          html: '<body style="background:#000">',
          options: { margin: '0', printBackground },
        }),
        { dpi: 20 },
      );
      return pages[0]?.data[(100 * (pages[0]?.width ?? 0) + 50) * 4] === 0;
    };
    expect([await dark(undefined), await dark(true), await dark(false)]).toEqual([true, true, false]);
  });

  test('header and footer with page numbers appear on every page around the text', async () => {
    const pdf = await service().pdf({
      html: '<p>first</p><p style="break-before:page">second</p>',
      options: {
        header: '<b>Head {{ pageNumber }}</b>',
        footer: 'Page {{pageNumber}} of {{totalPages}}',
        margin: '0',
      },
    });
    expect(await pageCount(pdf)).toBe(2);
    for (const page of [1, 2]) {
      const text = await pdfText(pdf, { page });
      expect(text).toMatch(
        new RegExp(`Head ${page}[\\s\\S]*${page === 1 ? 'first' : 'second'}[\\s\\S]*Page ${page} of 2`),
      );
    }
  });

  test('header and footer use data, which cannot override page variables', async () => {
    const pdf = await service().pdf({
      html: 'x',
      data: { number: 'R-7', pageNumber: 'wrong' },
      options: { header: 'Invoice {{number}}', footer: '{{pageNumber}}/{{{totalPages}}}' },
    });
    const text = await pdfText(pdf);
    expect(text).toContain('Invoice R-7');
    expect(text).toContain('1/1');
  });

  test.each([
    ['a number alone', '{{pageNumber}}'],
    ['a number in a box', '<div style="font-size:20px">{{pageNumber}} / {{totalPages}}</div>'],
    ['outer margins', '<p style="margin:20px 0">7 x</p>'],
    ['a heading and a paragraph', '<h2>7 x</h2><p>7 y</p>'],
  ])('a header and footer with %s do not overlap the text', async (_, template) => {
    const pdf = await service().pdf({
      html: `<body style="margin:0">${'<p style="margin:0">line</p>'.repeat(80)}`,
      options: { header: template, footer: template, margin: '0' },
    });
    const [words = []] = await readWords(pdf);
    const lines = words.filter(({ text }) => text === 'line');
    const others = words.filter(({ text }) => text !== 'line');
    expect([lines.length > 30, others.length >= 2]).toEqual([true, true]);
    const first = Math.min(...lines.map(({ box }) => box[1]));
    const last = Math.max(...lines.map(({ box }) => box[3]));
    expect(others.filter(({ box }) => box[3] > first && box[1] < last)).toEqual([]);
  });

  test('a tall header is printed above the text', async () => {
    const pdf = await service().pdf({
      html: '<body style="margin:0"><p style="margin:0">body</p>',
      options: { header: '<div style="height:3in">tall</div>', margin: '0' },
    });
    const [words = []] = await readWords(pdf);
    const body = words.find(({ text }) => text === 'body');
    expect(words.map(({ text }) => text)).toEqual(['tall', 'body']);
    expect(body?.box[1]).toBeGreaterThanOrEqual(3 * 72);
  });
});

describeWithPdfTools('content', () => {
  test('any writing system works in data, HTML and title', async () => {
    const texts = { arabic: 'فاتورة', chinese: '发票', emoji: '🧾', combining: 'éàñ', hindi: 'चालान' };
    const html = `<title>${texts.chinese}</title>${Object.keys(texts)
      .map((name) => `<p>{{${name}}}</p>`)
      .join('')}`;
    const { body } = await service().post('/v1/generate', { html, data: texts });
    const pdf = await service().download(body.url);
    expect((await pdfInfo(pdf))['Title']).toBe(texts.chinese);
    const { body: generation } = await service().get(`/v1/generations/${body.id}?receipt=true`);
    const missing = generation.receipt.missing_glyphs.characters;
    // pdftotext adds direction marks and may decompose characters.
    const text = (await pdfText(pdf)).normalize('NFC').replace(/[\u202a-\u202e]/g, '');
    for (const [name, expected] of Object.entries(texts))
      if (missing.every((character: string) => !expected.includes(character)))
        expect(text.split('\n').map((line) => line.trim())).toContain(expected.normalize('NFC'));
      else console.warn(`no installed font has the characters of ${name}`);
    expect(text).toContain(texts.combining.normalize('NFC'));
  });

  test('keeps safe links and removes the others', async () => {
    const urls = [
      'https://example.com/a',
      'mailto:a@b.c',
      'tel:+41',
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vbscript:x',
    ];
    for (const prefix of ['', '<script></script>']) {
      const pdf = await service().pdf({
        html: prefix + urls.map((url) => `<p><a href="${url}">${url}</a></p>`).join(''),
      });
      await qpdfCheck(pdf);
      expect((await links(pdf)).toSorted()).toEqual(['https://example.com/a', 'mailto:a@b.c', 'tel:+41']);
    }
  });

  test('scripts run before printing, including load handlers', async () => {
    const pdf = await service().pdf({
      html: '<p id=a></p><script>document.getElementById("a").textContent="drawn";addEventListener("load",()=>document.body.append(" loaded"))</script>',
    });
    expect(await pdfText(pdf)).toContain('drawn');
    expect(await pdfText(pdf)).toContain('loaded');
  });

  test('a missing image does not fail the document', async () => {
    const { status, body } = await service().post('/v1/generate', {
      html: '<p>text</p><img src="http://nowhere.invalid/a.png"><img src="x.png">',
    });
    expect(status).toBe(200);
    expect(await pdfText(await service().download(body.url))).toContain('text');
  });
});

/**
 * Compares the first page's size in points with a tolerance, because Chromium rounds paper to a grid of 0.96
 * points.
 */
async function expectSize(pdf: Uint8Array, [width, height]: readonly [number, number]): Promise<void> {
  const [size] = await pageSizes(pdf);
  expect(Math.abs((size?.width ?? 0) - width)).toBeLessThan(1);
  expect(Math.abs((size?.height ?? 0) - height)).toBeLessThan(1);
}
