/** The type of a value, which decides how its text is checked. */
export type ValueType = 'text' | 'date' | 'amount' | 'number' | 'indicator' | 'binary';

/** The code lists of EN 16931 that values are checked against. */
export type CodeList =
  | 'currency'
  | 'country'
  | 'documentType'
  | 'taxPoint'
  | 'scheme'
  | 'endpoint'
  | 'reference'
  | 'mime'
  | 'payment'
  | 'allowance'
  | 'charge'
  | 'tax'
  | 'exemption'
  | 'unit'
  | 'classification'
  | 'subject';

/** A value with its attributes, or a group of values. Its name is the name of the UBL element. */
export type Shape = ValueShape | GroupShape;

export interface ValueShape {
  kind: 'value';
  name: string;
  type: ValueType;
  many: boolean;
  codes: CodeList | undefined;
  attributes: Readonly<Record<string, CodeList | undefined>>;
  /**
   * Whether data without the value is rejected as malformed. Most other values are required by business
   * rules.
   */
  required?: boolean;
}

/** A group of values and groups, in the order of the UBL schema. */
export interface GroupShape {
  kind: 'group';
  name: string;
  many: boolean;
  children: readonly Shape[];
}

interface ValueOptions {
  many?: boolean;
  codes?: CodeList;
  attributes?: Readonly<Record<string, CodeList | undefined>>;
}

function value(name: string, type: ValueType, options: ValueOptions = {}): ValueShape {
  const { many = false, codes, attributes = {} } = options;
  return { kind: 'value', name, type, many, codes, attributes };
}
const text = (name: string, options?: ValueOptions) => value(name, 'text', options);
const code = (name: string, codes: CodeList) => value(name, 'text', { codes });
const date = (name: string) => value(name, 'date');
const number = (name: string) => value(name, 'number');
const amount = (name: string) => value(name, 'amount', { attributes: { currencyID: 'currency' } });
const quantity = (name: string) => value(name, 'number', { attributes: { unitCode: 'unit' } });
const identifier = (name: string, codes: CodeList = 'scheme') =>
  text(name, { attributes: { schemeID: codes } });

const one = (name: string, ...children: Shape[]): GroupShape => ({
  kind: 'group',
  name,
  many: false,
  children,
});
const many = (name: string, ...children: Shape[]): GroupShape => ({ ...one(name, ...children), many: true });

const taxScheme = one('cac:TaxScheme', text('cbc:ID'));
const country = one('cac:Country', code('cbc:IdentificationCode', 'country'));
const period = one('cac:InvoicePeriod', date('cbc:StartDate'), date('cbc:EndDate'));
const name = one('cac:PartyName', text('cbc:Name'));
const reference = (element: string) => one(element, text('cbc:ID'));

function address(element: string): GroupShape {
  return one(
    element,
    text('cbc:StreetName'),
    text('cbc:AdditionalStreetName'),
    text('cbc:CityName'),
    text('cbc:PostalZone'),
    text('cbc:CountrySubentity'),
    one('cac:AddressLine', text('cbc:Line')),
    country,
  );
}

function allowances(...more: Shape[]): GroupShape {
  return many(
    'cac:AllowanceCharge',
    { ...value('cbc:ChargeIndicator', 'indicator'), required: true },
    text('cbc:AllowanceChargeReasonCode'),
    text('cbc:AllowanceChargeReason'),
    number('cbc:MultiplierFactorNumeric'),
    amount('cbc:Amount'),
    amount('cbc:BaseAmount'),
    ...more,
  );
}

function taxCategory(element: string): GroupShape {
  return one(
    element,
    code('cbc:ID', 'tax'),
    number('cbc:Percent'),
    code('cbc:TaxExemptionReasonCode', 'exemption'),
    text('cbc:TaxExemptionReason'),
    taxScheme,
  );
}

const legalEntity = (...more: Shape[]) =>
  one('cac:PartyLegalEntity', text('cbc:RegistrationName'), identifier('cbc:CompanyID'), ...more);
const taxRegistration = [text('cbc:CompanyID'), taxScheme] as const;
const contact = one('cac:Contact', text('cbc:Name'), text('cbc:Telephone'), text('cbc:ElectronicMail'));
const identification = identifier('cbc:ID');

const seller = one(
  'cac:Party',
  identifier('cbc:EndpointID', 'endpoint'),
  many('cac:PartyIdentification', identification),
  name,
  address('cac:PostalAddress'),
  many('cac:PartyTaxScheme', ...taxRegistration),
  legalEntity(text('cbc:CompanyLegalForm')),
  contact,
);

const buyer = one(
  'cac:Party',
  identifier('cbc:EndpointID', 'endpoint'),
  one('cac:PartyIdentification', identification),
  name,
  address('cac:PostalAddress'),
  one('cac:PartyTaxScheme', ...taxRegistration),
  legalEntity(),
  contact,
);

const attachment = one(
  'cac:Attachment',
  value('cbc:EmbeddedDocumentBinaryObject', 'binary', {
    attributes: { mimeCode: 'mime', filename: undefined },
  }),
  one('cac:ExternalReference', text('cbc:URI')),
);

