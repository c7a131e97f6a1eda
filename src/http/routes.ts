import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Account } from '../accounts/accounts.ts';
import type { ErrorCode } from '../errors.ts';

type PathParams<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & PathParams<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

/** What a handler is called with; body and query are valid by the route's schemas. */
export interface RouteInput<Params, Query, Body> {
  params: Params;
  query: Query;
  body: Body;
  request: Request;
  /** Headers to add to the answer. */
  headers: Headers;
  /** Aborts when the caller hangs up. */
  signal: AbortSignal;
}

/** What is known of a request with a key before its body is read. */
export interface BeforeBody {
  account: Account;
  request: Request;
  /** Headers to add to the answer. */
  headers: Headers;
}

/** Describes a route for the router, the validator and the OpenAPI document alike. */
export interface RouteSpec<Query extends TObject, Body extends TSchema> {
  summary: string;
  description?: string;
  query?: Query;
  /** JSON body. Without it the body is not read. */
  body?: Body;
  /** Request headers, for the documentation; the handler reads and checks them itself. */
  requestHeaders?: TObject;
  /**
   * Answers an authenticated request before its body is read, for what the body cannot change; `undefined` goes on to the body
   * and the handler.
   */
  beforeBody?: (input: BeforeBody) => Promise<unknown>;
  /** The largest body in bytes; 32 MiB when absent. */
  maxBodyBytes?: number;
  /**
   * Counts towards the number of requests that the account's plan works on at once: for a route that works on a document or template,
   * not for one that only reads or stores.
   */
  worksOnDocument?: boolean;
  /** Example requests by name, shown in the documentation. */
  examples?: Readonly<Record<string, unknown>>;
  /** Absent for a route that never succeeds. */
  response?: { status?: 200 | 201 | 202; schema: TSchema; example: unknown };
  /** Errors beside those that every route can answer with. */
  errors?: readonly ErrorCode[];
}

/** A route as the app mounts it. */
export interface RouteDefinition {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  access: 'key' | 'public';
  /** The plugin's name, also the OpenAPI tag. */
  tag: string;
  spec: RouteSpec<TObject, TSchema>;
  handler: (input: RouteInput<unknown, unknown, unknown> & { account: Account }) => unknown;
}

type Handler<Extra, P extends string, Query extends TObject, Body extends TSchema> = (
  input: RouteInput<PathParams<P>, Static<Query>, Static<Body>> & Extra,
) => unknown;

/**
 * Collects routes as data. The app runs each in one order: authenticate, rate limit, read the body, validate, handle.
 * A handler returns a value to be sent as JSON, or a `Response`.
 */
export class RouteTable<Extra> {
  readonly #definitions: RouteDefinition[];
  readonly #tag: string;
  readonly #access: RouteDefinition['access'];

  constructor(definitions: RouteDefinition[], tag: string, access: RouteDefinition['access']) {
    this.#definitions = definitions;
    this.#tag = tag;
    this.#access = access;
  }

  get<P extends string, Query extends TObject, Body extends TSchema>(
    path: P,
    spec: RouteSpec<Query, Body>,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.add('get', path, spec, handler);
  }

  post<P extends string, Query extends TObject, Body extends TSchema>(
    path: P,
    spec: RouteSpec<Query, Body>,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.add('post', path, spec, handler);
  }

  put<P extends string, Query extends TObject, Body extends TSchema>(
    path: P,
    spec: RouteSpec<Query, Body>,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.add('put', path, spec, handler);
  }

  delete<P extends string, Query extends TObject, Body extends TSchema>(
    path: P,
    spec: RouteSpec<Query, Body>,
    handler: Handler<Extra, P, Query, Body>,
  ): this {
    return this.add('delete', path, spec, handler);
  }

  private add(method: RouteDefinition['method'], path: string, spec: unknown, handler: unknown): this {
    this.#definitions.push({
      method,
      path,
      access: this.#access,
      tag: this.#tag,
      // The table forgets the types that `get` and its like have checked against the handler.
      spec: spec as RouteDefinition['spec'],
      handler: handler as RouteDefinition['handler'],
    });
    return this;
  }
}

/** Routes that need an API key. */
export type Routes = RouteTable<{ account: Account }>;

/** Routes that anybody may call. */
// oxlint-disable-next-line typescript/no-empty-object-type -- nothing is added to the input
export type PublicRoutes = RouteTable<{}>;
