/**
 * Creates `plugins/studio/app/data/api-types.ts`: the schemas of the OpenAPI document that the studio's
 * application uses, as types. `npm run openapi` writes it.
 * @module
 */

interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  allOf?: readonly Schema[];
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
}

/** The part of an OpenAPI document that the types are made of. */
export interface SchemaDocument {
  components: { schemas: Readonly<Record<string, Schema>> };
}

const SCHEMAS = [
  'AcceptedBulkBatch',
  'Asset',
  'AuditEntry',
  'BatchListItem',
  'BatchSummary',
  'Certificate',
  'Event',
  'Generation',
  'GenerationSummary',
  'PrintOptions',
  'Receipt',
  'StarterTemplate',
  'StarterTemplateSummary',
  'Template',
  'TemplateCase',
  'TemplateCheck',
  'TemplateSummary',
  'TemplateVersion',
  'Usage',
  'WebhookDelivery',
  'WebhookEndpoint',
];

/** The lists of values, by the names of their schemas. */
const LISTS = { PaperFormat: 'PAPER_FORMATS', PdfaLevel: 'PDFA_LEVELS', TemplateCategory: 'CATEGORIES' };

/** Returns the types as the text of a module. */
export function studioTypes({ components: { schemas } }: SchemaDocument): string {
  const schemaOf = (name: string): Schema => {
    const schema = schemas[name];
    if (!schema) throw new Error(`docs/openapi.json has no schema ${name}`);
    return name === 'PrintOptions' ? withoutInvoice(schema) : schema;
  };
  const names = new Set([...SCHEMAS, ...Object.keys(LISTS)]);
  for (const name of names) for (const other of referencesIn(schemaOf(name))) names.add(other);
  const types = [...names]
    .toSorted()
    .map((name) => {
      const type = typeOf(schemaOf(name));
      return type.startsWith('{') ? `export interface ${name} ${type}\n` : `export type ${name} = ${type};\n`;
    })
    .join('\n');
  const lists = Object.entries(LISTS).map(([name, constant]) => {
    const values = schemaOf(name).enum;
    if (!values) throw new Error(`the schema ${name} is not a list of values`);
    return `export const ${constant} = [${values.map(literal).join(', ')}] as const;\n`;
  });
  return `// Written by \`npm run openapi\`.\n\n${types}\n${lists.join('\n')}`;
}

/** Removes the option that has many types of its own. The studio's forms keep it, but do not edit it. */
function withoutInvoice({ properties, ...schema }: Schema): Schema {
  const { invoice: _, ...others } = properties ?? {};
  return { ...schema, properties: others, additionalProperties: {} };
}

function referencesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === '$ref' ? [nameOf(value)] : referencesIn(value),
  );
}

const nameOf = (reference: string) => reference.slice(reference.lastIndexOf('/') + 1);

/** Writes a value of a list as TypeScript. */
const literal = (value: unknown) => (typeof value === 'string' ? `'${value}'` : String(value));

function typeOf(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if ('const' in schema) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.allOf) return schema.allOf.map((each) => typeOf(each, indent)).join(' & ');
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, indent)).join(' | ');
  const types = [schema.type ?? 'unknown'].flat().map((type) => {
    if (type === 'integer') return 'number';
    if (type === 'array') return `Array<${typeOf(schema.items ?? {}, indent)}>`;
    return type === 'object' ? objectType(schema, indent) : type;
  });
  return types.join(' | ');
}

function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  const others = typeof additionalProperties === 'object' ? typeOf(additionalProperties) : undefined;
  if (!properties) return `Record<string, ${others ?? 'unknown'}>`;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const type = typeOf(schema, inner);
    return required.includes(name) ? `${name}: ${type};` : `${name}?: ${type} | undefined;`;
  });
  const lines = [...fields, ...(others === undefined ? [] : [`[other: string]: ${others};`])];
  return `{\n${lines.map((line) => `${inner}${line}\n`).join('')}${indent}}`;
}
