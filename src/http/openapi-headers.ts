import type { Components } from './openapi-components.ts';
import type { RouteDefinition } from './routes.ts';

/**
 * The headers of responses, by their names. The name of a component is that of its header, without hyphens.
 */
const HEADERS = {
  'X-Request-Id': {
    description:
      'Names the request in the log of the service: the `X-Request-Id` of the request, or a new id.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  'RateLimit-Policy': {
    description:
      'The limits that apply, by their names: `q` requests in `w` seconds. `"default"` is the limit of the plan, `"test"` that of test keys, and `"default/10"` a tenth of the plan, which some routes have in addition.',
    schema: { type: 'string', examples: ['"default";q=10;w=1', '"default";q=10;w=1, "default/10";q=1;w=1'] },
  },
  RateLimit: {
    description: 'The state of the same limits: `r` requests left for `t` seconds.',
    schema: { type: 'string', examples: ['"default";r=9;t=1', '"default";r=9;t=1, "default/10";r=0;t=1'] },
  },
  'RateLimit-Limit': {
    description:
      'Of the limit with the fewest requests left: the requests in one second, as older drafts say.',
    schema: { type: 'integer', minimum: 1 },
  },
  'RateLimit-Remaining': {
    description: 'Of the same limit: the requests left.',
    schema: { type: 'integer', minimum: 0 },
  },
  'RateLimit-Reset': {
    description: 'Of the same limit: the seconds until all requests are available again.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Retry-After': { schema: { type: 'integer', minimum: 1 } },
  'Platen-Quota-Remaining': {
    description: 'PDFs left this month; absent if the plan has no limit.',
    schema: { type: 'integer', minimum: 0 },
  },
  ETag: {
    description: 'Identifies the response. Send it as If-None-Match.',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` if this is the response to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
  'Platen-Idempotency-Mismatch': {
    description: '`true` if the body differs from that of the first request with this `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

type HeaderName = keyof typeof HEADERS;

const RATE_HEADERS: readonly HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
];

/** The headers of every error. */
export const ERROR_HEADERS: readonly HeaderName[] = ['X-Request-Id', ...RATE_HEADERS];

/** The request headers that every route reads. */
export const COMMON_PARAMETERS = [
  {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description:
      'Your own name for the request in the log of the service: 1 to 128 visible ASCII characters. An invalid one is ignored.',
    schema: { type: 'string', minLength: 1, maxLength: 128 },
  },
  {
    name: 'traceparent',
    in: 'header',
    required: false,
    description:
      'The trace to which the request belongs (W3C Trace Context). The log of the service has its `trace_id` and `parent_id`. An invalid one is ignored.',
    schema: { type: 'string', examples: ['00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'] },
  },
];

/** Returns references to headers, by the names of the headers. */
export function referToHeaders(names: readonly HeaderName[], components: Components) {
  return Object.fromEntries(
    names.map((name) => [name, components.refer('headers', name.replaceAll('-', ''), HEADERS[name])]),
  );
}

/** Returns the names of the headers of a successful response. */
export function headersOf({
  usesQuota,
  response,
  idempotency,
  rateLimited,
}: RouteDefinition['spec']): HeaderName[] {
  return [
    'X-Request-Id',
    ...(rateLimited === false ? [] : RATE_HEADERS),
    ...(usesQuota ? (['Platen-Quota-Remaining'] as const) : []),
    ...(response?.hasEtag ? (['ETag'] as const) : []),
    ...(idempotency === 'kept' || idempotency === 'own' ? (['Idempotent-Replayed'] as const) : []),
    ...(idempotency === 'own' ? (['Platen-Idempotency-Mismatch'] as const) : []),
  ];
}
