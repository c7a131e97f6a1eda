import { describe, expect, test } from 'bun:test';
import { GotenbergClient, type GotenbergPart, type GotenbergResponse } from '../../support/gotenberg.ts';
import { runOn } from '../../support/pdf/pdf-operations.ts';
import { hostilePdfs, pagesPdf } from '../../support/pdf/samples.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const { post, made, madeOne, rejection } = new GotenbergClient(service, 'forms/pdfengines/');

const pages3: GotenbergPart = ['files', pagesPdf(3), 'pages_3.pdf'];
const page1: GotenbergPart = ['files', pagesPdf(1), 'page_1.pdf'];
/** Returns the texts of the pages. */
const textOf = (pdf: Buffer) =>
  runOn(pdf, ['pdftotext', '{}', '-'])
    .split('\f')
    .map((page) => page.trim().replaceAll(/\s+/g, ' '))
    .filter((page) => page !== '');

const infoOf = (pdf: Buffer) => runOn(pdf, ['pdfinfo', '{}']);

describe('merge', () => {
  test('joins PDFs in the order of their names', async () => {
    const [b, a]: GotenbergPart[] = [
      ['files', pagesPdf(1), '2_b.pdf'],
      ['files', pagesPdf(2), '1_a.pdf'],
    ];
    const response = await post('merge', [b!, a!], { 'gotenberg-output-filename': 'foo' });
    expect(response.headers.get('content-disposition')).toStartWith('attachment; filename="foo.pdf"');
    expect(textOf(response.files[0]!.content)).toEqual(['Page 1', 'Page 2', 'Page 1']);
  });

  test('takes one PDF, and does all further work on the result', async () => {
    const pdf = await madeOne('merge', [
      pages3,
      ['stampSource', 'pdf'],
      ['stampOptions', '{"rot":"0","scale":"1"}'],
      ['stampPages', '2-'],
      ['stamp', pagesPdf(1).replace('Page 1', 'Stamp '), 's.pdf'],
      ['rotateAngle', '90'],
      ['rotatePages', '3'],
      ['flatten', 'true'],
      ['pdfa', 'PDF/A-3b'],
      ['metadata', '{"Title":"All","Department":"Sales"}'],
      ['embeds', 'x', 'x.txt'],
      ['bookmarks', '[{"title":"Index","page":2}]'],
    ]);
    expect(textOf(pdf)[1]).toContain('Stamp');
    expect(textOf(pdf)[0]).toBe('Page 1');
    expect(runOn(pdf, ['pdfinfo', '-f', '1', '-l', '3', '{}'])).toMatch(
      /Page +2 rot: +0[^]*Page +3 rot: +90/,
    );
    expect(infoOf(pdf)).toMatch(/Title: +All/);
    expect(runOn(pdf, ['pdfdetach', '-list', '{}'])).toContain('x.txt');
    const read = await post('metadata/read', [['files', pdf, 'all.pdf']]);
    expect(JSON.parse(read.text)['all.pdf']).toMatchObject({ Title: 'All', Department: 'Sales' });
    if (requireVeraPdf())
      expect([...(await validateWithVeraPdf(new Map([['all', pdf]]), '3b')).values()]).toEqual([[]]);
  });

  test('joins bookmarks, with a title for each PDF', async () => {
    const withBookmarks = async (name: string, title: string): Promise<GotenbergPart> => [
      'files',
      await madeOne('bookmarks/write', [pages3, ['bookmarks', `[{"title":"${title}","page":2}]`]]),
      name,
    ];
    const parts = [await withBookmarks('a.pdf', 'A'), await withBookmarks('b.pdf', 'B')];
    const bookmarksOf = async (fields: readonly GotenbergPart[]) => {
      const pdf = await madeOne('merge', [...parts, ...fields]);
      return JSON.parse((await post('bookmarks/read', [['files', pdf, 'm.pdf']])).text)['m.pdf'];
    };
    const own = [
      { title: 'A', page: 2 },
      { title: 'B', page: 5 },
    ];
    expect(await bookmarksOf([['autoIndexBookmarks', 'true']])).toEqual(own);
    expect(await bookmarksOf([['titleBookmarks', 'true']])).toEqual([
      { title: 'a', page: 1, children: [own[0]] },
      { title: 'b', page: 4, children: [own[1]] },
    ]);
    expect(await bookmarksOf([['bookmarks', '{"b.pdf":[{"title":"New","page":1}]}']])).toEqual([
      { title: 'New', page: 4 },
    ]);
  });

  test('names the faulty file', async () => {
    expect(await rejection('merge', [page1, ['files', '<html>', 'b.pdf']])).toBe(
      "400 The file 'b.pdf' is not a PDF but HTML",
    );
    expect(await rejection('merge', [['files', hostilePdfs.userPassword(), 'locked.pdf']])).toStartWith(
      "400 The file 'locked.pdf' is encrypted",
    );
    expect(await rejection('merge', [['files', 'x', 'a.txt']])).toBe(
      '400 Invalid form data: no form file found for extensions: [.pdf]',
    );
  });
});

