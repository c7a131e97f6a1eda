import type { InvoiceProfile } from '../profiles.ts';
import { allowance, buyer, category, invoice, line, seller, type InvoiceFields } from './build-invoice.ts';

/** An invoice that obeys the rules of its profile. */
export interface ValidInvoice {
  name: string;
  profile: InvoiceProfile;
  data: { 'ubl:Invoice': InvoiceFields };
  /** The amount due for payment, computed by hand. */
  payable: string;
}

const S19 = category('S', '19');
const S7 = category('S', '7');
const vat = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

const lines = (...all: InvoiceFields[]) => ({ 'cac:InvoiceLine': all });
const parties = (own: InvoiceFields, other: InvoiceFields) => ({
  'cac:AccountingSupplierParty': { 'cac:Party': { ...seller, ...own } },
  'cac:AccountingCustomerParty': { 'cac:Party': other },
});
const deliverTo = (country: string) => ({
  'cac:Delivery': {
    'cbc:ActualDeliveryDate': '2026-11-20',
    'cac:DeliveryLocation': {
      'cac:Address': {
        'cbc:CityName': 'Lyon',
        'cbc:PostalZone': '69001',
        'cac:Country': { 'cbc:IdentificationCode': country },
      },
    },
  },
});
const reverseCharge = {
  ...lines(line({ tax: category('AE', '0') })),
  ...parties({}, buyer('AT', 'ATU12345678')),
};
const intraCommunity = {
  ...lines(line({ tax: category('K', '0') })),
  ...parties({}, buyer('FR', 'FR12345678901')),
  ...deliverTo('FR'),
};
const rates = lines(line({}), line({ id: '2', quantity: '3', price: '9.99', unit: 'C62', tax: S7 }));
const documentAllowances = {
  'cac:AllowanceCharge': [allowance('allowance', '100.00', S19), allowance('charge', '25.50', S19)],
};
const lineAllowances = lines(
  line({ more: { 'cac:AllowanceCharge': [allowance('allowance', '50.00'), allowance('charge', '5.00')] } }),
);
const smallBusiness = { ...category('E', '0'), 'cbc:TaxExemptionReason': 'Small business' };
/** Three lines of 0.335, each of which rounds up. */
const halfCents = lines(
  ...['1', '2', '3'].map((id) => line({ id, quantity: '1', price: '0.335', unit: 'C62' })),
);
const references: InvoiceFields = {
  'cbc:Note': ['#AAI#Thank you for your order.', 'Second note\nwith two lines'],
  'cbc:AccountingCost': '4711',
  'cac:InvoicePeriod': { 'cbc:StartDate': '2026-11-01', 'cbc:EndDate': '2026-11-30' },
  'cac:OrderReference': { 'cbc:ID': 'PO-1', 'cbc:SalesOrderID': 'SO-1' },
  'cac:BillingReference': [
    { 'cac:InvoiceDocumentReference': { 'cbc:ID': 'R-2026-0041', 'cbc:IssueDate': '2026-10-22' } },
  ],
  'cac:DespatchDocumentReference': { 'cbc:ID': 'D-1' },
  'cac:ReceiptDocumentReference': { 'cbc:ID': 'W-1' },
  'cac:OriginatorDocumentReference': { 'cbc:ID': 'T-1' },
  'cac:ContractDocumentReference': { 'cbc:ID': 'C-1' },
  'cac:ProjectReference': { 'cbc:ID': 'P-1' },
  'cac:AdditionalDocumentReference': [
    { 'cbc:ID': 'O-1', 'cbc:ID@schemeID': 'ABZ', 'cbc:DocumentTypeCode': '130' },
    {
      'cbc:ID': 'hours.csv',
      'cbc:DocumentDescription': 'Hours',
      'cac:Attachment': {
        'cbc:EmbeddedDocumentBinaryObject': 'YSxiCg==',
        'cbc:EmbeddedDocumentBinaryObject@mimeCode': 'text/csv',
        'cbc:EmbeddedDocumentBinaryObject@filename': 'hours.csv',
      },
    },
  ],
  'cac:PaymentTerms': { 'cbc:Note': 'Within 30 days\n#SKONTO#TAGE=14#PROZENT=2.25#' },
};
const detailedItem = lines(
  line({
    item: {
      'cbc:Description': 'Strategy and design',
      'cac:BuyersItemIdentification': { 'cbc:ID': 'B-1' },
      'cac:SellersItemIdentification': { 'cbc:ID': 'S-1' },
      'cac:StandardItemIdentification': { 'cbc:ID': '4012345001235', 'cbc:ID@schemeID': '0160' },
      'cac:OriginCountry': { 'cbc:IdentificationCode': 'DE' },
      'cac:CommodityClassification': [
        { 'cbc:ItemClassificationCode': '80101500', 'cbc:ItemClassificationCode@listID': 'TST' },
      ],
      'cac:AdditionalItemProperty': [{ 'cbc:Name': 'Colour', 'cbc:Value': 'Blue' }],
    },
    more: {
      'cbc:Note': 'Week 47',
      'cbc:AccountingCost': '4712',
      'cac:InvoicePeriod': { 'cbc:StartDate': '2026-11-16', 'cbc:EndDate': '2026-11-20' },
      'cac:OrderLineReference': { 'cbc:LineID': '3' },
    },
  }),
);
const grossPrice = lines(
  line({
    more: {
      'cac:Price': {
        'cbc:PriceAmount': '150.00',
        'cbc:BaseQuantity': '1',
        'cbc:BaseQuantity@unitCode': 'HUR',
        'cac:AllowanceCharge': { 'cbc:ChargeIndicator': 'false', 'cbc:Amount': '10.00' },
      },
    },
  }),
);
const payeeAndRepresentative: InvoiceFields = {
  'cac:PayeeParty': { 'cac:PartyName': { 'cbc:Name': 'Factoring Bank AG' } },
  'cac:TaxRepresentativeParty': {
    'cac:PartyName': { 'cbc:Name': 'Fiscal SARL' },
    'cac:PostalAddress': { 'cac:Country': { 'cbc:IdentificationCode': 'FR' } },
    'cac:PartyTaxScheme': { 'cbc:CompanyID': 'FR98765432109', ...vat },
  },
};
const directDebit: InvoiceFields = {
  ...parties(
    { 'cac:PartyIdentification': [{ 'cbc:ID': 'DE98ZZZ09999999999', 'cbc:ID@schemeID': 'SEPA' }] },
    buyer(),
  ),
  'cac:PaymentMeans': [
    {
      'cbc:PaymentMeansCode': '59',
      'cbc:PaymentID': 'R-2026-0042',
      'cac:PaymentMandate': {
        'cbc:ID': 'M-1',
        'cac:PayerFinancialAccount': { 'cbc:ID': 'DE02120300000000202051' },
      },
    },
  ],
};

