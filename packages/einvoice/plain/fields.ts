/**
 * How a field becomes an element: `type`, `unit`, `vat` and `means` translate names to codes, `iban` checks
 * an account, `own` and `own-decimal` have functions of their own, and the others are copied.
 */
export type FieldKind =
  | 'type'
  | 'unit'
  | 'vat'
  | 'means'
  | 'iban'
  | 'own'
  | 'own-decimal'
  | 'decimal'
  | 'date'
  | 'text'
  | 'texts';

/** A field of a plain invoice, with its business term in EN 16931 and its place in the UBL data. */
export interface Field {
  name: string;
  /** The business terms, such as `BT-1`. */
  terms: string;
  kind: FieldKind;
  /** The elements from the element of the group to the value, separated by `/`. */
  ubl: string;
  about: string;
}

/** A group of fields, or a list of such groups. */
export interface FieldGroup {
  name: string;
  terms: string;
  /** The elements from the element of the outer group to the group; empty if it has no element of its own. */
  ubl: string;
  about: string;
  isList: boolean;
  fields: readonly (Field | FieldGroup)[];
}

type Text = readonly [name: string, terms: string, ubl: string, about: string];

const field =
  (kind: FieldKind) =>
  (...[name, terms, ubl, about]: Text): Field => ({ name, terms, kind, ubl, about });
const text = field('text');
const date = field('date');
const decimal = field('decimal');
const own = field('own');
const ownDecimal = field('own-decimal');
const iban = field('iban');

const group = (...[name, terms, ubl, about]: Text) => ({ name, terms, ubl, about, isList: false });
const list = (...all: Text) => ({ ...group(...all), isList: true });

const VAT = 'a rate such as 19, or `{category, rate, reason}`';
const vatDetails = (terms: string) =>
  own('vat_details', terms, '', '`{category, rate}` of `vat`, as in `totals.taxes`; computed');

const address = (...terms: readonly [string, string, string, string, string, string]) => [
  text('street', terms[0], 'cbc:StreetName', 'street and number'),
  text('street2', terms[1], 'cbc:AdditionalStreetName', 'second line of the street'),
  text('city', terms[2], 'cbc:CityName', 'city'),
  text('postcode', terms[3], 'cbc:PostalZone', 'postcode'),
  text('region', terms[4], 'cbc:CountrySubentity', 'region or state'),
  text('country', terms[5], 'cac:Country/cbc:IdentificationCode', 'country code such as `DE`'),
];

const period = (start: string, end: string) => [
  date('start', start, 'cbc:StartDate', 'first day'),
  date('end', end, 'cbc:EndDate', 'last day'),
];

const identifier = (
  name: string,
  terms: string,
  [element, about]: readonly [string, string],
): FieldGroup => ({
  ...group(name, terms, '', about),
  fields: [
    text('id', terms, element, 'the identifier'),
    text('scheme', `${terms} scheme`, `${element}@schemeID`, 'the code of its scheme'),
  ],
});

const contact = (...terms: readonly [string, string, string]) => [
  text('contact', terms[0], 'cac:Contact/cbc:Name', 'name of the contact'),
  text('phone', terms[1], 'cac:Contact/cbc:Telephone', 'telephone number'),
  text('email', terms[2], 'cac:Contact/cbc:ElectronicMail', 'email address, also as electronic address'),
];

const allowance = (percent: string, amount: string, reason: string) => [
  ownDecimal('percent', percent, 'cbc:MultiplierFactorNumeric', 'percentage, in place of `amount`'),
  decimal('amount', amount, 'cbc:Amount', 'amount without VAT'),
  text('reason', reason, 'cbc:AllowanceChargeReason', 'reason'),
];

const SELLER = 'cac:AccountingSupplierParty/cac:Party';
const BUYER = 'cac:AccountingCustomerParty/cac:Party';
const NAME = 'cac:PartyLegalEntity/cbc:RegistrationName';
const REGISTRATION = 'cac:PartyLegalEntity/cbc:CompanyID';
const TAX_SCHEME = 'cac:PartyTaxScheme';

