import { expect, test } from 'bun:test';
import { PdfDocument } from '@platen/pdf';
import { asDict, type Dict } from '@platen/pdf/objects';
import { checkPdfua } from '@platen/pdf-standards';
import { marked, noteFaults, readNotePages } from '../../documents/footnotes.ts';
import { describeWithPdfTools, pageCount, pdfText } from '../../support/pdf/pdf.ts';
import { printOn } from '../../support/service/print.ts';
import { serviceOnDemand, sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
/** A service whose deadline a book of 300 pages meets on a busy machine too. */
const patientService = serviceOnDemand({ env: { RENDER_TIMEOUT_MS: '170000' } });
const A5 = '@page { size: A5; margin: 20mm }';
const MARGIN_PT = 56.7;
const WORDS = 'Words that fill the page and go on for some time, until the next one begins. ';
const sorted = (numbers: number[]) => numbers.toSorted((a, b) => a - b).join();
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, n) => make(n)).join('');

interface Counter {
  count: number;
}
/** Returns a paragraph with the next note. */
const paragraph = (counter: Counter, sentences: number): string => {
  const n = counter.count++;
  return `<p>${WORDS.repeat(sentences)} ${marked(n, WORDS.repeat(n % 3))} tail ${WORDS}</p>`;
};

const print = (html: string, options: object = {}, on = service()) =>
  printOn(on, `<!doctype html>${html}`, options);

/** Documents by their names. Each takes the numbers of its notes from the counter. */
const DOCUMENTS: Readonly<Record<string, (counter: Counter) => string>> = {
  'justified paragraphs': (c) =>
    `<style>${A5} p { text-align: justify }</style>${many(14, (n) => paragraph(c, 1 + (n % 4)))}`,
  'a first page with other margins': (c) =>
    `<style>${A5} @page :first { margin-top: 60mm }</style>${many(10, () => paragraph(c, 3))}`,
  'pages of other sizes': (c) =>
    `<style>${A5} @page wide { size: A5 landscape } .w { page: wide }</style>${many(5, () => paragraph(c, 3))}<div class=w>${many(6, () => paragraph(c, 3))}</div>${many(4, () => paragraph(c, 2))}`,
  'chapters that begin on right pages': (c) =>
    `<style>${A5} @page :left { margin: 20mm 30mm 20mm 10mm } @page :right { margin: 20mm 10mm 20mm 30mm } h1 { break-before: right }</style>${many(3, () => `<h1>Chapter ${marked(c.count++)}</h1>${many(4, () => paragraph(c, 3))}`)}`,
  'a quotation with a border': (c) =>
    `<style>${A5} blockquote { border: 2px solid red; background: #ffe; padding: 10px } body { line-height: 1.6 }</style><blockquote>${many(9, () => paragraph(c, 2))}</blockquote>`,
  'lists and headings': (c) =>
    `<style>${A5} h2 { break-after: avoid } p { orphans: 3; widows: 3 }</style>${many(8, () => `<h2>Heading ${marked(c.count++)}</h2><ol>${many(4, () => `<li>${WORDS}${marked(c.count++)}`)}</ol>${paragraph(c, 2)}`)}`,
  'a table with head and foot': (c) =>
    `<style>${A5} td { border: 1px solid }</style><table><thead><tr><th>a<th>b</thead><tfoot><tr><td>f<td>foot</tfoot>${many(24, (n) => `<tr><td>${n}<td>${WORDS}${n % 2 ? '' : marked(c.count++, WORDS)}`)}</table>`,
  'rows taller than a page': (c) =>
    `<style>${A5} td { border: 1px solid; vertical-align: top; width: 50% }</style><table>${many(3, () => `<tr><td>${many(3, () => paragraph(c, 2))}<td>${many(4, () => paragraph(c, 2))}`)}</table>`,
  'cards in a grid and columns side by side': (c) =>
    `<style>${A5} .g { display: grid; grid-template-columns: 1fr 1fr; gap: 8px }</style><div class=g>${many(14, () => `<div>${WORDS}${marked(c.count++)}</div>`)}</div><div style="display: flex; gap: 9px"><div style="flex: 1">${many(4, () => paragraph(c, 2))}</div><div style="flex: 1">${many(5, () => paragraph(c, 1))}</div></div>`,
  'floating pictures': (c) =>
    `<style>${A5} i { float: left; width: 120px; height: 150px; background: #fc8 }</style>${many(8, (n) => `${n % 2 ? '<i></i>' : ''}${paragraph(c, 3)}${paragraph(c, 1)}`)}`,
  'notes that fill half of a page': (c) =>
    `<style>${A5}</style>${many(6, () => `<p>${WORDS}${many(4, () => ` ${marked(c.count++, WORDS.repeat(2))}`)} ${WORDS}</p>`)}`,
  'notes numbered by page': (c) =>
    `<html data-footnotes=page><style>${A5}</style>${many(6, () => `${paragraph(c, 2)}<p>${many(5, () => ` ${marked(c.count++)}`)}</p>`)}`,
  'text from right to left': (c) =>
    `<html dir=rtl lang=ar><style>${A5} p { text-align: justify; line-height: 1.7 }</style>${many(8, () => `<p>${'هذا نص تجريبي يوضح كيفية توزيع الأسطر على الصفحات المختلفة. '.repeat(4)} ${marked(c.count++)} ${'نص إضافي '.repeat(9)}</p>`)}`,
  'columns on one page': (c) =>
    `<style>${A5} .c { column-count: 2 }</style><div class=c>${many(3, () => `<p>${WORDS}${marked(c.count++)}</p>`)}</div><p>${WORDS.repeat(40)}</p>`,
  'forms whose fields have names of properties': (c) =>
    `<style>${A5}</style><form name=querySelectorAll><input name=style><input name=childNodes><input name=parentElement><input name=getAttribute>${paragraph(c, 2)}</form><p style="display: none"><span data-footnote>hidden</span></p><p>empty<span data-footnote> </span></p><table><tr><td><table><tr><td>${marked(c.count++, '<b>bold</b> <code>code</code>')}</table></table>`,
  'notes from a script': (c) =>
    `<style>${A5}</style><div id=d></div><script>document.getElementById('d').innerHTML = ${JSON.stringify(many(9, () => paragraph(c, 3)))}</script>`,
};

