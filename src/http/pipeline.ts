import type { Account } from '../accounts/accounts.ts';
import { DEFAULT_SCOPES } from '../accounts/scopes.ts';
import type { Quota } from '../accounts/quota.ts';
import type { StoredAuditLog } from '../audit/audit-log.ts';
import type { AuditedChange } from '../audit/pending-entries.ts';
import { AppError } from '../errors.ts';
import type { FileStore } from '../files/files.ts';
import type { Attempt } from '../idempotency/key-leases.ts';
import { readIdempotencyKey } from '../idempotency/idempotency-key.ts';
import { keepable } from '../idempotency/kept-response.ts';
import { digestedRequest, endFailed, type IdempotencyParts } from '../idempotency/keyed-request.ts';
import { replay } from '../idempotency/replay.ts';
import { workContext, type WorkContext } from '../work-context.ts';
import { runAudited } from './audited.ts';
import {
  allowsAddress,
  authenticate,
  requireScope,
  type AuthenticationScheme,
  type Identity,
} from './authenticate.ts';
import type { BodyKind, StreamedBodyKind } from './body/body-kind.ts';
import type { BodyMemory, BodyReservation } from './body/body-memory.ts';
import type { LargeBodyTurns } from './body/large-body-turns.ts';
import { hasLongText } from '../json/long-text.ts';
import { RawJson } from '../json/raw-json.ts';
import { createBodyReader, type ReceivedBody } from './body/read-body.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { RateLimits } from './rate-limit.ts';
import type { RequestIdentity } from './request-identity.ts';
import { readUrl } from './request-line.ts';
import type { RouteDefinition } from './routes.ts';
import { holdUnread } from './send-file.ts';
import { sendJson, sendLong } from './send-long.ts';
import { createValidator, readQuery, requireKnownParameters } from './validate.ts';

/**
 * The state of a service. In `leaving`, it serves requests but reports that it is not ready; in `draining`,
 * it accepts no new work.
 */
export type Phase = 'serving' | 'leaving' | 'draining';

export interface PipelineParts {
  /** Tried in order; the first that identifies the account of a request wins. */
  authentication: readonly AuthenticationScheme[];
  bodyKinds: ReadonlyMap<string, BodyKind | StreamedBodyKind>;
  /** For bodies that are stored while they arrive. */
  files: FileStore;
  rateLimits: RateLimits;
  bodyMemory: BodyMemory;
  largeBodies: LargeBodyTurns;
  concurrency: ConcurrencyLimit;
  quota: Pick<Quota, 'remainingFor'>;
  audit: Pick<StoredAuditLog, 'prepare'>;
  idempotency: IdempotencyParts;
  phase: () => Phase;
}

/** One request to a route. */
export interface Call {
  request: Request;
  identity: RequestIdentity;
  params: Record<string, string>;
  /** The client's IP address. */
  address: string;
  /** See `requestOrigin`. */
  origin: string | undefined;
  set: ResponseHead;
}

/** The status and headers of a response, as Elysia takes them. */
export interface ResponseHead {
  status?: number | string;
  headers: Record<string, string | number> & { 'set-cookie'?: string | string[] };
}

/**
 * Creates the function that handles the requests of a route. The order is the same for every route: draining,
 * authentication, rate limit, scope, query, body, `Idempotency-Key`, validation of the body, concurrency
 * limit, pending audit entry, handler.
 */
