import { expect, test } from 'bun:test';
import { FORMAT_NAMES } from '../../../plugins/documents/exports.ts';
import { describeWithPdfTools, pageSizes, qpdfCheck } from '../../support/pdf/pdf.ts';
import { readWords } from '../../forms/words.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

/** Returns the page sizes in points. Chromium rounds paper to a grid of 0.96 points. */
async function sizesOf(body: object): Promise<[number, number][]> {
  const sizes = await pageSizes(await service().pdf(body));
  return sizes.map(({ width, height }) => [width, height]);
}

/** Returns the error of a rejected request: the field and the message. */
async function rejection(options: object, html = 'x'): Promise<string> {
  const { status, body } = await service().post('/v1/generate', { html, options });
  if (status !== 400) return `status ${status}`;
  const [{ path, message }] = body.error.details;
  return `${path}: ${message}`;
}

describeWithPdfTools('options.format', () => {
  const INCH_MM = 25.4;
  /** The sizes in millimetres of the formats that the standard gives in inches. */
  const INCH_FORMATS: Record<string, [number, number]> = {
    Letter: [8.5 * INCH_MM, 11 * INCH_MM],
    Legal: [8.5 * INCH_MM, 14 * INCH_MM],
    Tabloid: [11 * INCH_MM, 17 * INCH_MM],
    Ledger: [17 * INCH_MM, 11 * INCH_MM],
  };
  /** Returns the size of a format in millimetres. Each format of ISO 216 is half of the one before. */
  function standardSize(name: string): [number, number] {
    const [, number] = /^A(\d)$/.exec(name) ?? [];
    if (number === undefined) return INCH_FORMATS[name] ?? [0, 0];
    let size: [number, number] = [841, 1189];
    for (let step = 0; step < Number(number); step += 1) size = [Math.floor(size[1] / 2), size[0]];
    return size;
  }

  test.each(FORMAT_NAMES)('%s has the size of the standard, in upper and lower case', async (name) => {
    const [width, height] = standardSize(name);
    const spelling = FORMAT_NAMES.indexOf(name) % 2 === 0 ? name.toLowerCase() : name.toUpperCase();
    const [[w, h] = [0, 0]] = await sizesOf({ html: 'x', options: { format: spelling } });
    expect(Math.abs(w - (width / INCH_MM) * 72)).toBeLessThan(1);
    expect(Math.abs(h - (height / INCH_MM) * 72)).toBeLessThan(1);
  });

  test('an explicit orientation applies to Ledger, which is landscape by default', async () => {
    const orientationOf = async (orientation: string) => {
      const [[width, height] = [0, 0]] = await sizesOf({
        html: 'x',
        options: { format: 'Ledger', orientation },
      });
      return width > height ? 'landscape' : 'portrait';
    };
    expect([await orientationOf('landscape'), await orientationOf('portrait')]).toEqual([
      'landscape',
      'portrait',
    ]);
  });

  test('an unknown name is rejected with the valid names', async () => {
    expect(await rejection({ format: 'A7' })).toBe(
      `options.format: must be one of ${FORMAT_NAMES.join(', ')}, or { width, height }`,
    );
  });
});

describeWithPdfTools('options.scale', () => {
  test.each([0.1, 0.5, 2])('%d scales the content, but not margins and header', async (scale) => {
    const words = async (options: object) => {
      const pdf = await service().pdf({
        html: '<body style="margin:0"><p style="margin:0;font:20pt/1 serif">word</p>',
        options: { header: '<b>head</b>', margin: '1in', ...options },
      });
      const [page = []] = await readWords(pdf);
      const find = (text: string) => {
        const found = page.find((word) => word.text === text);
        if (!found) throw new Error(`the page has no word ${text}`);
        return found.box;
      };
      return { head: find('head'), word: find('word') };
    };
    const [plain, scaled] = [await words({}), await words({ scale })];
    const width = ({ word }: typeof plain) => word[2] - word[0];
    expect(width(scaled) / width(plain)).toBeCloseTo(scale, 1);
    expect(Math.abs(scaled.word[0] - 72)).toBeLessThan(1);
    expect(scaled.head).toEqual(plain.head);
  });

  test('scripts see the window in which the scaled content is laid out', async () => {
    const html = '<body style="margin:0"><p id=p></p><script>p.textContent = innerWidth</script>';
    const pdf = await service().pdf({ html, options: { scale: 0.5, format: 'Letter', margin: '1in' } });
    const [[word] = []] = await readWords(pdf);
    expect(word?.text).toBe('1248');
  });

  test('values outside 0.1 to 2 are rejected', async () => {
    expect(await rejection({ scale: 0.05 })).toStartWith('options.scale: ');
    expect(await rejection({ scale: 2.1 })).toStartWith('options.scale: ');
  });
});

