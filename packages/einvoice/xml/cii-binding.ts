import type { XmlElement } from '@platen/xml';
import type { DataNode } from '../data/node.ts';
import type { Scope } from '../profiles.ts';
import { textBelow, type CiiNode, type Codec } from './cii-node.ts';
import {
  address,
  allowance,
  date,
  el,
  fixed,
  identifiers,
  indicator,
  leaf,
  party,
  period,
  quantity,
  scheme,
  SEPA,
  partTax,
  TAX_POINT,
  taxRegistration,
} from './cii-parts.ts';
import { endSkonto } from './skonto.ts';

const line = el(
  'ram:IncludedSupplyChainTradeLineItem',
  2,
  [
    el('ram:AssociatedDocumentLineDocument', 2, [
      leaf('ram:LineID', 2, 'cbc:ID'),
      el('ram:IncludedNote', 2, [leaf('ram:Content', 2, 'cbc:Note')]),
    ]),
    el(
      'ram:SpecifiedTradeProduct',
      2,
      [
        leaf('ram:GlobalID', 2, 'cac:StandardItemIdentification/cbc:ID', {
          attributes: scheme('cac:StandardItemIdentification/cbc:ID@schemeID'),
        }),
        leaf('ram:SellerAssignedID', 3, 'cac:SellersItemIdentification/cbc:ID'),
        leaf('ram:BuyerAssignedID', 3, 'cac:BuyersItemIdentification/cbc:ID'),
        leaf('ram:Name', 2, 'cbc:Name'),
        leaf('ram:Description', 3, 'cbc:Description'),
        el(
          'ram:ApplicableProductCharacteristic',
          3,
          [leaf('ram:Description', 3, 'cbc:Name'), leaf('ram:Value', 3, 'cbc:Value')],
          { group: 'cac:AdditionalItemProperty', each: true },
        ),
        el(
          'ram:DesignatedProductClassification',
          3,
          [
            leaf('ram:ClassCode', 3, 'cbc:ItemClassificationCode', {
              attributes: {
                listID: { path: 'cbc:ItemClassificationCode@listID' },
                listVersionID: { path: 'cbc:ItemClassificationCode@listVersionID' },
              },
            }),
          ],
          { group: 'cac:CommodityClassification', each: true },
        ),
        el('ram:OriginTradeCountry', 3, [leaf('ram:ID', 3, 'cac:OriginCountry/cbc:IdentificationCode')]),
      ],
      { group: 'cac:Item' },
    ),
    el('ram:SpecifiedLineTradeAgreement', 2, [
      el('ram:BuyerOrderReferencedDocument', 3, [leaf('ram:LineID', 3, 'cac:OrderLineReference/cbc:LineID')]),
      el(
        'ram:GrossPriceProductTradePrice',
        3,
        [
          leaf('ram:ChargeAmount', 3, 'cac:AllowanceCharge/cbc:BaseAmount'),
          el(
            'ram:AppliedTradeAllowanceCharge',
            3,
            [indicator(3), leaf('ram:ActualAmount', 3, 'cbc:Amount')],
            { group: 'cac:AllowanceCharge' },
          ),
        ],
        { group: 'cac:Price' },
      ),
      el(
        'ram:NetPriceProductTradePrice',
        2,
        [
          leaf('ram:ChargeAmount', 2, 'cbc:PriceAmount'),
          quantity('ram:BasisQuantity', 2, 'cbc:BaseQuantity'),
        ],
        { group: 'cac:Price' },
      ),
    ]),
    el('ram:SpecifiedLineTradeDelivery', 2, [quantity('ram:BilledQuantity', 2, 'cbc:InvoicedQuantity')]),
    el('ram:SpecifiedLineTradeSettlement', 2, [
      el('ram:ApplicableTradeTax', 2, partTax(2), { group: 'cac:Item/cac:ClassifiedTaxCategory' }),
      period(3),
      allowance(2),
      el('ram:SpecifiedTradeSettlementLineMonetarySummation', 2, [
        leaf('ram:LineTotalAmount', 2, 'cbc:LineExtensionAmount'),
      ]),
      el(
        'ram:AdditionalReferencedDocument',
        3,
        [
          leaf('ram:IssuerAssignedID', 3, 'cbc:ID'),
          fixed('ram:TypeCode', 3, '130'),
          leaf('ram:ReferenceTypeCode', 3, 'cbc:ID@schemeID'),
        ],
        { group: 'cac:DocumentReference' },
      ),
      el('ram:ReceivableSpecifiedTradeAccountingAccount', 3, [leaf('ram:ID', 3, 'cbc:AccountingCost')]),
    ]),
  ],
  { group: 'cac:InvoiceLine', each: true },
);