const seller: FieldGroup = {
  ...group('seller', 'BG-4', SELLER, 'the seller'),
  fields: [
    text('name', 'BT-27', NAME, 'legal name'),
    text('trading_name', 'BT-28', 'cac:PartyName/cbc:Name', 'name of the business, if it differs'),
    own('id', 'BT-29', 'cac:PartyIdentification/cbc:ID', 'supplier number'),
    text('registration_number', 'BT-30', REGISTRATION, 'number in the commercial register'),
    text(
      'registration_scheme',
      'BT-30 scheme',
      `${REGISTRATION}@schemeID`,
      'code of its scheme, such as `0009`',
    ),
    own('vat_id', 'BT-31', TAX_SCHEME, 'VAT identifier such as `DE123456789`'),
    own('tax_number', 'BT-32', TAX_SCHEME, 'tax number of the local tax office'),
    text('legal_form', 'BT-33', 'cac:PartyLegalEntity/cbc:CompanyLegalForm', 'legal form, share capital'),
    {
      ...group('address', 'BG-5', 'cac:PostalAddress', 'postal address'),
      fields: address('BT-35', 'BT-36', 'BT-37', 'BT-38', 'BT-39', 'BT-40'),
    },
    ...contact('BT-41', 'BT-42', 'BT-43, BT-34'),
    identifier('electronic_address', 'BT-34', ['cbc:EndpointID', 'if it is not the email address']),
  ],
};

const buyer: FieldGroup = {
  ...group('buyer', 'BG-7', BUYER, 'the buyer'),
  fields: [
    text('name', 'BT-44', NAME, 'legal name'),
    text('trading_name', 'BT-45', 'cac:PartyName/cbc:Name', 'name of the business, if it differs'),
    text('id', 'BT-46', 'cac:PartyIdentification/cbc:ID', 'customer number'),
    text('registration_number', 'BT-47', REGISTRATION, 'number in the commercial register'),
    text('registration_scheme', 'BT-47 scheme', `${REGISTRATION}@schemeID`, 'code of its scheme'),
    text('vat_id', 'BT-48', `${TAX_SCHEME}/cbc:CompanyID`, 'VAT identifier'),
    text('reference', 'BT-10', '/cbc:BuyerReference', 'buyer reference; in Germany the Leitweg-ID'),
    {
      ...group('address', 'BG-8', 'cac:PostalAddress', 'postal address'),
      fields: address('BT-50', 'BT-51', 'BT-52', 'BT-53', 'BT-54', 'BT-55'),
    },
    ...contact('BT-56', 'BT-57', 'BT-58, BT-49'),
    identifier('electronic_address', 'BT-49', ['cbc:EndpointID', 'if it is not the email address']),
  ],
};

const line: FieldGroup = {
  ...list('lines', 'BG-25', 'cac:InvoiceLine', 'the lines'),
  fields: [
    text('id', 'BT-126', 'cbc:ID', 'number of the line; 1, 2, … by default'),
    text('name', 'BT-153', 'cac:Item/cbc:Name', 'product or service'),
    text('description', 'BT-154', 'cac:Item/cbc:Description', 'description'),
    text('note', 'BT-127', 'cbc:Note', 'note on the line'),
    decimal('quantity', 'BT-129', 'cbc:InvoicedQuantity', 'quantity'),
    field('unit')('unit', 'BT-130', 'cbc:InvoicedQuantity@unitCode', 'unit, such as `hour`, or its code'),
    own('unit_code', 'BT-130', 'cbc:InvoicedQuantity@unitCode', 'code of the unit; computed'),
    decimal('price', 'BT-146', 'cac:Price/cbc:PriceAmount', 'net price'),
    decimal('price_quantity', 'BT-149', 'cac:Price/cbc:BaseQuantity', 'quantity of the price; 1 by default'),
    field('vat')('vat', 'BT-151, BT-152', 'cac:Item/cac:ClassifiedTaxCategory', VAT),
    vatDetails('BT-151, BT-152'),
    {
      ...group('discount', 'BG-27', 'cac:AllowanceCharge', 'discount on the line'),
      fields: allowance('BT-138', 'BT-136', 'BT-139'),
    },
    decimal('amount', 'BT-131', 'cbc:LineExtensionAmount', 'net amount; computed'),
    text('seller_item_id', 'BT-155', 'cac:Item/cac:SellersItemIdentification/cbc:ID', 'your item number'),
    text(
      'buyer_item_id',
      'BT-156',
      'cac:Item/cac:BuyersItemIdentification/cbc:ID',
      "the buyer's item number",
    ),
    text('order_line', 'BT-132', 'cac:OrderLineReference/cbc:LineID', 'line of the order'),
    {
      ...group('period', 'BG-26', 'cac:InvoicePeriod', 'period of the line'),
      fields: period('BT-134', 'BT-135'),
    },
  ],
};