const item = one(
  'cac:Item',
  text('cbc:Description'),
  text('cbc:Name'),
  one('cac:BuyersItemIdentification', text('cbc:ID')),
  one('cac:SellersItemIdentification', text('cbc:ID')),
  one('cac:StandardItemIdentification', identifier('cbc:ID')),
  one('cac:OriginCountry', code('cbc:IdentificationCode', 'country')),
  many(
    'cac:CommodityClassification',
    text('cbc:ItemClassificationCode', {
      attributes: { listID: 'classification', listVersionID: undefined },
    }),
  ),
  taxCategory('cac:ClassifiedTaxCategory'),
  many('cac:AdditionalItemProperty', text('cbc:Name'), text('cbc:Value')),
);

const line = many(
  'cac:InvoiceLine',
  text('cbc:ID'),
  text('cbc:Note'),
  quantity('cbc:InvoicedQuantity'),
  amount('cbc:LineExtensionAmount'),
  text('cbc:AccountingCost'),
  period,
  one('cac:OrderLineReference', text('cbc:LineID')),
  one('cac:DocumentReference', identifier('cbc:ID', 'reference'), text('cbc:DocumentTypeCode')),
  allowances(),
  item,
  one(
    'cac:Price',
    amount('cbc:PriceAmount'),
    quantity('cbc:BaseQuantity'),
    one(
      'cac:AllowanceCharge',
      value('cbc:ChargeIndicator', 'indicator'),
      amount('cbc:Amount'),
      amount('cbc:BaseAmount'),
    ),
  ),
);

/**
 * The data of an invoice: the elements of the UBL binding of EN 16931 (CEN/TS 16931-3-2), in the order of the
 * UBL 2.1 schema.
 */
export const INVOICE = one(
  'ubl:Invoice',
  text('cbc:CustomizationID'),
  text('cbc:ProfileID'),
  text('cbc:ID'),
  date('cbc:IssueDate'),
  date('cbc:DueDate'),
  code('cbc:InvoiceTypeCode', 'documentType'),
  text('cbc:Note', { many: true }),
  date('cbc:TaxPointDate'),
  code('cbc:DocumentCurrencyCode', 'currency'),
  code('cbc:TaxCurrencyCode', 'currency'),
  text('cbc:AccountingCost'),
  text('cbc:BuyerReference'),
  { ...period, children: [...period.children, code('cbc:DescriptionCode', 'taxPoint')] },
  one('cac:OrderReference', text('cbc:ID'), text('cbc:SalesOrderID')),
  many('cac:BillingReference', one('cac:InvoiceDocumentReference', text('cbc:ID'), date('cbc:IssueDate'))),
  reference('cac:DespatchDocumentReference'),
  reference('cac:ReceiptDocumentReference'),
  reference('cac:OriginatorDocumentReference'),
  reference('cac:ContractDocumentReference'),
  many(
    'cac:AdditionalDocumentReference',
    identifier('cbc:ID', 'reference'),
    text('cbc:DocumentTypeCode'),
    text('cbc:DocumentDescription'),
    attachment,
  ),
  reference('cac:ProjectReference'),
  one('cac:AccountingSupplierParty', seller),
  one('cac:AccountingCustomerParty', buyer),
  one(
    'cac:PayeeParty',
    one('cac:PartyIdentification', identification),
    name,
    one('cac:PartyLegalEntity', identifier('cbc:CompanyID')),
  ),
  one(
    'cac:TaxRepresentativeParty',
    name,
    address('cac:PostalAddress'),
    one('cac:PartyTaxScheme', ...taxRegistration),
  ),
  one(
    'cac:Delivery',
    date('cbc:ActualDeliveryDate'),
    one('cac:DeliveryLocation', identification, address('cac:Address')),
    one('cac:DeliveryParty', name),
  ),
  many(
    'cac:PaymentMeans',
    text('cbc:PaymentMeansCode', { codes: 'payment', attributes: { name: undefined } }),
    text('cbc:PaymentID'),
    one('cac:CardAccount', text('cbc:PrimaryAccountNumberID'), text('cbc:NetworkID'), text('cbc:HolderName')),
    one(
      'cac:PayeeFinancialAccount',
      text('cbc:ID'),
      text('cbc:Name'),
      one('cac:FinancialInstitutionBranch', text('cbc:ID')),
    ),
    one('cac:PaymentMandate', text('cbc:ID'), one('cac:PayerFinancialAccount', text('cbc:ID'))),
  ),
  one('cac:PaymentTerms', text('cbc:Note')),
  allowances(taxCategory('cac:TaxCategory')),
  many(
    'cac:TaxTotal',
    amount('cbc:TaxAmount'),
    many(
      'cac:TaxSubtotal',
      amount('cbc:TaxableAmount'),
      amount('cbc:TaxAmount'),
      taxCategory('cac:TaxCategory'),
    ),
  ),
  one(
    'cac:LegalMonetaryTotal',
    amount('cbc:LineExtensionAmount'),
    amount('cbc:TaxExclusiveAmount'),
    amount('cbc:TaxInclusiveAmount'),
    amount('cbc:AllowanceTotalAmount'),
    amount('cbc:ChargeTotalAmount'),
    amount('cbc:PrepaidAmount'),
    amount('cbc:PayableRoundingAmount'),
    amount('cbc:PayableAmount'),
  ),
  line,
);
