import { Elysia, type AnyElysia } from 'elysia';
import { ConfigError } from '../config.ts';
import { AppError, messageOf } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { explainUnrouted } from './allowed-methods.ts';
import { clientAddress } from './client-address.ts';
import { requireScope } from './authenticate.ts';
import { mountDocs } from './docs-page.ts';
import { serveFile, type FileParts } from './file-links.ts';
import { documentation, type DocumentationContent } from './openapi.ts';
import { mountOperations, type HealthCheck } from './operations.ts';
import { createPipeline, identify, setHeaders, type PipelineParts } from './pipeline.ts';
import { presentError, toAppError } from './present-error.ts';
import { protocolFinder, type Protocol } from './protocol.ts';
import { identifyRequest, type RequestIdentity } from './request-identity.ts';
import { pathOf, requirePlainTarget } from './request-line.ts';
import { requestOrigin } from './request-origin.ts';
import { CLOSED_POLICY, SECURITY_HEADERS } from './security-headers.ts';

/** The largest body that the server accepts. The limit of each route is smaller. */
const MAX_BODY_BYTES = 512 * 1024 * 1024;

/** The status in logs and metrics of a request whose caller disconnected before the response, as in nginx. */
const CLIENT_CLOSED_REQUEST = 499;

export interface AppParts extends PipelineParts, DocumentationContent, FileParts {
  health: Readonly<Record<string, HealthCheck>>;
  metrics: Metrics;
  log: Log;
  /** The number of reverse proxies in front of the service. */
  trustedProxies: number;
  /** Whether the app serves the description of its API. */
  isDescribed: boolean;
}

interface TrackedRequest extends RequestIdentity {
  /** `undefined` for Platen's own API. */
  protocol: Protocol | undefined;
  /** As of `performance.now()`. */
  startedAt: number;
}

