import { withJsonOutputs } from './json-outputs.ts';
import { withoutProtocols } from './own-operations.ts';
import { PlainSchemas } from './plain-schemas.ts';
import { renamed } from './renamed.ts';
import { namesWithin } from './returned.ts';
import type { Schema } from './schema.ts';
import { pascalCase } from './words.ts';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'multipart/form-data';
const BYTES_TYPE = 'application/octet-stream';

/** The URL of a service with default settings on the machine of the caller. */
export const DEFAULT_URL = 'http://localhost:3000';

/** Headers of every request that clients set for all requests, if at all. */
const COMMON_HEADERS: ReadonlySet<string> = new Set(['X-Request-Id', 'traceparent']);

const INTRODUCTION = `The API of Platen for generators of clients. It is made of \`/openapi.json\`, which is the full description, and has one
content type for each body: JSON wherever the service takes or returns it, so files in requests are base64 or ids of stored files, and results have a link to
the file or contain it in base64.

The messages to webhooks are the schemas whose names end with \`Event\`.`;

interface Reference {
  $ref?: string;
}

interface Parameter extends Reference {
  name: string;
  description?: string;
  schema: Schema;
}

type Content = Record<string, { schema?: Schema }>;

interface Response extends Reference {
  description?: string;
  content?: Content;
}

interface Operation {
  operationId: string;
  parameters?: readonly Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses: Record<string, Response>;
  [field: string]: unknown;
}

interface Tag {
  name: string;
  externalDocs?: { description?: string; url: string };
}

/** The parts of the full document from which the other one is derived. */
export interface FullDocument {
  info: { description?: string; license?: { name: string; identifier?: string } };
  tags: readonly Tag[];
  security?: unknown;
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    responses: Record<string, Response>;
    parameters: Record<string, Parameter>;
    securitySchemes: unknown;
  };
}

/**
 * Derives the document for client generators from the full document. It is OpenAPI 3.0.3, which all of them
 * read. Each body has one content type, every object has a name, and `allOf` only adds a description or
 * `null` to a reference.
 * @param baseUrl the absolute URL of the service, without a slash at the end
 */
export function toSdkDocument(full: FullDocument, baseUrl: string) {
  const document = renamed(withoutProtocols(full));
  const source = withJsonOutputs(document.components.schemas);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const received = [
    ...operations.map((operation) => operation.responses),
    document.components.responses,
    document.webhooks,
  ];
  const schemas = new PlainSchemas(source, namesWithin(received, source));
  const responses = new Map<string, Response>();
  const writer = new OperationWriter(document.components, schemas, responses);
  const write = (items: FullDocument['paths'], isMessage: boolean) =>
    mapValues(items, (methods) => mapValues(methods, (operation) => writer.write(operation, isMessage)));
  const paths = write(document.paths, false);
  const webhooks = write(document.webhooks, true);
  return {
    openapi: '3.0.3',
    info: { ...document.info, description: INTRODUCTION, license: { name: document.info.license?.name } },
    ...addressed(document.tags, baseUrl),
    security: document.security,
    paths,
    // OpenAPI 3.0 has no field for them.
    'x-webhooks': webhooks,
    components: {
      schemas: schemas.components(),
      responses: Object.fromEntries(responses),
      securitySchemes: document.components.securitySchemes,
    },
  };
}

/** Returns the parts of the document that depend on the address of the service. */
export function addressed(tags: readonly Tag[], baseUrl: string) {
  return {
    servers: [{ url: baseUrl }],
    tags: tags.map(({ externalDocs, ...tag }) => ({
      ...tag,
      ...(externalDocs && {
        externalDocs: { ...externalDocs, url: new URL(externalDocs.url, baseUrl).href },
      }),
    })),
  };
}

class OperationWriter {
  readonly #source: FullDocument['components'];
  readonly #schemas: PlainSchemas;
  readonly #responses: Map<string, Response>;

  constructor(source: FullDocument['components'], schemas: PlainSchemas, responses: Map<string, Response>) {
    this.#source = source;
    this.#schemas = schemas;
    this.#responses = responses;
  }

  /** Writes an operation. The service sends the request of a message, and a client receives it. */
  write({ parameters = [], requestBody, responses, ...fields }: Operation, isMessage: boolean) {
    const name = pascalCase(fields.operationId);
    return {
      ...fields,
      parameters: parameters
        .map((parameter) => this.#follow('parameters', parameter))
        .filter((parameter) => !COMMON_HEADERS.has(parameter.name))
        .map((parameter) => this.#writeParameter(parameter, name)),
      ...(requestBody && {
        requestBody: {
          ...requestBody,
          content: this.#writeContent(requestBody.content, `${name}Request`, isMessage),
        },
      }),
      responses: mapValues(responses, (response, status) => this.#writeResponse(response, status, name)),
    };
  }

  /** The default moves to the description, so that clients do not send an outdated one. */
  #writeParameter({ description, schema, ...parameter }: Parameter, name: string): Parameter {
    const { default: value } = schema;
    const text = [description, value !== undefined && `The default is ${JSON.stringify(value)}.`]
      .filter(Boolean)
      .join(' ');
    // Every value in a URL or a header is text, so a text stands for every union.
    const target = schema.$ref === undefined ? schema : this.#source.schemas[lastName(schema.$ref)];
    const isUnion = target?.anyOf !== undefined;
    return {
      ...parameter,
      ...(text && { description: text }),
      schema: isUnion ? { type: 'string' } : this.#schemas.write(schema, name + pascalCase(parameter.name)),
    };
  }

  /** Writes a successful response in its place, and an error, which many operations share, as a component. */
  #writeResponse(response: Response, status: string, name: string): Response {
    const { content, ...target } = this.#follow('responses', response);
    const description = response.description ?? target.description;
    const written = {
      ...(description !== undefined && { description }),
      ...(content && { content: this.#writeContent(content, `${name}Response`, true) }),
    };
    if (response.$ref === undefined || /^[123]/.test(status)) return written;
    this.#responses.set(lastName(response.$ref), written);
    return { $ref: response.$ref };
  }

  /** Chooses one content type: JSON, a form for a request without JSON, or bytes. */
  #writeContent(content: Content, name: string, isReturned: boolean): Content {
    const schema = content[JSON_TYPE]?.schema;
    if (schema) {
      const written = isReturned
        ? this.#schemas.writeReturned(schema, name)
        : this.#schemas.write(schema, name);
      return { [JSON_TYPE]: { schema: written } };
    }
    // The service refuses bytes without a type; generators know how to send a form.
    const form = isReturned ? undefined : content[FORM_TYPE]?.schema;
    if (form) return { [FORM_TYPE]: { schema: this.#schemas.write(form, name) } };
    const types = Object.keys(content).map((type) => `\`${type}\``);
    const description = `The bytes of the file. The \`Content-Type\` is ${types.join(' or ')}.`;
    return { [BYTES_TYPE]: { schema: { type: 'string', format: 'binary', description } } };
  }

  #follow<T extends Reference>(kind: 'parameters' | 'responses', part: T): T {
    if (part.$ref === undefined) return part;
    const target = this.#source[kind][lastName(part.$ref)];
    if (!target) throw new Error(`there is no ${part.$ref}`);
    return target as unknown as T;
  }
}

function mapValues<T, U>(values: Readonly<Record<string, T>>, convert: (value: T, key: string) => U) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, convert(value, key)]));
}

function lastName(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
