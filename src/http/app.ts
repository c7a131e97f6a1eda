import { Elysia, type AnyElysia } from 'elysia';
import type { Account, Accounts } from '../accounts/accounts.ts';
import { AppError } from '../errors.ts';
import type { FileStore } from '../files/files.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { workContext, type WorkContext } from '../work-context.ts';
import { authenticate } from './authenticate.ts';
import type { BodyRoom } from './body-room.ts';
import { clientAddress } from './client-address.ts';
import { documentation, type Tag } from './openapi.ts';
import { hasLongText } from './long-text.ts';
import { sendLong } from './send-long.ts';
import { createValidator, readJson, readQuery } from './read-request.ts';
import { serveFile, type FileLinks } from './files.ts';
import { presentError } from './present-error.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RouteDefinition } from './routes.ts';
import { mountOperations, type HealthCheck } from './operations.ts';

/** The largest body that any route takes; each route has its own bound below it. */
const MAX_BODY_BYTES = 512 * 1024 * 1024;

/** What log and metrics have as the status of a request whose answer nobody gets; the number is that of nginx. */
const CALLER_HUNG_UP = 499;

/** What a service is doing: from `leaving` on it is not ready, though it answers; when it is `draining` it takes no new work. */
export type Phase = 'serving' | 'leaving' | 'draining';

/** What the app is made of. */
export interface AppParts {
  version: string;
  routes: readonly RouteDefinition[];
  tags: readonly Tag[];
  accounts: Accounts;
  rateLimits: RateLimits;
  files: FileStore;
  links: FileLinks;
  bodies: BodyRoom;
  health: Readonly<Record<string, HealthCheck>>;
  metrics: Metrics;
  log: Log;
  /** Reverse proxies in front of the service. */
  trustedProxies: number;
  phase: () => Phase;
}

/** Mounts the routes of all plugins, and the service's own, on one Elysia app. */
export function createApp(parts: AppParts): AnyElysia {
  const requests = parts.metrics.counter('http_requests_total', 'HTTP requests by route and status.', [
    'route',
    'status',
  ]);
  const seconds = parts.metrics.histogram('http_request_seconds', 'Time to answer by route.', ['route']);
  const requestIds = new WeakMap<Request, { id: string; startedAt: number }>();

  const app = new Elysia({ serve: { maxRequestBodySize: MAX_BODY_BYTES, idleTimeout: 120 } })
    .onRequest(({ request, set }) => {
      const id = newId('req_');
      requestIds.set(request, { id, startedAt: performance.now() });
      set.headers['x-request-id'] = id;
    })
    .onError(({ error, code, request, set }) => {
      const id = requestIds.get(request)?.id ?? newId('req_');
      if (request.signal.aborted && error === request.signal.reason) {
        parts.log.info({ request_id: id }, 'the caller hung up');
        set.status = CALLER_HUNG_UP;
        return undefined;
      }
      // Elysia's code of our own errors is theirs; only its own NOT_FOUND means that no route matched.
      const known = code === 'NOT_FOUND' && !(error instanceof AppError) ? noRoute(request) : error;
      const { status, headers, body } = presentError(known, id);
      // Whose details tell the caller why is no fault of the service, and was logged where it arose.
      const explained = error instanceof AppError && error.details.length > 0;
      if (status >= 500 && !explained) parts.log.error({ request_id: id, err: error }, 'request failed');
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
      parts.log.info(
        { request_id: id, route: name, status: set.status ?? 200, ms: Math.round(ms) },
        'request',
      );
    })
    .use(documentation(parts.version, parts.tags, parts.routes))
    .get('/files/:id', ({ params, request }) => serveFile(parts.files, parts.links, params.id, request.url), {
      detail: { hide: true },
    });

  mountOperations(app, parts);
  const addressOf = (request: Request, server: AnyElysia['server']) =>
    clientAddress(
      request.headers.get('x-forwarded-for'),
      server?.requestIP(request)?.address ?? '',
      parts.trustedProxies,
    );
  for (const route of parts.routes) {
    const answer = createPipeline(route, parts);
    app.route(
      route.method.toUpperCase(),
      route.path,
      ({ request, params, server, set }) =>
        answer({
          request,
          id: requestIds.get(request)?.id ?? '',
          params,
          address: addressOf(request, server),
          set,
        }),
      { parse: 'none', detail: { hide: true } },
    );
  }
  return app;
}

function noRoute({ method, url }: Request): AppError {
  return new AppError(
    'NOT_FOUND',
    `there is no route ${method} ${new URL(url).pathname.slice(0, 200)}; /docs lists all`,
  );
}

interface Call {
  request: Request;
  id: string;
  params: Record<string, string>;
  address: string;
  set: { status?: number | string; headers: Record<string, string | number> };
}

/**
 * Makes the one order in which every request is answered: authenticate, rate limit, read, validate, handle.
 * Elysia's own hooks would read and parse the body before they could refuse its sender.
 */
function createPipeline(
  { spec, access, handler }: RouteDefinition,
  parts: AppParts,
): (call: Call) => Promise<unknown> {
  const validateQuery = spec.query && createValidator(spec.query);
  const validateBody = spec.body && createValidator(spec.body);
  const reading = {
    maxBytes: spec.maxBodyBytes,
    longAsBytes: spec.body !== undefined && hasLongText(spec.body),
  };
  const status = spec.response?.status ?? 200;
  const answersLong = spec.response !== undefined && hasLongText(spec.response.schema);
  const work = async (
    { request, params, address, set }: Call,
    account: Account | undefined,
    headers: Headers,
  ): Promise<unknown> => {
    const query = spec.query && validateQuery?.(readQuery(spec.query, request.url));
    const early = account && (await spec.beforeBody?.({ account, request, headers }));
    if (early !== undefined) {
      set.status = status;
      return early;
    }
    const share = parts.bodies.enter(account?.id ?? address);
    try {
      const body = validateBody?.(await readJson(request, { ...reading, cover: share.cover }));
      const { signal } = request;
      const result = await handler({
        params,
        query,
        body,
        request,
        headers,
        signal,
        account: account as never,
      });
      set.status = status;
      return answersLong ? sendLong(result, status) : result;
    } finally {
      share.release();
    }
  };
  const answer = async (call: Call, context: WorkContext): Promise<unknown> => {
    const headers = new Headers();
    try {
      if (parts.phase() === 'draining')
        throw new AppError('UNAVAILABLE', 'the service is stopping', { retryAfterSeconds: 1 });
      if (access === 'public') {
        await parts.rateLimits.takeForAddress(call.address, headers);
        return await work(call, undefined, headers);
      }
      const account = await identify(parts, call.request, call.address, headers);
      return await workContext.run({ ...context, account: account.id }, () => work(call, account, headers));
    } finally {
      headers.forEach((value, name) => {
        call.set.headers[name] = value;
      });
    }
  };
  return (call) => {
    const context: WorkContext = {
      log: { request_id: call.id },
      account: call.address,
      urgency: 'caller',
      signal: call.request.signal,
    };
    return workContext.run(context, () => answer(call, context));
  };
}

async function identify(
  { accounts, rateLimits }: AppParts,
  request: Request,
  address: string,
  headers: Headers,
) {
  try {
    const account = await authenticate(accounts, request);
    await rateLimits.takeForAccount(account, headers);
    return account;
  } catch (error) {
    // Guessing keys is slowed by address; an account with a good key never pays for its neighbours.
    if (error instanceof AppError && error.code === 'UNAUTHORIZED')
      await rateLimits.takeForAddress(address, headers);
    throw error;
  }
}
