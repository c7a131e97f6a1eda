import { category, line } from './build-invoice.ts';
import {
  BUYER,
  card,
  documentLevel,
  ITEM,
  LINE,
  lineLevel,
  lines,
  mandate,
  MEANS,
  ofBuyer,
  ofItem,
  ofLine,
  ofSeller,
  payBy,
  S19,
  SELLER,
  SUBTOTAL,
  tax,
  TOTALS,
  vat,
  type FaultCase,
} from './fault-cases.ts';

const representative = {
  'cac:PartyName': { 'cbc:Name': 'Fiscal SARL' },
  'cac:PostalAddress': { 'cac:Country': { 'cbc:IdentificationCode': 'FR' } },
  'cac:PartyTaxScheme': { 'cbc:CompanyID': 'FR98765432109', ...vat },
};
const represented = (fields: object) => ({ 'cac:TaxRepresentativeParty': { ...representative, ...fields } });
const REPRESENTATIVE = 'cac:TaxRepresentativeParty';
const noReason = { 'cbc:AllowanceChargeReason': undefined };
const noAmount = { 'cbc:Amount': undefined };
const REASON = 'cac:AllowanceCharge[0].cbc:AllowanceChargeReason';
const AMOUNT = 'cac:AllowanceCharge[0].cbc:Amount';
const early = { 'cbc:StartDate': '2026-11-30', 'cbc:EndDate': '2026-11-01' };

/** Sets some totals and removes the lines, because missing totals would be computed from them. */
const onlyTotals = (...names: readonly string[]) => ({
  'cac:InvoiceLine': undefined,
  'cac:LegalMonetaryTotal': Object.fromEntries(names.map((name) => [`cbc:${name}Amount`, '1500.00'])),
});

/**
 * Violations of the rules about single terms. No data violates BR-01, because the service writes the
 * specification identifier itself.
 */