const documentReference = (name: string, from: Scope, path: string, more: readonly CiiNode[] = []): CiiNode =>
  el(name, from, [leaf('ram:IssuerAssignedID', from, path), ...more]);

const typeOf = (element: XmlElement) => textBelow(element, 'ram:TypeCode');
const isInvoicedObject = (data: DataNode) => data.text('cbc:DocumentTypeCode') === '130';

const supportingDocuments: readonly CiiNode[] = [
  documentReference('ram:AdditionalReferencedDocument', 3, 'cac:OriginatorDocumentReference/cbc:ID', [
    fixed('ram:TypeCode', 3, '50'),
  ]),
  el(
    'ram:AdditionalReferencedDocument',
    3,
    [
      leaf('ram:IssuerAssignedID', 3, 'cbc:ID'),
      leaf('ram:TypeCode', 3, 'cbc:DocumentTypeCode'),
      leaf('ram:ReferenceTypeCode', 3, 'cbc:ID@schemeID'),
    ],
    { group: 'cac:AdditionalDocumentReference', each: true, when: isInvoicedObject },
  ),
  el(
    'ram:AdditionalReferencedDocument',
    3,
    [
      leaf('ram:IssuerAssignedID', 3, 'cbc:ID'),
      leaf('ram:URIID', 3, 'cac:Attachment/cac:ExternalReference/cbc:URI'),
      fixed('ram:TypeCode', 3, '916'),
      leaf('ram:Name', 3, 'cbc:DocumentDescription'),
      leaf('ram:AttachmentBinaryObject', 3, 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject', {
        attributes: {
          mimeCode: { path: 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject@mimeCode' },
          filename: { path: 'cac:Attachment/cbc:EmbeddedDocumentBinaryObject@filename' },
        },
      }),
    ],
    { group: 'cac:AdditionalDocumentReference', each: true, when: (data) => !isInvoicedObject(data) },
  ),
].map((node, index) => ({
  ...node,
  accepts: (element: XmlElement) => typeOf(element) === (['50', '130', '916'][index] ?? ''),
}));

const agreement = el('ram:ApplicableHeaderTradeAgreement', 0, [
  leaf('ram:BuyerReference', 0, 'cbc:BuyerReference'),
  party('ram:SellerTradeParty', 'cac:AccountingSupplierParty/cac:Party', true),
  party('ram:BuyerTradeParty', 'cac:AccountingCustomerParty/cac:Party', false),
  el(
    'ram:SellerTaxRepresentativeTradeParty',
    1,
    [
      leaf('ram:Name', 1, 'cac:PartyName/cbc:Name'),
      address('cac:PostalAddress', 1),
      taxRegistration(1, false),
    ],
    { group: 'cac:TaxRepresentativeParty' },
  ),
  documentReference('ram:SellerOrderReferencedDocument', 3, 'cac:OrderReference/cbc:SalesOrderID'),
  documentReference('ram:BuyerOrderReferencedDocument', 0, 'cac:OrderReference/cbc:ID'),
  documentReference('ram:ContractReferencedDocument', 1, 'cac:ContractDocumentReference/cbc:ID'),
  ...supportingDocuments,
  el('ram:SpecifiedProcuringProject', 3, [
    leaf('ram:ID', 3, 'cac:ProjectReference/cbc:ID'),
    fixed('ram:Name', 3, 'Project reference'),
  ]),
]);

const delivery = el(
  'ram:ApplicableHeaderTradeDelivery',
  0,
  [
    el(
      'ram:ShipToTradeParty',
      1,
      [
        ...identifiers(1, 'cac:DeliveryLocation', false),
        leaf('ram:Name', 1, 'cac:DeliveryParty/cac:PartyName/cbc:Name'),
        address('cac:DeliveryLocation/cac:Address', 1),
      ],
      { group: 'cac:Delivery' },
    ),
    el('ram:ActualDeliverySupplyChainEvent', 1, [
      date('ram:OccurrenceDateTime', 1, 'cac:Delivery/cbc:ActualDeliveryDate'),
    ]),
    documentReference('ram:DespatchAdviceReferencedDocument', 1, 'cac:DespatchDocumentReference/cbc:ID'),
    documentReference('ram:ReceivingAdviceReferencedDocument', 3, 'cac:ReceiptDocumentReference/cbc:ID'),
  ],
  { required: true },
);

