import { AppError, type Administration } from '../../../src/plugin.ts';
import type { Origins, RequestHead } from './origin.ts';

/** How long a session lasts without use. */
export const SESSION_MS = 12 * 60 * 60_000;

const NAME = 'platen_session';
/** Browsers accept a cookie with this prefix only if it is Secure and was set by this host, not by a related domain (RFC 6265bis, 4.1.3.2). */
const HOST_NAME = `__Host-${NAME}`;

/** The parts of the studio on which the cookie depends. */
export interface CookieParts {
  origins: Pick<Origins, 'isSecure'>;
  administration: Pick<Administration, 'publicUrl'>;
}

/** Reads the token of a session from the cookie. A cookie without the prefix counts only where browsers refuse Secure cookies. */
export function readToken(
  request: RequestHead,
  { origins }: Pick<CookieParts, 'origins'>,
): string | undefined {
  const cookies = new Map<string, string>();
  for (const pair of request.headers.get('cookie')?.split(';') ?? []) {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    if (!cookies.has(name)) cookies.set(name, value);
  }
  const token = cookies.get(HOST_NAME) ?? (origins.isSecure(request) ? undefined : cookies.get(NAME));
  return token !== undefined && /^[0-9A-Za-z]{43}$/.test(token) ? token : undefined;
}

/**
 * Returns the `Set-Cookie` header that signs a browser in. @throws {AppError} FORBIDDEN over plain http when the public URL is https
 */
export function sessionCookie(token: string, request: RequestHead, parts: CookieParts): string {
  const { publicUrl } = parts.administration;
  if (publicUrl?.startsWith('https:') && !parts.origins.isSecure(request))
    throw new AppError('FORBIDDEN', `sign in at ${publicUrl}, because this connection is not encrypted`);
  return writeCookie(token, SESSION_MS / 1000, request, parts);
}

/** Returns the `Set-Cookie` header that signs a browser out. */
export function expiredCookie(request: RequestHead, parts: Pick<CookieParts, 'origins'>): string {
  return writeCookie('', 0, request, parts);
}

function writeCookie(
  value: string,
  maxAge: number,
  request: RequestHead,
  { origins }: Pick<CookieParts, 'origins'>,
): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAge}`;
  return origins.isSecure(request)
    ? `${HOST_NAME}=${value}; ${attributes}; Secure`
    : `${NAME}=${value}; ${attributes}`;
}
