import { describe, expect, test } from 'bun:test';
import { readInvoice, writeInvoice, type InvoiceProfile } from '../index.ts';
import { plainInvoice, plainInvoices, type PlainFields } from '../tests/plain-invoices.ts';
import { invoiceFields } from './fields.ts';
import { UNITS, unitCode } from './units.ts';

function findingsOf(fields: PlainFields, profile: InvoiceProfile = 'en16931'): string[] {
  const { findings = [] } = writeInvoice(plainInvoice(fields), { profile });
  return findings.map(({ rule, path, message }) => `${rule} ${path}: ${message}`);
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests inspect completed data
function completed(data: PlainFields, profile: InvoiceProfile = 'en16931'): any {
  const { data: found, findings } = writeInvoice(data, { profile });
  expect(findings).toBeUndefined();
  return found;
}

describe('a plain invoice', () => {
  test.each(plainInvoices.map((one) => [one.profile, one.name, one] as const))(
    'in %s: %s',
    (profile, _, { data, due }) => {
      for (const syntax of ['cii', 'ubl'] as const) {
        const { xml, findings } = writeInvoice(data, { profile, syntax });
        expect(findings).toBeUndefined();
        const read = readInvoice(new TextDecoder().decode(xml));
        expect([read.valid, read.findings]).toEqual([true, []]);
        expect(read.data).toMatchObject({
          'ubl:Invoice': { 'cac:LegalMonetaryTotal': { 'cbc:PayableAmount': due } },
        });
      }
      const result = completed(data, profile);
      expect(result.totals.due).toBe(due);
      // The completed invoice is an invoice with the same totals.
      expect(completed(result, profile)).toEqual(result);
    },
  );

  test('is completed with amounts, totals and VAT by rate', () => {
    const lines = [
      { name: 'A', quantity: 2, unit: 'hour', price: 10, vat: 19, discount: { percent: 50 } },
      {
        name: 'B',
        quantity: '1',
        unit: 'kg',
        price: '0.10',
        vat: { category: 'exempt', reason: 'Training' },
      },
    ];
    expect(completed(plainInvoice({ lines, prepaid: 1 }))).toMatchObject({
      type: 'invoice',
      number: 'R-2026-0042',
      lines: [
        {
          id: '1',
          name: 'A',
          unit: 'hour',
          unit_code: 'HUR',
          vat: 19,
          vat_details: { category: 'S', rate: '19' },
          amount: '10.00',
          discount: { amount: '10.00' },
        },
        {
          id: '2',
          amount: '0.10',
          vat: { category: 'exempt', reason: 'Training' },
          vat_details: { category: 'E', rate: '0' },
        },
      ],
      totals: {
        lines: '10.10',
        net: '10.10',
        tax: '1.90',
        gross: '12.00',
        prepaid: '1',
        due: '11.00',
        taxes: [
          { vat: { category: 'S', rate: '19' }, net: '10.00', tax: '1.90' },
          { vat: { category: 'E', rate: '0', reason: 'Training' }, net: '0.10', tax: '0.00' },
        ],
      },
    });
  });

  test.each<[string, PlainFields, string, string]>([
    ['a discount of a line', { discount: { percent: 10 } }, '900.45', '90.05'],
    ['no discount', {}, '1000.50', '100.05'],
  ])('of XRechnung in JPY has lines and discounts with two decimals: %s', (_, fields, amount, discount) => {
    const line = { name: 'A', quantity: 3, unit: 'hour', price: 333.5, vat: 19, ...fields };
    const discounts = [{ percent: 10, reason: 'Loyalty', vat: 19 }];
    const invoice = plainInvoice({ currency: 'JPY', lines: [line], discounts });
    expect(completed(invoice, 'xrechnung')).toMatchObject({
      lines: [{ amount }],
      discounts: [{ amount: discount }],
    });
  });

  test.each([
    [{ category: 'zero' }, { category: 'Z', rate: '0' }],
    ['7.50', { category: 'S', rate: '7.5' }],
    [
      { category: 'canary_islands', rate: 0.5 },
      { category: 'L', rate: '0.5' },
    ],
  ])('shows VAT %j as its category and rate, and keeps it as it was sent', (vat, vat_details) => {
    const lines = [{ name: 'A', quantity: 2, unit: 'hour', price: 10, vat }];
    const discounts = [{ amount: 1, reason: 'Loyalty', vat }];
    const charges = [{ amount: 2, reason: 'Freight', vat }];
    const vatOf = { vat, vat_details };
    expect(completed(plainInvoice({ lines, discounts, charges }))).toMatchObject({
      lines: [vatOf],
      discounts: [vatOf],
      charges: [vatOf],
      totals: { taxes: [{ vat: vat_details }] },
    });
  });

  test.each<[unknown, string]>([
    [undefined, 'invoice'],
    ['invoice', 'invoice'],
    ['381', 'credit_note'],
    [381, 'credit_note'],
    ['correction', 'correction'],
    ['383', '383'],
  ])('of the type %p gets the name of its type, or its code: %s', (type, name) => {
    expect(completed(plainInvoice({ type, preceding: { number: 'R-1' } })).type).toBe(name);
  });

  test('that is overpaid has a negative amount due', () => {
    expect(findingsOf({ prepaid: 100_000, due: null })).toEqual([]);
    expect(completed(plainInvoice({ prepaid: 100_000 }))).toMatchObject({
      totals: { prepaid: '100000', due: expect.stringMatching(/^-\d+\.\d\d$/) },
    });
  });

  test('names a wrong currency once, not for each amount', () => {
    expect(findingsOf({ currency: 'Euro' })).toEqual(['BR-CL-04 currency: "Euro" is not a code of ISO 4217']);
  });

  test.each([
    ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
    ['de89370400440532013000', 'DE89370400440532013000'],
    ['12345678', '12345678'],
    ['021000021 12345678', '021000021 12345678'],
    ['US89370400440532013001', 'US89370400440532013001'],
    ['DE-12', 'DE-12'],
  ])('writes the account %s as %s', (iban, written) => {
    const { xml, findings } = writeInvoice(plainInvoice({ payment: { iban } }), { profile: 'en16931' });
    expect(findings).toBeUndefined();
    expect(new TextDecoder().decode(xml)).toContain(`ID>${written}<`);
  });

  test.each<[string, PlainFields, string]>([
    ['unknown field', { nubmer: '1' }, 'FORMAT nubmer: is unknown: expected one of number, '],
    ['name in another style', { dueDate: '2026-12-22', due_date: '1' }, 'FORMAT dueDate: is unknown'],
    ['no number', { number: undefined }, 'BR-02 number: An invoice must have a number'],
    ['no due date', { due: undefined }, 'BR-CO-25 due: '],
    ['no seller', { seller: undefined }, 'BR-06 seller.name: '],
    ['no lines', { lines: [] }, 'BR-16 lines: '],
    ['lines as an object', { lines: { name: 'x' } }, 'FORMAT lines: must be a list'],
    ['a line as text', { lines: ['x'] }, 'FORMAT lines[0]: must be an object'],
    ['a date in another format', { date: '22.11.2026' }, 'FORMAT date: must be a date such as "2026-11-22"'],
    ['an unknown type', { type: 'bill' }, 'FORMAT type: must be one of invoice, credit_note'],
    [
      'an unknown means',
      { payment: { means: 'paypal' } },
      'FORMAT payment.means: must be one of credit_transfer',
    ],
    ['an unknown currency', { currency: 'EURO' }, 'BR-CL-04 currency: "EURO" is not a code of ISO 4217'],
    [
      'wrong check digits of an account',
      { payment: { iban: 'DE89 3704 0044 0532 0130 01' } },
      'FORMAT payment.iban: must be an IBAN with correct check digits',
    ],
    [
      'a debited account that is too short',
      { payment: { mandate: 'M-1', debited_iban: 'DE0212030000000020205' } },
      'FORMAT payment.debited_iban: must have 22 characters, as an IBAN of DE',
    ],
    ['half an account', { payment: { iban: 'DE89 3704' } }, 'FORMAT payment.iban: must be an IBAN such as'],
    [
      'a second currency alone',
      { tax_currency: 'SEK' },
      'FORMAT exchange_rate: is required with "tax_currency"',
    ],
    ['a rate alone', { exchange_rate: 2 }, 'FORMAT exchange_rate: needs "tax_currency"'],
    [
      'a negative rate',
      { tax_currency: 'SEK', exchange_rate: -1 },
      'FORMAT exchange_rate: must be a positive number',
    ],
    [
      'another prepaid total',
      { prepaid: 1, totals: { prepaid: 2 } },
      'FORMAT totals.prepaid: must equal "prepaid"',
    ],
    ['a wrong total', { totals: { gross: 1 } }, 'BR-CO-15 totals.gross: '],
    ['a wrong VAT', { totals: { tax: 1 } }, 'BR-CO-14 totals.tax: '],
    ['both shapes', { 'ubl:Invoice': {} }, 'FORMAT number: must not stand beside "ubl:Invoice"'],
    ['a charge without reason', { charges: [{ amount: 1, vat: 19 }] }, 'BR-38 charges[0].reason: '],
    [
      'a charge without VAT',
      { discounts: [], charges: [{ amount: 1, reason: 'x' }] },
      'BR-37 charges[0].vat: ',
    ],
    [
      'a charge of text',
      { charges: [{ amount: 'x', reason: 'x', vat: 19 }] },
      'FORMAT charges[0].amount: must be a number',
    ],
    [
      'a discount with the VAT details of another rate',
      {
        discounts: [{ amount: 1, reason: 'x', vat: 19, vat_details: { category: 'S', rate: '7' } }],
      },
      'FORMAT discounts[0].vat_details: must have the category and the rate of "vat"',
    ],
  ])('with %s is rejected', (_, fields, expected) => {
    expect(findingsOf(fields)[0]).toStartWith(expected);
  });

  test.each<[string, PlainFields, string]>([
    ['VAT above 100 %', { vat: 119 }, 'FORMAT lines[0].vat: must be at most 100 percent'],
    ['VAT as a fraction', { vat: 0.19 }, 'FORMAT lines[0].vat: must be in percent: 19, not 0.19'],
    ['VAT as a fraction in text', { vat: { rate: '0.07' } }, 'FORMAT lines[0].vat.rate: must be in percent'],
    [
      'VAT of 0',
      { vat: 0 },
      'FORMAT lines[0].vat: of 0 needs a category that says why, such as {"category": "zero"',
    ],
    ['VAT with a sign', { vat: '19%' }, 'FORMAT lines[0].vat: must be a rate in percent'],
    ['negative VAT', { vat: -1 }, 'FORMAT lines[0].vat: must not be negative'],
    [
      'an unknown category',
      { vat: { category: 'none' } },
      'FORMAT lines[0].vat.category: must be one of standard',
    ],
    ['an empty category', { vat: {} }, 'FORMAT lines[0].vat.rate: must have a rate, or a category'],
    ['an unknown property of VAT', { vat: { percent: 19 } }, 'FORMAT lines[0].vat.percent: is unknown'],
    ['exempt without reason', { vat: { category: 'exempt' } }, 'BR-E-10 lines[0].vat.reason: '],
    [
      'reverse charge with a rate',
      { vat: { category: 'reverse_charge', rate: 19 } },
      'BR-AE-02 buyer.vat_id: ',
    ],
    ['no VAT', { vat: undefined }, 'BR-CO-04 lines[0].vat: '],
    ['no unit', { unit: undefined }, 'BR-23 lines[0].unit: '],
    [
      'an unknown unit',
      { unit: 'houer' },
      'FORMAT lines[0].unit: "houer" is not a unit: did you mean "hour"?',
    ],
    [
      'the VAT details of another category',
      { vat_details: { category: 'E', rate: '0' } },
      'FORMAT lines[0].vat_details: must have the category and the rate of "vat", or be absent',
    ],
    ['half a unit', { unit: 'pc' }, 'FORMAT lines[0].unit: "pc" is not a unit: did you mean "pcs"?'],
    ['VAT details as text', { vat_details: 'S' }, 'FORMAT lines[0].vat_details: must have the category'],
    [
      'another code of the unit',
      { unit_code: 'KGM' },
      'FORMAT lines[0].unit_code: must be the code of the unit',
    ],
    ['no price', { price: undefined }, 'BR-26 lines[0].price: '],
    ['a negative price', { price: -1 }, 'BR-27 lines[0].price: '],
    ['a wrong amount', { amount: '1.00' }, 'FORMAT lines[0].amount: must be 1500.00 (quantity'],
    ['a discount without amount', { discount: {} }, 'BR-41 lines[0].discount.amount: '],
    [
      'a discount of text',
      { discount: { percent: '10%' } },
      'FORMAT lines[0].discount.percent: must be a percentage',
    ],
    [
      'a wrong discount',
      { discount: { percent: 10, amount: 1 } },
      'FORMAT lines[0].discount.amount: must be 150.00, which is 10 percent of 1500.00',
    ],
  ])('whose line has %s is rejected', (_, fields, expected) => {
    const { lines } = plainInvoice();
    const line = { ...(lines as PlainFields[])[0], ...fields };
    expect(findingsOf({ lines: [line] }, 'xrechnung')[0]).toStartWith(expected);
  });

  test('names no UBL element and only fields of the shape, whichever field is absent or wrong', () => {
    const known = new Set(invoiceFields().map(({ path }) => path.replace(/\[\]$/, '')));
    let count = 0;
    const names = [
      'discounts and charges',
      'periods, references and notes',
      'direct debit',
      'intra-community supply',
    ];
    const some = plainInvoices.filter(({ name, profile }) => profile === 'xrechnung' && names.includes(name));
    expect(some).toHaveLength(4);
    for (const { data, profile } of some)
      for (const at of leaves(data))
        for (const value of [undefined, 'x', -1, [{}]]) {
          const changed = structuredClone(data);
          set(changed, at, value);
          for (const { path, message } of writeInvoice(changed, { profile }).findings ?? []) {
            count += 1;
            expect(`${path} ${message}`).not.toMatch(/\b(?:ubl|cbc|cac):/);
            const pattern = path
              .replaceAll(/\[\d+\]/g, '[]')
              .replace(/\[\]$/, '')
              .replace(/(\.vat)\..*/, '$1');
            expect(known).toContain(pattern);
          }
        }
    expect(count).toBeGreaterThan(500);
  });
});

test('each name of a unit is known in the singular and in the plural', () => {
  for (const [name, code] of Object.entries(UNITS)) expect(unitCode(name)).toBe(code);
  expect(['hours', 'Days', 'boxes', 'lump sum', 'HUR', 'm2', 'pcs', 'Pcs'].map(unitCode)).toEqual([
    'HUR',
    'DAY',
    'XBX',
    'LS',
    'HUR',
    'MTK',
    'H87',
    'H87',
  ]);
  expect(['ms', 'constructor', '', 'x'.repeat(99_999)].map(unitCode)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

type Path = readonly (string | number)[];

function leaves(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, item]) =>
    leaves(item, [...at, Array.isArray(value) ? Number(key) : key]),
  );
  return at.length === 0 ? inner : [at, ...inner];
}

function set(data: PlainFields, at: Path, value: unknown): void {
  // oxlint-disable-next-line typescript/no-explicit-any -- walks arbitrary data
  let group: any = data;
  for (const step of at.slice(0, -1)) group = group[step];
  group[at.at(-1) ?? ''] = value;
}
