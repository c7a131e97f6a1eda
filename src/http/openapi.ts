import { existsSync } from 'node:fs';
import { openapi } from '@elysiajs/openapi';
import { Type } from '@sinclair/typebox';
import type { ErrorCatalogue, ErrorCode } from '../errors.ts';
import type { BodyKind } from './body/body-kind.ts';
import type { ResponseSpec, RouteDefinition } from './routes.ts';
import { describeParameters } from './openapi-parameters.ts';
import { describeWebhooks, type DocumentedWebhook } from './openapi-webhooks.ts';
import { SchemaComponents } from './schema-components.ts';

const INTRODUCTION = `Platen makes PDFs from HTML, templates and React components, and works on existing PDFs.

Send \`Authorization: Bearer <API key>\` with every request, except to the public routes. Bodies are JSON; routes that take files also take multipart/form-data,
and routes that make files can return them. Send an \`Idempotency-Key\` with each POST that creates something, so that you can repeat it safely. An error has a
stable \`code\`, a \`message\` for people, and \`details\` that name the invalid fields. After 429 and 503, wait for the seconds in \`Retry-After\`.
A method that a path does not support returns 405 \`METHOD_NOT_ALLOWED\` with the header \`Allow\`.

The [guides](/docs/guides) contain working programs in JavaScript, Python, PHP, Go, C# and curl, and explain templates, webhooks and data retention.`;

const ERRORS_OF_KEYED_ROUTES: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];
const ERRORS_OF_PUBLIC_ROUTES: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'];

const QUOTA_HEADERS = {
  'Platen-Quota-Remaining': {
    description: 'PDFs left this month; absent if the plan has no limit.',
    schema: { type: 'integer', minimum: 0 },
  },
};

const ETAG_HEADERS = {
  ETag: {
    description: 'Identifies the response. Send it as If-None-Match.',
    schema: { type: 'string' },
  },
};

const REPLAY_HEADERS = {
  'Idempotent-Replayed': {
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

const MISMATCH_HEADERS = {
  'Platen-Idempotency-Mismatch': {
    description: '`true` if the body differs from that of the first request with this `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

/** The request header of routes that keep their response for repeated requests. */
const KeyedHeaders = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Your own name for this request: 1 to 255 printable ASCII characters, such as a UUID. For 24 hours, the same request with the same key gets the first response, with `Idempotent-Replayed: true`. Another request with the key gets 422, and a request that comes while the first one runs gets 409.',
    }),
  ),
});

const ERRORS_OF_KEYS: readonly ErrorCode[] = ['CONFLICT', 'GONE', 'IDEMPOTENCY_MISMATCH'];

/** The request header of routes whose responses have an ETag. */
const ConditionalHeaders = Type.Object({
  'If-None-Match': Type.Optional(Type.String({ description: 'The ETag of a response that the caller has.' })),
});

const ErrorSchema = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'A stable code in capitals.' }),
      message: Type.String({ description: 'A sentence for people. It may change.' }),
      details: Type.Array(
        Type.Object({
          path: Type.String({
            description:
              'The field, such as `options.margin` or `pdfs[1]`; empty when no field is at fault. In a pipeline, `steps.2.opacity` is a field of the third step.',
          }),
          code: Type.Optional(
            Type.String({
              description:
                'The kind of fault in a document, such as `TEMPLATE_ERROR`. docs/errors.md lists the codes and what to do about each.',
            }),
          ),
          message: Type.String({ description: 'A sentence about the field. It may change.' }),
        }),
        { description: 'The invalid fields, or the fault in a document; empty for most codes.' },
      ),
      request_id: Type.String({
        description: 'Also the header `X-Request-Id`, and in the log of the service.',
      }),
    }),
  },
  { title: 'Error' },
);

/** Describes a tag of the document. */
export interface Tag {
  name: string;
  description: string;
  /** A guide in Markdown, which the service serves with its documentation. */
  guide?: URL | undefined;
}

/** The content of the document. */
export interface DocumentationParts {
  version: string;
  /** Ordered by importance. */
  tags: readonly Tag[];
  routes: readonly RouteDefinition[];
  webhooks: readonly DocumentedWebhook[];
  errors: ErrorCatalogue;
  bodyKinds: ReadonlyMap<string, BodyKind>;
  /** The URL at which callers reach the service, if it is configured. */
  publicUrl: string | undefined;
}

