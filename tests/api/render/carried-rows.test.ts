import { expect, test } from 'bun:test';
import { carriedDocuments, CARRIED_STYLE, expectCarried } from '../../documents/carried-documents.ts';
import { carriedTable, itemRow } from '../../documents/carried-table.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { printOn } from '../../support/service/print.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();

const print = (html: string, options: object = {}) => printOn(service(), html, options);

/** Returns the text of each page. */
async function pageTexts(pdf: Uint8Array): Promise<string[]> {
  return (await pdfText(pdf)).split('\f').slice(0, -1);
}

describeWithPdfTools('carried rows', () => {
  const cases = carriedDocuments.map(([name, html, options = {}]) => [name, html, options] as const);
  test.each(casesOfSuite(cases, 11))(
    'each page shows its sums: %s',
    async (_, html, options) => {
      const pages = await pageTexts(
        await print(`<!doctype html><html lang="en">${CARRIED_STYLE}${html}`, options),
      );
      const rows = html.includes('(190)') ? 190 : 90;
      expect(expectCarried(pages, rows)).toBeGreaterThan(1);
    },
    60_000,
  );

  test('a table on one page shows no carried rows, and takes no room for them', async () => {
    const html = `<!doctype html>${CARRIED_STYLE}${carriedTable({ rows: 21 })}`;
    const [first, ...others] = await pageTexts(await print(html));
    expect(first).toContain('T=231');
    expect(others).toEqual([]);
    // One row more than a page has room for.
    expect(expectCarried(await pageTexts(await print(html.replace('A5', '148mm 150mm'))), 21)).toBe(2);
  });

  test('data-show-on decides on which pages the rows of thead and tfoot show', async () => {
    const row = (name: string) => `<tr data-show-on="${name}"><td>[${name}]</td></tr>`;
    const names = ['first', 'last', 'not-first', 'not-last'];
    const items = Array.from({ length: 60 }, (_, index) => `<tr><td>${index}</td></tr>`).join('');
    const html = `<!doctype html>${CARRIED_STYLE}<table><thead>${names.map(row).join('')}</thead><tbody>${items}</tbody><tfoot><tr><td>every</td></tr>${names.map(row).join('')}</tfoot></table>`;
    const pages = await pageTexts(await print(html));
    expect(pages.length).toBeGreaterThan(2);
    for (const [index, text] of pages.entries()) {
      const shown = [...text.matchAll(/\[([\w-]+)\]/g)].map(([, name]) => name);
      const expected = [
        ...(index === 0 ? ['first'] : []),
        ...(index === pages.length - 1 ? ['last'] : []),
        ...(index > 0 ? ['not-first'] : []),
        ...(index < pages.length - 1 ? ['not-last'] : []),
      ];
      expect([shown, text.match(/every/g)]).toEqual([[...expected, ...expected], ['every']]);
    }
  });

  test('a table in columns shows its heads and its total, and no carried rows', async () => {
    const html = `<!doctype html>${CARRIED_STYLE}<div style="columns: 2">${carriedTable({ rows: 90 })}</div>`;
    const text = (await pageTexts(await print(html))).join('');
    expect(text.match(/[BCT]=[\d,]+/g)).toEqual(['T=4,095']);
    expect(text.match(/Item/g)?.length).toBeGreaterThan(2);
  });

  test('carried rows are in the language of the document, and those of a table in its own', async () => {
    const table = (attributes: string) =>
      carriedTable({
        rows: 60,
        attributes,
        row: (number) => itemRow(number).replace('.00', ',50'),
      }).replaceAll('data-format="decimals=0"', 'data-format="EUR"');
    const german = `<!doctype html><html lang="de">${CARRIED_STYLE}${table('')}`;
    const sums = async (html: string) =>
      (await pageTexts(await print(html))).flatMap((page) => page.match(/[BCT]=\S+\s\S+/g) ?? []);
    const inGerman = await sums(german);
    expect(inGerman.length).toBeGreaterThan(2);
    for (const sum of inGerman) expect(sum).toMatch(/^[BCT]=[\d.]+,[05]0\s€$/);
    expect(inGerman.at(-1)).toMatch(/^T=1\.860,00\s€$/);
    expect(
      await sums(german.replace('lang="de"', 'lang="en"').replace('<table', '<table lang="de"')),
    ).toEqual(inGerman);
  });

  // A page has room for 40 rows. Heights are independent of fonts.
  const fixed = (rows: number) =>
    `<table><thead><tr><td>Item</td></tr><tr data-brought-forward><td>Brought</td></tr></thead><tbody>${Array.from({ length: rows }, (_, index) => `<tr><td>(${index})</td></tr>`).join('')}</tbody></table>`;
  const HEIGHTS = `<style>@page { size: 400px 810px; margin: 0 } table { border-spacing: 0 } body, h1, p { margin: 0 } h1, p { height: 60px }
    td { padding: 0; height: 20px; font-size: 10px; line-height: 1 } section { break-before: page }</style>`;
  test.each<[name: string, html: string, rowsOfPages: number[]]>([
    [
      'sections that begin pages',
      [50, 50, 50, 50].map((rows) => `<section><h1>T</h1>${fixed(rows)}</section>`).join(''),
      [36, 14, 36, 14, 36, 14, 36, 14],
    ],
    [
      'sections with text before their tables',
      [40, 90].map((rows) => `<section><h1>T</h1><h1>S</h1><p>Text</p>${fixed(rows)}</section>`).join(''),
      [30, 10, 30, 38, 22],
    ],
    [
      'one after the other',
      [40, 50, 60].map((rows) => `<h1>T</h1><p>Text</p>${fixed(rows)}`).join(''),
      [33, 7 + 24, 26 + 5, 38, 17],
    ],
    [
      'boxes that must not break',
      [200, 90, 90]
        .map((rows) => `<div style="break-inside: avoid"><h1>T</h1><p>Text</p>${fixed(rows)}</div>`)
        .join(''),
      [33, 38, 38, 38, 38, 15, 33, 38, 19, 33, 38, 19],
    ],
    [
      'a heading that keeps its margin where it begins a page',
      `<h1>T</h1>${fixed(30)}<div><h1 style="margin-top: 40px">T</h1>${fixed(100)}</div>`,
      [30, 34, 38, 28],
    ],
    [
      'a table that moves to the next page with its heading, because a table before it becomes longer',
      [58, 20].map((rows) => `<h1>T</h1>${fixed(rows)}${'<p>Text</p>'.repeat(4)}`).join(''),
      [36, 22, 20],
    ],
  ])('%s: the pages of several tables are full', async (_, html, rowsOfPages) => {
    const pages = await pageTexts(await print(`<!doctype html>${HEIGHTS}${html}`));
    expect(pages.map((page) => page.match(/\(\d+\)/g)?.length)).toEqual(rowsOfPages);
  });

  test('rows that the document hides stay hidden on all pages', async () => {
    const hidden = '<tr style="display: none"><td>INTERNAL</td></tr><tr hidden><td>INTERNAL</td></tr>';
    const table = carriedTable({ rows: 90 });
    const html = table.replaceAll('<thead>', `<thead>${hidden}`).replaceAll('</tfoot>', `${hidden}</tfoot>`);
    const pages = await pageTexts(await print(`<!doctype html><html lang="en">${CARRIED_STYLE}${html}`));
    expect(expectCarried(pages, 90)).toBeGreaterThan(1);
    expect(pages.join('')).not.toContain('INTERNAL');
  });

  test('page numbers in repeated rows are the same on all pages', async () => {
    const reference = '<a href="#end">See </a><span data-page-of="#end"></span>.';
    const table = carriedTable({ rows: 250 }).replace('Item', reference);
    const style = '<style>a::after { content: "{" target-counter(attr(href), page) "}" }</style>';
    const text = `<!doctype html><html lang="en">${CARRIED_STYLE}${style}${table}<p>${'Words that fill the page. '.repeat(150)}</p><h2 id="end">End</h2>`;
    const pages = await pageTexts(await print(text));
    const numbers = pages.flatMap((page) => page.match(/See .*?\./g) ?? []);
    expect(numbers.length).toBeGreaterThan(2);
    expect(new Set(numbers)).toEqual(new Set([`See {${pages.length}}${pages.length}.`]));
  });

  test('selected pages show the sums of the whole document', async () => {
    const options = { pageRanges: '2' };
    const html = `<!doctype html>${CARRIED_STYLE}${carriedTable({ rows: 90 })}`;
    const all = await pageTexts(await print(html));
    expect(await pageTexts(await print(html, options))).toEqual([all[1] ?? '']);
  });

  test('a row that is taller than a page counts from its start', async () => {
    const tall = itemRow(20, '<br>line'.repeat(80));
    const row = (number: number) => (number === 20 ? tall : itemRow(number));
    const pages = await pageTexts(
      await print(`<!doctype html>${CARRIED_STYLE}${carriedTable({ rows: 40, row })}`),
    );
    const sums = pages.flatMap((text) => text.match(/[BCT]=\d+/g) ?? []);
    expect(sums).toEqual(['C=190', 'B=190', 'C=210', 'B=210', 'T=820']);
  });

  const faults: [name: string, table: string, message: string][] = [
    [
      'a number of another language',
      '<tr><td data-sum="net">1.234,50</td></tr>',
      'data-sum="net": "1.234,50" is not a number in the language "en"; write the number as the language does, or add data-value="1234.5"',
    ],
    [
      'a value that is not a number',
      '<tr><td data-sum="net" data-value="1e5">1</td></tr>',
      'data-sum="net": data-value="1e5" is not a number such as 1234.5',
    ],
    [
      'an unknown sum',
      '<tr><td data-sum="gross">1</td></tr>',
      'data-subtotal="net": table 1 has no cell with data-sum="net"',
    ],
  ];
  test.each(faults)('%s is a 400 that names it', async (_, rows, message) => {
    const html = `<html lang="en"><table><tbody>${rows}</tbody><tfoot><tr data-carried-forward><td data-subtotal="net"></td></tr></tfoot></table>`;
    const { status, body } = await service().post('/v1/generate', { html });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([{ path: 'html', code: 'RENDER_FAILED', message }]);
  });

  test.each([
    ['<p data-subtotal="net"></p>', 'data-subtotal="net" is not in a table'],
    [
      '<table><tr data-carried-forward><td></td></tr></table>',
      'data-carried-forward belongs to a <tr> in <tfoot>',
    ],
    [
      '<table><thead><tr data-show-on="second"><td></td></tr></thead></table>',
      'data-show-on="second" must be first, last, not-first or not-last',
    ],
    [
      '<table><tr><td data-sum="a">1</td><td data-subtotal="a" data-format="EUR decimal=2"></td></tr></table>',
      'data-format="EUR decimal=2" is not a format; use for example "EUR", "EUR display=code" or "decimals=2"',
    ],
  ])('%s is a 400', async (html, message) => {
    const { status, body } = await service().post('/v1/generate', { html });
    expect([status, body.error.details?.[0].message]).toEqual([400, message]);
  });
});
