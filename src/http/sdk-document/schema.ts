/** A schema of OpenAPI 3.1, or one that is written with the keywords of OpenAPI 3.0. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  allOf?: readonly Schema[];
  not?: Schema;
  items?: Schema;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  additionalProperties?: boolean | Schema;
  unevaluatedProperties?: boolean;
  default?: unknown;
  /** Of OpenAPI 3.0. */
  nullable?: boolean;
  [keyword: string]: unknown;
}

const SCHEMAS = '#/components/schemas/';

export function referenceTo(name: string): Schema {
  return { $ref: SCHEMAS + name };
}

/** Returns the name of the schema that a reference leads to, or `undefined` if it leads elsewhere. */
export function nameOf(reference: string): string | undefined {
  return reference.startsWith(SCHEMAS) ? reference.slice(SCHEMAS.length) : undefined;
}

/** Adds a description to a schema. In OpenAPI 3.0, a reference has no other fields. */
export function withDescription(schema: Schema, description: string | undefined): Schema {
  if (description === undefined) return schema;
  return schema.$ref === undefined ? { ...schema, description } : { allOf: [schema], description };
}

/** Allows `null` besides the values of a schema. */
export function withNull(schema: Schema): Schema {
  if (schema.$ref !== undefined) return { nullable: true, allOf: [schema] };
  return { ...schema, nullable: true, ...(schema.enum && { enum: [...schema.enum, null] }) };
}

/** Tells whether a schema accepts any value. */
export function isAny(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => keyword === 'description' || keyword === 'nullable');
}

/** Tells whether a schema is a list of texts. */
export function isEnum({ type, enum: values }: Schema): boolean {
  return type === 'string' && values !== undefined;
}
