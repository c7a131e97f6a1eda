import { openapi } from '@elysiajs/openapi';
import type { TObject } from '@sinclair/typebox';
import type { ErrorCatalogue, ErrorCode } from '../errors.ts';
import type { BodyKind } from './body/body-kind.ts';
import type { RouteDefinition } from './routes.ts';

const ERRORS_OF_KEYED_ROUTES: readonly ErrorCode[] = [
  'UNAUTHORIZED',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'UNAVAILABLE',
];
const ERRORS_OF_PUBLIC_ROUTES: readonly ErrorCode[] = ['RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'];

const ErrorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'details', 'request_id'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        details: {
          type: 'array',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: { path: { type: 'string' }, message: { type: 'string' } },
          },
        },
        request_id: { type: 'string' },
      },
    },
  },
} as const;

/** Names a tag of the document: a plugin and its sentence. */
export interface Tag {
  name: string;
  description: string;
}

/** The contents of the document. */
export interface DocumentationParts {
  version: string;
  tags: readonly Tag[];
  routes: readonly RouteDefinition[];
  errors: ErrorCatalogue;
  bodyKinds: ReadonlyMap<string, BodyKind>;
}

/** Serves the document at `/openapi.json`. */
export function documentation({ version, tags, ...parts }: DocumentationParts) {
  return openapi({
    specPath: '/openapi.json',
    // The plugin's own page has an inline script.
    provider: null,
    documentation: {
      openapi: '3.1.0',
      info: {
        title: 'Platen',
        version,
        description:
          'Self-hosted PDF service. Send `Authorization: Bearer <API key>` with every request that is not marked public. A known path with a method that it does not take is 405 `METHOD_NOT_ALLOWED`, with the header `Allow`.',
      },
      servers: [{ url: '/', description: 'Where this document was read.' }],
      tags: [...tags],
      // Written here, not gathered by the plugin: that one drops the query of a path with an id in it.
      paths: describePaths(parts),
      components: { securitySchemes: { apiKey: { type: 'http', scheme: 'bearer' } } },
    },
  });
}

/** What the operations refer to. */
type References = Pick<DocumentationParts, 'errors' | 'bodyKinds'>;

function describePaths({
  routes,
  ...references
}: References & Pick<DocumentationParts, 'routes'>): Record<string, Record<string, unknown>> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    if (route.spec.hidden) continue;
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.method] = {
      ...describeRoute(route, references),
      operationId: operationId(route),
    };
  }
  return paths;
}

/** Names an operation, such as `getV1TemplatesById`. */
function operationId({ method, path }: RouteDefinition): string {
  const words = path.replaceAll(':', 'by/').split(/[/-]/).filter(Boolean);
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** Writes the operation object of a route. */
function describeRoute(
  { path, spec, access, tag }: RouteDefinition,
  { errors, bodyKinds }: References,
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
      ...describeParameters('query', query),
      ...describeParameters('header', requestHeaders),
    ],
    ...(bodies.length > 0 && {
      requestBody: {
        required: true,
        content: Object.fromEntries(
          bodies.map(({ kind, schema }) => [
            bodyKinds.get(kind)?.mediaType,
            { schema: plain(schema), ...(kind === 'json' && { examples: describeExamples(spec.examples) }) },
          ]),
        ),
      },
    }),
    responses: {
      ...(response && {
        [response.status ?? 200]: {
          description: spec.summary,
          content: { 'application/json': { schema: plain(response.schema), example: response.example } },
        },
      }),
      ...errorResponses(
        [
          ...(bodies.length > 0 || query ? (['VALIDATION_ERROR'] as const) : []),
          ...(spec.errors ?? []),
          ...(access === 'key' ? ERRORS_OF_KEYED_ROUTES : ERRORS_OF_PUBLIC_ROUTES),
        ],
        errors,
      ),
    },
  };
}

function describeExamples(examples: RouteDefinition['spec']['examples'] = {}) {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function describeParameters(place: 'query' | 'header', schema: TObject | undefined) {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: false,
    description: property.description,
    schema: plain(property),
  }));
}

/** Describes errors by status; codes that share one are all named, and each has its example. */
function errorResponses(codes: readonly ErrorCode[], errors: ErrorCatalogue): Record<string, unknown> {
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
      status === 429 || status === 503
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
        content: { 'application/json': { schema: ErrorSchema, ...media } },
      },
    ];
  });
  return Object.fromEntries(entries);
}

/** Drops what only the validator reads, so that the document holds JSON Schema and nothing else; a field may have the same name. */
function plain(schema: unknown): unknown {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === 'expected' && typeof value === 'string' ? undefined : value,
    ),
  );
}
