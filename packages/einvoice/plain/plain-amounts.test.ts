import { expect, test } from 'bun:test';
import { INVOICE_PROFILES, writeInvoice, type InvoiceProfile } from '../index.ts';
import { invoice } from '../tests/build-invoice.ts';
import { plainInvoice, type PlainFields } from '../tests/plain-invoices.ts';

const line = (fields: PlainFields = {}) => ({
  name: 'A',
  quantity: 1,
  unit: 'piece',
  price: 100,
  vat: 19,
  ...fields,
});

function findingsOf(fields: PlainFields, profile: InvoiceProfile = 'en16931'): string[] {
  const { findings = [] } = writeInvoice(plainInvoice(fields), { profile });
  return findings.map(({ rule, path, message }) => `${rule} ${path}: ${message}`);
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests inspect completed data
function completed(fields: PlainFields, profile: InvoiceProfile = 'en16931'): any {
  const { data, findings } = writeInvoice(plainInvoice(fields), { profile });
  expect(findings).toBeUndefined();
  return data;
}

/** The amounts are computed by hand. */
test.each<[string, PlainFields, { amounts: string[]; due: string }]>([
  [
    'each of two rates',
    {
      lines: [line(), line({ vat: 7 })],
      discounts: [
        { percent: 5, vat: 19, reason: 'Loyalty' },
        { percent: 5, vat: '7.0', reason: 'Loyalty' },
      ],
    },
    { amounts: ['5.00', '5.00'], due: '214.70' },
  ],
  [
    'the smaller part',
    {
      lines: [line({ price: 990 }), line({ price: 10, vat: 7 })],
      discounts: [{ percent: 50, vat: 7, reason: 'Loyalty' }],
    },
    { amounts: ['5.00'], due: '1183.45' },
  ],
  [
    'lines whose VAT is written in two ways',
    {
      lines: [
        line({ vat: { category: 'exempt', reason: 'Training' } }),
        line({ vat: { category: 'E', rate: 0, reason: 'Training' } }),
        line(),
      ],
      discounts: [{ percent: 10, vat: { category: 'exempt' }, reason: 'Loyalty' }],
    },
    { amounts: ['20.00'], due: '299.00' },
  ],
  [
    'lines after their own discounts',
    {
      lines: [line({ discount: { percent: 10 } }), line({ amount: '100.00' })],
      discounts: [{ percent: 10, vat: 19, reason: 'Loyalty' }],
    },
    { amounts: ['19.00'], due: '203.49' },
  ],
])('a percentage of an invoice is taken of the lines with its VAT: %s', (_, fields, { amounts, due }) => {
  const { discounts, totals } = completed(fields);
  expect(discounts.map(({ amount }: { amount: string }) => amount)).toEqual(amounts);
  expect(totals.due).toBe(due);
});

test('a percentage needs a line with its VAT, unless the invoice has no lines and an amount', () => {
  const charges = [{ percent: 5, vat: 7, reason: 'Freight' }];
  const message =
    'FORMAT charges[0].percent: needs a line with the same VAT, because it is a percentage of such lines; give only "amount" instead';
  expect(findingsOf({ charges })).toEqual([message]);
  expect(findingsOf({ charges: [{ ...charges[0], amount: 5 }] })).toEqual([message]);
  expect(findingsOf({ charges: [{ ...charges[0], percent: undefined, amount: 5 }] })).toEqual([]);
  const totals = { lines: '100.00', taxes: [{ vat: 7, net: '105.00', tax: '7.35' }] };
  const withoutLines = { lines: undefined, totals, charges: [{ ...charges[0], amount: 5 }] };
  expect(findingsOf(withoutLines, 'basic_wl')).toEqual([]);
  expect(findingsOf({ ...withoutLines, charges }, 'basic_wl')).toEqual([message]);
});

test.each(INVOICE_PROFILES)('in %s, given amounts that contradict others are rejected', (profile) => {
  const of = (fields: PlainFields) => findingsOf(fields, profile).map((text) => text.replace(/:.*/, ''));
  const price = { price: '9.99' };
  expect(of({ lines: [line({ ...price, amount: '5' })] })).toEqual(['FORMAT lines[0].amount']);
  expect(of({ lines: [line({ ...price, amount: '9.97' })] })).toEqual(['FORMAT lines[0].amount']);
  for (const amount of ['9.98', '9.99', '10.00'])
    expect(of({ lines: [line({ ...price, amount })] })).toEqual([]);
  const perHundred = { price_quantity: 100, quantity: 50, discount: { amount: 10 } };
  expect(of({ lines: [line({ ...perHundred, amount: 40 })] })).toEqual([]);
  expect(of({ lines: [line({ ...perHundred, amount: 50 })] })).toEqual(['FORMAT lines[0].amount']);
  for (const [amount, expected] of [
    [50, []],
    ['49.99', []],
    [1, ['FORMAT lines[0].discount.amount']],
  ] as const)
    expect(of({ lines: [line({ discount: { percent: 50, amount } })] })).toEqual([...expected]);
  for (const name of ['discounts', 'charges'])
    for (const [amount, expected] of [
      [150, []],
      [15, [`FORMAT ${name}[0].amount`]],
    ] as const)
      expect(of({ [name]: [{ percent: 10, amount, vat: 19, reason: 'Agreed' }] })).toEqual([...expected]);
  const inKrona = (tax: string) =>
    of({ tax_currency: 'SEK', exchange_rate: 2, totals: { tax_in_tax_currency: tax } });
  expect(inKrona('570.00')).toEqual([]);
  expect(inKrona('570.01')).toEqual([]);
  expect(inKrona('3192')).toEqual(['FORMAT totals.tax_in_tax_currency']);
});

test('given amounts in a currency without decimals may differ by 1', () => {
  const inYen = (amount: number) =>
    findingsOf({ currency: 'JPY', lines: [line({ quantity: 3, price: '333.5', amount })] });
  expect([1000, 1001, 1002].map((amount) => inYen(amount).length)).toEqual([0, 0, 0]);
  expect(inYen(999)).toEqual([
    'FORMAT lines[0].amount: must be 1001 (quantity × price ÷ price_quantity, minus the discount), or be absent',
  ]);
});

test.each(INVOICE_PROFILES)('in %s, rounding is written or rejected', (profile) => {
  const has = ['en16931', 'extended', 'xrechnung'].includes(profile);
  const message = `is not a term of the profile ${profile}: choose one of en16931, extended, xrechnung, or leave it out`;
  const ubl = invoice({ 'cac:LegalMonetaryTotal': { 'cbc:PayableRoundingAmount': '0.01' } });
  const path = 'ubl:Invoice.cac:LegalMonetaryTotal.cbc:PayableRoundingAmount';
  expect(findingsOf({ rounding: '0.01' }, profile)).toEqual(has ? [] : [`FORMAT rounding: ${message}`]);
  expect(writeInvoice(ubl, { profile }).findings ?? []).toEqual(
    has ? [] : [{ rule: 'FORMAT', path, message }],
  );
  expect(findingsOf({ rounding: '0.00' }, profile)).toEqual([]);
});
