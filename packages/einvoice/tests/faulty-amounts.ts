import { line } from './build-invoice.ts';
import {
  documentLevel,
  ITEM,
  LINE,
  lineLevel,
  lines,
  ofLine,
  ofSeller,
  S19,
  SELLER,
  SUBTOTAL,
  tax,
  totals,
  TOTALS,
  vat,
  type FaultCase,
} from './fault-cases.ts';

const noReason = { 'cbc:AllowanceChargeReason': undefined };
const REASON = 'cac:AllowanceCharge[0].cbc:AllowanceChargeReason';
const empty = { 'cac:InvoicePeriod': { 'cbc:StartDate': '' } };

const combinations: readonly FaultCase[] = [
  [
    'BR-CO-03',
    'cbc:TaxPointDate',
    {
      'cbc:TaxPointDate': '2026-11-22',
      'cac:InvoicePeriod': { 'cbc:StartDate': '2026-11-01', 'cbc:DescriptionCode': '3' },
    },
  ],
  [
    'BR-CO-04',
    `${ITEM}.cac:ClassifiedTaxCategory.cbc:ID`,
    lines(line({ tax: { 'cbc:Percent': '19', ...vat } })),
  ],
  [
    'BR-CO-09',
    `${SELLER}.cac:PartyTaxScheme[0].cbc:CompanyID`,
    ofSeller({ 'cac:PartyTaxScheme': [{ 'cbc:CompanyID': '123456789', ...vat }] }),
  ],
  ['BR-CO-10', `${TOTALS}.cbc:LineExtensionAmount`, totals('cbc:LineExtensionAmount', '1400.00')],
  [
    'BR-CO-11',
    `${TOTALS}.cbc:AllowanceTotalAmount`,
    { ...documentLevel('allowance'), ...totals('cbc:AllowanceTotalAmount', '2.00') },
  ],
  [
    'BR-CO-12',
    `${TOTALS}.cbc:ChargeTotalAmount`,
    { ...documentLevel('charge'), ...totals('cbc:ChargeTotalAmount', '2.00') },
  ],
  ['BR-CO-13', `${TOTALS}.cbc:TaxExclusiveAmount`, totals('cbc:TaxExclusiveAmount', '1400.00')],
  ['BR-CO-14', 'cac:TaxTotal[0].cbc:TaxAmount', tax('1500.00', '285.00', S19, '284.00')],
  ['BR-CO-15', `${TOTALS}.cbc:TaxInclusiveAmount`, totals('cbc:TaxInclusiveAmount', '1700.00')],
  ['BR-CO-16', `${TOTALS}.cbc:PayableAmount`, totals('cbc:PayableAmount', '1700.00')],
  ['BR-CO-17', `${SUBTOTAL}.cbc:TaxAmount`, tax('1500.00', '300.00', S19)],
  ['BR-CO-18', 'cac:TaxTotal', lines(line({ tax: {} }))],
  ['BR-CO-19', 'cac:InvoicePeriod.cbc:StartDate', empty],
  ['BR-CO-20', `${LINE}.cac:InvoicePeriod.cbc:StartDate`, ofLine(empty)],
  ['BR-CO-21', REASON, documentLevel('allowance', noReason)],
  ['BR-CO-22', REASON, documentLevel('charge', noReason)],
  ['BR-CO-23', `${LINE}.${REASON}`, lineLevel('allowance', noReason)],
  ['BR-CO-24', `${LINE}.${REASON}`, lineLevel('charge', noReason)],
  ['BR-CO-25', 'cbc:DueDate', { 'cbc:DueDate': undefined }],
  ['BR-CO-26', `${SELLER}.cac:PartyTaxScheme`, ofSeller({ 'cac:PartyTaxScheme': undefined })],
];

const AMOUNT = 'cac:AllowanceCharge[0].cbc:Amount';
const BASE = 'cac:AllowanceCharge[0].cbc:BaseAmount';
const tooPrecise = { 'cbc:Amount': '1.005' };
const tooPreciseBase = { 'cbc:BaseAmount': '100.005', 'cbc:MultiplierFactorNumeric': '1' };
const ofTotals = (number: string, name: string): FaultCase => [
  `BR-DEC-${number}`,
  `${TOTALS}.${name}`,
  totals(name, '1500.005'),
];

const decimals: readonly FaultCase[] = [
  ['BR-DEC-01', AMOUNT, documentLevel('allowance', tooPrecise)],
  ['BR-DEC-02', BASE, documentLevel('allowance', tooPreciseBase)],
  ['BR-DEC-05', AMOUNT, documentLevel('charge', tooPrecise)],
  ['BR-DEC-06', BASE, documentLevel('charge', tooPreciseBase)],
  ofTotals('09', 'cbc:LineExtensionAmount'),
  ofTotals('10', 'cbc:AllowanceTotalAmount'),
  ofTotals('11', 'cbc:ChargeTotalAmount'),
  ofTotals('12', 'cbc:TaxExclusiveAmount'),
  ['BR-DEC-13', 'cac:TaxTotal[0].cbc:TaxAmount', tax('1500.00', '285.00', S19, '285.005')],
  ofTotals('14', 'cbc:TaxInclusiveAmount'),
  [
    'BR-DEC-15',
    'cac:TaxTotal[0].cbc:TaxAmount',
    {
      'cbc:TaxCurrencyCode': 'SEK',
      'cac:TaxTotal': [{ 'cbc:TaxAmount': '3135.005', 'cbc:TaxAmount@currencyID': 'SEK' }],
    },
  ],
  ofTotals('16', 'cbc:PrepaidAmount'),
  ofTotals('17', 'cbc:PayableRoundingAmount'),
  ofTotals('18', 'cbc:PayableAmount'),
  ['BR-DEC-19', `${SUBTOTAL}.cbc:TaxableAmount`, tax('1500.005', '285.00', S19)],
  ['BR-DEC-20', `${SUBTOTAL}.cbc:TaxAmount`, tax('1500.00', '285.005', S19)],
  ['BR-DEC-23', `${LINE}.cbc:LineExtensionAmount`, ofLine({ 'cbc:LineExtensionAmount': '1500.005' })],
  ['BR-DEC-24', `${LINE}.${AMOUNT}`, lineLevel('allowance', tooPrecise)],
  ['BR-DEC-25', `${LINE}.${BASE}`, lineLevel('allowance', tooPreciseBase)],
  ['BR-DEC-27', `${LINE}.${AMOUNT}`, lineLevel('charge', tooPrecise)],
  ['BR-DEC-28', `${LINE}.${BASE}`, lineLevel('charge', tooPreciseBase)],
];

/** Violations of the rules about combinations, and about the decimals of amounts. */
export const faultyAmounts: readonly FaultCase[] = [...combinations, ...decimals];
