import { Kind, type Static, type TObject, type TSchema } from '@sinclair/typebox';
import type { Account } from '../accounts/accounts.ts';
import type { Scope } from '../accounts/scopes.ts';
import type { AuditAction } from '../audit/entry.ts';
import type { AuditedChange } from '../audit/pending-entries.ts';
import type { ErrorCode } from '../errors.ts';
import type { Attempt } from '../idempotency/key-leases.ts';
import type { BodySpec } from './body/body-kind.ts';
import type { Protocol } from './protocol.ts';
import type { RouteScope } from './route-scope.ts';

type PathParams<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** The input of a handler. Body and query have been validated against the route's schemas. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  request: Request;
  /** The client's IP address. */
  address: string;
  /** Headers to add to the response. */
  headers: Headers;
  /** Aborts when the caller disconnects. */
  signal: AbortSignal;
  /** The attempt to run a request with an `Idempotency-Key`; only on routes whose `idempotency` is `kept`. */
  attempt: Pick<Attempt, 'workId' | 'isRetry'> | undefined;
  /** A keyed hash of the request; only with an `Idempotency-Key`, on routes whose `idempotency` is `own`. */
  digest: string | undefined;
  /** Says more about the change for the audit log than the route can. */
  audit: AuditedChange;
  /** When the handler was called, as of `performance.now()`. */
  startedAt: number;
  /**
   * Reserves memory in addition to the body, until the response.
   * @throws {AppError} RATE_LIMITED when the caller's large bodies already take their share
   */
  reserveMemory: (bytes: number) => void;
  /** Responds with the route's `response.accepted` instead of its usual response. */
  accept: () => void;
}

/** Additional input of a handler whose route requires an account. */
export interface AccountInput {
  account: Account;
  /** The id of the API key; `undefined` when another authentication scheme identified the account. */
  keyId: string | undefined;
  /** Whether a test key identified the account: what the request makes is for tests. */
  isTest: boolean;
  /**
   * Checks a scope in addition to that of the route, for a body that contains work of another route.
   * @throws {AppError} FORBIDDEN when the caller lacks the scope
   */
  requireScope: (scope: Scope, options?: { isReading?: boolean }) => void;
}

/** An authenticated request whose body has not been read. */
export interface BeforeBody extends Pick<AccountInput, 'account' | 'isTest'> {
  request: Request;
  /** Headers to add to the response. */
  headers: Headers;
  /**
   * Reads the body and returns the keyed hash of the request that the handler would get; `null` for a body
   * that cannot be read. Afterwards, `beforeBody` must return a response.
   */
  digest: () => Promise<string | null>;
}

/**
 * How a POST treats the header `Idempotency-Key`:
 * - `kept`: the first response is kept for 24 hours and sent again for the same request, as
 * docs/idempotency.md describes. For routes that
 *   create, store, count or change something.
 * - `own`: the handler implements the header.
 * - `ignored`: the header has no effect, because a repetition changes nothing. The text says why.
 */
export type Idempotency = 'kept' | 'own' | { ignored: string };

/**
 * The bodies of a route: a schema for JSON, a kind and its schema, or a list from which the Content-Type
 * header selects.
 */
export type RouteBody = TSchema | BodySpec | readonly BodySpec[];

/** The value of a body that a handler receives. */
export type BodyValue<Body extends RouteBody> = Body extends TSchema
  ? Static<Body>
  : Body extends BodySpec<infer Schema> | readonly BodySpec<infer Schema>[]
    ? Static<Schema>
    : never;

