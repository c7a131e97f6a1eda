import { describe, expect, test } from 'bun:test';
import { compileTemplate } from '@platen/templates';
import type { JsonObject } from '../../tests/support/starters/variants.ts';
import { readStarters } from '../../tests/support/starters/starters.ts';

/** Where a starter prints its amounts. */
interface Amounts {
  /** Number of cells from the description to the amount of a line. */
  amountAfter: number;
  /** Label of the sum of the lines. */
  sum?: string;
  /** Labels of the amounts added to or subtracted from it. */
  changes: string[];
  total: string;
}

const STARTERS: Record<string, Amounts> = {
  'credit-note': { amountAfter: 3, sum: 'Subtotal', changes: ['VAT 19%'], total: 'Total credit' },
  'invoice-arabic': {
    amountAfter: 3,
    sum: 'Subtotal',
    changes: ['Discount', 'VAT 19%'],
    total: 'Total due',
  },
  'invoice-japanese': { amountAfter: 3, sum: 'Subtotal', changes: ['VAT'], total: 'Total' },
  'invoice-modern': { amountAfter: 3, sum: 'Net', changes: ['VAT 19%'], total: 'Total' },
  'invoice-simple': {
    amountAfter: 3,
    sum: 'Subtotal',
    changes: ['Discount', 'VAT 19%'],
    total: 'Total due',
  },
  'invoice-swiss': { amountAfter: 4, sum: 'Net total', changes: ['VAT 19%', 'VAT 7%'], total: 'Total' },
  'invoice-tax-breakdown': { amountAfter: 4, sum: 'Net total', changes: ['VAT'], total: 'Total' },
  'purchase-order': {
    amountAfter: 3,
    sum: 'Subtotal',
    changes: ['Freight', 'VAT 19%'],
    total: 'Order total',
  },
  quote: { amountAfter: 3, changes: ['Discount', 'VAT 19%'], total: 'Total' },
  'receipt-80mm': { amountAfter: 1, sum: 'Subtotal', changes: ['Discount', 'VAT'], total: 'Total' },
};

const ITEMS = [
  { quantity: 6.5, price: 14.99 },
  { quantity: 6.5, price: 14.99 },
  { quantity: 3, price: 0.1115 },
  { quantity: '1.05', price: '1000.5' },
].map((item, index) => ({ description: `Row ${index}`, tax_rate: index % 2 === 0 ? 19 : 7, ...item }));

const DATA: JsonObject = {
  locale: 'en-US',
  items: ITEMS,
  tax_percent: 19,
  tax_label: 'VAT',
  taxes: [{ label: 'VAT', rate: 19, net: 100.005, tax: 19.0005, amount: 19.0005 }],
  discount: 10.0051,
  discount_label: 'Discount',
  freight: 12.0055,
};

describe('printed amounts add up', () => {
  const cases = Object.keys(STARTERS).flatMap((slug) =>
    [
      ['EUR', 2],
      ['JPY', 0],
      ['KWD', 3],
    ].map(([currency, decimals]) => [slug, currency, decimals] as [string, string, number]),
  );

  test.each(cases)('%s in %s, to %d decimals', (slug, currency, decimals) => {
    const { amountAfter, sum, changes, total } = STARTERS[slug]!;
    const cells = cellsOf(slug, { ...DATA, currency });
    const after = (label: string, count = 1) => {
      const at = cells.indexOf(label);
      expect(at, `"${label}" among ${cells.join(' | ')}`).toBeGreaterThanOrEqual(0);
      return minorUnits(cells[at + count]!, decimals);
    };

    const rows = ITEMS.map(({ description }) => after(description, amountAfter));
    expect(rows.every((row) => Number.isInteger(row))).toBe(true);
    // 6.5 x 14.99 = 97.435
    expect(rows[0]).toBe(Math.round(97.435 * 10 ** decimals));
    const lines = rows.reduce((one, other) => one + other);
    if (sum !== undefined) expect(after(sum)).toBe(lines);
    const changed = changes.map((label) => after(label)).reduce((one, other) => one + other);
    expect(changed).not.toBe(0);
    expect(after(total)).toBe(lines + changed);
  });

  test('taxes by rate are computed from the lines, whatever the data says', () => {
    const taxes = [{ label: 'standard', rate: 19, net: 1, tax: 1 }];
    const cells = cellsOf('invoice-tax-breakdown', { ...DATA, taxes });
    const at = cells.lastIndexOf('19%');
    // 6.5 × 14.99 + 3 × 0.1115 = 97.44 + 0.33, and 97.44 + 1,050.53
    expect(cells.slice(at, at + 8)).toEqual([
      '19%',
      '€97.77',
      '€18.58',
      '€116.35',
      '7%',
      '€1,147.97',
      '€80.36',
      '€1,228.33',
    ]);
    expect(cells).toContain('€98.94');
  });
});

/** Returns the text of a starter's table cells. */
function cellsOf(slug: string, data: JsonObject): string[] {
  const starter = readStarters().find((each) => each.slug === slug)!;
  const rendered = compileTemplate({ source: starter.html, data });
  if (!rendered.ok) throw new Error(rendered.message);
  return rendered.value.html
    .split('</td>')
    .map((html) => html.slice(html.lastIndexOf('<td')))
    .map((cell) => cell.replaceAll(/<\/?bdi[^>]*>/g, ''))
    .map((cell) => /^<td[^>]*>\s*(?:<div[^>]*>)?([^<]*)/.exec(cell)?.[1]?.trim() ?? '');
}

/** Returns an amount in the smallest unit of its currency; NaN if it has another number of decimals. */
function minorUnits(amount: string, decimals: number): number {
  const [, sign = '', digits = ''] = /^(-?)[^\d-]*([\d.,]+)$/.exec(amount) ?? [];
  const [, fraction = ''] = digits.split('.');
  if (fraction.length !== decimals) return NaN;
  return Number(sign + digits.replaceAll(/[.,]/g, ''));
}