const TERMS: Codec = { toXml: endSkonto, toData: (value) => value };

const IBAN = /^[A-Z]{2}[0-9]{2}/;
const isIban = (data: DataNode) => IBAN.test(data.text('cbc:ID') ?? '');

const paymentMeans = el(
  'ram:SpecifiedTradeSettlementPaymentMeans',
  1,
  [
    leaf('ram:TypeCode', 1, 'cbc:PaymentMeansCode'),
    leaf('ram:Information', 3, 'cbc:PaymentMeansCode@name'),
    el('ram:ApplicableTradeSettlementFinancialCard', 3, [
      leaf('ram:ID', 3, 'cac:CardAccount/cbc:PrimaryAccountNumberID'),
      leaf('ram:CardholderName', 3, 'cac:CardAccount/cbc:HolderName'),
    ]),
    el('ram:PayerPartyDebtorFinancialAccount', 1, [
      leaf('ram:IBANID', 1, 'cac:PaymentMandate/cac:PayerFinancialAccount/cbc:ID'),
    ]),
    el(
      'ram:PayeePartyCreditorFinancialAccount',
      1,
      [
        leaf('ram:IBANID', 1, 'cbc:ID', { when: isIban }),
        leaf('ram:AccountName', 3, 'cbc:Name'),
        leaf('ram:ProprietaryID', 1, 'cbc:ID', { when: (data) => !isIban(data) }),
      ],
      { group: 'cac:PayeeFinancialAccount' },
    ),
    el('ram:PayeeSpecifiedCreditorFinancialInstitution', 3, [
      leaf('ram:BICID', 3, 'cac:PayeeFinancialAccount/cac:FinancialInstitutionBranch/cbc:ID'),
    ]),
  ],
  { group: 'cac:PaymentMeans', each: true },
);

const taxBreakdown = el(
  'ram:ApplicableTradeTax',
  1,
  [
    leaf('ram:CalculatedAmount', 1, 'cbc:TaxAmount'),
    leaf('ram:TypeCode', 1, 'cac:TaxCategory/cac:TaxScheme/cbc:ID'),
    leaf('ram:ExemptionReason', 1, 'cac:TaxCategory/cbc:TaxExemptionReason'),
    leaf('ram:BasisAmount', 1, 'cbc:TaxableAmount'),
    leaf('ram:CategoryCode', 1, 'cac:TaxCategory/cbc:ID'),
    leaf('ram:ExemptionReasonCode', 1, 'cac:TaxCategory/cbc:TaxExemptionReasonCode'),
    date('ram:TaxPointDate', 3, '/cbc:TaxPointDate', 'udt:DateString'),
    leaf('ram:DueDateTypeCode', 1, '/cac:InvoicePeriod/cbc:DescriptionCode', { codec: TAX_POINT }),
    leaf('ram:RateApplicablePercent', 1, 'cac:TaxCategory/cbc:Percent'),
  ],
  { group: 'cac:TaxTotal/cac:TaxSubtotal', each: true },
);

const totals = el('ram:SpecifiedTradeSettlementHeaderMonetarySummation', 0, [
  ...(
    [
      ['ram:LineTotalAmount', 1, 'cbc:LineExtensionAmount'],
      ['ram:ChargeTotalAmount', 1, 'cbc:ChargeTotalAmount'],
      ['ram:AllowanceTotalAmount', 1, 'cbc:AllowanceTotalAmount'],
      ['ram:TaxBasisTotalAmount', 0, 'cbc:TaxExclusiveAmount'],
    ] as const
  ).map(([name, from, path]) => leaf(name, from, `cac:LegalMonetaryTotal/${path}`)),
  leaf('ram:TaxTotalAmount', 0, 'cbc:TaxAmount', {
    group: 'cac:TaxTotal',
    each: true,
    attributes: { currencyID: { path: 'cbc:TaxAmount@currencyID' } },
  }),
  ...(
    [
      ['ram:RoundingAmount', 3, 'cbc:PayableRoundingAmount'],
      ['ram:GrandTotalAmount', 0, 'cbc:TaxInclusiveAmount'],
      ['ram:TotalPrepaidAmount', 1, 'cbc:PrepaidAmount'],
      ['ram:DuePayableAmount', 0, 'cbc:PayableAmount'],
    ] as const
  ).map(([name, from, path]) => leaf(name, from, `cac:LegalMonetaryTotal/${path}`)),
]);

