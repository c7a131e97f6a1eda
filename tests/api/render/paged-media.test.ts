import { expect, test } from 'bun:test';
import { book, largeBook, type BookSize } from '../../documents/book.ts';
import { describeWithPdfTools, pageCount, pdfText } from '../../support/pdf/pdf.ts';
import { serviceOnDemand, sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const service = sharedService();
/** A service whose deadline a book of 300 pages meets on a busy machine too. */
const patientService = serviceOnDemand({ env: { RENDER_TIMEOUT_MS: '170000' } });

const SENTENCE = 'Words that fill the page and go on for some time. ';
const filler = (sentences: number) => `<p>${SENTENCE.repeat(sentences)}</p>`;
const PAGE = '@page { size: A4; margin: 20mm; @bottom-center { content: "p." counter(page) } }';

async function print(html: string, options: object = {}, on = service()): Promise<Uint8Array> {
  const { status, body } = await on.post('/v1/generate', { html, options, output: 'base64' });
  if (status !== 200) throw new Error(body.error.message);
  return Buffer.from(body.data, 'base64');
}

/** Returns the text of each page, without its line breaks. */
async function pageTexts(pdf: Uint8Array): Promise<string[]> {
  const text = await pdfText(pdf);
  return text
    .split('\f')
    .slice(0, -1)
    .map((page) => page.replaceAll(/\s+/g, ' ').trim());
}

/** Returns the page, from 1, whose text includes a mark that occurs once. */
function pageOf(pages: readonly string[], mark: string): number {
  const found = pages.flatMap((text, index) => (text.includes(mark) ? [index + 1] : []));
  expect(found).toHaveLength(1);
  return found[0] ?? 0;
}

/**
 * Checks every reference of a {@link book} and every entry of its table of contents against the text of its
 * pages.
 */
async function expectRightNumbers(pdf: Uint8Array, { chapters, references }: BookSize) {
  const pages = await pageTexts(pdf);
  const marks = new Map<string, number>();
  for (const [index, text] of pages.entries())
    for (const [mark] of text.matchAll(/\(\(\d+\)\)/g)) marks.set(mark, index + 1);
  expect(marks.size).toBe(references);
  const shown = pages.flatMap((text) => [...text.matchAll(/see\[(\d+): ?(\S+?) ?\]/g)]);
  expect(shown).toHaveLength(references);
  expect(shown.filter(([, target, page]) => marks.get(`((${target}))`) !== Number(page))).toEqual([]);

  // A heading occurs in the table of contents and at the start of its chapter.
  const contents = pages.flatMap((text) => [...text.matchAll(/Chapter \d+: <<(\d+)>> (\d+)(?= |$)/g)]);
  const starts = new Map<string, number>();
  for (const [index, text] of pages.entries()) {
    const start = /^Chapter \d+: <<(\d+)>> \(\(/.exec(text)?.[1];
    if (start !== undefined) starts.set(start, index + 1);
  }
  expect(starts.size).toBe(chapters);
  expect(contents.map(([, chapter, page]) => [chapter, Number(page)])).toEqual(
    [...starts].map(([chapter, page]) => [chapter, page]),
  );
}

describeWithPdfTools('tables of contents and page references', () => {
  test('a table of contents lists the headings with their pages and links to them', async () => {
    const html = `<!doctype html><style>${PAGE} h1 { break-before: page }</style>
      <nav data-toc="h1, h2"><p>Contents</p></nav>
      <h1>First</h1><h2>First part</h2>${filler(200)}<h2 id="own-id">Second part</h2><h1>Second &amp; last</h1>`;
    const pdf = await print(html);
    const [contents = '', ...rest] = await pageTexts(pdf);
    const second = pageOf(['', ...rest.map((text) => text.replace('First part', ''))], 'Second part');
    expect(contents).toBe(
      `Contents First 2 First part 2 Second part ${second} Second & last ${rest.length + 1} p.1`,
    );
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Dest /own-id');
  });

  test('every number of a book of 30 pages with 12 chapters and 120 references is right', async () => {
    const size = { chapters: 12, references: 120, sentences: 46 };
    const pdf = await print(book(size));
    expect(await pageCount(pdf)).toBeGreaterThanOrEqual(30);
    await expectRightNumbers(pdf, size);
  });

  test.if(isThorough)(
    'every number of a book of 300 pages with 60 chapters and 1,000 references is right',
    async () => {
      const pdf = await print(book(largeBook), {}, await patientService());
      expect(await pageCount(pdf)).toBeGreaterThanOrEqual(300);
      await expectRightNumbers(pdf, largeBook);
    },
    180_000,
  );

  test('numbers that push a heading to the next page are right too', async () => {
    // The contents fill exactly one page with the placeholders, and more with wider numbers.
    for (const lines of isThorough ? [38, 39, 41, 42] : [40]) {
      const size = { chapters: lines, references: lines, sentences: 1 };
      await expectRightNumbers(await print(book(size)), size);
    }
  }, 60_000);

  test('target-counter takes a counter style, and the text around it is kept', async () => {
    const html = `<!doctype html><style>${PAGE} section { break-before: page }
      a::after { content: " (page " target-counter(attr(href url), page, upper-roman) ")" }
      @media print { b::before { content: target-counter(attr(data-to), page) "! " } }</style>
      <a href="#four">Four</a> <b data-to="#two">Two</b>
      <section id="two">2</section><section>3</section><section id="four">4</section>`;
    const [first] = await pageTexts(await print(html));
    expect(first).toBe('Four (page IV) 2! Two p.1');
  });

  test('a reference to an element that does not exist shows a question mark', async () => {
    const [first] = await pageTexts(await print('<p>see <span data-page-of="#nowhere">x</span>.</p>'));
    expect(first).toBe('see ?.');
  });

  test('ids with spaces, accents and percent signs are found', async () => {
    const ids = ['a b', 'ü', '50%', 'x%20y', '"quoted"', 'a/b(c)', '漢字'];
    const html = `<!doctype html><style>section { break-before: page }</style>
      ${ids.map((id) => `<span data-page-of="#${id.replaceAll('"', '&quot;')}"></span>`).join(' ')}
      ${ids.map((id) => `<section id="${id.replaceAll('"', '&quot;')}">.</section>`).join('')}`;
    const [first] = await pageTexts(await print(html));
    expect(first?.replaceAll(' ', '')).toBe('2345678');
  });

  test.each([
    ['an active document', '<script>document.title = "x"</script>'],
    ['a document with a base URL', '<base href="https://example.com/dir/">'],
    [
      'a document that replaces the methods of `document`',
      '<form name="querySelectorAll"></form><img name="body">',
    ],
  ])('%s gets correct numbers', async (_, head) => {
    const html = `<!doctype html>${head}<nav data-toc="h1"></nav><h1 style="break-before:page">One</h1>`;
    const [first] = await pageTexts(await print(html));
    expect(first).toContain('One 2');
  });

  test('a form whose field replaces a method of the form gets its page number', async () => {
    const html = `<!doctype html><style>form { break-before: page }</style><p><span data-page-of="#end"></span></p>
      <form id="end"><input name="getBoundingClientRect">End</form>`;
    const pages = await pageTexts(await print(html));
    expect(pages).toEqual(['2', 'End']);
  });

  test('page numbers do not change which element is the last child of the body', async () => {
    const html = `<!doctype html><style>body > :last-child { break-before: page }</style><p><span data-page-of="#end"></span></p><p id="end">End</p>`;
    const pages = await pageTexts(await print(html));
    expect(pages).toEqual(['2', 'End']);
  });

  test('numbers follow pageNumberStart, and count the whole document with pageRanges', async () => {
    const html = `<!doctype html><style>${PAGE} h1 { break-before: page }</style><nav data-toc="h1"></nav><h1>One</h1><h1>Two</h1><h1>Three</h1>`;
    expect(await pageTexts(await print(html, { pageRanges: '1, 3' }))).toEqual([
      'One 2 Two 3 Three 4 p.1',
      'Two p.3',
    ]);
    expect(await pageTexts(await print(html, { pageNumberStart: 11 }))).toEqual([
      'One 12 Two 13 Three 14 p.11',
      'One p.12',
      'Two p.13',
      'Three p.14',
    ]);
    const { status, body } = await service().post('/v1/generate', { html, options: { pageRanges: '9-' } });
    expect([status, body.error.details[0].path]).toEqual([400, 'options.pageRanges']);
  });

  test.each([
    ['data-toc="h1,,"', 'data-toc: "" is not a valid selector'],
    ['data-toc="h1[["', 'data-toc: "h1[[" is not a valid selector'],
    [`data-toc="${Array.from({ length: 11 }, () => 'p').join()}"`, 'data-toc has 11 levels; the limit is 10'],
  ])('<nav %s> is a 400', async (attribute, message) => {
    const { status, body } = await service().post('/v1/generate', {
      html: `<nav ${attribute}></nav><h1>A</h1>`,
    });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'html', code: 'RENDER_FAILED', message }]);
  });

  test('more than 5,000 targets are a 400', async () => {
    const html = Array.from({ length: 5_001 }, (_, index) => `<i data-page-of="#t${index}"></i>`).join('');
    const { status, body } = await service().post('/v1/generate', { html });
    expect(status).toBe(400);
    expect(body.error.message).toContain('the document shows the pages of more than 5000 elements');
  });

  const manyTargets: [name: string, targets: number, style: string, heightPx: number][] = [
    ['each on its own page', 1_500, 'break-before: page', 0],
    ['on the first page of a long document', 4_000, 'font-size: 1px; margin: 0', 600_000],
  ];
  test.each(casesOfSuite(manyTargets, 4))(
    'targets times pages may be up to 2,000,000: %s',
    async (_, targets, style, heightPx) => {
      const headings = Array.from({ length: targets }, (__, index) => `<h1 style="${style}">${index}</h1>`);
      const { status, body } = await service().post('/v1/generate', {
        html: `<!doctype html><nav data-toc="h1"></nav>${headings.join('')}<div style="height: ${heightPx}px"></div>`,
      });
      expect(status).toBe(400);
      const [, elements, pages] =
        /^the document shows the pages of (\d+) elements and has about (\d+) pages; the product of the two may be up to 2000000$/.exec(
          body.error.details[0].message,
        ) ?? [];
      expect(Number(elements)).toBe(targets);
      expect(Number(pages) * targets).toBeGreaterThan(2_000_000);
      expect(Number(pages)).toBeLessThan(2_000);
    },
  );
});

describeWithPdfTools('running headers', () => {
  const STRINGS = `@page { size: A5; margin: 20mm; @top-left { content: "[" string(chapter) "]"; font: 9pt sans-serif } @bottom-right { content: counter(page) } }
    @page :first { @top-left { content: none } }
    h1 { break-before: page; string-set: chapter content() }`;

  test('string() shows the string of the chapter on each of its pages', async () => {
    const html = `<!doctype html><style>${STRINGS}</style><p>Preface</p>
      <h1>One</h1>${filler(60)}<section><h1>Two “quoted”</h1>${filler(60)}</section><p>End of two</p><div><div><h1>Three</h1></div><p>End</p></div>`;
    const pages = await pageTexts(await print(html));
    const headers = pages.map((text) => /\[(.*?)\]/.exec(text)?.[1]);
    const [one, two, three] = ['One', 'Two “quoted”', 'Three'].map(
      (title) => headers.filter((header) => header === title).length,
    );
    expect(headers[0]).toBeUndefined();
    expect(headers.slice(1)).toEqual([
      ...Array.from({ length: one ?? 0 }, () => 'One'),
      ...Array.from({ length: two ?? 0 }, () => 'Two “quoted”'),
      'Three',
    ]);
    expect([one, three]).toEqual([2, 1]);
    expect(two).toBeGreaterThanOrEqual(2);
    expect(pages.findIndex((text) => text.includes('End of two')) + 1).toBe(
      headers.lastIndexOf('Two “quoted”') + 1,
    );
    expect(pages.at(-1)).toContain('Three End');
  });

  test('strings may come from attributes and have several parts', async () => {
    const html = `<!doctype html><style>@page { @top-left { content: string(title) " / " string(part) } }
      section { break-before: page; string-set: title attr(data-title), part "Part " content() }</style>
      <section data-title="A, &quot;B&quot;">1</section><section data-title="C">2</section>`;
    const pages = await pageTexts(await print(html));
    expect(pages).toEqual(['A, "B" / Part 1 1', 'C / Part 2 2']);
  });

  test('named pages show the string of their chapter', async () => {
    const html = `<!doctype html><style>${STRINGS} @page wide { size: A5 landscape; @top-right { content: "wide " string(chapter) } } .wide { page: wide }</style>
      <h1>One</h1><p>Text</p><div class="wide">Table</div><p>After</p>`;
    const pdf = await print(html);
    const pages = await pageTexts(pdf);
    expect(pages).toHaveLength(3);
    expect(pages[1]).toContain('wide One');
    expect(pages[2]).not.toContain('wide');
    expect(pages[2]).toContain('[One]');
  });

  test('an element that does not begin a page cannot set a string', async () => {
    const html = `<style>@page { @top-left { content: string(s) } } h2 { string-set: s content() }</style><p>Text</p><h2>Heading</h2>`;
    const { status, body } = await service().post('/v1/generate', { html });
    expect(status).toBe(400);
    expect(body.error.details[0].message).toBe(
      'string-set: <h2> does not begin a page; give it "break-before: page", or set the string in an element that does',
    );
  });

  test('margin boxes and named pages need no emulation', async () => {
    const html = `<!doctype html><style>@page { size: A5; margin: 20mm; @top-left { content: "all" } } @page :first { @top-left { content: "first" } }
      @page :left { @bottom-left { content: "left" } } @page :right { @bottom-right { content: "right" } }</style>${filler(120)}`;
    const pdf = await print(html);
    expect(await pageCount(pdf)).toBeGreaterThan(2);
    const [first, second] = await pageTexts(pdf);
    expect([first?.startsWith('first'), first?.endsWith('right')]).toEqual([true, true]);
    expect([second?.startsWith('all'), second?.endsWith('left')]).toEqual([true, true]);
  });
});
