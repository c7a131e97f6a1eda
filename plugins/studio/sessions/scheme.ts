import { AppError, type AuthenticationScheme } from '../../../src/plugin.ts';
import { requireRole } from '../members/roles.ts';

import { readToken } from './cookie.ts';
import type { Origins } from './origin.ts';
import { requireConfirmed } from './require-confirmed.ts';
import { actorOf, type Sessions, type SignedIn } from './sessions.ts';

/** The path below which only sessions authenticate. */
export const STUDIO_API = '/studio/api/';

/** Authenticates requests with the session in their cookie. */
export interface SessionScheme extends AuthenticationScheme {
  /**
   * Returns the session of an authenticated request.
   * @throws {AppError} FORBIDDEN when an API key identified the account
   */
  signedIn(request: Request): SignedIn;
  /** Returns the session of a request to a public route, or `null`. */
  find(request: Request): Promise<SignedIn | null>;
}

/**
 * Creates the scheme. A session authenticates requests from pages of this service to `/studio/api` and the
 * public API. An invalid cookie never fails a request to the public API, because browsers add the cookie to
 * every request.
 */
export function createSessionScheme(sessions: Sessions, origins: Origins): SessionScheme {
  const found = new WeakMap<object, SignedIn>();
  return {
    name: 'studio-session',
    async authenticate(request) {
      const isStudio = new URL(request.url, 'http://localhost').pathname.startsWith(STUDIO_API);
      const token = readToken(request, { origins });
      if (token !== undefined && origins.isOwn(request)) {
        const signedIn = await sessions.find(token);
        if (signedIn) {
          found.set(request, signedIn);
          const { account, role, session, user } = signedIn;
          const permissions = { role, isOperator: user.role === 'operator' };
          return {
            account,
            session: {
              member: actorOf(signedIn),
              requireScope: (scope, options) => requireRole(permissions, scope, options),
              requireConfirmed: () => requireConfirmed(session),
            },
          };
        }
      }
      if (!isStudio) return undefined;
      origins.require(request);
      throw new AppError('UNAUTHORIZED', 'sign in to the studio; the session is missing or has ended');
    },
    signedIn(request) {
      const signedIn = found.get(request);
      if (!signedIn)
        throw new AppError('FORBIDDEN', 'sign in to the studio; an API key does not authenticate this route');
      return signedIn;
    },
    async find(request) {
      const token = readToken(request, { origins });
      return token === undefined || !origins.isOwn(request) ? null : sessions.find(token);
    },
  };
}