const cases: readonly (readonly [name: string, payable: string, fields: InvoiceFields])[] = [
  ['plain', '1785.00', {}],
  [
    'credit note',
    '1785.00',
    { 'cbc:InvoiceTypeCode': '381', 'cac:BillingReference': references['cac:BillingReference'] },
  ],
  [
    'correction',
    '-1785.00',
    {
      'cbc:InvoiceTypeCode': '384',
      ...lines(line({ quantity: '-10' })),
      'cac:BillingReference': references['cac:BillingReference'],
    },
  ],
  ['two VAT rates', '1817.07', rates],
  ['document allowance and charge', '1696.35', documentAllowances],
  ['line allowance and charge', '1731.45', lineAllowances],
  ['reverse charge', '1500.00', reverseCharge],
  ['intra-community supply', '1500.00', intraCommunity],
  ['rounding of many lines', '1.21', halfCents],
];

const more: readonly (readonly [name: string, payable: string, fields: InvoiceFields])[] = [
  ['zero rated', '1500.00', lines(line({ tax: category('Z', '0') }))],
  [
    'exempt',
    '1500.00',
    {
      ...lines(line({ tax: category('E', '0') })),
      'cac:TaxTotal': [
        {
          'cac:TaxSubtotal': [
            {
              'cbc:TaxableAmount': '1500.00',
              'cbc:TaxAmount': '0.00',
              'cac:TaxCategory': smallBusiness,
            },
          ],
        },
      ],
    },
  ],
  [
    'exempt with the reason alone',
    '1500.00',
    {
      ...lines(line({ tax: category('E', '0') })),
      'cac:TaxTotal': [{ 'cac:TaxSubtotal': [{ 'cac:TaxCategory': smallBusiness }] }],
    },
  ],
  [
    'exempt and standard with the reason on a line',
    '1678.50',
    lines(line({ tax: smallBusiness }), line({ id: '2', quantity: '1' })),
  ],
  [
    'reverse charge in the words of the country',
    '1500.00',
    {
      ...reverseCharge,
      ...lines(
        line({
          tax: {
            ...category('AE', '0'),
            'cbc:TaxExemptionReason': 'Steuerschuldnerschaft des Leistungsempfängers',
          },
        }),
      ),
    },
  ],
  [
    'a sum of binary fractions',
    '0.11',
    lines(
      line({ more: { 'cbc:InvoicedQuantity': 0.1 + 0.2, 'cac:Price': { 'cbc:PriceAmount': 0.1 + 0.2 } } }),
    ),
  ],
  [
    'export',
    '1500.00',
    { ...lines(line({ tax: category('G', '0') })), ...parties({}, buyer('US')), ...deliverTo('US') },
  ],
  [
    'not subject to VAT',
    '1500.00',
    {
      ...lines(line({ tax: category('O') })),
      ...parties(
        { 'cac:PartyTaxScheme': undefined, 'cac:PartyIdentification': [{ 'cbc:ID': 'K-1' }] },
        buyer(),
      ),
    },
  ],
  ['references', '1785.00', references],
  ['a detailed item', '1785.00', detailedItem],
  ['a gross price', '1785.00', grossPrice],
  ['payee and tax representative', '1785.00', payeeAndRepresentative],
  ['direct debit', '1785.00', directDebit],
  [
    'prepaid and rounded',
    '1285.05',
    { 'cac:LegalMonetaryTotal': { 'cbc:PrepaidAmount': '500.00', 'cbc:PayableRoundingAmount': '0.05' } },
  ],
  [
    'VAT in another currency',
    '1785.00',
    {
      'cbc:TaxCurrencyCode': 'SEK',
      'cac:TaxTotal': [{ 'cbc:TaxAmount': '3135.00', 'cbc:TaxAmount@currencyID': 'SEK' }],
    },
  ],
  [
    'price per hundred',
    '178.50',
    lines(
      line({
        quantity: '100',
        price: '150.00',
        more: {
          'cac:Price': {
            'cbc:PriceAmount': '150.00',
            'cbc:BaseQuantity': '100',
            'cbc:BaseQuantity@unitCode': 'HUR',
          },
        },
      }),
    ),
  ],
  [
    'many lines',
    '2380.00',
    lines(
      ...Array.from({ length: 200 }, (_, index) =>
        line({ id: `${index + 1}`, quantity: '1', price: '10.00' }),
      ),
    ),
  ],
  [
    'a currency without decimals',
    '1190',
    { 'cbc:DocumentCurrencyCode': 'JPY', ...lines(line({ quantity: '3', price: '333.4' })) },
  ],
];

