import { expect, test } from 'bun:test';
import { carriedTable, itemRow } from '../../documents/carried-table.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();

const STYLE =
  '<style>@page { size: A5; margin: 20mm } table { width: 100%; border-collapse: collapse } td, th { border: 1px solid #999; padding: 2px 4px }</style>';

async function print(html: string, options: object = {}): Promise<Uint8Array> {
  const { status, body } = await service().post('/v1/generate', { html, options, output: 'base64' });
  if (status !== 200) throw new Error(body.error.message);
  return Buffer.from(body.data, 'base64');
}

/** Returns the text of each page. */
async function pageTexts(pdf: Uint8Array): Promise<string[]> {
  return (await pdfText(pdf)).split('\f').slice(0, -1);
}

/**
 * Checks the rows of a table: each page that the table continues on begins with the sum of the rows before it,
 * each page that it leaves ends with the sum of the rows so far, and the last page has the total. Returns the
 * number of its pages.
 */
function expectCarried(pages: readonly string[], rows: number): number {
  const shown = pages
    .map((text) => {
      const numbers = (pattern: RegExp) =>
        [...text.matchAll(pattern)].map(([, digits = '']) => Number(digits.replaceAll(',', '')));
      return {
        items: numbers(/\((\d+)\)/g),
        brought: numbers(/B=([\d,]+)/g),
        carried: numbers(/C=([\d,]+)/g),
        total: numbers(/T=([\d,]+)/g),
      };
    })
    .filter((page) => Object.values(page).flat().length > 0);
  expect(shown.flatMap(({ items }) => items)).toEqual(Array.from({ length: rows }, (_, index) => index + 1));
  const sums = shown.map(({ items }) => ((items.at(-1) ?? 0) * ((items.at(-1) ?? 0) + 1)) / 2);
  expect(shown.map(({ brought, carried, total }) => ({ brought, carried, total }))).toEqual(
    shown.map((_, index) => ({
      brought: index > 0 ? [sums[index - 1] ?? 0] : [],
      carried: index < shown.length - 1 ? [sums[index] ?? 0] : [],
      total: index === shown.length - 1 ? [(rows * (rows + 1)) / 2] : [],
    })),
  );
  return shown.length;
}

const LINES = '<br>line'.repeat(4);
const words = (count: number) => 'Words that fill the cell. '.repeat(count);

/** Documents with one table on several pages. */
const documents: [name: string, html: string, options?: object][] = [
  [
    'separate borders',
    carriedTable({ rows: 90, attributes: 'style="border-collapse: separate; border-spacing: 3px 7px"' }),
  ],
  [
    'text before it',
    `<h1>Invoice</h1><p>${words(40)}</p><h2>Items</h2>${carriedTable({ rows: 90 })}<p>After</p>`,
  ],
  [
    'rows of several lines',
    carriedTable({ rows: 90, row: (number) => itemRow(number, number % 3 === 0 ? LINES : '') }),
  ],
  [
    'a margin of its own on the first page',
    `<style>@page :first { margin-top: 70mm }</style>${carriedTable({ rows: 90 })}`,
  ],
  [
    'a named page',
    `<style>@page wide { size: A4 landscape; margin: 10mm } table { page: wide }</style><p>Before</p>${carriedTable({ rows: 90 })}<p>After</p>`,
  ],
  ['a scale', carriedTable({ rows: 90 }), { scale: 1.6 }],
  ['a scale and a heading', `<h1>Invoice</h1>${carriedTable({ rows: 90 })}`, { scale: 1.5 }],
  ['a small scale', `<p>${words(40)}</p>${carriedTable({ rows: 190 })}`, { scale: 0.5 }],
  [
    'options for the paper',
    `<style>@page { size: auto; margin: auto }</style>${carriedTable({ rows: 90 })}`,
    {
      format: 'A5',
      orientation: 'landscape',
      margin: { top: '30mm', bottom: '30mm' },
      footer: '<p>Footer</p>',
    },
  ],
  [
    'right-to-left text',
    `<div dir="rtl">${carriedTable({ rows: 90 }).replaceAll('<td', '<td dir="ltr"')}</div>`,
  ],
  [
    'a flexible box',
    `<div style="display: flex; flex-direction: column; gap: 20px"><p>Before</p>${carriedTable({ rows: 90 })}<p>After</p></div>`,
  ],
  [
    'a grid',
    `<div style="display: grid; gap: 20px"><p>Before</p><div>${carriedTable({ rows: 90 })}</div><p>After</p></div>`,
  ],
  [
    'a box that must not break',
    `<div style="break-inside: avoid; padding: 10px; border: 2px solid">${carriedTable({ rows: 90 })}</div>`,
  ],
  ['a cell of another table', `<table style="border: 0"><tr><td>${carriedTable({ rows: 90 })}</table>`],
  [
    'a table with a header and a footer of its own',
    `<table><thead><tr><td style="height: 80px">Letterhead</thead><tfoot><tr><td style="height: 40px">Foot</tfoot><tbody><tr><td>${carriedTable({ rows: 90 })}</table>`,
  ],
  [
    'rows of several groups',
    carriedTable({
      rows: 90,
      row: (number) =>
        `${number % 7 === 0 ? '</tbody><tbody style="break-inside: avoid">' : ''}${itemRow(number)}`,
    }),
  ],
  [
    'cells over three rows',
    carriedTable({
      rows: 90,
      row: (number) =>
        `<tr>${number % 3 === 1 ? '<td rowspan="3">Three</td>' : ''}<td>(${number})</td><td data-sum="net">${number}</td></tr>`,
    }),
  ],
  [
    'rows that begin pages',
    carriedTable({
      rows: 90,
      row: (number) =>
        itemRow(number).replace('<tr>', number % 40 === 0 ? '<tr style="break-before: page">' : '<tr>'),
    }),
  ],
  [
    'rows that a script adds',
    `${carriedTable({ rows: 0 })}<script>for (let i = 1; i <= 90; i += 1) document.querySelector('tbody').insertAdjacentHTML('beforeend', '<tr><td>(' + i + ')</td><td data-sum="net">' + i + '</td></tr>')</script>`,
  ],
  [
    'names that replace methods',
    `<form name="querySelectorAll"></form><form name="createElement" style="break-after: avoid"><input name="closest"><input name="style"><input name="previousElementSibling"></form>${carriedTable({ rows: 90 }).replaceAll('"net"', '"__proto__"').replace('Item', 'Item<form id="f"><input name="removeAttribute"></form>')}`,
  ],
  [
    'a tfoot before the rows',
    carriedTable({ rows: 90 }).replace(/(<tbody>[\s\S]*<\/tbody>)([\s\S]*<\/tfoot>)/, '$2$1'),
  ],
  [
    'a caption',
    carriedTable({ rows: 90 }).replace('<thead>', '<caption style="padding: 20px">Caption</caption><thead>'),
  ],
  ['a table of contents', `<nav data-toc="h2"></nav><h2>Items</h2>${carriedTable({ rows: 90 })}<h2>End</h2>`],
];

