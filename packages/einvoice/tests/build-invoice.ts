/** Fields of an invoice or of a group of fields within it. */
export type InvoiceFields = Record<string, unknown>;

const vatScheme = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

/** Returns a VAT category. Category O must not have a rate. */
export function category(code: string, percent?: string): InvoiceFields {
  return { 'cbc:ID': code, ...(percent !== undefined && { 'cbc:Percent': percent }), ...vatScheme };
}

export function line(fields: {
  id?: string;
  quantity?: string;
  price?: string;
  unit?: string;
  tax?: InvoiceFields;
  more?: InvoiceFields;
  item?: InvoiceFields;
}): InvoiceFields {
  const { id = '1', quantity = '10', price = '150.00', unit = 'HUR', tax = category('S', '19') } = fields;
  return {
    'cbc:ID': id,
    'cbc:InvoicedQuantity': quantity,
    'cbc:InvoicedQuantity@unitCode': unit,
    'cac:Item': { 'cbc:Name': `Item ${id}`, 'cac:ClassifiedTaxCategory': tax, ...fields.item },
    'cac:Price': { 'cbc:PriceAmount': price },
    ...fields.more,
  };
}

/** Returns an allowance or charge. On document level it must have a VAT category; on a line it must not. */
export function allowance(kind: 'allowance' | 'charge', amount: string, tax?: InvoiceFields): InvoiceFields {
  return {
    'cbc:ChargeIndicator': String(kind === 'charge'),
    'cbc:AllowanceChargeReason': kind === 'charge' ? 'Freight' : 'Discount',
    'cbc:Amount': amount,
    ...(tax && { 'cac:TaxCategory': tax }),
  };
}

function address(country: string): InvoiceFields {
  return {
    'cbc:StreetName': 'Hafenstraße 4',
    'cbc:CityName': 'Hamburg',
    'cbc:PostalZone': '20095',
    'cac:Country': { 'cbc:IdentificationCode': country },
  };
}

/** The seller of the sample invoices. */
export const seller: InvoiceFields = {
  'cbc:EndpointID': 'billing@nordwind.example.com',
  'cbc:EndpointID@schemeID': 'EM',
  'cac:PostalAddress': address('DE'),
  'cac:PartyTaxScheme': [{ 'cbc:CompanyID': 'DE123456789', ...vatScheme }],
  'cac:PartyLegalEntity': { 'cbc:RegistrationName': 'Nordwind & Söhne <GmbH>' },
  'cac:Contact': {
    'cbc:Name': 'Ann Becker',
    'cbc:Telephone': '+49 40 123456',
    'cbc:ElectronicMail': 'ann@nordwind.example.com',
  },
};

export function buyer(country = 'DE', vat?: string): InvoiceFields {
  return {
    'cbc:EndpointID': 'invoices@bergmann.example.com',
    'cbc:EndpointID@schemeID': 'EM',
    'cac:PostalAddress': address(country),
    ...(vat !== undefined && { 'cac:PartyTaxScheme': { 'cbc:CompanyID': vat, ...vatScheme } }),
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': 'Bergmann AG' },
  };
}

/** Returns the data of a valid invoice with some fields replaced. `undefined` removes a field. */
export function invoice(fields: InvoiceFields = {}): { 'ubl:Invoice': InvoiceFields } {
  const all: InvoiceFields = {
    'cbc:ID': 'R-2026-0042',
    'cbc:IssueDate': '2026-11-22',
    'cbc:DueDate': '2026-12-22',
    'cbc:InvoiceTypeCode': '380',
    'cbc:DocumentCurrencyCode': 'EUR',
    'cbc:BuyerReference': '04011000-12345-34',
    'cac:AccountingSupplierParty': { 'cac:Party': seller },
    'cac:AccountingCustomerParty': { 'cac:Party': buyer() },
    'cac:Delivery': { 'cbc:ActualDeliveryDate': '2026-11-20' },
    'cac:PaymentMeans': [
      { 'cbc:PaymentMeansCode': '58', 'cac:PayeeFinancialAccount': { 'cbc:ID': 'DE89370400440532013000' } },
    ],
    'cac:InvoiceLine': [line({})],
    ...fields,
  };
  return JSON.parse(JSON.stringify({ 'ubl:Invoice': all }));
}