/** The names of the invoices for which XRechnung has additional rules. */
const ofXrechnung: ReadonlySet<string> = new Set([
  'exempt with the reason alone',
  'not subject to VAT',
  'references',
  'a gross price',
  'direct debit',
  'prepaid and rounded',
  'VAT in another currency',
  'price per hundred',
]);

/** Invoices that must be accepted: every kind in `en16931`, and some of them in each other profile. */
export const validInvoices: readonly ValidInvoice[] = [
  ...(['basic', 'en16931', 'xrechnung'] as const).flatMap((profile) =>
    cases.map(([name, payable, fields]) => ({ name, profile, payable, data: invoice(fields) })),
  ),
  ...more
    .filter(([name]) => ofXrechnung.has(name))
    .map(([name, payable, fields]) => ({
      name,
      profile: 'xrechnung' as const,
      payable,
      data: invoice(fields),
    })),
  ...more.map(([name, payable, fields]) => ({
    name,
    profile: 'en16931' as const,
    payable,
    data: invoice(fields),
  })),
  ...[...cases.slice(1, 6), ...more.slice(2, 11)].map(([name, payable, fields]) => ({
    name,
    profile: 'extended' as const,
    payable,
    data: invoice(fields),
  })),
  ...(['minimum', 'basic_wl'] as const).flatMap((profile) =>
    cases.slice(0, 5).map(([name, payable, fields]) => ({ name, profile, payable, data: invoice(fields) })),
  ),
];