export function createPipeline(
  route: RouteDefinition,
  parts: PipelineParts,
): (call: Call) => Promise<unknown> {
  const { spec, access, handler, protocol } = route;
  const identifying = { ...parts, ...(protocol && { authentication: protocol.authentication }) };
  const auditing = { audit: parts.audit, errors: parts.idempotency.errors };
  const validateQuery = spec.query && createValidator(spec.query);
  const receiveBody =
    spec.bodies.length > 0
      ? createBodyReader({
          bodies: spec.bodies,
          kinds: parts.bodyKinds,
          maxBytes: spec.maxBodyBytes,
          files: parts.files,
        })
      : undefined;
  const usualStatus = spec.response?.status ?? 200;
  const hasLongResponse = spec.response?.schema !== undefined && hasLongText(spec.response.schema);

  /** Turns the result of a handler into the response. */
  function send(result: unknown, status: number, unread: BodyReservation | undefined): unknown {
    if (status === 204) return new Response(null, { status });
    if (typeof result !== 'object' || result === null) return result;
    if (result instanceof Response) return holdUnread(result, unread);
    if (result instanceof RawJson) return sendJson(result, status, unread);
    return hasLongResponse ? sendLong(result, status, unread) : sendJson(RawJson.of(result), status, unread);
  }

  async function work(
    { request, identity: requestIdentity, params, address, set }: Call,
    identity: Identity | undefined,
    headers: Headers,
  ): Promise<unknown> {
    const account = identity?.account;
    const isTest = identity?.test ?? false;
    const { searchParams } = readUrl(request);
    // A route that is not part of the API, such as a web page, may get parameters that only the page reads.
    if (!spec.hidden && !protocol) requireKnownParameters(spec.query, searchParams);
    const query = spec.query && validateQuery?.(readQuery(spec.query, searchParams));
    const key = account && spec.idempotency === 'kept' ? readIdempotencyKey(request.headers) : null;
    const sender = {
      id: account?.id ?? address,
      concurrency: account ? parts.concurrency.of(account) : 1,
    };
    const memory = parts.bodyMemory.open(sender);
    const turn = spec.onlyStores ? parts.largeBodies.open(sender.id, request.signal) : undefined;
    const openUnread = () => (request.method === 'HEAD' ? undefined : parts.bodyMemory.open(sender));
    const digest = (body: Uint8Array | undefined) =>
      parts.idempotency.leases.digest(digestedRequest(request, body));
    let attempt: Attempt | undefined;
    let received: ReceivedBody | undefined;
    let status: number = usualStatus;
    try {
      const early =
        account &&
        (await spec.beforeBody?.({
          account,
          isTest,
          request,
          headers,
          digest: async () => {
            const unused = await receiveBody?.(request, memory).catch(() => null);
            return unused === null ? null : digest(unused?.bytes);
          },
        }));
      if (early !== undefined) {
        set.status = status;
        return early;
      }
      received = await receiveBody?.(request, memory, turn);
      if (received && identity?.session) {
        await identity.session.refresh();
        requirePermission(route, identity);
      }
      const hasOwnKey = spec.idempotency === 'own' && request.headers.has('idempotency-key');
      const ownDigest = hasOwnKey ? await digest(received?.bytes) : undefined;
      if (account && key !== null) {
        const outcome = await parts.idempotency.leases.claim({
          accountId: account.id,
          key: keyWithin(identity, key),
          request: digestedRequest(request, received?.bytes),
        });
        if ('earlier' in outcome) {
          headers.set('Idempotent-Replayed', 'true');
          const reserveMemory = (bytes: number) => memory.reserveMore(bytes);
          const repeating = { accountId: account.id, reserveMemory, unread: openUnread() };
          const repeated = await replay(parts.idempotency, repeating, outcome.earlier);
          set.status = repeated.status;
          return repeated;
        }
        ({ attempt } = outcome);
      }
      const body = await received?.parse();
      const { signal } = request;
      // Entered after the body has arrived, so that a slow upload does not occupy one of the account's
      // concurrent requests.
      const works =
        typeof spec.worksOnDocument === 'function' ? spec.worksOnDocument(body) : spec.worksOnDocument;
      using _ = account && works ? await parts.concurrency.enter(account, signal) : undefined;
      const ownHeaders = new Headers();
      const handle = (audit: AuditedChange) =>
        Promise.try(handler, {
          params,
          query,
          body,
          request,
          address,
          headers: ownHeaders,
          signal,
          attempt,
          digest: ownDigest,
          audit,
          startedAt: performance.now(),
          reserveMemory: (bytes) => memory.reserveMore(bytes),
          accept: () => {
            status = 202;
          },
          // Handlers of public routes do not see these, by their type.
          account: account as never,
          keyId: identity?.keyId,
          isTest,
          requireScope: (scope, options) => identity && requireScope(identity, scope, options),
        });
      const audited = { identity, params, address };
      const result = await runAudited(route, audited, auditing, handle).finally(() =>
        ownHeaders.forEach((value, name) => headers.append(name, value)),
      );
      const kept = attempt && keepable(result, { status, headers: ownHeaders });
      await (kept ? attempt?.keep(kept) : attempt?.release());
      set.status = result instanceof Response ? result.status : status;
      // The body is no longer needed. The response may be as large, and its caller decides when to read it.
      memory.release();
      return send(result, status, openUnread());
    } catch (error) {
      if (attempt)
        await endFailed(attempt, error, {
          errors: parts.idempotency.errors,
          request,
          identity: requestIdentity,
        });
      throw error;
    } finally {
      turn?.end();
      memory.release();
      await received?.discard();
    }
  }

  async function answer(call: Call, context: WorkContext): Promise<unknown> {
    const headers = new Headers();
    try {
      if (parts.phase() === 'draining')
        throw new AppError('UNAVAILABLE', 'the service is stopping', { retryAfterSeconds: 1 });
      if (access === 'public') {
        if (spec.rateLimited !== false) await parts.rateLimits.takeForAddress(call.address, headers);
        return await work(call, undefined, headers);
      }
      const identity = await identify(identifying, call, headers, spec.rateDivisor);
      requirePermission(route, identity);
      try {
        const { account, test: isTest } = identity;
        return await workContext.run({ ...context, account: account.id, isTest }, () =>
          work(call, identity, headers),
        );
      } finally {
        if (spec.usesQuota) await addQuotaHeader(parts.quota, identity.account, headers);
      }
    } finally {
      setHeaders(call.set, headers);
    }
  }

  return (call) => {
    const context: WorkContext = {
      log: call.identity.log,
      account: call.address,
      urgency: 'caller',
      origin: call.origin,
      signal: call.request.signal,
    };
    return workContext.run(context, () => answer(call, context));
  };
}

