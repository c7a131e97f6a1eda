import { expect, test } from 'bun:test';
import { allowance, category, invoice, line, type InvoiceFields } from '../tests/build-invoice.ts';
import { readInvoice, writeInvoice, type InvoiceProfile } from '../index.ts';

const S7 = category('S', '7');
const S19 = category('S', '19');
const lines = (...all: InvoiceFields[]) => ({ 'cac:InvoiceLine': all });
const of = (quantity: string | number, price: string | number, more: InvoiceFields = {}) =>
  line({ more: { 'cbc:InvoicedQuantity': quantity, 'cac:Price': { 'cbc:PriceAmount': price }, ...more } });
const perUnits = (price: string, base: string) => ({
  'cac:Price': { 'cbc:PriceAmount': price, 'cbc:BaseQuantity': base, 'cbc:BaseQuantity@unitCode': 'HUR' },
});
const yen = { 'cbc:DocumentCurrencyCode': 'JPY', ...lines(of('3', '333.5', {})) };

/** The amounts are computed by hand: of each line, of the VAT, and the amount due. */
const cases: readonly (readonly [
  name: string,
  fields: InvoiceFields,
  amounts: { lines: string[]; tax: string; payable: string },
  profile?: InvoiceProfile,
])[] = [
  [
    'binary fractions',
    lines(of(3, 0.1), of(1, 0.2)),
    { lines: ['0.30', '0.20'], tax: '0.10', payable: '0.60' },
  ],
  [
    'a quantity with three decimals',
    lines(of('1.275', '9.99')),
    { lines: ['12.74'], tax: '2.42', payable: '15.16' },
  ],
  // Rounding to more digits first would give 0.01.
  [
    'many decimals',
    lines(of('0.0049999999', '1'), of('1', '1')),
    { lines: ['0.00', '1.00'], tax: '0.19', payable: '1.19' },
  ],
  [
    'a price per 300',
    lines(of('1000', '', perUnits('7.99', '300'))),
    { lines: ['26.63'], tax: '5.06', payable: '31.69' },
  ],
  [
    'a negative line',
    lines(of('1', '200'), { ...of('-3', '33.335'), 'cbc:ID': '2' }),
    { lines: ['200.00', '-100.01'], tax: '19.00', payable: '118.99' },
  ],
  // 0.335 is rounded in each line: 3 times 0.34, and not 1.01.
  [
    'rounding in each line',
    lines(of(1, 0.335), of(1, 0.335), of(1, 0.335)),
    { lines: ['0.34', '0.34', '0.34'], tax: '0.19', payable: '1.21' },
  ],
  // The tax is computed from the sum: 0.021, and not 3 times 0.01.
  [
    'the tax of a sum',
    lines(...['1', '2', '3'].map((id) => line({ id, quantity: '1', price: '0.10', tax: S7 }))),
    { lines: ['0.10', '0.10', '0.10'], tax: '0.02', payable: '0.32' },
  ],
  [
    'allowances and charges of several categories',
    {
      ...lines(
        line({ quantity: '1', price: '100' }),
        line({ id: '2', quantity: '1', price: '100', tax: S7 }),
      ),
      'cac:AllowanceCharge': [allowance('allowance', '10.00', S7), allowance('charge', '5.00', S19)],
    },
    { lines: ['100.00', '100.00'], tax: '26.25', payable: '221.25' },
  ],
  [
    'more paid than due',
    { 'cac:LegalMonetaryTotal': { 'cbc:PrepaidAmount': '2000.00' } },
    { lines: ['1500.00'], tax: '285.00', payable: '-215.00' },
  ],
  [
    'large amounts',
    lines(of('99999999999', '999.99')),
    { lines: ['99998999999000.01'], tax: '18999809999810.00', payable: '118998809998810.01' },
  ],
  ['a currency without decimals', yen, { lines: ['1001'], tax: '190', payable: '1191' }],
  // XRechnung does not accept a line amount that differs from its price by 0.50.
  ['a currency without decimals', yen, { lines: ['1000.50'], tax: '190', payable: '1190.50' }, 'xrechnung'],
  [
    'a currency with three decimals',
    { 'cbc:DocumentCurrencyCode': 'KWD', ...lines(of('1', '1.2345')) },
    { lines: ['1.23'], tax: '0.23', payable: '1.46' },
  ],
];

test.each(cases.map((one) => [one[3] ?? 'en16931', ...one] as const))(
  'in %s, %s are computed exactly',
  (profile, _, fields, expected) => {
    const { data, findings, xml } = writeInvoice(invoice(fields), { profile });
    expect(findings).toBeUndefined();
    expect(data).toMatchObject({
      'ubl:Invoice': {
        'cac:InvoiceLine': expected.lines.map((amount) => ({ 'cbc:LineExtensionAmount': amount })),
        'cac:TaxTotal': [{ 'cbc:TaxAmount': expected.tax }],
        'cac:LegalMonetaryTotal': { 'cbc:PayableAmount': expected.payable },
      },
    });
    expect(readInvoice(new TextDecoder().decode(xml)).findings).toEqual([]);
  },
);
