import { nameOf, referenceTo, withDescription, type Schema } from '../../src/http/sdk-document/schema.ts';

interface Content {
  schema?: Schema;
}

/** An operation of the document for clients. */
export interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: readonly { name: string; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
  [field: string]: unknown;
}

/** The parts of docs/openapi.sdk.json that the clients are made of. */
export interface ClientDocument {
  paths: Record<string, Record<string, Operation>>;
  'x-webhooks'?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: unknown };
}

/**
 * The names of the clients for two schemas. The documents keep theirs, because generated clients of users have
 * types with these names.
 */
const NAMES: Readonly<Record<string, string>> = { PrintOptions: 'RenderOptions', ErrorObject: 'ApiError' };

/** The name of a type that only the clients have. */
export const UPLOAD_FIELDS = 'UploadFields';

/** The name of a type that only the clients have: the settings of a bulk batch. */
export const BULK_SETTINGS = 'BulkSettings';

/** The name of a type that only the clients have: a file in a request, which they write in base64. */
export const FILE_DATA = 'FileData';

/**
 * Returns a copy of docs/openapi.sdk.json with the names of the clients, without the choice of the output,
 * because the clients download from links, and without responses that are errors.
 */
export function clientDocument(sdkDocument: ClientDocument): ClientDocument {
  const renamed = (name: string) => {
    const old = Object.keys(NAMES).find((each) => name.startsWith(each));
    return old === undefined ? name : `${NAMES[old]}${name.slice(old.length)}`;
  };
  const { paths, components }: ClientDocument = JSON.parse(
    JSON.stringify(sdkDocument),
    (_, value: unknown) => {
      const name = typeof value === 'string' ? nameOf(value) : undefined;
      return name === undefined ? value : referenceTo(renamed(name)).$ref;
    },
  );
  for (const operation of operationsOf({ paths, components }).map((each) => each.operation)) {
    const kept = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
    operation.responses = Object.fromEntries(kept);
  }
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [renamed(name), withoutOutput(schema)]),
  );
  const sent = sentNames({ paths, components: { schemas } });
  const all = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [name, sent.has(name) ? withFiles(schema) : schema]),
  );
  return {
    ...sdkDocument,
    paths,
    components: {
      ...components,
      schemas: {
        ...all,
        [UPLOAD_FIELDS]: uploadFields(all['UploadRequest']),
        [BULK_SETTINGS]: bulkSettings(all['BulkForm']),
        [FILE_DATA]: {
          type: 'string',
          description: 'Bytes, or text that is sent as it is: base64, or an id.',
        },
      },
      responses: {},
    },
  };
}

/** The clients send a file beside its fields. */
function uploadFields(request: Schema = {}): Schema {
  const { file: _, ...properties } = request.properties ?? {};
  return { type: 'object', description: 'The properties of an uploaded file.', properties };
}

/** The clients send the items beside the settings, and write the options as JSON. */
function bulkSettings(form: Schema = {}): Schema {
  const { file: _, ...properties } = form.properties ?? {};
  return {
    type: 'object',
    description: 'The settings of a batch from a file.',
    properties: {
      ...properties,
      options: referenceTo(NAMES['PrintOptions'] ?? ''),
      result: withDescription(referenceTo('BulkResult'), properties['result']?.description ?? ''),
      on_invalid: { ...properties['on_invalid'], enum: ['reject', 'skip'] },
    },
    required: ['template'],
  };
}

/** Replaces base64 in the fields of a request by a type that bytes have, too. */
function withFiles(schema: Schema): Schema {
  const { type, enum: values, description = '', properties, items } = schema;
  if (type === 'string' && !values && /\b(?:in|as|A) base64\b/.test(description))
    return withDescription(referenceTo(FILE_DATA), description);
  const fields = Object.entries(properties ?? {}).map(([key, value]) => [key, withFiles(value)] as const);
  return {
    ...schema,
    ...(properties && { properties: Object.fromEntries(fields) }),
    ...(items && { items: withFiles(items) }),
  };
}

/** Lists the names of the schemas that requests contain. */
export function sentNames(document: Pick<ClientDocument, 'paths' | 'components'>): Set<string> {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const reference = referenceOf(part as Schema);
    if (reference !== undefined && !names.has(reference)) {
      names.add(reference);
      visit(document.components.schemas[reference]);
    }
    for (const inner of Object.values(part)) visit(inner);
  };
  for (const { operation } of operationsOf(document)) visit(jsonOf(operation.requestBody));
  return names;
}

function withoutOutput(schema: Schema): Schema {
  if (!schema.properties?.['output'] || schema.required?.includes('output')) return schema;
  const { output: _, ...properties } = schema.properties;
  return { ...schema, properties };
}

/** Lists the operations with their routes, such as `GET /v1/files/{id}`. */
export function operationsOf({ paths }: Pick<ClientDocument, 'paths' | 'components'>) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      route: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
}

/** Returns the schema of the JSON that a body has, or `undefined`. */
export function jsonOf(body: { content?: Record<string, Content> } | undefined): Schema | undefined {
  return body?.content?.['application/json']?.schema;
}

/** Lists the names of the messages to webhooks. */
export function eventsOf({ 'x-webhooks': webhooks = {} }: ClientDocument): string[] {
  const operations = Object.values(webhooks).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ requestBody }) => referenceOf(jsonOf(requestBody)) ?? []);
}

/** Returns the name of the schema that a schema refers to, or `undefined`. */
export function referenceOf(schema: Schema | undefined): string | undefined {
  return schema?.$ref === undefined ? undefined : nameOf(schema.$ref);
}