const TOTALS = 'cac:LegalMonetaryTotal';

const totals: FieldGroup = {
  ...group('totals', 'BG-22', '', 'totals; computed, and checked if given'),
  fields: [
    decimal('lines', 'BT-106', `${TOTALS}/cbc:LineExtensionAmount`, 'sum of the lines'),
    decimal('discounts', 'BT-107', `${TOTALS}/cbc:AllowanceTotalAmount`, 'sum of `discounts`'),
    decimal('charges', 'BT-108', `${TOTALS}/cbc:ChargeTotalAmount`, 'sum of `charges`'),
    decimal('net', 'BT-109', `${TOTALS}/cbc:TaxExclusiveAmount`, 'total without VAT'),
    ownDecimal('tax', 'BT-110', 'cac:TaxTotal/cbc:TaxAmount', 'VAT'),
    ownDecimal('tax_in_tax_currency', 'BT-111', 'cac:TaxTotal/cbc:TaxAmount', 'VAT in `tax_currency`'),
    decimal('gross', 'BT-112', `${TOTALS}/cbc:TaxInclusiveAmount`, 'total with VAT'),
    ownDecimal('prepaid', 'BT-113', `${TOTALS}/cbc:PrepaidAmount`, 'as `prepaid`'),
    decimal('due', 'BT-115', `${TOTALS}/cbc:PayableAmount`, 'amount due'),
    {
      ...list('taxes', 'BG-23', 'cac:TaxTotal/cac:TaxSubtotal', 'VAT by category and rate; computed'),
      fields: [
        field('vat')('vat', 'BT-118, BT-119', 'cac:TaxCategory', VAT),
        decimal('net', 'BT-116', 'cbc:TaxableAmount', 'taxable amount'),
        decimal('tax', 'BT-117', 'cbc:TaxAmount', 'VAT'),
      ],
    },
  ],
};

const MEANS = 'cac:PaymentMeans';
const ACCOUNT = 'cac:PaymentMeans/cac:PayeeFinancialAccount';
const MANDATE = 'cac:PaymentMeans/cac:PaymentMandate';

const payment: FieldGroup = {
  ...group('payment', 'BG-16', '', 'how to pay'),
  fields: [
    field('means')('means', 'BT-81', `${MEANS}/cbc:PaymentMeansCode`, '`credit_transfer`, `direct_debit`, …'),
    text('reference', 'BT-83', `${MEANS}/cbc:PaymentID`, 'reference for the payment'),
    iban('iban', 'BT-84', `${ACCOUNT}/cbc:ID`, 'IBAN, which is checked, or another account number'),
    text('account_name', 'BT-85', `${ACCOUNT}/cbc:Name`, 'name of the account'),
    text('bic', 'BT-86', `${ACCOUNT}/cac:FinancialInstitutionBranch/cbc:ID`, 'bank'),
    text('mandate', 'BT-89', `${MANDATE}/cbc:ID`, 'mandate of a direct debit'),
    iban(
      'debited_iban',
      'BT-91',
      `${MANDATE}/cac:PayerFinancialAccount/cbc:ID`,
      'debited account, as in `iban`',
    ),
    own('creditor_id', 'BT-90', `/${SELLER}/cac:PartyIdentification`, 'creditor of a direct debit'),
    text('terms', 'BT-20', 'cac:PaymentTerms/cbc:Note', 'payment terms'),
  ],
};

