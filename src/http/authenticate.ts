import type { Account, Accounts } from '../accounts/accounts.ts';
import { AppError } from '../errors.ts';

/** The account of a request, and the id of the API key that identified it, if any. */
export interface Identity {
  account: Account;
  keyId?: string | undefined;
  /**
   * Runs before a route whose effect outlasts a session. Absent from schemes without sessions.
   * @throws {AppError} FORBIDDEN when the person of the session must confirm their identity first
   */
  requireConfirmed?: () => void;
}

/** The part of a request that an authentication scheme can read: everything except the body. */
export type RequestHead = Pick<Request, 'method' | 'url' | 'headers'>;

/** A way to identify the account of a request, such as an API key. Plugins add theirs in `PluginInstance.authentication`. */
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
 * @throws {AppError} UNAUTHORIZED with a message about the scheme that rejected the credentials, or about the API key when there are no
 * credentials; FORBIDDEN when the account is suspended
 */
export async function authenticate(
  schemes: readonly AuthenticationScheme[],
  request: RequestHead,
): Promise<Identity> {
  for (const scheme of schemes) {
    const identity = await scheme.authenticate(request);
    if (!identity) continue;
    // Absent in accounts of earlier releases.
    if (identity.account.suspendedAt) throw suspendedAccount();
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
      const identity = await accounts.authenticate(key);
      if (!identity) throw unauthorized('the API key is not valid');
      return identity;
    },
  };
}

/** Returns the error for a request of a suspended account. */
export function suspendedAccount(): AppError {
  const message = 'is suspended';
  return new AppError('FORBIDDEN', `the account ${message}`, {
    details: [{ path: '', code: 'ACCOUNT_SUSPENDED', message }],
  });
}

function malformed(): AppError {
  return unauthorized('the Authorization header must be: Bearer <API key>');
}

function unauthorized(message: string): AppError {
  return new AppError('UNAUTHORIZED', message);
}
