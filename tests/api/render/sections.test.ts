import { expect, test } from 'bun:test';
import { carriedTable } from '../../documents/carried-table.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const SENTENCE = 'Words that fill the page and go on for some time. ';
const filler = (sentences: number) => `<p>${SENTENCE.repeat(sentences)}</p>`;
const STYLE = '<style>@page { size: A5; margin: 25mm 10mm } section, .own { break-before: page }</style>';
const HEADER = '{{sectionTitle}}|{{sectionPageNumber}}/{{sectionTotalPages}}|p{{pageNumber}}/{{totalPages}}';
const SECTIONS = `<h1>Cover</h1>
  <section data-section="Terms &amp; &quot;Offers&quot;"><h2>Terms</h2>${filler(300)}</section>
  <section data-section="Prices"><h2>Prices</h2>${filler(3)}</section>
  <p class="own">After</p>`;

async function post(html: string, options: object, more: object = {}) {
  return service().post('/v1/generate', { html, options, output: 'base64', ...more });
}

/** Returns the first line of the text of each page. */
async function headersOf(html: string, options: object, more?: object): Promise<string[]> {
  const { status, body } = await post(html, options, more);
  expect([status, body.error]).toEqual([200, undefined]);
  const pages = (await pdfText(Buffer.from(body.data, 'base64'))).split('\f').slice(0, -1);
  return pages.map((page) => page.trim().split('\n')[0]?.replaceAll(/\s+/g, ' ').trim() ?? '');
}