describeWithPdfTools('carried rows', () => {
  const cases = documents.map(([name, html, options = {}]) => [name, html, options] as const);
  test.each(casesOfSuite(cases, 11))(
    'each page shows its sums: %s',
    async (_, html, options) => {
      const pages = await pageTexts(await print(`<!doctype html><html lang="en">${STYLE}${html}`, options));
      const rows = html.includes('(190)') ? 190 : 90;
      expect(expectCarried(pages, rows)).toBeGreaterThan(1);
    },
    60_000,
  );

  test('a table on one page shows no carried rows, and takes no room for them', async () => {
    const html = `<!doctype html>${STYLE}${carriedTable({ rows: 21 })}`;
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
    const html = `<!doctype html>${STYLE}<table><thead>${names.map(row).join('')}</thead><tbody>${items}</tbody><tfoot><tr><td>every</td></tr>${names.map(row).join('')}</tfoot></table>`;
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
    const html = `<!doctype html>${STYLE}<div style="columns: 2">${carriedTable({ rows: 90 })}</div>`;
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
    const german = `<!doctype html><html lang="de">${STYLE}${table('')}`;
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
    const pages = await pageTexts(await print(`<!doctype html><html lang="en">${STYLE}${html}`));
    expect(expectCarried(pages, 90)).toBeGreaterThan(1);
    expect(pages.join('')).not.toContain('INTERNAL');
  });

  test('page numbers in repeated rows are the same on all pages', async () => {
    const reference = '<a href="#end">See </a><span data-page-of="#end"></span>.';
    const table = carriedTable({ rows: 250 }).replace('Item', reference);
    const style = '<style>a::after { content: "{" target-counter(attr(href), page) "}" }</style>';
    const text = `<!doctype html><html lang="en">${STYLE}${style}${table}<p>${words(150)}</p><h2 id="end">End</h2>`;
    const pages = await pageTexts(await print(text));
    const numbers = pages.flatMap((page) => page.match(/See .*?\./g) ?? []);
    expect(numbers.length).toBeGreaterThan(2);
    expect(new Set(numbers)).toEqual(new Set([`See {${pages.length}}${pages.length}.`]));
  });

  test('selected pages show the sums of the whole document', async () => {
    const options = { pageRanges: '2' };
    const html = `<!doctype html>${STYLE}${carriedTable({ rows: 90 })}`;
    const all = await pageTexts(await print(html));
    expect(await pageTexts(await print(html, options))).toEqual([all[1] ?? '']);
  });

  test('a row that is taller than a page counts from its start', async () => {
    const tall = itemRow(20, '<br>line'.repeat(80));
    const row = (number: number) => (number === 20 ? tall : itemRow(number));
    const pages = await pageTexts(await print(`<!doctype html>${STYLE}${carriedTable({ rows: 40, row })}`));
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
