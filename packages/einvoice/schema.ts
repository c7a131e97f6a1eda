import { INVOICE, type GroupShape, type ValueShape } from './data/shape.ts';

interface JsonSchema {
  type: string | readonly string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  pattern?: string;
}

/** Returns the JSON schema of the properties of an invoice's data. No property is required: an absent value is computed or violates a rule. */
export function invoiceProperties(): Record<string, JsonSchema> {
  return { [INVOICE.name]: groupSchema(INVOICE) };
}

function groupSchema({ children }: GroupShape): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  for (const child of children) {
    const schema = child.kind === 'group' ? groupSchema(child) : valueSchema(child);
    properties[child.name] = child.many ? { type: 'array', items: schema } : schema;
    if (child.kind === 'value')
      for (const name of Object.keys(child.attributes))
        properties[`${child.name}@${name}`] = { type: 'string' };
  }
  return { type: 'object', properties };
}

function valueSchema({ type }: ValueShape): JsonSchema {
  switch (type) {
    case 'date':
      return { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' };
    case 'amount':
    case 'number':
      return { type: ['string', 'number'] };
    case 'indicator':
      return { type: ['string', 'boolean'] };
    case 'text':
    case 'binary':
      return { type: 'string' };
  }
}