/**
 * Copies headers to a response. Cookies are a list, because `Set-Cookie` is the one header that cannot be
 * combined (RFC 9110, 5.3).
 */
export function setHeaders({ headers: target }: Pick<ResponseHead, 'headers'>, headers: Headers): void {
  const cookies = headers.getSetCookie();
  for (const [name, value] of headers) if (name !== 'set-cookie') target[name] = value;
  if (cookies.length > 0) target['set-cookie'] = cookies;
}

/**
 * Rejects a caller who may not use a route, or must confirm their identity first.
 * @throws {AppError} FORBIDDEN
 */
function requirePermission(
  { method, spec }: Pick<RouteDefinition, 'method' | 'spec'>,
  identity: Identity,
): void {
  requireScope(identity, spec.scope, { isReading: method === 'get' });
  if (spec.confirmation === 'required') identity.session?.requireConfirmed();
}

/**
 * Adds the header with the remaining monthly quota. Completed work does not fail because this number cannot
 * be read.
 */
async function addQuotaHeader(
  quota: PipelineParts['quota'],
  account: Account,
  headers: Headers,
): Promise<void> {
  const remaining = await quota.remainingFor(account).catch(() => null);
  if (remaining !== null) headers.set('Platen-Quota-Remaining', String(remaining));
}

/**
 * Separates the `Idempotency-Key`s of callers who lack scopes, because a repeated request must not return the
 * response to a request that the caller may not send. Also separates those of test keys, because a repeated
 * request must not return a test document in place of a document, or the reverse.
 */
function keyWithin(identity: Identity | undefined, key: string): string {
  const missing = identity?.scopes && DEFAULT_SCOPES.filter((scope) => !identity.scopes?.includes(scope));
  const partition = [
    ...(missing?.length ? [`without ${missing.join(' ')}`] : []),
    ...(identity?.test ? ['test'] : []),
  ];
  // The key is one line.
  return [key, ...partition].join('\n');
}

/** Authenticates a request and counts it against the rate limit of its account. */
export async function identify(
  { authentication, rateLimits }: Pick<PipelineParts, 'authentication' | 'rateLimits'>,
  { request, address }: Pick<Call, 'request' | 'address'>,
  headers: Headers,
  rateDivisor?: number,
): Promise<Identity> {
  try {
    const identity = await authenticate(authentication, request);
    if (!allowsAddress(identity, address)) {
      // The rate of the account stays available to the programs that may use the key.
      await rateLimits.takeForAddress(address, headers);
      throw new AppError('FORBIDDEN', `the API key does not accept requests from the address ${address}`);
    }
    const { account, test: isTest } = identity;
    await rateLimits.takeForAccount(account, headers, { divisor: rateDivisor, isTest });
    return identity;
  } catch (error) {
    // Only failed attempts count by address. An account with a valid key is not affected by others behind the
    // same address.
    if (error instanceof AppError && error.code === 'UNAUTHORIZED')
      await rateLimits.takeForAddress(address, headers);
    throw error;
  }
}