test('a call that rises above its line, to the page before, is not apart from its note', async () => {
  const statuses = new Set<number>();
  for (const [lineHeight, sentences] of [
    [0.7, 1],
    [0.8, 1],
    [0.8, 3],
  ] as const) {
    const items = many(40, (n) => `<li>${WORDS.repeat(n % sentences)}item ${marked(n)}`);
    const html = `<style>${A5} body { line-height: ${lineHeight} } li { margin: 0 }</style>${items}`;
    const { status, body } = await service().post('/v1/generate', { html, output: 'base64' });
    statuses.add(status);
    if (status === 200)
      for (const { calls, notes } of await readNotePages(Buffer.from(body.data, 'base64')))
        expect(sorted(calls)).toBe(sorted(notes));
    else expect(body.error.message).toContain('its page differs from the planned one');
  }
  expect(sorted([...statuses])).toBe('200,400');
});

/** Lists the ids of the structure elements by their types. */
function idsOf(pdf: Uint8Array): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const visit = (element: Dict | undefined) => {
    const type = element?.name('S') ?? '';
    (found[type] ??= []).push(element?.string('ID')?.key ?? '');
    const kids = element?.get('K') ?? [];
    for (const kid of Array.isArray(kids) ? kids : [kids]) visit(asDict(kid));
  };
  visit(PdfDocument.open(pdf).catalog.dict('StructTreeRoot'));
  return found;
}