describe('split', () => {
  test.each([
    ['intervals', '2', 'false', ['pages_3_0.pdf', 'pages_3_1.pdf'], ['Page 1 Page 2', 'Page 3']],
    ['pages', '2-', 'false', ['pages_3_0.pdf', 'pages_3_1.pdf'], ['Page 2', 'Page 3']],
    ['pages', '2-', 'true', ['pages_3.pdf'], ['Page 2 Page 3']],
    ['pages', 'odd', 'true', ['pages_3.pdf'], ['Page 1 Page 3']],
    ['pages', '!2', 'true', ['pages_3.pdf'], ['Page 1 Page 3']],
    ['pages', '2-z', 'true', ['pages_3.pdf'], ['Page 2 Page 3']],
    ['pages', ' l , 1 ', 'true', ['pages_3.pdf'], ['Page 1 Page 3']],
  ])('%s %s, unified %s', async (mode, span, unify, names, texts) => {
    const files = await made('split', [
      pages3,
      ['splitMode', mode],
      ['splitSpan', span],
      ...(unify === 'true' ? ([['splitUnify', 'true']] as const) : []),
    ]);
    expect(files.map(({ name }) => name)).toEqual(names);
    expect(files.map(({ content }) => textOf(content).join(' '))).toEqual(texts);
  });

  test('reads its fields like Gotenberg', async () => {
    const split = (mode: string, span: string, more: readonly GotenbergPart[] = []) =>
      rejection('split', [pages3, ['splitMode', mode], ['splitSpan', span], ...more]);
    expect(await rejection('split', [['x', 'y']])).toMatch(
      /^400 Invalid form data: form field 'splitMode' is required[;\n] ?form field 'splitSpan' is required[;\n] ?no form file found for extensions: \[\.pdf\]$/,
    );
    expect(await split('foo', '2')).toBe(
      "400 Invalid form data: form field 'splitMode' is invalid (got 'foo', resulting to wrong value, expected either 'intervals' or 'pages')",
    );
    expect(await split('intervals', 'foo')).toBe(
      `400 Invalid form data: form field 'splitSpan' is invalid (got 'foo', resulting to strconv.Atoi: parsing "foo": invalid syntax)`,
    );
    expect(await split('intervals', '0')).toBe(
      "400 Invalid form data: form field 'splitSpan' is invalid (got '0', resulting to value is inferior to 1)",
    );
    expect(await split('intervals', '2', [['splitUnify', 'true']])).toBe(
      "400 Invalid form data: form field 'splitUnify' is invalid (got 'true', resulting to unify is not available for split mode 'intervals')",
    );
    for (const span of ['9-1', '7'])
      expect(await split('pages', span)).toBe(
        "400 Invalid form data: form field 'splitSpan' is invalid (selects no page; the PDF has 3 pages)",
      );
    for (const span of ['foo', '1-foo'])
      expect(await split('pages', span)).toBe(
        "400 The requested split mode is not supported, or no PDF engine could process it. Valid modes: 'intervals', 'pages'.",
      );
    expect(await split('intervals', '1', [['pdfa', 'foo']])).toBe(
      '400 The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.',
    );
    expect(await split('intervals', '1', [['metadata', 'foo']])).toBe(
      "400 Invalid form data: form field 'metadata' is invalid (got 'foo', resulting to unmarshal metadata: invalid character 'o' in literal false (expecting 'a'))",
    );
  });
});

