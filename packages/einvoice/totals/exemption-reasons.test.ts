import { describe, expect, test } from 'bun:test';
import {
  allowance,
  buyer,
  category,
  invoice,
  line,
  seller,
  type InvoiceFields,
} from '../tests/build-invoice.ts';
import { writeInvoice } from '../index.ts';

const REASON = 'Small business';
const E = category('E', '0');
const explained = { ...E, 'cbc:TaxExemptionReason': REASON };
const subtotals = (...list: InvoiceFields[]) => ({ 'cac:TaxTotal': [{ 'cac:TaxSubtotal': list }] });
const lines = (...all: InvoiceFields[]) => ({ 'cac:InvoiceLine': all });
const two = lines(line({ tax: E }), line({ id: '2', quantity: '1' }));

/** Returns the VAT breakdown of an invoice: category, taxable amount, tax amount, reason and its code. */
function breakdownOf(fields: InvoiceFields, profile: 'en16931' | 'basic' = 'en16931') {
  const { data, findings, xml } = writeInvoice(invoice(fields), { profile });
  expect(findings).toBeUndefined();
  expect(new TextDecoder().decode(xml).match(/<ram:ExemptionReason>/g)?.length ?? 0).toBeLessThan(2);
  const { 'ubl:Invoice': completed } = JSON.parse(JSON.stringify(data));
  const all: Record<string, Record<string, string>>[] = completed['cac:TaxTotal'][0]['cac:TaxSubtotal'];
  return all.map(({ 'cac:TaxCategory': of = {}, ...one }) => [
    of['cbc:ID'],
    one['cbc:TaxableAmount'],
    one['cbc:TaxAmount'],
    of['cbc:TaxExemptionReason'],
    of['cbc:TaxExemptionReasonCode'],
  ]);
}

function faultsOf(fields: InvoiceFields) {
  const { findings = [] } = writeInvoice(invoice(fields), { profile: 'en16931' });
  return findings.map(({ rule, path }) => `${rule} ${path.replace('ubl:Invoice.', '')}`);
}

