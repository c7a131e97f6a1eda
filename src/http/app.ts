import { Elysia, type AnyElysia } from 'elysia';
import { ConfigError } from '../config.ts';
import { AppError, messageOf } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { explainUnrouted } from './allowed-methods.ts';
import { clientAddress } from './client-address.ts';
import { mountDocs } from './docs-page.ts';
import { serveFile, type FileParts } from './file-links.ts';
import { documentation, type DocumentationParts } from './openapi.ts';
import { mountOperations, type HealthCheck } from './operations.ts';
import { createPipeline, identify, setHeaders, type PipelineParts } from './pipeline.ts';
import { presentError, toAppError } from './present-error.ts';
import { requirePlainTarget } from './request-line.ts';
import { requestOrigin } from './request-origin.ts';
import { CLOSED_POLICY, SECURITY_HEADERS } from './security-headers.ts';

/** The largest body that the server accepts. The limit of each route is smaller. */
const MAX_BODY_BYTES = 512 * 1024 * 1024;

/** The status in logs and metrics of a request whose caller disconnected before the response, as in nginx. */
const CLIENT_CLOSED_REQUEST = 499;

/** The parts of the app. */
export interface AppParts extends PipelineParts, DocumentationParts, FileParts {
  health: Readonly<Record<string, HealthCheck>>;
  metrics: Metrics;
  log: Log;
  /** The number of reverse proxies in front of the service. */
  trustedProxies: number;
}

/** Mounts the routes of all plugins and of the service on one Elysia app. */
export function createApp(parts: AppParts): AnyElysia {
  const { log, errors } = parts;
  const requests = parts.metrics.counter('http_requests_total', 'HTTP requests by route and status.', [
    'route',
    'status',
  ]);
  const seconds = parts.metrics.histogram('http_request_seconds', 'Time to answer by route.', ['route']);
  const requestIds = new WeakMap<Request, { id: string; startedAt: number }>();

  const addressOf = (request: Request, server: AnyElysia['server']) =>
    clientAddress(
      request.headers.get('x-forwarded-for'),
      server?.requestIP(request)?.address ?? '',
      parts.trustedProxies,
    );
  const serve = {
    maxRequestBodySize: MAX_BODY_BYTES,
    idleTimeout: 120,
    // Bun's error page would show paths, the stack and source code, and its log line would contain text of the caller.
    development: false,
    error: (error: unknown) => answerUnhandled(error, parts),
  };
  const app = new Elysia({ serve })
    .onRequest(({ request, set }) => {
      const id = newId('req_');
      requestIds.set(request, { id, startedAt: performance.now() });
      Object.assign(set.headers, SECURITY_HEADERS);
      set.headers['content-security-policy'] = CLOSED_POLICY;
      set.headers['x-request-id'] = id;
      requirePlainTarget(request);
    })
    .onError(({ error, code, path, request, set }) => {
      const id = requestIds.get(request)?.id ?? newId('req_');
      // For an AppError, `code` is the code of that error. Only Elysia's own NOT_FOUND means that no route matched.
      const isUnrouted = code === 'NOT_FOUND' && !(error instanceof AppError);
      const failure = isUnrouted ? unrouted(request.method, path) : toAppError(error);
      const { status } = errors.get(failure.code);
      if (request.signal.aborted && (status < 500 || error === request.signal.reason)) {
        log.info({ request_id: id }, 'the caller disconnected');
        set.status = CLIENT_CLOSED_REQUEST;
        // Elysia replaces the status if the handler returns no body.
        return '';
      }
      logFailure(log, { requestId: id, status, failure, error });
      const { headers, body } = presentError(failure, id);
      set.status = status;
      Object.assign(set.headers, headers);
      return body;
    })
    .onAfterResponse(({ request, route, set }) => {
      const { id, startedAt } = requestIds.get(request) ?? { id: '', startedAt: performance.now() };
      const ms = performance.now() - startedAt;
      const name = `${request.method} ${route || 'unmatched'}`;
      requests.inc({ route: name, status: String(set.status ?? 200) });
      seconds.observe({ route: name }, ms / 1000);
      log.info({ request_id: id, route: name, status: set.status ?? 200, ms: Math.round(ms) }, 'request');
    })
    .use(documentation(parts))
    .get(
      '/files/:id',
      async ({ params, request, server, set }) => {
        const headers = new Headers();
        const identifyCaller = () =>
          identify(parts, { request, address: addressOf(request, server) }, headers).finally(() =>
            setHeaders(set, headers),
          );
        return serveFile(parts, { id: params.id, request, identify: identifyCaller });
      },
      { detail: { hide: true } },
    );

  mountDocs(app, parts);
  mountOperations(app, parts);
  for (const route of parts.routes) {
    const handle = createPipeline(route, parts);
    if (app.routes.some((other) => shapeOf(other) === shapeOf(route)))
      throw new ConfigError(
        `${route.tag}: the route ${route.method.toUpperCase()} ${route.path} is already registered`,
      );
    app.route(
      route.method.toUpperCase(),
      route.path,
      ({ request, params, server, set }) =>
        handle({
          request,
          id: requestIds.get(request)?.id ?? '',
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

/** Returns a text that is equal for routes with the same requests, whatever the names of their parameters are. */
function shapeOf({ method, path }: { method: string; path: string }): string {
  return `${method.toUpperCase()} ${path.replaceAll(/:[^/]+/g, ':')}`;
}

/**
 * Logs a failure of the service: an unavailable part with one line, any other failure with its stack. Does not log errors of callers, nor
 * failures with details, which were logged where they occurred.
 */
function logFailure(
  log: Log,
  {
    requestId,
    status,
    failure,
    error,
  }: { requestId: string; status: number; failure: AppError; error: unknown },
): void {
  const { message, cause, details } = failure;
  if (status === 501) log.info({ request_id: requestId }, message);
  else if (status === 503)
    log.warn({ request_id: requestId, ...(cause !== undefined && { cause: messageOf(cause) }) }, message);
  else if (status >= 500 && details.length === 0)
    log.error({ request_id: requestId, err: error }, 'request failed');
}

/** Responds to a request whose error the app did not handle. */
function answerUnhandled(error: unknown, { log, errors }: Pick<AppParts, 'log' | 'errors'>): Response {
  const id = newId('req_');
  log.error({ request_id: id, err: error }, 'request failed');
  const failure = toAppError(error);
  const { headers, body } = presentError(failure, id);
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
