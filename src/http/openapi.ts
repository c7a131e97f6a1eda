import { existsSync } from 'node:fs';
import { openapi } from '@elysiajs/openapi';
import { Type } from '@sinclair/typebox';
import { ConfigError } from '../config.ts';
import { messageOf, type ErrorCatalogue, type ErrorCode } from '../errors.ts';
import type { BodyKind, StreamedBodyKind } from './body/body-kind.ts';
import type { Protocol } from './protocol.ts';
import type { ResponseSpec, RouteDefinition } from './routes.ts';
import { Components } from './openapi-components.ts';
import { describeErrors, describeForeignErrors } from './openapi-errors.ts';
import { COMMON_PARAMETERS, headersOf, referToHeaders } from './openapi-headers.ts';
import { describeParameters } from './openapi-parameters.ts';
import { shareParts, type Operation } from './openapi-shared.ts';
import { describeWebhooks, type DocumentedWebhook } from './openapi-webhooks.ts';
import { withoutProtocols } from './sdk-document/own-operations.ts';
import { addressed, DEFAULT_URL, toSdkDocument, type FullDocument } from './sdk-document/sdk-document.ts';

const INTRODUCTION = `Platen makes PDFs from HTML, templates and React components, and works on existing PDFs.

Send \`Authorization: Bearer <API key>\` with every request, except to the public routes. Bodies are JSON; routes that take files also take multipart/form-data,
and routes that make files can return them. Send an \`Idempotency-Key\` with each POST that creates something, so that you can repeat it safely. An error has a
stable \`code\`, a \`message\` for people, and \`details\` that name the invalid fields. After 429 and 503, wait for the seconds in \`Retry-After\`.

An API key has scopes. The field \`x-platen-scope\` of an operation names the scope that it needs.
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

/** The request header of routes that keep their response for repeated requests. */
const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Your own name for this request: 1 to 255 printable ASCII characters, such as a UUID. For 24 hours, the same request with the same key gets the first response, with `Idempotent-Replayed: true`. Another request with the key gets 422, and a request that comes while the first one runs gets 409.',
  schema: { minLength: 1, maxLength: 255, type: 'string' },
};

/** The request header of routes whose responses have an ETag. */
const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of a response that the caller has.',
  schema: { type: 'string' },
};

/** A file as a response. The media type is the key of the content. */
const FileContent = Type.Unsafe({
  title: 'FileContent',
  type: 'string',
  format: 'binary',
  description: 'The bytes of the file.',
});

const ERRORS_OF_KEYS: readonly ErrorCode[] = ['CONFLICT', 'GONE', 'IDEMPOTENCY_MISMATCH'];

/** Describes a tag of the document. */
export interface Tag {
  name: string;
  description: string;
  /** A guide in Markdown, which the service serves with its documentation. */
  guide?: URL | undefined;
}

export interface DocumentationContent {
  version: string;
  /** Ordered by importance. */
  tags: readonly Tag[];
  routes: readonly RouteDefinition[];
  webhooks: readonly DocumentedWebhook[];
  errors: ErrorCatalogue;
  bodyKinds: ReadonlyMap<string, BodyKind | StreamedBodyKind>;
  /** The URL at which callers reach the service, if it is configured. */
  publicUrl: string | undefined;
}

/**
 * Returns the path at which the guide of a tag is served, or `undefined` if the tag has no guide or its file
 * is not installed.
 */
export function guidePath({ name, guide }: Tag): string | undefined {
  if (!guide || !existsSync(guide)) return undefined;
  return `/docs/guides/${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

type Documentation = NonNullable<NonNullable<Parameters<typeof openapi>[0]>['documentation']>;

/**
 * Serves the document at `/openapi.json`, and the one for generators of clients at `/openapi.sdk.json`.
 * `originOf` returns the origin of the service for a caller, or an empty text.
 * @throws {Error} when two operations or two schemas have the same name
 */
export function documentation(
  { version, tags, routes, webhooks, publicUrl, ...catalogues }: DocumentationContent,
  originOf: (request: Request) => string,
) {
  const components = new Components();
  const references = { ...catalogues, components };
  const documented = routes.filter(({ spec }) => !spec.hidden);
  const used = new Set([...documented, ...webhooks].map(({ tag }) => tag));
  const rank = new Map(tags.map(({ name }, index) => [name, index]));
  const ordered = documented.toSorted((a, b) => (rank.get(a.tag) ?? 0) - (rank.get(b.tag) ?? 0));
  // Described here instead of by Elysia's plugin, which drops the query of a path with a parameter.
  const paths = describePaths(ordered, references);
  const messages = describeWebhooks(webhooks, components);
  shareParts(
    [...Object.values(paths), ...Object.values(messages)].flatMap((methods) => Object.values(methods)),
    components,
  );
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
    // Of all operations that do not have their own.
    security: [{ apiKey: [] }],
    paths,
    webhooks: messages,
    components: {
      ...components.write(),
      securitySchemes: {
        apiKey: {
          type: 'http' as const,
          scheme: 'bearer',
          description:
            'An API key: `Authorization: Bearer plt_live_…`. Create one with `platen keys create`. A test key, `plt_test_…`, makes marked documents that cost no quota.',
        },
        ...Object.assign({}, ...documented.map(({ protocol }) => protocol?.documentation.security)),
      },
    },
  };
  const own = withoutProtocols(document as unknown as FullDocument);
  let derived: ReturnType<typeof toSdkDocument> | undefined;
  return openapi({
    specPath: '/openapi.json',
    // The plugin's documentation page has an inline script, which the content security policy forbids.
    provider: null,
    openapiVersion: '3.1.0',
    // The plugin's types describe each field of OpenAPI; these objects are built generically.
    documentation: document as Documentation,
  }).get(
    '/openapi.sdk.json',
    ({ request }) => {
      derived ??= toSdkDocument(own, DEFAULT_URL);
      return { ...derived, ...addressed(own.tags, originOf(request) || DEFAULT_URL) };
    },
    { detail: { hide: true } },
  );
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
type References = Pick<DocumentationContent, 'errors' | 'bodyKinds'> & { components: Components };

function describePaths(
  routes: readonly RouteDefinition[],
  references: References,
): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {};
  const ids = new Set<string>();
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const id = route.spec.operationId ?? deriveOperationId(route);
    if (ids.has(id)) throw new Error(`two operations have the operationId ${id}`);
    ids.add(id);
    try {
      (paths[path] ??= {})[route.method] = describeRoute(route, id, references);
    } catch (cause) {
      const name = `${route.tag}: the route ${route.method.toUpperCase()} ${route.path}`;
      throw new ConfigError(`${name} cannot be documented: ${messageOf(cause)}`, { cause });
    }
  }
  return paths;
}