describe('the exemption reason', () => {
  const exempt = ['E', '1500.00', '0.00', REASON, undefined];

  test.each<[place: string, fields: InvoiceFields]>([
    ['on a line', lines(line({ tax: explained }))],
    ['in a subtotal', { ...lines(line({ tax: E })), ...subtotals({ 'cac:TaxCategory': explained }) }],
    [
      'in a subtotal without a rate',
      {
        ...lines(line({ tax: E })),
        ...subtotals({ 'cac:TaxCategory': { 'cbc:ID': 'E', 'cbc:TaxExemptionReason': REASON } }),
      },
    ],
    [
      'in a subtotal alone',
      {
        ...lines(line({ tax: E })),
        ...subtotals({ 'cac:TaxCategory': { 'cbc:TaxExemptionReason': REASON } }),
      },
    ],
  ])('%s is enough to compute the amounts', (_, fields) => {
    expect(breakdownOf(fields)).toEqual([exempt]);
    expect(breakdownOf(fields, 'basic')).toEqual([exempt]);
  });

  test('of one category leaves the others to be computed', () => {
    const standard = ['S', '150.00', '28.50', undefined, undefined];
    expect(breakdownOf({ ...two, ...subtotals({ 'cac:TaxCategory': explained }) })).toEqual([
      exempt,
      standard,
    ]);
    expect(breakdownOf(lines(line({ tax: explained }), line({ id: '2', quantity: '1' })))).toEqual([
      exempt,
      standard,
    ]);
  });

  test('of an allowance or a line completes given amounts', () => {
    const given = { 'cbc:TaxableAmount': '1490.00', 'cbc:TaxAmount': '0.00', 'cac:TaxCategory': E };
    const fields = {
      ...lines(line({ tax: E })),
      'cac:AllowanceCharge': [allowance('allowance', '10.00', explained)],
    };
    const expected = [['E', '1490.00', '0.00', REASON, undefined]];
    expect(breakdownOf(fields)).toEqual(expected);
    expect(breakdownOf({ ...fields, ...subtotals(given) })).toEqual(expected);
  });

  test.each<[code: string, standard: string, fields: InvoiceFields]>([
    ['AE', 'VATEX-EU-AE', { 'cac:AccountingCustomerParty': { 'cac:Party': buyer('AT', 'ATU12345678') } }],
    ['G', 'VATEX-EU-G', { 'cac:AccountingCustomerParty': { 'cac:Party': buyer('US') } }],
    [
      'K',
      'VATEX-EU-IC',
      {
        'cac:AccountingCustomerParty': { 'cac:Party': buyer('FR', 'FR12345678901') },
        'cac:Delivery': {
          'cbc:ActualDeliveryDate': '2026-11-20',
          'cac:DeliveryLocation': {
            'cac:Address': { 'cac:Country': { 'cbc:IdentificationCode': 'FR' } },
          },
        },
      },
    ],
    [
      'O',
      'VATEX-EU-O',
      {
        'cac:AccountingSupplierParty': {
          'cac:Party': {
            ...seller,
            'cac:PartyTaxScheme': undefined,
            'cac:PartyIdentification': [{ 'cbc:ID': 'K-1' }],
          },
        },
      },
    ],
  ])('of the category %s has a standard code and can have another text', (code, standard, fields) => {
    const rate = code === 'O' ? undefined : '0';
    const of = (more: InvoiceFields) => ({
      ...fields,
      ...lines(line({ tax: { ...category(code, rate), ...more } })),
    });
    const [computed] = breakdownOf(of({})) ?? [];
    expect(computed).toEqual([code, '1500.00', '0.00', expect.any(String), standard]);
    const text = 'Steuerschuldnerschaft des Leistungsempf\u00e4ngers';
    const [given] = breakdownOf(of({ 'cbc:TaxExemptionReason': text })) ?? [];
    expect(given).toEqual([code, '1500.00', '0.00', text, standard]);
  });

  test('that is missing is reported where it can be given', () => {
    const path = 'cac:Item.cac:ClassifiedTaxCategory.cbc:TaxExemptionReason';
    expect(faultsOf(two)).toEqual([`BR-E-10 cac:InvoiceLine[0].${path}`]);
    expect(faultsOf({ 'cac:AllowanceCharge': [allowance('charge', '10.00', E)] })).toEqual([
      'BR-E-10 cac:AllowanceCharge[0].cac:TaxCategory.cbc:TaxExemptionReason',
    ]);
    expect(faultsOf({ ...two, ...subtotals({ 'cac:TaxCategory': E }) })).toEqual([
      'BR-E-10 cac:TaxTotal[0].cac:TaxSubtotal[0].cac:TaxCategory.cbc:TaxExemptionReason',
    ]);
  });

  test('must be the same in all places', () => {
    const other = { ...E, 'cbc:TaxExemptionReason': 'Insurance' };
    expect(faultsOf(lines(line({ tax: explained }), line({ id: '2', tax: other })))).toEqual([
      'FORMAT cac:InvoiceLine[1].cac:Item.cac:ClassifiedTaxCategory.cbc:TaxExemptionReason',
    ]);
    expect(
      faultsOf({ ...lines(line({ tax: other })), ...subtotals({ 'cac:TaxCategory': explained }) }),
    ).toEqual(['FORMAT cac:InvoiceLine[0].cac:Item.cac:ClassifiedTaxCategory.cbc:TaxExemptionReason']);
  });

  test('of a category with VAT is rejected where it was given', () => {
    const wrong = { ...category('S', '19'), 'cbc:TaxExemptionReason': REASON };
    expect(faultsOf(lines(line({ tax: wrong })))).toEqual([
      'BR-S-10 cac:InvoiceLine[0].cac:Item.cac:ClassifiedTaxCategory.cbc:TaxExemptionReason',
    ]);
  });

  test('in two subtotals of one category is rejected', () => {
    const twice = subtotals({ 'cac:TaxCategory': explained }, { 'cac:TaxCategory': explained });
    expect(faultsOf({ ...lines(line({ tax: E })), ...twice })).toEqual(
      expect.arrayContaining([
        'BR-E-01 cac:TaxTotal',
        'BR-45 cac:TaxTotal[0].cac:TaxSubtotal[1].cbc:TaxableAmount',
      ]),
    );
  });
});

test('the paths of VAT totals are those of the data', () => {
  const accounting = { 'cbc:TaxAmount': '1.005', 'cbc:TaxAmount@currencyID': 'SEK' };
  const own = { 'cbc:TaxAmount': '285.001' };
  const fields = (...totals: InvoiceFields[]) => ({ 'cbc:TaxCurrencyCode': 'SEK', 'cac:TaxTotal': totals });
  expect(faultsOf(fields(accounting))).toEqual(['BR-DEC-15 cac:TaxTotal[0].cbc:TaxAmount']);
  expect(faultsOf(fields(accounting, own)).toSorted()).toEqual([
    'BR-DEC-13 cac:TaxTotal[1].cbc:TaxAmount',
    'BR-DEC-15 cac:TaxTotal[0].cbc:TaxAmount',
  ]);
});

test('the VAT breakdown is written if another total comes first', () => {
  const accounting = { 'cbc:TaxAmount': '3135.00', 'cbc:TaxAmount@currencyID': 'SEK' };
  const data = invoice({
    'cbc:TaxCurrencyCode': 'SEK',
    'cac:TaxTotal': [accounting, { 'cbc:TaxAmount': '285.00' }],
  });
  const { xml } = writeInvoice(data, { profile: 'en16931' });
  expect(new TextDecoder().decode(xml)).toContain('<ram:BasisAmount>1500.00</ram:BasisAmount>');
});
