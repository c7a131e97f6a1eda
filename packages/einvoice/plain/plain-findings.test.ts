import { expect, test } from 'bun:test';
import { writeInvoice } from '../index.ts';
import { invoice } from '../tests/build-invoice.ts';
import { plainInvoice, type PlainFields } from '../tests/plain-invoices.ts';

function findingsOf(fields: PlainFields): string[] {
  const { findings = [] } = writeInvoice(plainInvoice(fields), { profile: 'en16931' });
  return findings.map(({ rule, path, message }) => `${rule} ${path}: ${message}`);
}

const line = { name: 'A', quantity: 1, unit: 'piece', price: 10, vat: 19 };
const discounts = [{ percent: 5, vat: 19, reason: 'Loyalty' }];
const registered = { ...(plainInvoice()['seller'] as PlainFields), tax_number: '22/815/08154' };
const NUMBER = 'must be a number such as "12.50"';
const LIMIT = 'must have at most 20 digits before the decimal point';
const COMPUTED = `${LIMIT}; the computed amount has more`;

test.each<[string, PlainFields, string[]]>([
  [
    'a missing price, of which a percentage would be taken',
    { discounts, number: undefined, lines: [{ ...line, price: undefined, discount: { percent: 10 } }] },
    [
      'BR-02 number: An invoice must have a number',
      'BR-26 lines[0].price: Each line must have the net price of the item (BT-146)',
    ],
  ],
  [
    'a malformed quantity, of which a percentage would be taken',
    { discounts, lines: [{ ...line, quantity: '1,5', discount: { percent: 10 } }] },
    [`FORMAT lines[0].quantity: ${NUMBER}`],
  ],
  [
    'a malformed percentage',
    { discounts: [{ percent: 'x', vat: 7 }] },
    ['FORMAT discounts[0].percent: must be a percentage such as 10'],
  ],
  [
    'a malformed value of two elements',
    { buyer: { ...(plainInvoice()['buyer'] as PlainFields), email: true } },
    ['FORMAT buyer.email: must be a string'],
  ],
  [
    'malformed VAT, of whose lines a percentage would be taken',
    { discounts, lines: [{ ...line, vat: '19%' }] },
    ['FORMAT lines[0].vat: must be a rate in percent'],
  ],
  [
    'a quantity of the price of 0',
    { discounts, lines: [{ ...line, price_quantity: 0, discount: { percent: 10 } }] },
    ['FORMAT lines[0].price_quantity: must be greater than 0'],
  ],
  [
    'an unknown field, a malformed date and a malformed amount',
    { byuer: {}, date: '28.11.2026', lines: [line, 1, { ...line, price: '1,5' }], exchange_rate: 'x' },
    [
      'FORMAT lines[1]: must be an object',
      'FORMAT byuer: is unknown',
      'FORMAT exchange_rate: must be a positive number',
      'FORMAT exchange_rate: needs "tax_currency"',
      'FORMAT date: must be a date such as "2026-11-22"',
      `FORMAT lines[2].price: ${NUMBER}`,
    ],
  ],
  [
    'a number with too many digits',
    { lines: [{ ...line, price: '123456789012345678901' }] },
    [`FORMAT lines[0].price: ${LIMIT}`],
  ],
  [
    'a number with too many decimals',
    { lines: [{ ...line, price: '0.123456789012345678901' }] },
    ['FORMAT lines[0].price: must have at most 10 decimals'],
  ],
  [
    'a line whose amount has too many digits',
    { lines: [{ ...line, quantity: 999_999_999_999, price: '99999999999999.99' }] },
    [`FORMAT lines[0].amount: ${COMPUTED}`],
  ],
  [
    'lines whose sum has too many digits',
    { lines: [1, 2].map(() => ({ ...line, price: '90000000000000000000' })) },
    [`FORMAT totals.lines: ${COMPUTED}`],
  ],
  [
    'VAT with too many digits in the second currency',
    { tax_currency: 'SEK', exchange_rate: '90000000000000000000' },
    [`FORMAT totals.tax_in_tax_currency: ${LIMIT}`],
  ],
  [
    'a VAT identifier of 0 beside a tax number',
    { seller: { ...registered, vat_id: 0 } },
    ['BR-CO-09 seller.vat_id: '],
  ],
  [
    'a blank second currency',
    { tax_currency: '  ', exchange_rate: 2 },
    ['FORMAT tax_currency: must be a currency such as SEK, or be absent'],
  ],
  [
    'the currency of the invoice as the second',
    { tax_currency: 'EUR', exchange_rate: 1 },
    ['FORMAT tax_currency: must differ from "currency", or be absent'],
  ],
  [
    'booleans in place of text and numbers',
    { number: true, note: [false], lines: [{ ...line, price: true }] },
    ['FORMAT number: must be a string', `FORMAT lines[0].price: ${NUMBER}`, 'FORMAT note: must be a string'],
  ],
])('%s: the findings name the causes', (_, fields, expected) => {
  const found = findingsOf(fields);
  expect(found.map((text, index) => text.slice(0, expected[index]?.length))).toEqual(expected);
});

test('booleans are not text in the shape of UBL, except that indicators can be booleans', () => {
  const allowance = { 'cbc:ChargeIndicator': false, 'cbc:Amount': 1, 'cbc:AllowanceChargeReason': 'x' };
  const data = (id: unknown) => {
    const all = invoice();
    const tax = { 'cac:TaxCategory': { 'cbc:ID': 'S', 'cbc:Percent': 19 } };
    return {
      'ubl:Invoice': {
        ...all['ubl:Invoice'],
        'cbc:ID': id,
        'cac:AllowanceCharge': [{ ...allowance, ...tax }],
      },
    };
  };
  expect(writeInvoice(data('1'), { profile: 'en16931' }).findings).toBeUndefined();
  expect(writeInvoice(data(true), { profile: 'en16931' }).findings).toEqual([
    { rule: 'FORMAT', path: 'ubl:Invoice.cbc:ID', message: 'must be a string' },
  ]);
});

test('numbers are written in one way, in the XML and in the completed invoice', () => {
  const fields = {
    lines: [{ ...line, quantity: 0.1 + 0.2, price: ' +10.5 ', vat: '+19', discount: { percent: ' 10 ' } }],
    prepaid: '+1',
    tax_currency: 'SEK',
    exchange_rate: ' 2',
  };
  const { data, xml } = writeInvoice(plainInvoice(fields), { profile: 'en16931' });
  expect(data).toMatchObject({
    lines: [{ quantity: 0.3, price: '10.5', vat: '19', discount: { percent: '10', amount: '0.32' } }],
    prepaid: '1',
    exchange_rate: '2',
  });
  const text = new TextDecoder().decode(xml);
  for (const part of ['ChargeAmount>10.5<', 'Percent>19<', 'PrepaidAmount>1<']) expect(text).toContain(part);
  const ubl = invoice({ 'cac:LegalMonetaryTotal': { 'cbc:PrepaidAmount': ' +1 ' } });
  const written = writeInvoice(ubl, { profile: 'en16931' });
  expect(new TextDecoder().decode(written.xml)).toContain('>1<');
});