/** Derives the name of an operation from its route: `getV1TemplatesById`. */
function deriveOperationId({ method, path }: RouteDefinition): string {
  const words = path.replaceAll(':', 'by/').split(/[/-]/).filter(Boolean);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function describeRoute(
  { path, spec, access, tag, protocol }: RouteDefinition,
  operationId: string,
  { errors, bodyKinds, components }: References,
) {
  const { bodies, query, requestHeaders, response } = spec;
  const pathNames = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  return {
    operationId,
    tags: [tag],
    summary: spec.summary,
    description: spec.description,
    ...(access === 'public' ? { security: [] } : { 'x-platen-scope': spec.scope }),
    ...(protocol && describeProtocol(protocol, access)),
    parameters: [
      ...pathNames.map((name = '') => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...describeParameters('query', query, components),
      ...describeParameters('header', requestHeaders, components),
      ...(spec.idempotency === 'kept' ? [IDEMPOTENCY_KEY] : []),
      ...(response?.hasEtag ? [IF_NONE_MATCH] : []),
      ...COMMON_PARAMETERS,
    ],
    ...(bodies.length > 0 && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          bodies.map(({ kind: name, schema }) => {
            const kind = bodyKinds.get(name);
            const examples = name === 'json' &&
              spec.examples && { examples: describeExamples(spec.examples) };
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
          headers: referToHeaders(headersOf(spec), components),
          ...describeContent(response, components),
        },
        ...(response.accepted && {
          202: {
            description: response.accepted.description,
            headers: referToHeaders(headersOf(spec), components),
            ...describeContent(
              { ...response, mediaTypes: [], example: response.accepted.example },
              components,
            ),
          },
        }),
        ...(response.noContent !== undefined && {
          204: {
            description: response.noContent,
            headers: referToHeaders(headersOf(spec), components),
          },
        }),
        ...(response.hasEtag && {
          304: components.refer('responses', 'NotModified', {
            description: 'The caller has the current response.',
            headers: referToHeaders(headersOf(spec), components),
          }),
        }),
      }),
      ...(protocol
        ? describeForeignErrors(protocol, components)
        : describeErrors(errorsOf({ spec, access }), errors, components)),
    },
  };
}

/** Returns the codes of the errors of a route. */
function errorsOf({ spec, access }: Pick<RouteDefinition, 'spec' | 'access'>): ErrorCode[] {
  const { bodies, query, idempotency, errors = [] } = spec;
  return [
    ...(bodies.length > 0 || query ? (['VALIDATION_ERROR'] as const) : []),
    ...(bodies.length > 0 ? (['UNSUPPORTED_MEDIA_TYPE'] as const) : []),
    ...errors,
    ...(idempotency === 'kept' ? ERRORS_OF_KEYS : []),
    ...(access === 'key' ? ERRORS_OF_KEYED_ROUTES : ERRORS_OF_PUBLIC_ROUTES),
  ];
}

/** Describes how callers of a route with a protocol identify themselves. */
function describeProtocol(protocol: Protocol, access: RouteDefinition['access']) {
  const schemes = ['apiKey', ...Object.keys(protocol.documentation.security)];
  return {
    'x-platen-protocol': protocol.name,
    ...(access === 'key' && { security: schemes.map((scheme) => ({ [scheme]: [] })) }),
  };
}

/** Describes a successful response: JSON, a file, either, or nothing. */
function describeContent({ schema, example, mediaTypes = [] }: ResponseSpec, components: Components) {
  const content = {
    ...(schema && { 'application/json': { schema: components.convert(schema), example } }),
    ...Object.fromEntries(mediaTypes.map((type) => [type, { schema: components.convert(FileContent) }])),
  };
  return Object.keys(content).length > 0 ? { content } : {};
}

function describeExamples(examples: RouteDefinition['spec']['examples'] = {}) {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}
