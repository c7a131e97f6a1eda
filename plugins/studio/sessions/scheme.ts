import { AppError, type AuthenticationScheme } from '../../../src/plugin.ts';
import { requirePermission } from '../members/roles.ts';

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
  const current = (request: object): SignedIn => {
    const signedIn = found.get(request);
    if (!signedIn)
      throw new AppError('FORBIDDEN', 'sign in to the studio; an API key does not authenticate this route');
    return signedIn;
  };
  return {
    name: 'studio-session',
    async authenticate(request) {
      const isStudio = new URL(request.url, 'http://localhost').pathname.startsWith(STUDIO_API);
      const token = readToken(request, { origins });
      if (token !== undefined && origins.isOwn(request)) {
        const signedIn = await sessions.find(token);
        if (signedIn) {
          found.set(request, signedIn);
          return {
            account: signedIn.account,
            session: {
              member: actorOf(signedIn),
              requireScope: (scope, options) => requirePermission(current(request), scope, options),
              requireConfirmed: () => requireConfirmed(current(request).session),
              async refresh() {
                const again = await sessions.find(token);
                if (again?.account.id !== signedIn.account.id) throw ended();
                found.set(request, again);
              },
            },
          };
        }
      }
      if (!isStudio) return undefined;
      origins.require(request);
      throw ended();
    },
    signedIn: current,
    async find(request) {
      const token = readToken(request, { origins });
      return token === undefined || !origins.isOwn(request) ? null : sessions.find(token);
    },
  };
}

function ended(): AppError {
  return new AppError('UNAUTHORIZED', 'sign in to the studio; the session is missing or has ended');
}
