const vat = { 'cac:TaxScheme': { 'cbc:ID': 'VAT' } };

const party = (name: string, city: string, zone: string, street: string) => ({
  'cac:PostalAddress': {
    'cbc:StreetName': street,
    'cbc:CityName': city,
    'cbc:PostalZone': zone,
    'cac:Country': { 'cbc:IdentificationCode': 'DE' },
  },
  'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
});

/** The data of a small invoice. Totals are absent, so they are computed. */
export const invoiceExample = {
  'ubl:Invoice': {
    'cbc:ID': '2026-0042',
    'cbc:IssueDate': '2026-11-22',
    'cbc:DueDate': '2026-12-22',
    'cbc:InvoiceTypeCode': '380',
    'cbc:DocumentCurrencyCode': 'EUR',
    'cac:AccountingSupplierParty': {
      'cac:Party': {
        ...party('Nordwind Studio GmbH', 'Hamburg', '20095', 'Hafenstraße 4'),
        'cac:PartyTaxScheme': [{ 'cbc:CompanyID': 'DE123456789', ...vat }],
      },
    },
    'cac:AccountingCustomerParty': {
      'cac:Party': party('Bergmann AG', 'Köln', '50667', 'Domplatz 6'),
    },
    'cac:InvoiceLine': [
      {
        'cbc:ID': '1',
        'cbc:InvoicedQuantity': '10',
        'cbc:InvoicedQuantity@unitCode': 'HUR',
        'cac:Item': {
          'cbc:Name': 'Consulting',
          'cac:ClassifiedTaxCategory': { 'cbc:ID': 'S', 'cbc:Percent': '19', ...vat },
        },
        'cac:Price': { 'cbc:PriceAmount': '150.00' },
      },
    ],
  },
};

/** The data of the same invoice in the profile `minimum`, as it is read from a PDF. */
export const readInvoiceExample = {
  'ubl:Invoice': {
    'cbc:CustomizationID': 'urn:factur-x.eu:1p0:minimum',
    'cbc:ID': '2026-0042',
    'cbc:InvoiceTypeCode': '380',
    'cbc:IssueDate': '2026-11-22',
    'cac:AccountingSupplierParty': {
      'cac:Party': {
        'cac:PartyLegalEntity': { 'cbc:RegistrationName': 'Nordwind Studio GmbH' },
        'cac:PostalAddress': { 'cac:Country': { 'cbc:IdentificationCode': 'DE' } },
        'cac:PartyTaxScheme': [{ 'cbc:CompanyID': 'DE123456789', ...vat }],
      },
    },
    'cac:AccountingCustomerParty': {
      'cac:Party': { 'cac:PartyLegalEntity': { 'cbc:RegistrationName': 'Bergmann AG' } },
    },
    'cbc:DocumentCurrencyCode': 'EUR',
    'cac:LegalMonetaryTotal': {
      'cbc:TaxExclusiveAmount': '1500.00',
      'cbc:TaxInclusiveAmount': '1785.00',
      'cbc:PayableAmount': '1785.00',
      'cbc:TaxExclusiveAmount@currencyID': 'EUR',
      'cbc:TaxInclusiveAmount@currencyID': 'EUR',
      'cbc:PayableAmount@currencyID': 'EUR',
    },
    'cac:TaxTotal': [{ 'cbc:TaxAmount': '285.00', 'cbc:TaxAmount@currencyID': 'EUR' }],
  },
};
