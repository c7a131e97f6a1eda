import { describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import {
  describeWithPdfTools,
  links,
  pageSizes,
  pixelDifference,
  qpdfCheck,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { readWords } from '../../forms/words.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const service = sharedService();

const pagesOf = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `<p style="margin:0;${at > 0 ? 'break-before:page' : ''}">p${at + 1}</p>`,
  ).join('');

/** Returns the words of each page, from top to bottom. */
async function wordsOf(html: string, options: object): Promise<string[]> {
  const pdf = await service().pdf({ html, options });
  await qpdfCheck(pdf);
  return (await readWords(pdf)).map((page) =>
    page
      .toSorted((a, b) => a.box[1] - b.box[1])
      .map(({ text }) => text)
      .join(' '),
  );
}

/** Returns the top of a word on each page, in points. */
async function topsOf(text: RegExp, html: string, options: object): Promise<number[]> {
  const pages = await readWords(await service().pdf({ html, options }));
  return pages.map((page) => {
    const word = page.find((each) => text.test(each.text));
    if (!word) throw new Error(`a page has no word ${text}`);
    return Math.round(word.box[1]);
  });
}

const header = 'head-{{pageNumber}}/{{totalPages}}';
const footer = 'foot-{{pageNumber}}/{{totalPages}}';

describeWithPdfTools('options.firstPage', () => {
  const firstPages: [string, object, string][] = [
    ['another header', { header: 'first-{{pageNumber}}/{{totalPages}}' }, 'first-1/3 p1 foot-1/3'],
    ['no header', { header: '' }, 'p1 foot-1/3'],
    ['no header and footer', { header: '', footer: '' }, 'p1'],
    ['another footer', { footer: 'first' }, 'head-1/3 p1 first'],
  ];
  test.each(casesOfSuite(firstPages, 8))('%s', async (_, firstPage, first) => {
    expect(await wordsOf(pagesOf(3), { header, footer, firstPage })).toEqual([
      first,
      'head-2/3 p2 foot-2/3',
      'head-3/3 p3 foot-3/3',
    ]);
  });

  test.if(isThorough)('can add a header to the first page only', async () => {
    expect(await wordsOf(pagesOf(2), { firstPage: { header: 'letterhead' } })).toEqual([
      'letterhead p1',
      'p2',
    ]);
  });

  test.if(isThorough)('applies to a document with one page', async () => {
    expect(await wordsOf('p1', { header, firstPage: { header: 'only-{{totalPages}}' } })).toEqual([
      'only-1 p1',
    ]);
    expect(await wordsOf('p1', { header, firstPage: { header: '' } })).toEqual(['p1']);
  });

  test('each page has room for its own header', async () => {
    const tall = (inches: number) => `<div style="height:${inches}in">tall</div>`;
    const options = { header, margin: '0.5in' };
    const [first, second] = await topsOf(/^p\d/, pagesOf(2), { ...options, firstPage: { header: tall(3) } });
    expect(first).toBeGreaterThanOrEqual(3.2 * 72);
    expect(second).toBeLessThan(72);
    const [low, below] = await topsOf(/^p\d/, pagesOf(2), { header: tall(3), firstPage: { header: '' } });
    expect(low).toBeLessThan(72);
    expect(below).toBeGreaterThanOrEqual(3.2 * 72);
    const [bare] = await topsOf(/^p\d/, pagesOf(1), { margin: '0.5in' });
    expect(low).toBe(bare ?? Number.NaN);
  });

  test.if(isThorough)('a taller footer takes its room from the text of the first page', async () => {
    const lines = '<p style="margin:0">line</p>'.repeat(100);
    const count = async (firstPage: object | undefined) => {
      const pdf = await service().pdf({ html: lines, options: { footer, ...(firstPage && { firstPage }) } });
      const [page = []] = await readWords(pdf);
      const bottom = Math.max(...page.filter(({ text }) => text === 'line').map(({ box }) => box[3]));
      return { lines: page.filter(({ text }) => text === 'line').length, bottom };
    };
    const [plain, tall] = [await count(undefined), await count({ footer: '<div style="height:4in"></div>' })];
    expect(tall.lines).toBeLessThan(plain.lines);
    expect(tall.bottom).toBeLessThan(842 - 4 * 72);
  });

  test.if(isThorough)('the header is drawn where Chromium draws it', async () => {
    const styled = `<div style="background:#ccd;border:1px solid;padding:4px">${header} <b>bold</b></div>`;
    const pages = async (options: object) =>
      rasterise(await service().pdf({ html: pagesOf(2), options: { margin: '1in', ...options } }), {
        dpi: 96,
      });
    const [native, actual] = [
      await pages({ header: styled, footer: styled }),
      await pages({ header: styled, footer: styled, firstPage: { header: styled } }),
    ];
    expect(pixelDifference(native, actual).changed).toBe(0);
  });

  test.each([
    [
      'pages of different sizes',
      '<style>@page { size: A5 } @page wide { size: A4 landscape } .w { page: wide }</style><p>p1</p><p class="w">p2</p>',
      {},
    ],
    ['landscape', pagesOf(2), { orientation: 'landscape' }],
    ['a scale', pagesOf(2), { scale: 0.5 }],
    ['media screen', pagesOf(2), { media: 'screen' }],
  ])('works with %s', async (_, html, options) => {
    const native = await service().pdf({ html, options: { header, footer, ...options } });
    const pdf = await service().pdf({
      html,
      options: { header, footer, firstPage: { header: 'first' }, ...options },
    });
    expect(await pageSizes(pdf)).toEqual(await pageSizes(native));
    const [actual, expected] = [await readWords(pdf), await readWords(native)];
    expect(actual[1]).toEqual(expected[1]);
    expect(actual[0]?.map(({ text }) => text).toSorted()).toEqual(['first', 'foot-1/2', 'p1']);
  });

  test.if(isThorough)(
    "margins of the document's @page rules win over room for the header, as without firstPage",
    async () => {
      const html = `<style>@page { margin: 1in }</style>${pagesOf(2)}`;
      const tall = '<div style="height:2in">tall</div>';
      expect(await topsOf(/^p\d/, html, { firstPage: { header: tall } })).toEqual(
        await topsOf(/^p\d/, html, { header: tall }),
      );
    },
  );

  test('header and footer are templates when the document is one', async () => {
    const pdf = await service().pdf({
      html: 'p1',
      data: { name: 'Ada' },
      options: { header: 'other', firstPage: { header: 'For-{{name}} {{pageNumber}}' } },
    });
    const [page = []] = await readWords(pdf);
    expect(page.map(({ text }) => text)).toContain('For-Ada');
  });

  test.if(isThorough)('links within the document and PDF/A still work', async () => {
    const html = `<a href="#end">there</a> <a href="https://example.com/">out</a>${pagesOf(3)}<p id="end">end`;
    const options = { header, firstPage: { header: 'first' } };
    expect(await links(await service().pdf({ html, options }))).toEqual(['https://example.com/']);
    const archived = await service().pdf({ html, options: { ...options, pdfa: true } });
    expect((await readWords(archived))[0]?.map(({ text }) => text)).toContain('first');
  });

  test.if(isThorough)('applies to the items of a batch', async () => {
    const accepted = await submit(service(), [
      { html: pagesOf(2), options: { header, firstPage: { header: '' } } },
    ]);
    const { generations } = await completed(service(), accepted);
    const { url } = (await service().get(`/v1/generations/${generations[0].id}`)).body;
    const pages = await readWords(await service().download(url));
    expect(pages.map((page) => page.map(({ text }) => text).toSorted())).toEqual([
      ['p1'],
      ['head-2/2', 'p2'],
    ]);
  });
});

describeWithPdfTools('options.pageNumberStart', () => {
  test('shifts page numbers and their total', async () => {
    const options = { header, footer, pageNumberStart: 5 };
    expect(await wordsOf(pagesOf(3), options)).toEqual([
      'head-5/7 p1 foot-5/7',
      'head-6/7 p2 foot-6/7',
      'head-7/7 p3 foot-7/7',
    ]);
  });

  test.if(isThorough)('shifts the CSS counter too', async () => {
    const html = `<style>@page { margin: 1in; @bottom-center { content: "css-" counter(page) } }</style>${pagesOf(2)}`;
    expect(await wordsOf(html, { pageNumberStart: 12 })).toEqual(['p1 css-12', 'p2 css-13']);
  });

  test.if(isThorough)('applies with firstPage and pageRanges', async () => {
    const options = { header, firstPage: { header: 'first-{{pageNumber}}' }, pageNumberStart: 11 };
    expect(await wordsOf(pagesOf(5), { ...options, pageRanges: '1-2, 4' })).toEqual([
      'first-11 p1',
      'head-12/15 p2',
      'head-14/15 p4',
    ]);
    expect(await wordsOf(pagesOf(5), { ...options, pageRanges: '5, 3-2' })).toEqual([
      'head-15/15 p5',
      'head-13/15 p3',
      'head-12/15 p2',
    ]);
    // A selection up to the end, and headers without the total: the other pages need not be counted.
    expect(await wordsOf(pagesOf(5), { ...options, pageRanges: '4-, 2' })).toEqual([
      'head-14/15 p4',
      'head-15/15 p5',
      'head-12/15 p2',
    ]);
    expect(
      await wordsOf(pagesOf(5), { ...options, header: 'head-{{pageNumber}}', pageRanges: '4, 1' }),
    ).toEqual(['head-14 p4', 'first-11 p1']);
  });
});

describe('an invalid firstPage or pageNumberStart is rejected:', () => {
  const rejection = async (body: object) => {
    const { status, body: answer } = await service().post('/v1/generate', { html: 'x', ...body });
    const [{ path, code, message }] = answer.error.details;
    return [status, path, code ?? message];
  };

  test.each([
    [{ firstPage: {} }, 'options.firstPage', 'must have a header, a footer or both'],
    [{ firstPage: { header: '<script></script>' } }, 'options.firstPage.header', /scripts/],
    [{ firstPage: { footer: '<img src="https://a.example/b.png">' } }, 'options.firstPage.footer', /scripts/],
    [{ firstPage: { header: '<div style="height:20in">' } }, 'options.firstPage.header', 'NO_ROOM'],
    [{ firstPage: { title: 'x' } }, 'options.firstPage.title', /unknown field/],
    [{ pageNumberStart: 0 }, 'options.pageNumberStart', /1 to 10000/],
    [{ pageNumberStart: 10_001 }, 'options.pageNumberStart', /1 to 10000/],
  ])('%p', async (options, path, says) => {
    const [status, at, message] = await rejection({ options });
    expect([status, at]).toEqual([400, path]);
    expect(message).toMatch(says);
  });

  test('a first page whose template fails', async () => {
    expect(await rejection({ data: {}, options: { firstPage: { footer: '{{#if}}' } } })).toEqual([
      400,
      'options.firstPage.footer',
      'TEMPLATE_ERROR',
    ]);
  });
});