const documentAllowance = (name: string, about: string, terms: Parameters<typeof allowance>) => {
  const vatTerms = name === 'discounts' ? 'BT-95, BT-96' : 'BT-102, BT-103';
  return {
    ...list(name, name === 'discounts' ? 'BG-20' : 'BG-21', 'cac:AllowanceCharge', about),
    fields: [
      ...allowance(...terms),
      field('vat')('vat', vatTerms, 'cac:TaxCategory', VAT),
      vatDetails(vatTerms),
    ],
  };
};

/** The shape of a plain invoice: each field with its business term and its place in the UBL data. */
export const PLAIN_INVOICE: FieldGroup = {
  ...group('', '', '', 'the invoice'),
  fields: [
    text('number', 'BT-1', 'cbc:ID', 'number of the invoice'),
    date('date', 'BT-2', 'cbc:IssueDate', 'date of issue'),
    date('due', 'BT-9', 'cbc:DueDate', 'due date'),
    field('type')(
      'type',
      'BT-3',
      'cbc:InvoiceTypeCode',
      '`invoice`, `credit_note`, `correction`, … or a code',
    ),
    text('currency', 'BT-5', 'cbc:DocumentCurrencyCode', 'currency such as `EUR`'),
    text('tax_currency', 'BT-6', 'cbc:TaxCurrencyCode', 'second currency in which VAT is stated'),
    ownDecimal('exchange_rate', '', '', 'units of `tax_currency` for one of `currency`'),
    field('texts')('note', 'BT-22', 'cbc:Note', 'note, or a list of notes'),
    seller,
    buyer,
    line,
    documentAllowance('discounts', 'discounts on the invoice', ['BT-94', 'BT-92', 'BT-97']),
    documentAllowance('charges', 'charges, such as freight', ['BT-101', 'BT-99', 'BT-104']),
    decimal('prepaid', 'BT-113', `${TOTALS}/cbc:PrepaidAmount`, 'amount already paid'),
    decimal('rounding', 'BT-114', `${TOTALS}/cbc:PayableRoundingAmount`, 'rounding of the amount due'),
    totals,
    payment,
    text('order_reference', 'BT-13', 'cac:OrderReference/cbc:ID', "the buyer's order"),
    text('contract_reference', 'BT-12', 'cac:ContractDocumentReference/cbc:ID', 'contract'),
    text('project_reference', 'BT-11', 'cac:ProjectReference/cbc:ID', 'project'),
    text('accounting_reference', 'BT-19', 'cbc:AccountingCost', "the buyer's accounting reference"),
    {
      ...group('preceding', 'BG-3', 'cac:BillingReference/cac:InvoiceDocumentReference', 'corrected invoice'),
      fields: [
        text('number', 'BT-25', 'cbc:ID', 'its number'),
        date('date', 'BT-26', 'cbc:IssueDate', 'its date'),
      ],
    },
    date('delivery_date', 'BT-72', 'cac:Delivery/cbc:ActualDeliveryDate', 'date of the delivery'),
    {
      ...group(
        'delivery_address',
        'BG-15',
        'cac:Delivery/cac:DeliveryLocation/cac:Address',
        'delivery address',
      ),
      fields: address('BT-75', 'BT-76', 'BT-77', 'BT-78', 'BT-79', 'BT-80'),
    },
    {
      ...group('period', 'BG-14', 'cac:InvoicePeriod', 'invoicing period'),
      fields: period('BT-73', 'BT-74'),
    },
  ],
};

/** Tells whether an entry of the shape is a group. */
export function isGroup(one: Field | FieldGroup): one is FieldGroup {
  return 'fields' in one;
}

/** Lists the fields and groups of the shape with their paths, such as `lines[].price`. */
export function invoiceFields(
  { fields }: FieldGroup = PLAIN_INVOICE,
  prefix = '',
): { path: string; terms: string; about: string }[] {
  return fields.flatMap((one) => {
    const { name, terms, about } = one;
    const path = prefix + name + (isGroup(one) && one.isList ? '[]' : '');
    return [{ path, terms, about }, ...(isGroup(one) ? invoiceFields(one, `${path}.`) : [])];
  });
}
