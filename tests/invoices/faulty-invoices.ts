import type { InvoiceProfile } from '@platen/pdf/invoice-profiles';
import { allowance, buyer, category, invoice, line, seller, type InvoiceFields } from './build-invoice.ts';

/** An invoice that violates a rule, at a path in its data. */
export interface FaultyInvoice {
  rule: string;
  path: string;
  data: { 'ubl:Invoice': InvoiceFields };
  profile: InvoiceProfile;
}

const vat = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };
const lines = (...all: InvoiceFields[]) => ({ 'cac:InvoiceLine': all });
const totals = (name: string, amount: string) => ({ 'cac:LegalMonetaryTotal': { [name]: amount } });
const tax = (taxable: string, amount: string, of: InvoiceFields, total = amount) => ({
  'cac:TaxTotal': [
    {
      'cbc:TaxAmount': total,
      'cac:TaxSubtotal': [{ 'cbc:TaxableAmount': taxable, 'cbc:TaxAmount': amount, 'cac:TaxCategory': of }],
    },
  ],
});
const ofSeller = (fields: InvoiceFields) => ({
  'cac:AccountingSupplierParty': { 'cac:Party': { ...seller, ...fields } },
});
const ofBuyer = (fields: InvoiceFields) => ({
  'cac:AccountingCustomerParty': { 'cac:Party': { ...buyer(), ...fields } },
});
const registration = (id: string) => ({ 'cac:PartyTaxScheme': [{ 'cbc:CompanyID': id, ...vat }] });
const firstLine = 'cac:InvoiceLine[0]';
const SELLER = 'cac:AccountingSupplierParty.cac:Party';
const BUYER = 'cac:AccountingCustomerParty.cac:Party';
const TOTALS = 'cac:LegalMonetaryTotal';
const SUBTOTAL = 'cac:TaxTotal[0].cac:TaxSubtotal[0]';
const S19 = category('S', '19');

