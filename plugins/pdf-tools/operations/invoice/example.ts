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
