import { category, line } from './build-invoice.ts';
import {
  BUYER,
  documentLevel,
  ITEM,
  LINE,
  lines,
  MEANS,
  ofBuyer,
  ofItem,
  ofSeller,
  payBy,
  SELLER,
  SUBTOTAL,
  tax,
  type FaultCase,
} from './fault-cases.ts';

const deliveryLocation = {
  'cac:Delivery': { 'cac:DeliveryLocation': { 'cbc:ID': '1', 'cbc:ID@schemeID': '9999' } },
};

/** Violations of the rules about code lists. */
export const faultyCodes: readonly FaultCase[] = [
  ['BR-CL-01', 'cbc:InvoiceTypeCode', { 'cbc:InvoiceTypeCode': '999' }],
  [
    'BR-CL-03',
    'cac:TaxTotal[0].cbc:TaxAmount@currencyID',
    { 'cac:TaxTotal': [{ 'cbc:TaxAmount': '285.00', 'cbc:TaxAmount@currencyID': 'QQQ' }] },
  ],
  ['BR-CL-04', 'cbc:DocumentCurrencyCode', { 'cbc:DocumentCurrencyCode': 'QQQ' }],
  ['BR-CL-05', 'cbc:TaxCurrencyCode', { 'cbc:TaxCurrencyCode': 'QQQ' }],
  [
    'BR-CL-06',
    'cac:InvoicePeriod.cbc:DescriptionCode',
    { 'cac:InvoicePeriod': { 'cbc:StartDate': '2026-11-01', 'cbc:DescriptionCode': '99' } },
  ],
  [
    'BR-CL-07',
    'cac:AdditionalDocumentReference[0].cbc:ID@schemeID',
    {
      'cac:AdditionalDocumentReference': [
        { 'cbc:ID': 'O-1', 'cbc:ID@schemeID': 'QQQ', 'cbc:DocumentTypeCode': '130' },
      ],
    },
  ],
  ['BR-CL-08', 'cbc:Note[1]', { 'cbc:Note': ['#AAI#Thank you.', '#QQQ#Unknown.'] }],
  [
    'BR-CL-10',
    `${SELLER}.cac:PartyIdentification[0].cbc:ID@schemeID`,
    ofSeller({ 'cac:PartyIdentification': [{ 'cbc:ID': '1', 'cbc:ID@schemeID': '9999' }] }),
  ],
  [
    'BR-CL-11',
    `${BUYER}.cac:PartyLegalEntity.cbc:CompanyID@schemeID`,
    ofBuyer({
      'cac:PartyLegalEntity': {
        'cbc:RegistrationName': 'B',
        'cbc:CompanyID': '1',
        'cbc:CompanyID@schemeID': '9999',
      },
    }),
  ],
  [
    'BR-CL-13',
    `${ITEM}.cac:CommodityClassification[0].cbc:ItemClassificationCode@listID`,
    ofItem({
      'cac:CommodityClassification': [
        { 'cbc:ItemClassificationCode': '1', 'cbc:ItemClassificationCode@listID': 'QQ' },
      ],
    }),
  ],
  [
    'BR-CL-14',
    `${BUYER}.cac:PostalAddress.cac:Country.cbc:IdentificationCode`,
    ofBuyer({ 'cac:PostalAddress': { 'cac:Country': { 'cbc:IdentificationCode': 'QQ' } } }),
  ],
  [
    'BR-CL-15',
    `${ITEM}.cac:OriginCountry.cbc:IdentificationCode`,
    ofItem({ 'cac:OriginCountry': { 'cbc:IdentificationCode': 'QQ' } }),
  ],
  ['BR-CL-16', `${MEANS}.cbc:PaymentMeansCode`, payBy({ 'cbc:PaymentMeansCode': '999' })],
  [
    'BR-CL-17',
    'cac:AllowanceCharge[0].cac:TaxCategory.cbc:ID',
    documentLevel('allowance', {}, category('QQ', '0')),
  ],
  ['BR-CL-18', `${ITEM}.cac:ClassifiedTaxCategory.cbc:ID`, lines(line({ tax: category('QQ', '0') }))],
  [
    'BR-CL-19',
    'cac:AllowanceCharge[0].cbc:AllowanceChargeReasonCode',
    documentLevel('allowance', { 'cbc:AllowanceChargeReasonCode': 'QQQ' }),
  ],
  [
    'BR-CL-20',
    'cac:AllowanceCharge[0].cbc:AllowanceChargeReasonCode',
    documentLevel('charge', { 'cbc:AllowanceChargeReasonCode': '95' }),
  ],
  [
    'BR-CL-21',
    `${ITEM}.cac:StandardItemIdentification.cbc:ID@schemeID`,
    ofItem({ 'cac:StandardItemIdentification': { 'cbc:ID': '1', 'cbc:ID@schemeID': '9999' } }),
  ],
  [
    'BR-CL-22',
    `${SUBTOTAL}.cac:TaxCategory.cbc:TaxExemptionReasonCode`,
    {
      ...lines(line({ tax: category('E', '0') })),
      ...tax('1500.00', '0.00', { ...category('E', '0'), 'cbc:TaxExemptionReasonCode': 'VATEX-QQ' }),
    },
  ],
  ['BR-CL-23', `${LINE}.cbc:InvoicedQuantity@unitCode`, lines(line({ unit: 'hours' }))],
  [
    'BR-CL-24',
    'cac:AdditionalDocumentReference[0].cac:Attachment.cbc:EmbeddedDocumentBinaryObject@mimeCode',
    {
      'cac:AdditionalDocumentReference': [
        {
          'cbc:ID': 'A',
          'cac:Attachment': {
            'cbc:EmbeddedDocumentBinaryObject': 'YQ==',
            'cbc:EmbeddedDocumentBinaryObject@mimeCode': 'text/html',
            'cbc:EmbeddedDocumentBinaryObject@filename': 'a.html',
          },
        },
      ],
    },
  ],
  ['BR-CL-25', `${BUYER}.cbc:EndpointID@schemeID`, ofBuyer({ 'cbc:EndpointID@schemeID': '1234' })],
  ['BR-CL-26', 'cac:Delivery.cac:DeliveryLocation.cbc:ID@schemeID', deliveryLocation],
];
