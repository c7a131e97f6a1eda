import { INVOICE, type GroupShape, type ValueShape } from './data/shape.ts';

interface JsonSchema {
  title?: string;
  type: string | readonly string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  pattern?: string;
}

/** The names of the schemas that several elements share. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  InvoiceAddress: ['cac:Address', 'cac:PostalAddress'],
  InvoiceContact: ['cac:Contact'],
  InvoiceIdentifier: ['cac:PartyIdentification', 'cac:StandardItemIdentification'],
  InvoicePartyName: ['cac:PartyName'],
  InvoiceReference: [
    'cac:BuyersItemIdentification',
    'cac:ContractDocumentReference',
    'cac:DespatchDocumentReference',
    'cac:OriginatorDocumentReference',
    'cac:ProjectReference',
    'cac:ReceiptDocumentReference',
    'cac:SellersItemIdentification',
  ],
  InvoiceTaxCategory: ['cac:ClassifiedTaxCategory', 'cac:TaxCategory'],
  InvoiceTaxRegistration: ['cac:PartyTaxScheme'],
  InvoiceTaxScheme: ['cac:TaxScheme'],
};

const titles = new Map(
  Object.entries(SHARED).flatMap(([title, names]) => names.map((name) => [name, title] as const)),
);

/**
 * Returns the JSON schema of the properties of an invoice's data. No property is required: an absent value is
 * computed or violates a rule.
 */
export function invoiceProperties(): Record<string, JsonSchema> {
  return { [INVOICE.name]: groupSchema(INVOICE) };
}

function groupSchema({ name: group, children }: GroupShape): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const child of children) {
    const schema = child.kind === 'group' ? groupSchema(child) : valueSchema(child);
    properties[child.name] = child.many ? { type: 'array', items: schema } : schema;
    if (child.kind === 'value')
      for (const name of Object.keys(child.attributes))
        properties[`${child.name}@${name}`] = { type: 'string' };
  }
  const title = titles.get(group);
  return { type: 'object', ...(title !== undefined && { title }), properties };
}

function valueSchema({ type }: ValueShape): JsonSchema {
  switch (type) {
    case 'date':
      return { title: 'InvoiceDate', type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' };
    case 'amount':
    case 'number':
      return { title: 'InvoiceDecimal', type: ['string', 'number'] };
    case 'indicator':
      return { type: ['string', 'boolean'] };
    case 'text':
    case 'binary':
      return { type: 'string' };
  }
}
