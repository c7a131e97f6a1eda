import { expect, test } from 'bun:test';
import { allowance, category, invoice, line } from '../tests/build-invoice.ts';
import { readInvoice, writeInvoice, type InvoiceProfile } from '../index.ts';

test('numbers are exact decimals with at most 10 decimals', () => {
  const noisy = 0.1 + 0.2;
  const group = (value: unknown) => {
    const tax = { ...category('S'), 'cbc:Percent': value };
    const discount = { ...allowance('allowance', ''), 'cbc:Amount': 0.1, 'cbc:BaseAmount': 1 };
    const more = {
      'cbc:InvoicedQuantity': value,
      'cac:Price': { 'cbc:PriceAmount': value, 'cbc:BaseQuantity': value },
      'cac:AllowanceCharge': [{ ...discount, 'cbc:MultiplierFactorNumeric': value }],
    };
    const totals = { 'cbc:PrepaidAmount': value };
    return invoice({ 'cac:InvoiceLine': [line({ tax, more })], 'cac:LegalMonetaryTotal': totals });
  };
  for (const syntax of ['cii', 'ubl'] as const) {
    const { xml, findings } = writeInvoice(group(noisy), { profile: 'en16931', syntax });
    expect(findings).toBeUndefined();
    const text = new TextDecoder().decode(xml);
    expect(text).not.toContain('0000000');
    expect(text.match(/>0\.3</g)?.length).toBeGreaterThanOrEqual(6);
  }
  const below = 'ubl:Invoice.cac:InvoiceLine[0]';
  const paths = [
    `${below}.cbc:InvoicedQuantity`,
    `${below}.cac:AllowanceCharge[0].cbc:MultiplierFactorNumeric`,
    `${below}.cac:Item.cac:ClassifiedTaxCategory.cbc:Percent`,
    `${below}.cac:Price.cbc:PriceAmount`,
    `${below}.cac:Price.cbc:BaseQuantity`,
    'ubl:Invoice.cac:LegalMonetaryTotal.cbc:PrepaidAmount',
  ].toSorted();
  for (const [value, message] of [
    [String(noisy), 'must have at most 10 decimals'],
    ['0.12345678901', 'must have at most 10 decimals'],
    ['NaN', 'must be a number such as "12.50"'],
    ['-Infinity', 'must be a number such as "12.50"'],
    ['1e3', 'must be a number such as "12.50"'],
    ['1,5', 'must be a number such as "12.50"'],
    ['0x10', 'must be a number such as "12.50"'],
    ['\u0661', 'must be a number such as "12.50"'],
    [true, 'must be a number such as "12.50"'],
    [1e20, 'must be a string, because a JSON number of this size is not exact'],
    [JSON.parse('1e999'), 'must be a string, because a JSON number of this size is not exact'],
  ]) {
    const data = group(0);
    const faulty = JSON.parse(JSON.stringify(data), (_, found) => (found === 0 ? value : found));
    const { findings = [] } = writeInvoice(faulty, { profile: 'en16931' });
    expect(findings.map(({ path }) => path).toSorted()).toEqual(paths);
    expect(new Set(findings.map(({ rule, message: text }) => `${rule} ${text}`))).toEqual(
      new Set([`FORMAT ${message}`]),
    );
  }
});

test('a price of another program is read with all its decimals', () => {
  const { xml } = writeInvoice(invoice(), { profile: 'en16931' });
  const text = new TextDecoder().decode(xml);
  const noisy = text.replace('<ram:ChargeAmount>150.00<', '<ram:ChargeAmount>150.00000000000000004<');
  expect(noisy).not.toBe(text);
  expect(readInvoice(noisy).findings).toEqual([]);
});

test('a given amount must be payable in its currency', () => {
  const inYen = (fields: object) => invoice({ 'cbc:DocumentCurrencyCode': 'JPY', ...fields });
  const faultsOf = (data: object, profile: InvoiceProfile = 'en16931') =>
    (writeInvoice(data, { profile }).findings ?? []).map(({ rule, path }) => `${rule} ${path}`);
  const of = (amount: unknown) => ({ 'cac:LegalMonetaryTotal': { 'cbc:PrepaidAmount': amount } });
  const path = 'FORMAT ubl:Invoice.cac:LegalMonetaryTotal.cbc:PrepaidAmount';
  for (const amount of ['100.5', 100.5, '-0.01']) expect(faultsOf(inYen(of(amount)))).toEqual([path]);
  for (const amount of ['100', 100, '100.00']) expect(faultsOf(inYen(of(amount)))).toEqual([]);
  expect(faultsOf(invoice(of('100.5')))).toEqual([]);
  const more = { 'cbc:LineExtensionAmount': '1500.5' };
  expect(faultsOf(inYen({ 'cac:InvoiceLine': [line({ more })] }))).toEqual([
    'FORMAT ubl:Invoice.cac:InvoiceLine[0].cbc:LineExtensionAmount',
  ]);
  // A price is not paid by itself, and XRechnung requires line amounts with two decimals.
  const price = { 'cac:InvoiceLine': [line({ quantity: '1', price: '100.5' })] };
  expect(faultsOf(inYen(price))).toEqual([]);
  expect(faultsOf(inYen({ 'cac:InvoiceLine': [line({ price: '150.05', more })] }), 'xrechnung')).toEqual([]);
  const inOther = {
    'cbc:TaxCurrencyCode': 'JPY',
    'cac:TaxTotal': [{ 'cbc:TaxAmount': '3135.50', 'cbc:TaxAmount@currencyID': 'JPY' }],
  };
  expect(faultsOf(invoice(inOther))).toEqual(['FORMAT ubl:Invoice.cac:TaxTotal[0].cbc:TaxAmount']);
});
