import { category, seller } from './build-invoice.ts';
import {
  BUYER,
  card,
  documentLevel,
  LINE,
  mandate,
  MEANS,
  ofBuyer,
  ofLine,
  ofSeller,
  payBy,
  SELLER,
  SUBTOTAL,
  tax,
  type FaultCase,
} from './fault-cases.ts';

const AMOUNT = 'cac:AllowanceCharge[0].cbc:Amount';
const sepaCreditor = {
  'cac:AccountingSupplierParty': {
    'cac:Party': {
      ...seller,
      'cac:PartyIdentification': [{ 'cbc:ID': 'DE98ZZZ09999999999', 'cbc:ID@schemeID': 'SEPA' }],
    },
  },
};
const account = { 'cac:PayeeFinancialAccount': { 'cbc:ID': 'DE89370400440532013000' } };
const transfer = { 'cbc:PaymentMeansCode': '58', ...account };
const debit = { 'cbc:PaymentMeansCode': '59', ...mandate };
const address = (fields: object) => ({
  'cac:PostalAddress': {
    'cbc:CityName': 'Hamburg',
    'cbc:PostalZone': '20095',
    'cac:Country': { 'cbc:IdentificationCode': 'DE' },
    ...fields,
  },
});
const deliverTo = (fields: object) => ({
  'cac:Delivery': {
    'cac:DeliveryLocation': {
      'cac:Address': { 'cac:Country': { 'cbc:IdentificationCode': 'DE' }, ...fields },
    },
  },
});
const DELIVERY = 'cac:Delivery.cac:DeliveryLocation.cac:Address';
const contact = (fields: object) =>
  ofSeller({ 'cac:Contact': { ...(seller['cac:Contact'] as object), ...fields } });
const document = {
  'cac:Attachment': {
    'cbc:EmbeddedDocumentBinaryObject': 'YSxiCg==',
    'cbc:EmbeddedDocumentBinaryObject@mimeCode': 'text/csv',
    'cbc:EmbeddedDocumentBinaryObject@filename': 'a.csv',
  },
};
const period = { 'cbc:StartDate': '2026-11-10', 'cbc:EndDate': '2026-11-20' };
const price = (fields: object) => ofLine({ 'cac:Price': { 'cbc:PriceAmount': '150.00', ...fields } });
const inSek = { 'cbc:TaxAmount': '3135.00', 'cbc:TaxAmount@currencyID': 'SEK' };
const inEuro = (amount: string) => ({ 'cbc:TaxAmount': amount, 'cbc:TaxAmount@currencyID': 'EUR' });

