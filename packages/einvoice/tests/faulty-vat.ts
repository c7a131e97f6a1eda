import { allowance, buyer, category, line, seller, type InvoiceFields } from './build-invoice.ts';
import { BUYER, ITEM, lines, S19, SELLER, SUBTOTAL, tax, type FaultCase } from './fault-cases.ts';

interface Category {
  code: string;
  /** The part of its rules' identifiers between `BR-` and the number. */
  prefix: string;
  /** A valid rate. */
  rate: string | undefined;
  wrongRate: string;
  /** The tax on 1,500 at the valid rate. */
  tax: string;
  /** Whether the breakdown must have an exemption reason. */
  reason: boolean;
}

const CATEGORIES: readonly Category[] = [
  { code: 'S', prefix: 'S', rate: '19', wrongRate: '0', tax: '285.00', reason: false },
  { code: 'Z', prefix: 'Z', rate: '0', wrongRate: '19', tax: '0.00', reason: false },
  { code: 'E', prefix: 'E', rate: '0', wrongRate: '19', tax: '0.00', reason: true },
  { code: 'AE', prefix: 'AE', rate: '0', wrongRate: '19', tax: '0.00', reason: true },
  { code: 'K', prefix: 'IC', rate: '0', wrongRate: '19', tax: '0.00', reason: true },
  { code: 'G', prefix: 'G', rate: '0', wrongRate: '19', tax: '0.00', reason: true },
  { code: 'O', prefix: 'O', rate: undefined, wrongRate: '19', tax: '0.00', reason: true },
  { code: 'L', prefix: 'AF', rate: '7', wrongRate: '-1', tax: '105.00', reason: false },
  { code: 'M', prefix: 'AG', rate: '4', wrongRate: '-1', tax: '60.00', reason: false },
];

const withIdentifier = { 'cac:PartyIdentification': [{ 'cbc:ID': 'K-1' }] };
const parties = (own: InvoiceFields, other: InvoiceFields) => ({
  'cac:AccountingSupplierParty': { 'cac:Party': { ...seller, ...withIdentifier, ...own } },
  'cac:AccountingCustomerParty': { 'cac:Party': other },
});
const unregistered = { 'cac:PartyTaxScheme': undefined };
/** Parties that every category except O accepts. */
const registered = parties({}, buyer('FR', 'FR12345678901'));
const anonymous = parties(unregistered, buyer('FR'));
const REGISTRATION = `${SELLER}.cac:PartyTaxScheme`;
const LINE_RATE = `${ITEM}.cac:ClassifiedTaxCategory.cbc:Percent`;
const RATE = 'cac:AllowanceCharge[0].cac:TaxCategory.cbc:Percent';
const REASON = `${SUBTOTAL}.cac:TaxCategory.cbc:TaxExemptionReason`;

function casesOf({ code, prefix, rate, wrongRate, tax: amount, reason }: Category): FaultCase[] {
  const right = category(code, rate);
  const wrong = category(code, wrongRate);
  const explained = { ...right, 'cbc:TaxExemptionReason': 'A reason' };
  const valid = reason ? explained : right;
  const other = code === 'S' ? category('Z', '0') : S19;
  const ofRight = lines(line({ tax: right }));
  const at = (kind: 'allowance' | 'charge', of: InvoiceFields) => ({
    'cac:AllowanceCharge': [allowance(kind, '1.00', of)],
  });
  const rule = (number: number) => `BR-${prefix}-${String(number).padStart(2, '0')}`;
  const good = code === 'O' ? anonymous : registered;
  const bad = code === 'O' ? registered : anonymous;
  return [
    [
      rule(1),
      'cac:TaxTotal',
      { ...good, ...ofRight, ...tax('1500.00', code === 'S' ? '0.00' : '285.00', other) },
    ],
    [rule(2), REGISTRATION, { ...bad, ...ofRight }],
    [rule(3), REGISTRATION, { ...bad, ...ofRight, ...at('allowance', right) }],
    [rule(4), REGISTRATION, { ...bad, ...ofRight, ...at('charge', right) }],
    [rule(5), LINE_RATE, { ...good, ...lines(line({ tax: wrong })) }],
    [rule(6), RATE, { ...good, ...ofRight, ...at('allowance', wrong) }],
    [rule(7), RATE, { ...good, ...ofRight, ...at('charge', wrong) }],
    [rule(8), `${SUBTOTAL}.cbc:TaxableAmount`, { ...good, ...ofRight, ...tax('1400.00', amount, valid) }],
    [rule(9), `${SUBTOTAL}.cbc:TaxAmount`, { ...good, ...ofRight, ...tax('1500.00', '999.00', valid) }],
    [rule(10), REASON, { ...good, ...ofRight, ...tax('1500.00', amount, reason ? right : explained) }],
  ];
}