/** The successful response of a route. */
export interface ResponseSpec {
  /** 200 when absent. */
  status?: 200 | 201 | 202 | 204;
  /** Absent if the route does not respond with JSON. */
  schema?: TSchema;
  example?: unknown;
  /**
   * The media types of the bytes that the handler returns as a `Response` instead of JSON, for the
   * documentation.
   */
  mediaTypes?: readonly string[];
  /**
   * Whether the response has an ETag, and a request with this ETag in `If-None-Match` gets 304. For the
   * documentation.
   */
  hasEtag?: boolean;
  /**
   * The response with the status 202 to a request whose work is done later. It has the same schema. The
   * handler chooses it with `accept`.
   */
  accepted?: { description: string; example: unknown };
  /**
   * When the handler returns a `Response` with the status 204 instead, for the documentation.
   */
  noContent?: string;
}

/**
 * Describes a route for the router, the validator and the OpenAPI document. A schema whose `title` is a name
 * in PascalCase, such as `PrintOptions`, is a named schema of the document.
 */
export interface RouteSpec<
  Query extends TObject,
  Body extends RouteBody,
  AllowedScope extends RouteScope = RouteScope,
> {
  /** The permission that a caller needs. The pipeline checks it before it reads the query and the body. */
  scope: AllowedScope;
  /**
   * The action under which the audit log records a successful request, such as `template.updated`. The entry
   * is stored before the handler runs. Its target is the `id` of the result, or its `name`, or else the first
   * parameter of the path. `null` for a route that changes nothing that lasts, or only makes documents and
   * files. Every route except those with GET must choose.
   */
  audit?: AuditAction | null;
  /**
   * Whether the route stops work, deletes or revokes something, so that a full disk must not refuse its audit
   * entry. By default, this is true of routes with DELETE and those of the studio. Such a route must call
   * `audit.describe()` if it finds nothing to do; otherwise its entries could fill the reserve of the disk.
   */
  freesSpace?: boolean;
  summary: string;
  description?: string;
  /**
   * The name of the operation in the OpenAPI document and in generated clients, such as `createTemplate`.
   * Unique; derived from the route by default.
   */
  operationId?: string;
  query?: Query;
  /** If absent, the body is not read. */
  body?: Body;
  /** Required for a POST of the API: without it, the header `Idempotency-Key` has no effect. */
  idempotency?: Idempotency;
  /** Request headers, for the documentation; the handler reads and checks them itself. */
  requestHeaders?: TObject;
  /**
   * Returns the response to an authenticated request before its body is read, if the response does not depend
   * on the body. If it returns `undefined`, the body is read and the handler called.
   */
  beforeBody?: (input: BeforeBody) => Promise<unknown>;
  /** The largest body in bytes; 32 MiB when absent. */
  maxBodyBytes?: number;
  /**
   * Counts requests towards the concurrent requests that the account's plan allows. Set this on routes that
   * process a document or template, not on routes that only read or store. A function decides by the
   * validated body.
   */
  worksOnDocument?: boolean | ((body: unknown) => boolean);
  /**
   * The handler only stores the body. Large bodies are then parsed and stored one at a time, which limits
   * their memory.
   */
  onlyStores?: boolean;
  /**
   * Requests can use up the monthly quota: every response to an account with a limit has the header
   * `Platen-Quota-Remaining`.
   */
  usesQuota?: boolean;
  /**
   * Also limits the requests of an account to its plan's rate divided by this number, but to no fewer than
   * one per second.
   */
  rateDivisor?: number;
  /**
   * `required` for a route whose effect outlasts a session of the studio, as that of a new API key does: the
   * person must have confirmed their identity recently, so that a stolen session has no lasting effect. API
   * keys are not affected. The routes of the studio say why they do not need a confirmation.
   */
  confirmation?: 'required' | { unneeded: string };
  /** Leaves the route out of the OpenAPI document. */
  hidden?: boolean;
  /**
   * `false` exempts a public route from the rate limit by address, as for the static files of a page. Other
   * routes are always limited.
   */
  rateLimited?: boolean;
  /** Example requests by name, shown in the documentation. */
  examples?: Readonly<Record<string, unknown>>;
  /** Absent if the route never succeeds. */
  response?: ResponseSpec;
  /** The errors of this route, in addition to those of every route. */
  errors?: readonly ErrorCode[];
}

