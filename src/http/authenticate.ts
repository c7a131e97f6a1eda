import type { Account, Accounts } from '../accounts/accounts.ts';
import { limitsOf, type KeyLimits } from '../accounts/key-limits.ts';
import { isAllowed } from '../accounts/networks.ts';
import { scopesOf, type Scope } from '../accounts/scopes.ts';
import type { Actor } from '../audit/entry.ts';
import { AppError } from '../errors.ts';
import type { RouteScope, SessionScope } from './route-scope.ts';

/** The session of a person who is a member of the account. */
export interface IdentitySession {
  /** The person in the audit log. */
  member: Actor;
  /**
   * Checks the permission that a route needs. A route that only reads may need less.
   * @throws {AppError} FORBIDDEN when the role of the person does not include it
   */
  requireScope: (scope: Scope | SessionScope, options: { isReading: boolean }) => void;
  /**
   * Runs before a route whose effect outlasts a session.
   * @throws {AppError} FORBIDDEN when the person must confirm their identity first
   */
  requireConfirmed: () => void;
  /**
   * Reads the session and the role again, after a body that may have arrived slowly.
   * @throws {AppError} UNAUTHORIZED when the session has ended meanwhile
   */
  refresh: () => Promise<void>;
}

/**
 * The account of a request, and the id and the limits of the API key that identified it, if any. A limit that
 * is absent is that of a key whose creator names none.
 */
export interface Identity extends Partial<KeyLimits> {
  account: Account;
  keyId?: string | undefined;
  /** The name of the API key. */
  keyName?: string | undefined;
  /** Absent from schemes without sessions. */
  session?: IdentitySession;
}

/** The part of a request that an authentication scheme can read: everything except the body. */
export type RequestHead = Pick<Request, 'method' | 'url' | 'headers'>;

/**
 * A way to identify the account of a request, such as an API key. Plugins add theirs in
 * `PluginInstance.authentication`.
 */
export interface AuthenticationScheme {
  name: string;
  /**
   * Returns `undefined` for a request without credentials of this scheme, so that the next scheme is tried.
   * @throws {AppError} UNAUTHORIZED for credentials that are malformed, unknown, expired or revoked
   */
  authenticate(request: RequestHead): Promise<Identity | undefined>;
}

/**
 * Tries the schemes in order and returns the first identity.
 * @throws {AppError} UNAUTHORIZED with a message about the scheme that rejected the credentials, or about the
 * API key when there are no credentials; FORBIDDEN when the account is suspended
 */
export async function authenticate(
  schemes: readonly AuthenticationScheme[],
  request: RequestHead,
): Promise<Identity> {
  for (const scheme of schemes) {
    const identity = await scheme.authenticate(request);
    if (!identity) continue;
    requireActive(identity.account);
    return identity;
  }
  throw request.headers.has('authorization')
    ? malformed()
    : unauthorized('the header Authorization: Bearer <API key> is missing');
}

/** The name of the scheme of API keys. */
export const API_KEY_SCHEME = 'api-key';

/** Creates the scheme `Authorization: Bearer <API key>`. */
export function createApiKeyScheme(accounts: Accounts): AuthenticationScheme {
  return {
    name: API_KEY_SCHEME,
    async authenticate({ headers }) {
      const [scheme, key, ...rest] = headers.get('authorization')?.trim().split(/ +/) ?? [];
      if (scheme?.toLowerCase() !== 'bearer') return undefined;
      if (!key || rest.length > 0) throw malformed();
      return identifyByKey(accounts, key);
    },
  };
}

/** Returns the account and the limits of an API key. @throws {AppError} UNAUTHORIZED */
export async function identifyByKey(
  accounts: Pick<Accounts, 'authenticate'>,
  key: string,
): Promise<Identity> {
  const identity = await accounts.authenticate(key);
  if (!identity) throw unauthorized('the API key is not valid');
  const { account, keyId, record } = identity;
  return { account, keyId, keyName: record.name, ...limitsOf(record) };
}

/** Tells whether a caller may send requests from an address. */
export function allowsAddress({ allowedIps }: Identity, address: string): boolean {
  return !allowedIps || isAllowed(address, allowedIps);
}

/**
 * Rejects a caller without the permission that a route or a part of a body needs. A route that only reads may
 * need less of a session.
 * @throws {AppError} FORBIDDEN with the name of the scope or of the role
 */
export function requireScope(
  identity: Identity,
  scope: RouteScope,
  { isReading = false }: { isReading?: boolean } = {},
): void {
  if (scope === 'public' || scope === 'any') return;
  if (identity.session) return identity.session.requireScope(scope, { isReading });
  if (isSessionScope(scope))
    throw new AppError('FORBIDDEN', 'sign in to the studio; an API key does not authenticate this route');
  if (scopesOf(identity).includes(scope)) return;
  const message = `the API key lacks the scope "${scope}"`;
  throw new AppError('FORBIDDEN', message, { details: [{ path: '', code: 'MISSING_SCOPE', message }] });
}

/** Tells whether only sessions of the studio may use a route with this scope. */
export function isSessionScope(scope: RouteScope): scope is SessionScope {
  return scope.startsWith('session:');
}

/** Rejects a request of a suspended account. @throws {AppError} FORBIDDEN */
export function requireActive({ suspendedAt }: Account): void {
  if (suspendedAt === null) return;
  const message = 'is suspended';
  throw new AppError('FORBIDDEN', `the account ${message}`, {
    details: [{ path: '', code: 'ACCOUNT_SUSPENDED', message }],
  });
}

function malformed(): AppError {
  return unauthorized('the Authorization header must be: Bearer <API key>');
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message);
}
