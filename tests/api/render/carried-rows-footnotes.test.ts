import { expect, test } from 'bun:test';
import { carriedDocuments, CARRIED_STYLE, expectCarried } from '../../documents/carried-documents.ts';
import { carriedTable, itemRow } from '../../documents/carried-table.ts';
import { marked, noteFaults, readNotePages } from '../../documents/footnotes.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { printOn } from '../../support/service/print.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();
const MARGIN_PT = 56.7;

const print = (html: string, options: object = {}) => printOn(service(), html, options);

async function pageTexts(pdf: Uint8Array): Promise<string[]> {
  return (await pdfText(pdf)).split('\f').slice(0, -1);
}

/** Adds a note to every ninth row. Returns the HTML and the number of notes. */
function withNotes(html: string): { html: string; count: number } {
  let count = 0;
  const noted = html.replaceAll(/\((\d+)\)/g, (item, number: string) => {
    if (Number(number) % 9 !== 4) return item;
    count += 1;
    return item + marked(count - 1, 'words '.repeat(Number(number)));
  });
  return { html: noted, count };
}

/** Documents whose tables break beside other content, and one whose rows a script adds without notes. */
const UNSUITABLE = [
  'a grid',
  'a cell of another table',
  'a table with a header and a footer of its own',
  'rows that a script adds',
];