describeWithPdfTools('footnotes', () => {
  test.each(Object.entries(DOCUMENTS))(
    'are at the foot of the page with their call: %s',
    async (_, make) => {
      const counter = { count: 0 };
      const pdf = await print(make(counter));
      expect(await noteFaults(pdf, { count: counter.count, marginPt: MARGIN_PT })).toEqual([]);
    },
    60_000,
  );

  test('are right with other margins, a scale, headers and a first page from options', async () => {
    for (const options of [
      { margin: { top: '1in', bottom: '17mm', left: '10mm', right: '3cm' }, format: 'Letter' },
      { scale: 0.8, format: 'A5', margin: '17mm' },
      {
        format: 'A5',
        margin: '17mm',
        header: 'Page {{pageNumber}} of {{totalPages}}',
        firstPage: { header: '<p style="height: 60px">First' },
      },
    ]) {
      const counter = { count: 0 };
      const pdf = await print(
        `<style>p { text-align: justify }</style>${many(30, () => paragraph(counter, 3))}`,
        options,
      );
      expect(await noteFaults(pdf, { count: counter.count, marginPt: 17 * 2.8346 })).toEqual([]);
    }
  }, 60_000);

  test('have right page numbers in a table of contents', async () => {
    const counter = { count: 0 };
    const pdf = await print(
      `<style>${A5}</style><nav data-toc=h1></nav>${many(6, (n) => `<h1>Part ${'ABCDEF'[n]}q ${marked(counter.count++)}</h1>${many(5, () => paragraph(counter, 2))}`)}`,
    );
    const pages = (await pdfText(pdf)).split('\f').map((page) => page.replaceAll(/\s+/g, ' '));
    const entries = [...(pages[0] ?? '').matchAll(/Part ([A-F])q call\d+x (\d+)/g)].slice(0, 6);
    expect(entries).toHaveLength(6);
    for (const [, part, page] of entries)
      expect([part, pages.findLastIndex((text) => text.includes(`Part ${part}q`)) + 1]).toEqual([
        part,
        Number(page),
      ]);
    const placed = await readNotePages(pdf);
    expect(placed.slice(1).every(({ calls, notes }) => sorted(calls) === sorted(notes))).toBe(true);
  }, 60_000);

  test('conform to PDF/UA-1 and PDF/A-3b', async () => {
    const counter = { count: 0 };
    const html = `<html lang=en><title>T</title><style>${A5}</style><h1>Report</h1>${many(8, () => paragraph(counter, 3))}`;
    const pdf = await print(html, { accessible: true, pdfa: '3b' });
    expect(checkPdfua(pdf)).toEqual([]);
    const ids = idsOf(pdf);
    expect(ids.Note?.filter((id) => id !== '')).toHaveLength(8);
    expect(new Set(ids.Note).size).toBe(8);
    expect(ids.Reference).toHaveLength(8);
    expect(await noteFaults(pdf, { count: 8, marginPt: MARGIN_PT })).toEqual([]);
  }, 60_000);

  test('are at the end of a single page', async () => {
    const counter = { count: 0 };
    const pdf = await print(
      many(5, () => paragraph(counter, 9)),
      { singlePage: true },
    );
    expect(await pageCount(pdf)).toBe(1);
    expect((await readNotePages(pdf))[0]?.notes).toEqual([0, 1, 2, 3, 4]);
  });

  test('stay right for 2,000 notes, and for 300 pages with 600 notes', async () => {
    for (const [count, sentences] of [
      [2_000, 0],
      [600, 14],
    ] as const) {
      const counter = { count: 0 };
      const html = `<style>@page { size: A5; margin: 20mm }</style>${many(count, () => paragraph(counter, sentences))}`;
      const started = performance.now();
      const pdf = await print(html, {}, await patientService());
      console.log(
        `${count} notes on ${await pageCount(pdf)} pages: ${((performance.now() - started) / 1000).toFixed(1)} s`,
      );
      expect(await noteFaults(pdf, { count, marginPt: MARGIN_PT })).toEqual([]);
    }
    const { status, body } = await service().post('/v1/generate', {
      html: '<p>x<span data-footnote>y</span>'.repeat(2_001),
    });
    expect([status, body.error.details[0].message]).toEqual([
      400,
      'the document has 2001 footnotes; the limit is 2000',
    ]);
  }, 300_000);
});