describe('metadata', () => {
  const metadata = {
    Author: 'Julien Neuhart',
    Copyright: 'Julien Neuhart',
    CreateDate: '2006-09-18T16:27:50-04:00',
    Creator: 'Gotenberg',
    Keywords: ['first', 'second'],
    Marked: true,
    ModDate: '2006-09-18T16:27:50-04:00',
    PDFVersion: 1.7,
    Producer: 'Gotenberg',
    Subject: 'Sample',
    Title: 'Sample',
    Trapped: 'Unknown',
  };

  test('is written and read', async () => {
    const pdf = await madeOne('metadata/write', [page1, ['metadata', JSON.stringify(metadata)]]);
    expect(infoOf(pdf)).toMatch(/Title: +Sample[^]*Keywords: +first, second[^]*Author: +Julien Neuhart/);
    const { text, headers } = await post('metadata/read', [
      ['files', pdf, 'foo.pdf'],
      ['files', pagesPdf(2), 'bar.pdf'],
    ]);
    expect(headers.get('content-type')).toStartWith('application/json');
    const read = JSON.parse(text);
    expect(read['foo.pdf']).toMatchObject({
      ...metadata,
      CreateDate: '2006:09:18 16:27:50-04:00',
      ModDate: '2006:09:18 16:27:50-04:00',
      PageCount: 1,
      FileType: 'PDF',
    });
    expect(read['bar.pdf']).toMatchObject({ PageCount: 2, PDFVersion: 1.4 });
  });

  test('ignores tags of the file system, and rejects values that no PDF can have', async () => {
    const write = (value: object) => [page1, ['metadata', JSON.stringify(value)] as const];
    expect(textOf(await madeOne('metadata/write', write({ FileName: '/etc/passwd' })))).toEqual(['Page 1']);
    // Names of JavaScript's own properties are names like any other.
    const odd = { constructor: 'a', toString: 'b', Department: 'c' };
    const pdf = await madeOne('metadata/write', write(odd));
    const read = await post('metadata/read', [['files', pdf, 'odd.pdf']]);
    expect(JSON.parse(read.text)['odd.pdf']).toMatchObject(odd);
    const unsupported =
      '400 At least one PDF engine cannot process the requested metadata, while others may have failed to convert due to different issues';
    for (const value of [
      { Title: 'a\nb' },
      { '-execute': 'x' },
      { CreateDate: 'yesterday' },
      { Title: { a: 1 } },
      { Title: null },
      { Title: [1] },
      { Trapped: 'Maybe' },
    ])
      expect(await rejection('metadata/write', write(value))).toBe(unsupported);
    expect(await rejection('metadata/write', [page1])).toBe(
      "400 Invalid form data: form field 'metadata' is required",
    );
  });
});

describe('bookmarks', () => {
  test('are written to all PDFs, or to each its own', async () => {
    const list = [{ title: 'Index', page: 1, children: [{ title: 'Sub-index', page: 1 }] }];
    const read = async (files: GotenbergResponse['files']) =>
      JSON.parse(
        (
          await post(
            'bookmarks/read',
            files.map(({ name, content }) => ['files', content, name] as const),
          )
        ).text,
      );
    const both = [page1, pages3];
    const all = await made('bookmarks/write', [...both, ['bookmarks', JSON.stringify(list)]]);
    expect(await read(all)).toEqual({ 'page_1.pdf': list, 'pages_3.pdf': list });
    const own = { 'pages_3.pdf': [{ title: 'Three', page: 3 }] };
    const some = await made('bookmarks/write', [...both, ['bookmarks', JSON.stringify(own)]]);
    expect(await read(some)).toEqual({ 'page_1.pdf': [], ...own });
  });

  test('are rejected unless they are a list for pages that exist', async () => {
    const write = (bookmarks: string) => rejection('bookmarks/write', [page1, ['bookmarks', bookmarks]]);
    expect(await write('foo')).toBe(
      "400 Invalid form data: form field 'bookmarks' is invalid (got 'foo', resulting to unmarshal bookmarks: invalid character 'o' in literal false (expecting 'a'))",
    );
    expect(await write('[{"title":"x","page":9}]')).toBe(
      "400 Invalid form data: form field 'bookmarks' is invalid (must be an integer from 1 to 1: the PDF has 1 page)",
    );
    for (const wrong of ['[1]', '{"a":1}', '"x"', '[{"title":1}]', '[{"title":"a","page":"1"}]'])
      expect(await write(wrong)).toStartWith("400 Invalid form data: form field 'bookmarks' is invalid (got");
    const deep = '[{"title":"a","page":1,"children":'.repeat(25) + '[]' + '}]'.repeat(25);
    expect(await write(deep)).toContain('nested more than 20 levels deep');
  });
});
