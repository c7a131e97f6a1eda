import { ConfigError } from '../config.ts';
import type { AppError } from '../errors.ts';
import type { AuthenticationScheme, RequestHead } from './authenticate.ts';

/** An error response of a protocol. */
interface ForeignError {
  status: number;
  /**
   * Headers in addition to `Retry-After`, `Allow`, `Accept-Encoding` and `WWW-Authenticate`, which the
   * service sets where the error has them. They need a `content-type` unless the body is plain text in UTF-8.
   */
  headers?: Readonly<Record<string, string>>;
  body: string;
}

/**
 * The conventions of another API, so that its clients can use routes of this service without a change. A
 * plugin mounts such routes with `context.serve(protocol)`.
 *
 * The routes pass the same pipeline as all others: rate limits, body limits, quota, fairness and the audit
 * log apply. The protocol decides only how callers identify themselves and what responses look like. Query
 * parameters that a route does not know are ignored.
 */
export interface Protocol {
  /** Names the protocol in messages to the operator. */
  name: string;
  /**
   * Paths that end with a slash, such as `/forms/`. Every request below them gets responses of this protocol,
   * also if it matches no route. Elsewhere, only the exact paths of the protocol's routes do.
   */
  prefixes: readonly string[];
  /**
   * The schemes for these routes, tried in order instead of those of the service. If none of them identifies
   * the account, the request is UNAUTHORIZED.
   */
  authentication: readonly AuthenticationScheme[];
  /**
   * Returns headers for every response, also to requests that fail before the handler. Called once per
   * request, before anything else reads the request.
   */
  responseHeaders?(request: Request): Readonly<Record<string, string>>;
  /** Returns fields for each log line of a request, such as the name that its caller gave it. */
  logFields?(request: Request): Readonly<Record<string, string>>;
  /** Whether the log has a line for the response. Failures of the service are always logged. */
  isLogged?(request: Request): boolean;
  /**
   * Writes an error for the caller. `status` is the one of the error's code; the response may have any other.
   * Errors that are not an `AppError` have become INTERNAL_ERROR, whose message reveals nothing.
   */
  presentError(error: AppError, context: { status: number; request: RequestHead }): ForeignError;
  /** The description of the routes in the OpenAPI document. */
  documentation: {
    /** The meaning of the error responses, by status. */
    errors: Readonly<Record<number, string>>;
    /** The media type of errors. */
    mediaType: string;
    /** Security schemes of OpenAPI by name, each of which is enough, beside the API key. */
    security: Readonly<Record<string, object>>;
  };
}

/** The part of a route that decides which protocol its requests have. */
interface MountedRoute {
  method: string;
  path: string;
  tag: string;
  protocol?: Protocol | undefined;
}

/** Returns the protocol of a path; `undefined` for the paths of Platen's own API. */
export type FindProtocol = (path: string) => Protocol | undefined;

/**
 * Creates the function that finds the protocol of a request by its path. Like the router, it ignores a slash
 * at the end.
 * @throws {ConfigError} for a route with a parameter outside of the prefixes of its protocol, whose paths
 * cannot be told from others
 */
export function protocolFinder(routes: readonly MountedRoute[]): FindProtocol {
  const byPath = new Map<string, Protocol>();
  const byPrefix = new Map<string, Protocol>();
  for (const { method, path, tag, protocol } of routes) {
    if (!protocol) continue;
    for (const prefix of protocol.prefixes) byPrefix.set(prefix, protocol);
    const isBelow = protocol.prefixes.some((prefix) => path.startsWith(prefix));
    if (path.includes(':') && !isBelow)
      throw new ConfigError(
        `the plugin "${tag}": ${method.toUpperCase()} ${path} must be below a prefix of the protocol ${protocol.name}`,
      );
    byPath.set(withoutSlash(path), protocol);
  }
  const prefixes = [...byPrefix];
  return (path) =>
    byPath.get(withoutSlash(path)) ?? prefixes.find(([prefix]) => path.startsWith(prefix))?.[1];
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