describeWithPdfTools('carried rows in a document with footnotes', () => {
  const cases = carriedDocuments
    .filter(([name]) => !UNSUITABLE.includes(name))
    .map(([name, html, options = {}]) => [name, html, options] as const);
  test.each(casesOfSuite(cases, 8))(
    'each page shows its sums and its notes: %s',
    async (_, html, options) => {
      const { html: noted, count } = withNotes(html);
      const pdf = await print(`<!doctype html><html lang="en">${CARRIED_STYLE}${noted}`, options);
      const rows = html.includes('(190)') ? 190 : 90;
      expect(expectCarried(await pageTexts(pdf), rows)).toBeGreaterThan(1);
      // Other margins, or a footer over the notes.
      const isUsualPage = !html.includes('@page wide') && !('format' in options);
      const faults = await noteFaults(pdf, { count, marginPt: MARGIN_PT });
      expect(faults.filter((fault) => isUsualPage || !/(?:notes end|text) at/.test(fault))).toEqual([]);
    },
  );

  // A page has room for 40 rows or notes. Heights are independent of fonts.
  const HEIGHTS = `<style>@page { size: 400px 810px; margin: 0 } table { border-spacing: 0 } body, p { margin: 0 } p { height: 20px }
    td { padding: 0; height: 20px; font-size: 10px; line-height: 1 } .footnote-call { vertical-align: baseline }
    .footnotes { padding: 0; font-size: 10px } .footnotes::before { display: none } [data-footnote] { height: 20px; margin: 0 !important }</style>`;
  const fixed = (rows: number, notes: readonly number[]) =>
    `<table><thead><tr><td>Item</td></tr><tr data-brought-forward><td>Brought</td></tr></thead>
    <tbody>${Array.from({ length: rows }, (_, index) => `<tr><td>(${index})${notes.includes(index) ? '<span data-footnote>Note</span>' : ''}</td></tr>`).join('')}</tbody>
    <tfoot><tr data-carried-forward><td>Carried</td></tr></tfoot></table>`;

  test.each<[name: string, html: string, rowsOfPages: number[]]>([
    ['a note in the text', `<p>Text<span data-footnote>Note</span></p>${fixed(90, [])}`, [36, 37, 17]],
    ['notes in rows', fixed(90, [3, 4, 60]), [36, 36, 18]],
    ['a row whose note does not fit', fixed(90, [36, 37, 38]), [37, 35, 18]],
    [
      'after the last note',
      `<p>Text<span data-footnote>Note</span></p><p style="break-before: page">Text</p>${fixed(80, [])}`,
      [0, 37, 37, 6],
    ],
    [
      'several tables',
      [50, 30, 60].map((rows) => `<p>Text<span data-footnote>Note</span></p>${fixed(rows, [20])}`).join(''),
      [35, 15 + 19, 11 + 21, 37, 2],
    ],
    [
      'rows that cannot all stay together',
      `<p>Text<span data-footnote>Note</span></p><div style="break-inside: avoid">${fixed(45, [])}</div>`,
      [0, 38, 7],
    ],
    [
      'pages of another width',
      `<style>@page wide { size: 900px 410px }</style><p>Text<span data-footnote>Note</span></p><div style="page: wide">${fixed(40, []).replace('Item', `<div style="height: 40px; overflow: hidden">${'<span style="display: inline-block; width: 400px; height: 40px"></span>'.repeat(2)}</div>`)}</div>`,
      [0, 17, 16, 7],
    ],
    [
      'tables beside other content',
      `<p>Text<span data-footnote>Note</span></p>${'<p>Text</p>'.repeat(20)}<div style="display: flex">${fixed(20, [2])}</div>`,
      [0, 20],
    ],
    [
      'a table that moves to the next page',
      `${'<p>Text</p>'.repeat(36)}<p>Text<span data-footnote>Note</span></p>${fixed(50, [0])}`,
      [0, 37, 13],
    ],
  ])('the pages are full: %s', async (_, html, rowsOfPages) => {
    const pages = await pageTexts(await print(`<!doctype html>${HEIGHTS}${html}`));
    expect(pages.map((page) => page.match(/\(\d+\)/g)?.length ?? 0)).toEqual(rowsOfPages);
  });

  test('each part of a table fits on its page, although its repeated rows widen a column', async () => {
    const box = '<span style="display: inline-block; width: 180px; height: 20px"></span>';
    const rows = Array.from(
      { length: 40 },
      (_, index) => `<tr><td style="font-size: 0">${box.repeat(2)}</td><td>(${index})</td></tr>`,
    );
    // The wide cell leaves room for one box in a line, so that each row is twice as high.
    const html = `<p>Text<span data-footnote>Note</span></p><table style="width: 100%"><tbody>${rows.join('')}</tbody>
      <tfoot><tr data-carried-forward><td></td><td><div style="width: 100px">Carried</div></td></tr></tfoot></table>`;
    const pages = await pageTexts(await print(`<!doctype html>${HEIGHTS}${html}`));
    expect(pages.map((page) => page.match(/\(\d+\)/g)?.length ?? 0)).toEqual([18, 19, 3]);
  });

  test('a hundred tables are planned before the time limit', async () => {
    const table = `<p>Text<span data-footnote>Note</span></p>${fixed(25, [])}`;
    const pages = await pageTexts(await print(`<!doctype html>${HEIGHTS}${table.repeat(100)}`));
    expect(pages.join('').match(/\(\d+\)/g)).toHaveLength(2_500);
    expect(pages.join('').match(/Carried/g)).toHaveLength(50);
  });

  test('the number of a note in the head is on each page, and the note on the first', async () => {
    const table = carriedTable({ rows: 90 }).replace('Item', `Item${marked(0)}`);
    const pages = await readNotePages(await print(`<!doctype html>${CARRIED_STYLE}${table}`));
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.map(({ calls, notes }) => [calls, notes])).toEqual(
      pages.map((_, index) => [[0], index === 0 ? [0] : []]),
    );
  });

  test('page numbers, sections and selected pages work together with both', async () => {
    const { html: table } = withNotes(carriedTable({ rows: 90 }));
    const section = (name: string) =>
      `<section data-section="${name}" style="break-before: page"><h2>${name}</h2>${table.replace('Item', 'Item <span data-page-of="#end"></span>')}</section>`;
    const html = `<!doctype html><html lang="en">${CARRIED_STYLE}<nav data-toc="h2"></nav>${section('One')}${section('Two')}<h2 id="end">End</h2>`;
    const options = { footer: '<p>{{sectionTitle}} {{sectionPageNumber}}/{{sectionTotalPages}}</p>' };
    const pages = await pageTexts(await print(html, options));
    const ofSection = pages.map((page) => /(?:One|Two) (\d+)\/(\d+)/.exec(page)?.slice(1).map(Number) ?? []);
    const half = (pages.length - 1) / 2;
    const numbers = Array.from({ length: half }, (_, index) => [index + 1, half]);
    expect(ofSection).toEqual([[], ...numbers, ...numbers]);
    for (const page of pages.slice(1)) expect(page).toMatch(new RegExp(`Item\\s+${pages.length}\\b`));
    expectCarried(pages.slice(1, half + 1), 90);
    expectCarried(pages.slice(half + 1), 90);
    expect(await pageTexts(await print(html, { ...options, pageRanges: '3' }))).toEqual([pages[2] ?? '']);
  });

  const nested = 'must not break between pages in a table cell, a float, a grid or a flexible row';
  const note = '<span data-footnote>note</span>';
  test.each([
    [
      'a grid',
      `<div style="display: grid">${carriedTable({ rows: 90 })}</div>${note}`,
      `table 1: in a document with footnotes, a table with carried rows ${nested}`,
    ],
    [
      'a float',
      `<div style="float: left">${carriedTable({ rows: 90, attributes: 'id="sums"' })}</div>${note}`,
      `table#sums: in a document with footnotes, a table with carried rows ${nested}`,
    ],
    ['a cell', `<table><tr><td>${carriedTable({ rows: 90 })}</table>${note}`, nested],
    [
      'a table outside of the flow',
      `<div style="position: absolute">${carriedTable({ rows: 3 })}</div>${note}`,
      'must not have position: absolute or fixed',
    ],
    [
      'a row that is too tall',
      carriedTable({ rows: 3, row: (number) => itemRow(number, '<br>line'.repeat(number === 2 ? 99 : 1)) }) +
        note,
      'table 1: in a document with footnotes, each row of a table with carried rows must fit on a page',
    ],
    [
      'a picture that is too tall',
      carriedTable({
        rows: 3,
        row: (number) => itemRow(number, number === 2 ? '<svg width="9" height="1900"></svg>' : ''),
      }) + note,
      'must fit on a page',
    ],
    [
      'a note in a foot that repeats',
      carriedTable({ rows: 3 }).replace('Carried', `Carried${note}`),
      'html > body > table > tfoot > tr:nth-of-type(1) > td:nth-of-type(1) > span: beside carried rows, a footnote in thead must be in a row that shows on the first page, and a footnote in tfoot must be in a row with data-show-on="last"',
    ],
    [
      'a note in a head that is not on the first page',
      carriedTable({ rows: 3 }).replace('Brought', `Brought${note}`),
      'beside carried rows, a footnote in thead must be in a row that shows on the first page',
    ],
  ])('%s is a 400 that names it', async (_, html, message) => {
    const { status, body } = await service().post('/v1/generate', {
      html: `<!doctype html>${CARRIED_STYLE}${html}`,
    });
    expect([status, body.error.details?.[0].code]).toEqual([400, 'RENDER_FAILED']);
    expect(body.error.details[0].message).toContain(message);
  });
});
