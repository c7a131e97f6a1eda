import { expect } from 'bun:test';
import { carriedTable, itemRow } from './carried-table.ts';

/** Styles for {@link carriedDocuments}. */
export const CARRIED_STYLE =
  '<style>@page { size: A5; margin: 20mm } table { width: 100%; border-collapse: collapse } td, th { border: 1px solid #999; padding: 2px 4px }</style>';

/**
 * Checks the rows of a table: each page that the table continues on begins with the sum of the rows before it,
 * each page that it leaves ends with the sum of the rows so far, and the last page has the total. Returns the
 * number of its pages.
 */
export function expectCarried(pages: readonly string[], rows: number): number {
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

/** Documents with one table of 90 or 190 rows on several pages. */
export const carriedDocuments: [name: string, html: string, options?: object][] = [
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
    'a form with a field that replaces a property',
    `<form><input name="parentElement">${carriedTable({ rows: 90 })}</form>`,
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