const cases: readonly (readonly [
  rule: string,
  path: string,
  fields: InvoiceFields,
  profile?: InvoiceProfile,
])[] = [
  ['BR-02', 'cbc:ID', { 'cbc:ID': undefined }],
  ['BR-03', 'cbc:IssueDate', { 'cbc:IssueDate': undefined }],
  ['BR-05', 'cbc:DocumentCurrencyCode', { 'cbc:DocumentCurrencyCode': undefined }],
  [
    'BR-06',
    `${SELLER}.cac:PartyLegalEntity.cbc:RegistrationName`,
    ofSeller({ 'cac:PartyLegalEntity': undefined }),
  ],
  [
    'BR-07',
    `${BUYER}.cac:PartyLegalEntity.cbc:RegistrationName`,
    ofBuyer({ 'cac:PartyLegalEntity': undefined }),
  ],
  ['BR-08', `${SELLER}.cac:PostalAddress`, ofSeller({ 'cac:PostalAddress': undefined })],
  [
    'BR-11',
    `${BUYER}.cac:PostalAddress.cac:Country.cbc:IdentificationCode`,
    ofBuyer({ 'cac:PostalAddress': { 'cbc:CityName': 'Köln' } }),
  ],
  ['BR-16', 'cac:InvoiceLine', { 'cac:InvoiceLine': undefined }],
  ['BR-21', `${firstLine}.cbc:ID`, lines(line({ more: { 'cbc:ID': undefined } }))],
  ['BR-25', `${firstLine}.cac:Item.cbc:Name`, lines(line({ item: { 'cbc:Name': undefined } }))],
  ['BR-27', `${firstLine}.cac:Price.cbc:PriceAmount`, lines(line({ price: '-1.00' }))],
  [
    'BR-29',
    'cac:InvoicePeriod.cbc:EndDate',
    { 'cac:InvoicePeriod': { 'cbc:StartDate': '2026-11-30', 'cbc:EndDate': '2026-11-01' } },
  ],
  [
    'BR-33',
    'cac:AllowanceCharge[0].cbc:AllowanceChargeReason',
    {
      'cac:AllowanceCharge': [
        { ...allowance('allowance', '1.00', S19), 'cbc:AllowanceChargeReason': undefined },
      ],
    },
  ],
  [
    'BR-41',
    `${firstLine}.cac:AllowanceCharge[0].cbc:Amount`,
    lines(
      line({
        more: { 'cac:AllowanceCharge': [{ ...allowance('allowance', '1.00'), 'cbc:Amount': undefined }] },
      }),
    ),
  ],
  ['BR-53', 'cac:TaxTotal', { 'cbc:TaxCurrencyCode': 'SEK' }],
  [
    'BR-61',
    'cac:PaymentMeans[0].cac:PayeeFinancialAccount.cbc:ID',
    { 'cac:PaymentMeans': [{ 'cbc:PaymentMeansCode': '58' }] },
  ],
  ['BR-62', `${SELLER}.cbc:EndpointID@schemeID`, ofSeller({ 'cbc:EndpointID@schemeID': undefined })],
  [
    'BR-65',
    `${firstLine}.cac:Item.cac:CommodityClassification[0].cbc:ItemClassificationCode@listID`,
    lines(line({ item: { 'cac:CommodityClassification': [{ 'cbc:ItemClassificationCode': '80101500' }] } })),
  ],
  [
    'BR-CO-03',
    'cbc:TaxPointDate',
    {
      'cbc:TaxPointDate': '2026-11-22',
      'cac:InvoicePeriod': { 'cbc:StartDate': '2026-11-01', 'cbc:DescriptionCode': '3' },
    },
  ],
  ['BR-CO-09', `${SELLER}.cac:PartyTaxScheme[0].cbc:CompanyID`, ofSeller(registration('123456789'))],
  ['BR-CO-10', `${TOTALS}.cbc:LineExtensionAmount`, totals('cbc:LineExtensionAmount', '1400.00')],
  ['BR-CO-13', `${TOTALS}.cbc:TaxExclusiveAmount`, totals('cbc:TaxExclusiveAmount', '1400.00')],
  ['BR-CO-14', 'cac:TaxTotal[0].cbc:TaxAmount', tax('1500.00', '285.00', S19, '284.00')],
  ['BR-CO-15', `${TOTALS}.cbc:TaxInclusiveAmount`, totals('cbc:TaxInclusiveAmount', '1700.00')],
  ['BR-CO-16', `${TOTALS}.cbc:PayableAmount`, totals('cbc:PayableAmount', '1700.00')],
  ['BR-CO-17', `${SUBTOTAL}.cbc:TaxAmount`, tax('1500.00', '300.00', S19)],
  ['BR-CO-25', 'cbc:DueDate', { 'cbc:DueDate': undefined }],
  ['BR-CO-26', `${SELLER}.cac:PartyTaxScheme`, ofSeller({ 'cac:PartyTaxScheme': undefined })],
  [
    'BR-DEC-01',
    'cac:AllowanceCharge[0].cbc:Amount',
    { 'cac:AllowanceCharge': [allowance('allowance', '1.005', S19)] },
  ],
  [
    'BR-S-05',
    `${firstLine}.cac:Item.cac:ClassifiedTaxCategory.cbc:Percent`,
    lines(line({ tax: category('S', '0') })),
  ],
  ['BR-S-08', `${SUBTOTAL}.cbc:TaxableAmount`, tax('1400.00', '266.00', S19)],
  [
    'BR-Z-05',
    `${firstLine}.cac:Item.cac:ClassifiedTaxCategory.cbc:Percent`,
    lines(line({ tax: category('Z', '19') })),
  ],
  ['BR-AE-02', `${BUYER}.cac:PartyTaxScheme`, lines(line({ tax: category('AE', '0') }))],
  ['BR-E-10', `${SUBTOTAL}.cac:TaxCategory.cbc:TaxExemptionReason`, lines(line({ tax: category('E', '0') }))],
  [
    'BR-IC-12',
    'cac:Delivery.cac:DeliveryLocation.cac:Address.cac:Country.cbc:IdentificationCode',
    {
      ...lines(line({ tax: category('K', '0') })),
      'cac:AccountingCustomerParty': { 'cac:Party': buyer('FR', 'FR12345678901') },
    },
  ],
  ['BR-O-02', `${SELLER}.cac:PartyTaxScheme`, lines(line({ tax: category('O') }))],
  [
    'BR-CL-14',
    `${BUYER}.cac:PostalAddress.cac:Country.cbc:IdentificationCode`,
    ofBuyer({ 'cac:PostalAddress': { 'cac:Country': { 'cbc:IdentificationCode': 'QQ' } } }),
  ],
  ['BR-CL-23', `${firstLine}.cbc:InvoicedQuantity@unitCode`, lines(line({ unit: 'hours' }))],
  ['BR-DE-2', `${SELLER}.cac:Contact`, ofSeller({ 'cac:Contact': undefined }), 'xrechnung'],
  ['BR-DE-15', 'cbc:BuyerReference', { 'cbc:BuyerReference': undefined }, 'xrechnung'],
];

/** Invoices with one fault each. */
export const faultyInvoices: readonly FaultyInvoice[] = cases.map(
  ([rule, path, fields, profile = 'en16931']) => ({
    rule,
    path: `ubl:Invoice.${path}`,
    profile,
    data: invoice(fields),
  }),
);