const xrechnung: readonly FaultCase[] = [
  ['BR-DE-1', 'cac:PaymentMeans', { 'cac:PaymentMeans': undefined }],
  ['BR-DE-2', `${SELLER}.cac:Contact`, ofSeller({ 'cac:Contact': undefined })],
  ['BR-DE-3', `${SELLER}.cac:PostalAddress.cbc:CityName`, ofSeller(address({ 'cbc:CityName': undefined }))],
  [
    'BR-DE-4',
    `${SELLER}.cac:PostalAddress.cbc:PostalZone`,
    ofSeller(address({ 'cbc:PostalZone': undefined })),
  ],
  ['BR-DE-5', `${SELLER}.cac:Contact.cbc:Name`, contact({ 'cbc:Name': undefined })],
  ['BR-DE-6', `${SELLER}.cac:Contact.cbc:Telephone`, contact({ 'cbc:Telephone': undefined })],
  ['BR-DE-7', `${SELLER}.cac:Contact.cbc:ElectronicMail`, contact({ 'cbc:ElectronicMail': undefined })],
  ['BR-DE-8', `${BUYER}.cac:PostalAddress.cbc:CityName`, ofBuyer(address({ 'cbc:CityName': undefined }))],
  ['BR-DE-9', `${BUYER}.cac:PostalAddress.cbc:PostalZone`, ofBuyer(address({ 'cbc:PostalZone': undefined }))],
  ['BR-DE-10', `${DELIVERY}.cbc:CityName`, deliverTo({ 'cbc:PostalZone': '20095' })],
  ['BR-DE-11', `${DELIVERY}.cbc:PostalZone`, deliverTo({ 'cbc:CityName': 'Hamburg' })],
  ['BR-DE-14', `${SUBTOTAL}.cac:TaxCategory.cbc:Percent`, tax('1500.00', '285.00', category('S'))],
  ['BR-DE-15', 'cbc:BuyerReference', { 'cbc:BuyerReference': undefined }],
  [
    'BR-DE-16',
    `${SELLER}.cac:PartyTaxScheme`,
    ofSeller({ 'cac:PartyTaxScheme': undefined, 'cac:PartyIdentification': [{ 'cbc:ID': 'K-1' }] }),
  ],
  [
    'BR-DE-18',
    'cac:PaymentTerms.cbc:Note',
    { 'cac:PaymentTerms': { 'cbc:Note': '#SKONTO#TAGE=14#PROZENT=2#' } },
  ],
  [
    'BR-DE-22',
    'cac:AdditionalDocumentReference[1].cac:Attachment.cbc:EmbeddedDocumentBinaryObject@filename',
    {
      'cac:AdditionalDocumentReference': [
        { 'cbc:ID': 'A', ...document },
        { 'cbc:ID': 'B', ...document },
      ],
    },
  ],
  ['BR-DE-23-a', `${MEANS}.cac:PayeeFinancialAccount`, payBy({ 'cbc:PaymentMeansCode': '30' })],
  ['BR-DE-23-b', `${MEANS}.cac:CardAccount`, payBy({ ...transfer, ...card })],
  ['BR-DE-24-a', `${MEANS}.cac:CardAccount`, payBy({ 'cbc:PaymentMeansCode': '48' })],
  [
    'BR-DE-24-b',
    `${MEANS}.cac:PayeeFinancialAccount`,
    payBy({ 'cbc:PaymentMeansCode': '48', ...card, ...account }),
  ],
  ['BR-DE-25-a', `${MEANS}.cac:PaymentMandate`, payBy({ 'cbc:PaymentMeansCode': '59' })],
  [
    'BR-DE-25-b',
    `${MEANS}.cac:PayeeFinancialAccount`,
    { ...sepaCreditor, ...payBy({ ...debit, ...account }) },
  ],
  ['BR-DE-30', `${SELLER}.cac:PartyIdentification`, payBy(debit)],
  [
    'BR-DE-31',
    `${MEANS}.cac:PaymentMandate.cac:PayerFinancialAccount.cbc:ID`,
    {
      ...sepaCreditor,
      ...payBy({ 'cbc:PaymentMeansCode': '59', 'cac:PaymentMandate': { 'cbc:ID': 'M-1' } }),
    },
  ],
  [
    'PEPPOL-EN16931-R005',
    'cbc:TaxCurrencyCode',
    { 'cbc:TaxCurrencyCode': 'EUR', 'cac:TaxTotal': [inEuro('285.00')] },
  ],
  [
    'PEPPOL-EN16931-R010',
    `${BUYER}.cbc:EndpointID`,
    ofBuyer({ 'cbc:EndpointID': undefined, 'cbc:EndpointID@schemeID': undefined }),
  ],
  [
    'PEPPOL-EN16931-R020',
    `${SELLER}.cbc:EndpointID`,
    ofSeller({ 'cbc:EndpointID': undefined, 'cbc:EndpointID@schemeID': undefined }),
  ],
  [
    'PEPPOL-EN16931-R040',
    AMOUNT,
    documentLevel('allowance', { 'cbc:BaseAmount': '100.00', 'cbc:MultiplierFactorNumeric': '2' }),
  ],
  [
    'PEPPOL-EN16931-R041',
    'cac:AllowanceCharge[0].cbc:BaseAmount',
    documentLevel('allowance', { 'cbc:MultiplierFactorNumeric': '2' }),
  ],
  [
    'PEPPOL-EN16931-R042',
    'cac:AllowanceCharge[0].cbc:MultiplierFactorNumeric',
    documentLevel('allowance', { 'cbc:BaseAmount': '100.00' }),
  ],
  [
    'PEPPOL-EN16931-R044',
    `${LINE}.cac:Price.cac:AllowanceCharge.cbc:ChargeIndicator`,
    price({ 'cac:AllowanceCharge': { 'cbc:ChargeIndicator': 'true', 'cbc:Amount': '10.00' } }),
  ],
  [
    'PEPPOL-EN16931-R046',
    `${LINE}.cac:Price.cbc:PriceAmount`,
    price({ 'cac:AllowanceCharge': { 'cbc:Amount': '10.00', 'cbc:BaseAmount': '170.00' } }),
  ],
  ['PEPPOL-EN16931-R053', 'cac:TaxTotal[1]', { 'cac:TaxTotal': [inEuro('285.00'), inEuro('285.00')] }],
  ['PEPPOL-EN16931-R054', 'cac:TaxTotal[0]', { 'cac:TaxTotal': [inSek] }],
  [
    'PEPPOL-EN16931-R055',
    'cac:TaxTotal[0].cbc:TaxAmount',
    { 'cbc:TaxCurrencyCode': 'SEK', 'cac:TaxTotal': [{ ...inSek, 'cbc:TaxAmount': '-3135.00' }] },
  ],
  [
    'PEPPOL-EN16931-R061',
    `${MEANS}.cac:PaymentMandate.cbc:ID`,
    {
      ...sepaCreditor,
      ...payBy({
        'cbc:PaymentMeansCode': '59',
        'cac:PaymentMandate': { ...mandate['cac:PaymentMandate'], 'cbc:ID': undefined },
      }),
    },
  ],
  [
    'PEPPOL-EN16931-R101',
    `${LINE}.cac:DocumentReference.cbc:DocumentTypeCode`,
    ofLine({ 'cac:DocumentReference': { 'cbc:ID': 'O-1', 'cbc:DocumentTypeCode': '50' } }),
  ],
  [
    'PEPPOL-EN16931-R110',
    `${LINE}.cac:InvoicePeriod.cbc:StartDate`,
    { 'cac:InvoicePeriod': period, ...ofLine({ 'cac:InvoicePeriod': { 'cbc:StartDate': '2026-11-01' } }) },
  ],
  [
    'PEPPOL-EN16931-R111',
    `${LINE}.cac:InvoicePeriod.cbc:EndDate`,
    { 'cac:InvoicePeriod': period, ...ofLine({ 'cac:InvoicePeriod': { 'cbc:EndDate': '2026-11-30' } }) },
  ],
  [
    'PEPPOL-EN16931-R120',
    `${LINE}.cbc:LineExtensionAmount`,
    ofLine({ 'cbc:LineExtensionAmount': '1500.03' }),
  ],
  [
    'PEPPOL-EN16931-R121',
    `${LINE}.cac:Price.cbc:BaseQuantity`,
    price({ 'cbc:BaseQuantity': '-1', 'cbc:BaseQuantity@unitCode': 'HUR' }),
  ],
  [
    'PEPPOL-EN16931-R130',
    `${LINE}.cac:Price.cbc:BaseQuantity@unitCode`,
    price({ 'cbc:BaseQuantity': '1', 'cbc:BaseQuantity@unitCode': 'DAY' }),
  ],
];

/** Violations of the rules of XRechnung. */
export const faultyXrechnung: readonly FaultCase[] = xrechnung.map(([rule, path, fields]) => [
  rule,
  path,
  fields,
  'xrechnung',
]);