/** Returns the path at which the guide of a tag is served, or `undefined` if the tag has no guide or its file is not installed. */
export function guidePath({ name, guide }: Tag): string | undefined {
  if (!guide || !existsSync(guide)) return undefined;
  return `/docs/guides/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

/** Serves the document at `/openapi.json`. @throws {Error} when two operations or two schemas have the same name */
export function documentation({
  version,
  tags,
  routes,
  webhooks,
  publicUrl,
  ...catalogues
}: DocumentationParts) {
  const components = new SchemaComponents();
  const references = { ...catalogues, components };
  const documented = routes.filter(({ spec }) => !spec.hidden);
  const used = new Set([...documented, ...webhooks].map(({ tag }) => tag));
  const rank = new Map(tags.map(({ name }, index) => [name, index]));
  const ordered = documented.toSorted((a, b) => (rank.get(a.tag) ?? 0) - (rank.get(b.tag) ?? 0));
  const document = {
    info: {
      title: 'Platen',
      version,
      description: INTRODUCTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      publicUrl === undefined
        ? { url: '/', description: 'The address at which this document is served' }
        : { url: publicUrl, description: 'This service' },
    ],
    tags: tags.filter(({ name }) => used.has(name)).map((tag) => describeTag(tag, publicUrl ?? '')),
    // Described here instead of by Elysia's plugin, which drops the query of a path with a parameter.
    paths: describePaths(ordered, references),
    webhooks: describeWebhooks(webhooks, components),
    components: {
      schemas: components.schemas,
      securitySchemes: {
        apiKey: {
          type: 'http' as const,
          scheme: 'bearer',
          description:
            'An API key: `Authorization: Bearer plt_live_…`. Create one with `platen keys create`.',
        },
      },
    },
  };
  return openapi({
    specPath: '/openapi.json',
    // The plugin's documentation page has an inline script, which the content security policy forbids.
    provider: null,
    openapiVersion: '3.1.0',
    documentation: document,
  });
}

function describeTag(tag: Tag, baseUrl: string) {
  const path = guidePath(tag);
  return {
    name: tag.name,
    description: tag.description,
    ...(path && { externalDocs: { description: 'Guide', url: baseUrl + path } }),
  };
}

/** The parts of the document that the operations refer to. */
type References = Pick<DocumentationParts, 'errors' | 'bodyKinds'> & { components: SchemaComponents };

function describePaths(
  routes: readonly RouteDefinition[],
  references: References,
): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const id = route.spec.operationId ?? deriveOperationId(route);
    if (ids.has(id)) throw new Error(`two operations have the operationId ${id}`);
    ids.add(id);
    (paths[path] ??= {})[route.method] = { operationId: id, ...describeRoute(route, references) };
  }
  return paths;
}

/** Derives the name of an operation from its route: `getV1TemplatesById`. */
function deriveOperationId({ method, path }: RouteDefinition): string {
  const words = path.replaceAll(':', 'by/').split(/[/-]/).filter(Boolean);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Returns the operation object of a route. */
function describeRoute(
  { path, spec, access, tag }: RouteDefinition,
  { errors, bodyKinds, components }: References,
): Record<string, unknown> {
  const { bodies, query, requestHeaders, response } = spec;
  const pathNames = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return {
    tags: [tag],
    summary: spec.summary,
    description: spec.description,
    security: access === 'key' ? [{ apiKey: [] }] : [],
    parameters: [
      ...pathNames.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...describeParameters('query', query, components),
      ...describeParameters('header', requestHeaders, components),
      ...describeParameters('header', spec.idempotency === 'kept' ? KeyedHeaders : undefined, components),
      ...describeParameters('header', response?.hasEtag ? ConditionalHeaders : undefined, components),
    ],
    ...(bodies.length > 0 && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          bodies.map(({ kind: name, schema }) => {
            const kind = bodyKinds.get(name);
            const examples = name === 'json' && { examples: describeExamples(spec.examples) };
            return [
              kind?.mediaType,
              { schema: components.convert(kind?.describe?.(schema) ?? schema), ...examples },
            ];
          }),
        ),
      },
    }),
    responses: {
      ...(response && {
        [response.status ?? 200]: {
          description: spec.summary,
          ...describeHeaders(spec),
          ...describeContent(response, components),
        },
        ...(response.hasEtag && {
          304: { description: 'The caller has the current response.', headers: ETAG_HEADERS },
        }),
      }),
      ...errorResponses(
        [
          ...(bodies.length > 0 || query ? (['VALIDATION_ERROR'] as const) : []),
          ...(bodies.length > 0 ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
          ...(spec.errors ?? []),
          ...(spec.idempotency === 'kept' ? ERRORS_OF_KEYS : []),
          ...(access === 'key' ? ERRORS_OF_KEYED_ROUTES : ERRORS_OF_PUBLIC_ROUTES),
        ],
        errors,
        components,
      ),
    },
  };
}

/** Describes the headers of a successful response. */
function describeHeaders({ usesQuota, response, idempotency }: RouteDefinition['spec']) {
  const headers = {
    ...(usesQuota && QUOTA_HEADERS),
    ...(response?.hasEtag && ETAG_HEADERS),
    ...((idempotency === 'kept' || idempotency === 'own') && REPLAY_HEADERS),
    ...(idempotency === 'own' && MISMATCH_HEADERS),
  };
  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** Describes a successful response: JSON, a file, either, or nothing. */
function describeContent({ schema, example, mediaTypes = [] }: ResponseSpec, components: SchemaComponents) {
  const content = {
    ...(schema && { 'application/json': { schema: components.convert(schema), example } }),
    ...Object.fromEntries(
      mediaTypes.map((type) => [type, { schema: { type: 'string', contentMediaType: type } }]),
    ),
  };
  return Object.keys(content).length > 0 ? { content } : {};
}

function describeExamples(examples: RouteDefinition['spec']['examples'] = {}) {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

/** Describes the errors of each status. Codes with the same status share a description, and each has its example. */
function errorResponses(
  codes: readonly ErrorCode[],
  errors: ErrorCatalogue,
  components: SchemaComponents,
): Record<string, unknown> {
  const statuses = Map.groupBy(new Set(codes), (code) => errors.get(code).status);
  const entries = [...statuses].map(([status, shared]) => {
    const examples = shared.map((code) => ({
      error: {
        code,
        message: errors.get(code).meaning,
        details: [],
        request_id: 'req_0a1b2c3d4e5f6g7h8i9j0k1l',
      },
    }));
    const headers =
      status === 409 || status === 429 || status === 503
        ? { 'Retry-After': { schema: { type: 'integer', minimum: 1 } } }
        : undefined;
    const media =
      examples.length === 1
        ? { example: examples[0] }
        : { examples: Object.fromEntries(examples.map((value) => [value.error.code, { value }])) };
    return [
      String(status),
      {
        description: shared.map((code) => `\`${code}\`: ${errors.get(code).meaning}`).join(' '),
        headers,
        content: { 'application/json': { schema: components.convert(ErrorSchema), ...media } },
      },
    ];
  });
  return Object.fromEntries(entries);
}