export const faultyContent: readonly FaultCase[] = [
  ['BR-02', 'cbc:ID', { 'cbc:ID': undefined }],
  ['BR-03', 'cbc:IssueDate', { 'cbc:IssueDate': undefined }],
  ['BR-04', 'cbc:InvoiceTypeCode', { 'cbc:InvoiceTypeCode': undefined }],
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
    'BR-09',
    `${SELLER}.cac:PostalAddress.cac:Country.cbc:IdentificationCode`,
    ofSeller({ 'cac:PostalAddress': { 'cbc:CityName': 'Köln' } }),
  ],
  ['BR-10', `${BUYER}.cac:PostalAddress`, ofBuyer({ 'cac:PostalAddress': undefined })],
  [
    'BR-11',
    `${BUYER}.cac:PostalAddress.cac:Country.cbc:IdentificationCode`,
    ofBuyer({ 'cac:PostalAddress': { 'cbc:CityName': 'Köln' } }),
  ],
  ['BR-12', `${TOTALS}.cbc:LineExtensionAmount`, onlyTotals('TaxExclusive', 'TaxInclusive', 'Payable')],
  ['BR-13', `${TOTALS}.cbc:TaxExclusiveAmount`, onlyTotals('TaxInclusive', 'Payable')],
  ['BR-14', `${TOTALS}.cbc:TaxInclusiveAmount`, onlyTotals('TaxExclusive', 'Payable')],
  ['BR-15', `${TOTALS}.cbc:PayableAmount`, onlyTotals('TaxExclusive')],
  ['BR-16', 'cac:InvoiceLine', { 'cac:InvoiceLine': undefined }],
  [
    'BR-17',
    'cac:PayeeParty.cac:PartyName.cbc:Name',
    { 'cac:PayeeParty': { 'cac:PartyIdentification': { 'cbc:ID': 'P-1' } } },
  ],
  ['BR-18', `${REPRESENTATIVE}.cac:PartyName.cbc:Name`, represented({ 'cac:PartyName': undefined })],
  ['BR-19', `${REPRESENTATIVE}.cac:PostalAddress`, represented({ 'cac:PostalAddress': undefined })],
  [
    'BR-20',
    `${REPRESENTATIVE}.cac:PostalAddress.cac:Country.cbc:IdentificationCode`,
    represented({ 'cac:PostalAddress': { 'cbc:CityName': 'Lyon' } }),
  ],
  ['BR-21', `${LINE}.cbc:ID`, ofLine({ 'cbc:ID': undefined })],
  ['BR-22', `${LINE}.cbc:InvoicedQuantity`, ofLine({ 'cbc:InvoicedQuantity': undefined })],
  ['BR-23', `${LINE}.cbc:InvoicedQuantity@unitCode`, ofLine({ 'cbc:InvoicedQuantity@unitCode': undefined })],
  ['BR-24', `${LINE}.cbc:LineExtensionAmount`, ofLine({ 'cbc:InvoicedQuantity': undefined })],
  ['BR-25', `${ITEM}.cbc:Name`, ofItem({ 'cbc:Name': undefined })],
  ['BR-26', `${LINE}.cac:Price.cbc:PriceAmount`, ofLine({ 'cac:Price': undefined })],
  ['BR-27', `${LINE}.cac:Price.cbc:PriceAmount`, lines(line({ price: '-1.00' }))],
  [
    'BR-28',
    `${LINE}.cac:Price.cac:AllowanceCharge.cbc:BaseAmount`,
    ofLine({
      'cac:Price': { 'cbc:PriceAmount': '150.00', 'cac:AllowanceCharge': { 'cbc:BaseAmount': '-1.00' } },
    }),
  ],
  ['BR-29', 'cac:InvoicePeriod.cbc:EndDate', { 'cac:InvoicePeriod': early }],
  ['BR-30', `${LINE}.cac:InvoicePeriod.cbc:EndDate`, ofLine({ 'cac:InvoicePeriod': early })],
  ['BR-31', AMOUNT, documentLevel('allowance', noAmount)],
  [
    'BR-32',
    'cac:AllowanceCharge[0].cac:TaxCategory.cbc:ID',
    documentLevel('allowance', { 'cac:TaxCategory': undefined }),
  ],
  ['BR-33', REASON, documentLevel('allowance', noReason)],
  ['BR-36', AMOUNT, documentLevel('charge', noAmount)],
  [
    'BR-37',
    'cac:AllowanceCharge[0].cac:TaxCategory.cbc:ID',
    documentLevel('charge', { 'cac:TaxCategory': undefined }),
  ],
  ['BR-38', REASON, documentLevel('charge', noReason)],
  ['BR-41', `${LINE}.${AMOUNT}`, lineLevel('allowance', noAmount)],
  ['BR-42', `${LINE}.${REASON}`, lineLevel('allowance', noReason)],
  ['BR-43', `${LINE}.${AMOUNT}`, lineLevel('charge', noAmount)],
  ['BR-44', `${LINE}.${REASON}`, lineLevel('charge', noReason)],
  ['BR-45', `${SUBTOTAL}.cbc:TaxableAmount`, tax(undefined, '285.00', S19)],
  // A breakdown of a rate that no line has cannot be computed.
  ['BR-46', `${SUBTOTAL}.cbc:TaxAmount`, tax(undefined, undefined, category('S', '7'), '285.00')],
  ['BR-47', `${SUBTOTAL}.cac:TaxCategory.cbc:ID`, tax('1500.00', '285.00', { 'cbc:Percent': '19', ...vat })],
  ['BR-48', `${SUBTOTAL}.cac:TaxCategory.cbc:Percent`, tax('1500.00', '285.00', category('S'))],
  [
    'BR-49',
    `${MEANS}.cbc:PaymentMeansCode`,
    payBy({ 'cac:PayeeFinancialAccount': { 'cbc:ID': 'DE89370400440532013000' } }),
  ],
  [
    'BR-50',
    `${MEANS}.cac:PayeeFinancialAccount.cbc:ID`,
    payBy({ 'cbc:PaymentMeansCode': '58', 'cac:PayeeFinancialAccount': { 'cbc:Name': 'Nordwind' } }),
  ],
  [
    'BR-51',
    `${MEANS}.cac:CardAccount.cbc:PrimaryAccountNumberID`,
    payBy({
      'cbc:PaymentMeansCode': '48',
      'cac:CardAccount': { 'cbc:PrimaryAccountNumberID': '12345678901' },
    }),
  ],
  [
    'BR-52',
    'cac:AdditionalDocumentReference[0].cbc:ID',
    { 'cac:AdditionalDocumentReference': [{ 'cbc:DocumentDescription': 'Hours' }] },
  ],
  ['BR-53', 'cbc:TaxCurrencyCode', { 'cbc:TaxCurrencyCode': 'EUR' }],
  ['BR-53', 'cac:TaxTotal', { 'cbc:TaxCurrencyCode': 'SEK' }],
  [
    'BR-54',
    `${ITEM}.cac:AdditionalItemProperty[0].cbc:Value`,
    ofItem({ 'cac:AdditionalItemProperty': [{ 'cbc:Name': 'Colour' }] }),
  ],
  [
    'BR-55',
    'cac:BillingReference[0].cac:InvoiceDocumentReference.cbc:ID',
    { 'cac:BillingReference': [{ 'cac:InvoiceDocumentReference': { 'cbc:IssueDate': '2026-10-22' } }] },
  ],
  [
    'BR-56',
    `${REPRESENTATIVE}.cac:PartyTaxScheme.cbc:CompanyID`,
    represented({ 'cac:PartyTaxScheme': undefined }),
  ],
  [
    'BR-57',
    'cac:Delivery.cac:DeliveryLocation.cac:Address.cac:Country.cbc:IdentificationCode',
    { 'cac:Delivery': { 'cac:DeliveryLocation': { 'cac:Address': { 'cbc:CityName': 'Lyon' } } } },
  ],
  ['BR-61', `${MEANS}.cac:PayeeFinancialAccount.cbc:ID`, payBy({ 'cbc:PaymentMeansCode': '58' })],
  ['BR-62', `${SELLER}.cbc:EndpointID@schemeID`, ofSeller({ 'cbc:EndpointID@schemeID': undefined })],
  ['BR-63', `${BUYER}.cbc:EndpointID@schemeID`, ofBuyer({ 'cbc:EndpointID@schemeID': undefined })],
  [
    'BR-64',
    `${ITEM}.cac:StandardItemIdentification.cbc:ID@schemeID`,
    ofItem({ 'cac:StandardItemIdentification': { 'cbc:ID': '4012345001235' } }),
  ],
  [
    'BR-65',
    `${ITEM}.cac:CommodityClassification[0].cbc:ItemClassificationCode@listID`,
    ofItem({ 'cac:CommodityClassification': [{ 'cbc:ItemClassificationCode': '80101500' }] }),
  ],
  [
    'BR-66',
    'cac:PaymentMeans[1].cac:CardAccount',
    payBy({ 'cbc:PaymentMeansCode': '48', ...card }, { 'cbc:PaymentMeansCode': '48', ...card }),
  ],
  [
    'BR-67',
    'cac:PaymentMeans[1].cac:PaymentMandate',
    payBy({ 'cbc:PaymentMeansCode': '59', ...mandate }, { 'cbc:PaymentMeansCode': '59', ...mandate }),
  ],
];