describeWithPdfTools('sections', () => {
  test('number their pages in headers; outside of sections the variables are empty', async () => {
    const headers = await headersOf(STYLE + SECTIONS, { header: HEADER });
    const total = headers.length;
    const pages = total - 3;
    expect(pages).toBeGreaterThan(2);
    expect(headers).toEqual([
      `|/|p1/${total}`,
      ...Array.from(
        { length: pages },
        (_, index) => `Terms & "Offers"|${index + 1}/${pages}|p${index + 2}/${total}`,
      ),
      `Prices|1/1|p${total - 1}/${total}`,
      `|/|p${total}/${total}`,
    ]);
    const own = { header: HEADER, firstPage: { header: 'First' }, pageNumberStart: 5, pageRanges: '1, 3' };
    expect(await headersOf(STYLE + SECTIONS, own)).toEqual([
      'First',
      `Terms & "Offers"|2/${pages}|p7/${total + 4}`,
    ]);
  });

  test('number their pages in a counter style', async () => {
    const html = `<style>@page { size: A5; margin: 25mm 10mm; @top-left { content: counter(section-page, upper-roman) " of " counter( section-pages , lower-alpha ) } }
      section, .own { break-before: page }</style>${SECTIONS}`;
    const headers = await headersOf(html, {});
    const pages = headers.length - 3;
    const letter = String.fromCharCode(96 + pages);
    expect([headers[1], headers[2], headers.at(-2)]).toEqual([`I of ${letter}`, `II of ${letter}`, 'I of a']);
  });

  test('number their pages around a table with carried rows that needs three prints', async () => {
    const style =
      '<style>@page { size: A5; margin: 25mm 10mm; @top-left { content: counter(section-page) "/" counter(section-pages) } } section { padding: 20px; border: 4px solid; box-decoration-break: clone }</style>';
    const table = carriedTable({ rows: 60 });
    const headers = await headersOf(`${style}<section data-section="A">${table}</section>`, {});
    expect(headers.length).toBeGreaterThan(1);
    expect(headers).toEqual(headers.map((_, index) => `${index + 1}/${headers.length}`));
  });

  test('without a box are a 400', async () => {
    const html = '<section data-section="A" style="display: contents"><p>Text</p></section>';
    const { status, body } = await post(html, { header: HEADER });
    expect([status, body.error.details[0].message]).toEqual([
      400,
      'the section "A" has no box; remove "display: contents"',
    ]);
  });

  test('number their pages in margin boxes, also with strings and named pages of the document', async () => {
    const html = `<style>
      @page { size: A5; margin: 25mm 10mm; counter-increment: page 1;
        @top-left { content: string(section-title) "|" counter(section-page) "/" counter(section-pages) "|" string(part) } }
      @page wide { size: A5 landscape }
      section, .own { break-before: page } h2 { string-set: part content() } .wide { page: wide }
    </style>${SECTIONS}<section data-section="Wide" class="wide"><h2>Table</h2>${filler(200)}</section>`;
    const headers = await headersOf(html, {});
    const pages = headers.filter((header) => header.startsWith('Terms')).length;
    const wide = headers.filter((header) => header.startsWith('Wide')).length;
    expect([pages > 2, wide > 1]).toEqual([true, true]);
    expect(headers).toEqual([
      '|/|',
      ...Array.from({ length: pages }, (_, index) => `Terms & "Offers"|${index + 1}/${pages}|Terms`),
      'Prices|1/1|Prices',
      '|/|Prices',
      ...Array.from({ length: wide }, (_, index) => `Wide|${index + 1}/${wide}|Table`),
    ]);
  });

  test('have headers that share styles only as Chromium itself does, and cannot change the pages', async () => {
    const mark = (text: string) => `<style>.mark::before { content: "${text}" }</style>`;
    const hostile = `<style>* { display: inline !important } html, body { margin: 3cm !important; zoom: 2 !important }
      @page { size: A3 !important; margin: 5cm !important; @top-left { content: "box" } }
      body::before { content: "before"; display: block; height: 99cm; break-after: page }
      style, platen-sheet { display: none !important } b { counter-increment: n } b::before { content: counter(n) }</style>
      <i style="position: fixed; top: 50px; right: 0">f{{pageNumber}}</i><b></b><p style="break-after: page"></p></div></div>`;
    const options = {
      header: `${mark('other ')}<i class="mark"></i>{{sectionTitle}}${hostile}<!--`,
      footer: '<i class="mark"></i>end{{pageNumber}}<style>p {',
      firstPage: { header: `${mark('first ')}<i class="mark"></i><textarea>` },
    };
    const html = `${STYLE}<p>Cover</p><section data-section="A">a</section><section data-section="B">b</section>`;
    const { status, body } = await post(html, options);
    expect([status, body.error]).toEqual([200, undefined]);
    const pdf = Buffer.from(body.data, 'base64');
    const words = (await pdfText(pdf)).split('\f').map((page) => page.match(/\S+/g)?.toSorted().join(' '));
    expect(words.slice(0, -1)).toEqual([
      '</div> Cover end1 first first',
      '1 A a end2 f2 other other',
      '1 B b end3 f3 other other',
    ]);
  });

  test('leave room for a long title, and stay without effect in documents that do not show them', async () => {
    const title = 'A title that needs several lines in the header of such a small page '.repeat(4);
    const html = `${STYLE}<section data-section="${title}">${filler(3)}</section>`;
    const [first] = await headersOf(html, { header: '{{sectionTitle}}', margin: '0' });
    expect(first).toStartWith('A title');
    const text = (await post(html, { header: '{{sectionTitle}}' })).body;
    expect((await pdfText(Buffer.from(text.data, 'base64'))).replaceAll(/\s+/g, ' ')).toContain(
      `${title}${SENTENCE}`.slice(0, -1),
    );
    const unused = '<p>Text<section data-section="">Section</section>';
    expect((await post(unused, { header: '{{pageNumber}}' })).status).toBe(200);
    const data = { sectionTitle: 'Own' };
    expect(await headersOf('<p>{{x}}</p>', { header: '{{sectionTitle}}' }, { data })).toEqual(['Own']);
  });
});

test.each<[string, string, string]>([
  [
    'in the middle of a page',
    '<p>Text</p><section data-section="A">x</section>',
    'the section "A" does not begin a page; give it "break-before: page"',
  ],
  [
    'inside another',
    '<section data-section="A"><section data-section="B">x</section></section>',
    'the section "B" is inside another section; sections must not be nested',
  ],
  [
    'without title',
    '<section data-section=" ">x</section>',
    'data-section must be the title of the section, and must not be blank',
  ],
])('a section %s is rejected', async (_, html, message) => {
  const { status, body } = await post(html, { header: '{{sectionTitle}}' });
  expect(status).toBe(400);
  expect(body.error.message).toContain(message);
});