/** Mounts the routes of all plugins and of the service on one Elysia app. */
export function createApp(parts: AppParts): AnyElysia {
  const { log, errors } = parts;
  const requests = parts.metrics.counter('http_requests_total', 'The HTTP requests that were answered.', [
    'route',
    'status',
  ]);
  const seconds = parts.metrics.histogram(
    'http_request_seconds',
    'The time from a request to its response.',
    ['route'],
  );
  const protocolOf = protocolFinder(parts.routes);
  const identities = new WeakMap<Request, TrackedRequest>();
  const identityOf = (request: Request): TrackedRequest =>
    identities.get(request) ?? track(request, protocolOf(pathOf(request)));
  const track = (request: Request, protocol: Protocol | undefined): TrackedRequest => {
    const identity = identifyRequest(request.headers, docsOf(request, parts));
    const fields = { ...identity.log, ...protocol?.logFields?.(request) };
    return { ...identity, log: fields, protocol, startedAt: performance.now() };
  };

  const addressOf = (request: Request, server: AnyElysia['server']) =>
    clientAddress(
      request.headers.get('x-forwarded-for'),
      server?.requestIP(request)?.address ?? '',
      parts.trustedProxies,
    );
  const serve = {
    maxRequestBodySize: MAX_BODY_BYTES,
    idleTimeout: 120,
    // Bun's error page would show paths, the stack and source code, and its log line would contain text of
    // the caller.
    development: false,
    error: (error: unknown) => answerUnhandled(error, parts),
  };
  const app = new Elysia({ serve })
    .onRequest(({ request, set }) => {
      const identity = identityOf(request);
      identities.set(request, identity);
      Object.assign(set.headers, SECURITY_HEADERS);
      set.headers['content-security-policy'] = CLOSED_POLICY;
      set.headers['x-request-id'] = identity.id;
      Object.assign(set.headers, identity.protocol?.responseHeaders?.(request));
      requirePlainTarget(request);
    })
    .onError(({ error, code, path, request, set }) => {
      const identity = identityOf(request);
      const { log: fields } = identity;
      // For an AppError, `code` is the code of that error. Only Elysia's own NOT_FOUND means that no route
      // matched.
      const isUnrouted = code === 'NOT_FOUND' && !(error instanceof AppError);
      const failure = isUnrouted ? unrouted(request.method, path) : toAppError(error);
      const { status } = errors.get(failure.code);
      if (request.signal.aborted && (status < 500 || error === request.signal.reason)) {
        log.info(fields, 'the caller disconnected');
        set.status = CLIENT_CLOSED_REQUEST;
        // Elysia replaces the status if the handler returns no body.
        return '';
      }
      logFailure(log, { fields, status, failure, error });
      const foreign = identity.protocol?.presentError(failure, { status, request });
      const { headers, body } = presentError(failure, identity);
      set.status = foreign?.status ?? status;
      Object.assign(set.headers, headers, foreign?.headers);
      return foreign?.body ?? body;
    })
    .onAfterResponse(({ request, route, set }) => {
      const { log: fields, protocol, startedAt } = identityOf(request);
      const ms = performance.now() - startedAt;
      const name = `${request.method} ${route || 'unmatched'}`;
      requests.inc({ route: name, status: String(set.status ?? 200) });
      seconds.observe({ route: name }, ms / 1000);
      if (protocol?.isLogged?.(request) ?? true)
        log.info({ ...fields, route: name, status: set.status ?? 200, ms: Math.round(ms) }, 'request');
    })
    .use(parts.isDescribed ? documentation(parts, (request) => docsOf(request, parts)) : new Elysia())
    .get(
      '/files/:id',
      async ({ params, request, server, set }) => {
        const headers = new Headers();
        const identifyCaller = () =>
          identify(parts, { request, address: addressOf(request, server) }, headers)
            .then((identity) => {
              requireScope(identity, 'files');
              return identity;
            })
            .finally(() => setHeaders(set, headers));
        return serveFile(parts, { id: params.id, request, identify: identifyCaller });
      },
      { detail: { hide: true } },
    );

  mountDocs(app, { ...parts, originOf: (request) => docsOf(request, parts) });
  mountOperations(app, parts);
  const shapes = new Set(app.routes.map(shapeOf));
  for (const route of parts.routes) {
    const handle = createPipeline(route, parts);
    const shape = shapeOf(route);
    if (shapes.has(shape))
      throw new ConfigError(
        `${route.tag}: the route ${route.method.toUpperCase()} ${route.path} is already registered`,
      );
    shapes.add(shape);
    app.route(
      route.method.toUpperCase(),
      route.path,
      ({ request, params, server, set }) =>
        handle({
          request,
          identity: identityOf(request),
          params,
          address: addressOf(request, server),
          origin: requestOrigin(request.headers, parts.trustedProxies),
          set,
        }),
      { parse: 'none', detail: { hide: true } },
    );
  }
  const unrouted = explainUnrouted(app.routes);
  return app;
}

/** Returns the origin of the documentation for a caller; empty if the request names no host. */
function docsOf(request: Request, { publicUrl, trustedProxies }: AppParts): string {
  return publicUrl ?? requestOrigin(request.headers, trustedProxies) ?? '';
}

/**
 * Returns a text that is equal for routes with the same requests, whatever the names of their parameters are.
 */
function shapeOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path.replaceAll(/:[^/]+/g, ':')}`;
}

/**
 * Logs a failure of the service: an unavailable part with one line, any other failure with its stack. Does
 * not log errors of callers, nor failures with details, which were logged where they occurred.
 */
function logFailure(
  log: Log,
  {
    fields,
    status,
    failure,
    error,
  }: { fields: RequestIdentity['log']; status: number; failure: AppError; error: unknown },
): void {
  const { message, cause, details } = failure;
  if (status === 501) log.info(fields, message);
  else if (status === 503)
    log.warn({ ...fields, ...(cause !== undefined && { cause: messageOf(cause) }) }, message);
  else if (status >= 500 && details.length === 0) log.error({ ...fields, err: error }, 'request failed');
}

/** Responds to a request whose error the app did not handle. */
function answerUnhandled(error: unknown, parts: Pick<AppParts, 'log' | 'errors' | 'publicUrl'>): Response {
  const { log, errors } = parts;
  const id = newId('req_');
  log.error({ request_id: id, err: error }, 'request failed');
  const failure = toAppError(error);
  const { headers, body } = presentError(failure, { id, docs: parts.publicUrl ?? '' });
  return Response.json(body, {
    status: errors.get(failure.code).status,
    headers: {
      ...SECURITY_HEADERS,
      'content-security-policy': CLOSED_POLICY,
      'x-request-id': id,
      ...headers,
    },
  });
}