describeWithPdfTools('options.preferCssPageSize', () => {
  const html = '<style>@page { size: 300pt 400pt }</style>x';

  test('true: the size in the document wins over format', async () => {
    const [size] = await sizesOf({ html, options: { preferCssPageSize: true, format: 'A4' } });
    expect(size?.map(Math.round)).toEqual([300, 400]);
  });

  test('true: format applies to a document without a size', async () => {
    const [size] = await sizesOf({ html: 'x', options: { preferCssPageSize: true, format: 'Letter' } });
    expect(size?.map(Math.round)).toEqual([612, 792]);
  });

  test('false: the size in the document is ignored', async () => {
    const [size] = await sizesOf({ html, options: { preferCssPageSize: false } });
    expect(size?.map(Math.round)).toEqual([596, 842]);
  });
});

describeWithPdfTools('options.media', () => {
  const html = `<style>@media print { .screen { display: none } } @media screen { .print { display: none } }</style>
    <p class="screen">forScreen</p><p class="print">forPrint</p>`;
  const wordsOf = async (options: object, prefix = '') => {
    const [page = []] = await readWords(await service().pdf({ html: prefix + html, options }));
    return page.map(({ text }) => text);
  };

  test('screen applies the styles for screens, to this document only', async () => {
    for (const prefix of ['', '<script></script>']) {
      expect(await wordsOf({ media: 'screen' }, prefix)).toEqual(['forScreen']);
      expect(await wordsOf({}, prefix)).toEqual(['forPrint']);
      expect(await wordsOf({ media: 'print' }, prefix)).toEqual(['forPrint']);
    }
  });

  test('screen prints header and footer, and breaks pages', async () => {
    const options = { media: 'screen', header: 'head', footer: '{{pageNumber}}/{{totalPages}}' };
    const pages = await readWords(
      await service().pdf({ html: `${html}<p style="break-before:page">next`, options }),
    );
    expect(pages.map((page) => page.map(({ text }) => text))).toEqual([
      ['head', 'forScreen', '1/2'],
      ['head', 'next', '2/2'],
    ]);
  });

  test('matchMedia tells scripts the media type', async () => {
    const script = '<script>document.write(matchMedia("screen").matches)</script>';
    expect((await wordsOf({ media: 'screen' }, script))[0]).toBe('true');
  });

  test('another name is rejected', async () => {
    expect(await rejection({ media: 'tv' })).toBe('options.media: must be "print" or "screen"');
  });
});

describeWithPdfTools('options.pageRanges', () => {
  const pagesOf = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `<p style="${at > 0 ? 'break-before:page' : ''}">p${at + 1}`,
    ).join('');
  const footer = '{{pageNumber}}/{{totalPages}}';
  const wordsOf = async (pageRanges: string, pages = 7, more: object = {}) => {
    const pdf = await service().pdf({ html: pagesOf(pages), options: { pageRanges, footer, ...more } });
    await qpdfCheck(pdf);
    return (await readWords(pdf)).map((page) => page.map(({ text }) => text).join(' '));
  };

  test.each([
    ['1-3, 5', ['p1 1/7', 'p2 2/7', 'p3 3/7', 'p5 5/7']],
    ['6-', ['p6 6/7', 'p7 7/7']],
    ['2, 6-', ['p2 2/7', 'p6 6/7', 'p7 7/7']],
    ['7', ['p7 7/7']],
    ['3-1', ['p3 3/7', 'p2 2/7', 'p1 1/7']],
    ['6-, 2, 4-3', ['p6 6/7', 'p7 7/7', 'p2 2/7', 'p4 4/7', 'p3 3/7']],
  ])('%p prints these pages, numbered as in the document', async (pageRanges, expected) => {
    expect(await wordsOf(pageRanges)).toEqual(expected);
  });

  test('the response counts the printed pages', async () => {
    const { body } = await service().post('/v1/generate', {
      html: pagesOf(5),
      options: { pageRanges: '2-4' },
    });
    expect(body.pages).toBe(3);
  });

  test.each([
    ['9-', 'selects page 9, but the document has 3 pages'],
    ['4', 'selects page 4, but the document has 3 pages'],
    ['2-4', 'selects page 4, but the document has 3 pages'],
    ['1, 5-9', 'selects page 5, but the document has 3 pages'],
    ['1-2, 4-', 'selects page 4, but the document has 3 pages'],
  ])('%p is rejected for 3 pages', async (pageRanges, message) => {
    expect(await rejection({ pageRanges }, pagesOf(3))).toBe(`options.pageRanges: ${message}`);
  });

  test('a preview prints the selected pages too', async () => {
    const body = { html_content: pagesOf(3), options: { pageRanges: '3, 1' }, output: 'base64' };
    const { body: preview } = await service().post('/v1/templates/preview', body);
    const pages = await readWords(Buffer.from(preview.data, 'base64'));
    expect([preview.pages, pages.map((page) => page[0]?.text)]).toEqual([2, ['p3', 'p1']]);
  });

  test('a syntax error is rejected before anything is recorded', async () => {
    const before = (await service().get('/v1/generations')).body.data.length;
    expect(await rejection({ pageRanges: '1 to 3' })).toContain('options.pageRanges: must be pages from 1');
    expect((await service().get('/v1/generations')).body.data.length).toBe(before);
  });
});

test('an option that is null or unknown is rejected', async () => {
  expect(await rejection({ scale: null })).toStartWith('options.scale: ');
  expect(await rejection({ zoom: 2 })).toStartWith('options.zoom: ');
});