/** The choice that every route must make that can change something. */
export type AuditChoice = Required<Pick<RouteSpec<TObject, RouteBody>, 'audit'>>;

/** A route as the app mounts it. Its bodies are a list, whichever form the plugin used. */
export interface RouteDefinition {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  path: string;
  access: 'key' | 'public';
  /** The OpenAPI tag: the title of the plugin. */
  tag: string;
  /** Absent from routes of Platen's own API. */
  protocol?: Protocol | undefined;
  spec: Omit<RouteSpec<TObject, RouteBody>, 'body'> & { bodies: readonly BodySpec[] };
  handler: (input: RouteInput<unknown, unknown, unknown> & AccountInput) => unknown;
}

type Handler<Extra, P extends string, Query extends TObject, Body extends RouteBody> = (
  input: RouteInput<PathParams<P>, Static<Query>, BodyValue<Body>> & Extra,
) => unknown;

/**
 * Collects routes as data. The pipeline runs every route in the same order: authenticate, limit the rate,
 * read the body, validate, handle. A handler returns a value, which is sent as JSON, or a `Response`.
 */
export class RouteTable<Extra, AllowedScope extends RouteScope> {
  readonly #definitions: RouteDefinition[];
  readonly #tag: string;
  readonly #access: RouteDefinition['access'];
  readonly #protocol: Protocol | undefined;

  constructor(
    definitions: RouteDefinition[],
    { tag, access, protocol }: Pick<RouteDefinition, 'tag' | 'access' | 'protocol'>,
  ) {
    this.#definitions = definitions;
    this.#tag = tag;
    this.#access = access;
    this.#protocol = protocol;
  }

  get<P extends string, Query extends TObject, Body extends RouteBody>(
    path: P,
    spec: RouteSpec<Query, Body, AllowedScope>,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.#add({ method: 'get', path, spec, handler });
  }

  post<P extends string, Query extends TObject, Body extends RouteBody>(
    path: P,
    spec: RouteSpec<Query, Body, AllowedScope> & AuditChoice,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.#add({ method: 'post', path, spec, handler });
  }

  put<P extends string, Query extends TObject, Body extends RouteBody>(
    path: P,
    spec: RouteSpec<Query, Body, AllowedScope> & AuditChoice,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.#add({ method: 'put', path, spec, handler });
  }

  patch<P extends string, Query extends TObject, Body extends RouteBody>(
    path: P,
    spec: RouteSpec<Query, Body, AllowedScope> & AuditChoice,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.#add({ method: 'patch', path, spec, handler });
  }

  delete<P extends string, Query extends TObject, Body extends RouteBody>(
    path: P,
    spec: RouteSpec<Query, Body, AllowedScope> & AuditChoice,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.#add({ method: 'delete', path, spec, handler });
  }

  #add({
    method,
    path,
    spec: { body, ...spec },
    handler,
  }: {
    method: RouteDefinition['method'];
    path: string;
    spec: RouteSpec<TObject, RouteBody>;
    handler: unknown;
  }): this {
    this.#definitions.push({
      method,
      path,
      access: this.#access,
      tag: this.#tag,
      protocol: this.#protocol,
      spec: { ...spec, bodies: toBodies(body) },
      // `get`, `post` and the others have checked the handler against the schemas.
      handler: handler as RouteDefinition['handler'],
    });
    return this;
  }
}

function toBodies(body: RouteBody | undefined): readonly BodySpec[] {
  if (body === undefined) return [];
  if (Kind in body) return [{ kind: 'json', schema: body }];
  return 'kind' in body ? [body] : body;
}

/** Routes that require an account. */
export type Routes = RouteTable<AccountInput, Exclude<RouteScope, 'public'>>;

/** Routes without authentication. */
// oxlint-disable-next-line typescript/no-empty-object-type -- nothing is added to the input
export type PublicRoutes = RouteTable<{}, 'public'>;