/** Two breakdowns of category O. The official Schematron reports BR-O-01 for this violation only. */
const twoOfO = {
  ...anonymous,
  ...lines(line({ tax: category('O') })),
  'cac:TaxTotal': [
    {
      'cbc:TaxAmount': '0.00',
      'cac:TaxSubtotal': ['1000.00', '500.00'].map((amount) => ({
        'cbc:TaxableAmount': amount,
        'cbc:TaxAmount': '0.00',
        'cac:TaxCategory': { ...category('O'), 'cbc:TaxExemptionReason': 'A reason' },
      })),
    },
  ],
};
const K = category('K', '0');
const O = category('O');
const B = category('B', '22');
const italian = (fields: InvoiceFields) => ({
  ...parties(
    { 'cac:PostalAddress': { 'cac:Country': { 'cbc:IdentificationCode': 'IT' } } },
    buyer('IT', 'IT12345678901'),
  ),
  ...fields,
});

/** Violations of the rules about VAT categories. */
export const faultyVat: readonly FaultCase[] = [
  ...CATEGORIES.flatMap(casesOf).map((faultCase): FaultCase =>
    faultCase[0] === 'BR-O-01' ? ['BR-O-01', faultCase[1], twoOfO] : faultCase,
  ),
  ['BR-S-08', `${SUBTOTAL}.cbc:TaxableAmount`, tax('1500.01', '285.00', S19)],
  ['BR-AE-02', `${BUYER}.cac:PartyTaxScheme`, lines(line({ tax: category('AE', '0') }))],
  [
    'BR-IC-11',
    'cac:Delivery.cbc:ActualDeliveryDate',
    { ...registered, ...lines(line({ tax: K })), 'cac:Delivery': undefined },
  ],
  [
    'BR-IC-12',
    'cac:Delivery.cac:DeliveryLocation.cac:Address.cac:Country.cbc:IdentificationCode',
    { ...registered, ...lines(line({ tax: K })) },
  ],
  [
    'BR-O-11',
    'cac:InvoiceLine[1].cac:Item.cac:ClassifiedTaxCategory',
    lines(line({ tax: O }), line({ id: '2' })),
  ],
  [
    'BR-O-12',
    'cac:InvoiceLine[1].cac:Item.cac:ClassifiedTaxCategory.cbc:ID',
    lines(line({ tax: O }), line({ id: '2' })),
  ],
  ...(['allowance', 'charge'] as const).map((kind, index): FaultCase => [
    `BR-O-${13 + index}`,
    'cac:AllowanceCharge[0].cac:TaxCategory.cbc:ID',
    { ...anonymous, ...lines(line({ tax: O })), 'cac:AllowanceCharge': [allowance(kind, '1.00', S19)] },
  ]),
  [
    'BR-CL-18',
    'cac:InvoiceLine[0].cac:Item.cac:ClassifiedTaxCategory.cbc:ID',
    italian(lines(line({ tax: B }))),
  ],
  ['BR-B-01', 'cac:TaxTotal', lines(line({ tax: B }))],
  ['BR-B-02', 'cac:TaxTotal', italian(lines(line({ tax: B }), line({ id: '2' })))],
];