const settlement = el('ram:ApplicableHeaderTradeSettlement', 0, [
  leaf('ram:CreditorReferenceID', 1, 'cbc:ID', {
    group: 'cac:AccountingSupplierParty/cac:Party/cac:PartyIdentification',
    each: true,
    when: (data) => data.text('cbc:ID@schemeID') === SEPA,
  }),
  leaf('ram:CreditorReferenceID', 1, 'cbc:ID', {
    group: 'cac:PayeeParty/cac:PartyIdentification',
    when: (data) => data.text('cbc:ID@schemeID') === SEPA,
    // CII does not tell whose identifier it is, so it is read as an identifier of the seller.
    accepts: () => false,
  }),
  leaf('ram:PaymentReference', 1, 'cac:PaymentMeans/cbc:PaymentID'),
  leaf('ram:TaxCurrencyCode', 1, 'cbc:TaxCurrencyCode'),
  leaf('ram:InvoiceCurrencyCode', 0, 'cbc:DocumentCurrencyCode'),
  el(
    'ram:PayeeTradeParty',
    1,
    [
      ...identifiers(1, 'cac:PartyIdentification', false),
      leaf('ram:Name', 1, 'cac:PartyName/cbc:Name'),
      el('ram:SpecifiedLegalOrganization', 1, [
        leaf('ram:ID', 1, 'cac:PartyLegalEntity/cbc:CompanyID', {
          attributes: scheme('cac:PartyLegalEntity/cbc:CompanyID@schemeID'),
        }),
      ]),
    ],
    { group: 'cac:PayeeParty' },
  ),
  paymentMeans,
  taxBreakdown,
  period(1),
  allowance(1, [el('ram:CategoryTradeTax', 1, partTax(1), { group: 'cac:TaxCategory' })]),
  el('ram:SpecifiedTradePaymentTerms', 1, [
    leaf('ram:Description', 1, 'cac:PaymentTerms/cbc:Note', { codec: TERMS }),
    date('ram:DueDateDateTime', 1, 'cbc:DueDate'),
    leaf('ram:DirectDebitMandateID', 1, 'cac:PaymentMeans/cac:PaymentMandate/cbc:ID'),
  ]),
  totals,
  el(
    'ram:InvoiceReferencedDocument',
    1,
    [
      leaf('ram:IssuerAssignedID', 1, 'cac:InvoiceDocumentReference/cbc:ID'),
      date(
        'ram:FormattedIssueDateTime',
        1,
        'cac:InvoiceDocumentReference/cbc:IssueDate',
        'qdt:DateTimeString',
      ),
    ],
    { group: 'cac:BillingReference', each: true },
  ),
  el('ram:ReceivableSpecifiedTradeAccountingAccount', 1, [leaf('ram:ID', 1, 'cbc:AccountingCost')]),
]);

/** Matches the subject code (BT-21) of a note, which UBL writes as `#AAI#` before the text. */
export const NOTE_SUBJECT = /^#([A-Z]{3})#/;

/**
 * The binding of an invoice to the Cross Industry Invoice D16B (CEN/TS 16931-3-3). It takes the notes from
 * the group `notes`.
 */
export const CII_INVOICE = el('rsm:CrossIndustryInvoice', 0, [
  el('rsm:ExchangedDocumentContext', 0, [
    el('ram:BusinessProcessSpecifiedDocumentContextParameter', 0, [leaf('ram:ID', 0, 'cbc:ProfileID')]),
    el('ram:GuidelineSpecifiedDocumentContextParameter', 0, [leaf('ram:ID', 0, 'cbc:CustomizationID')]),
  ]),
  el('rsm:ExchangedDocument', 0, [
    leaf('ram:ID', 0, 'cbc:ID'),
    leaf('ram:TypeCode', 0, 'cbc:InvoiceTypeCode'),
    date('ram:IssueDateTime', 0, 'cbc:IssueDate'),
    el('ram:IncludedNote', 1, [leaf('ram:Content', 1, 'text'), leaf('ram:SubjectCode', 1, 'subject')], {
      group: 'notes',
      each: true,
    }),
  ]),
  el('rsm:SupplyChainTradeTransaction', 0, [line, agreement, delivery, settlement]),
]);
