import { AppError, type Administration } from '../../../src/plugin.ts';
import { DEVICE_MS } from '../sign-in/devices.ts';
import type { Origins, RequestHead } from './origin.ts';

/** How long a session lasts without use. */
export const SESSION_MS = 12 * 60 * 60_000;

const SESSION = 'platen_session';
const DEVICE = 'platen_device';
const SIGN_IN = 'platen_sign_in';
/**
 * Browsers accept a cookie with this prefix only if it is Secure and was set by this host, not by a related
 * domain (RFC 6265bis, 4.1.3.2).
 */
const HOST_PREFIX = '__Host-';

/** The parts of the studio on which the cookie depends. */
export interface CookieParts {
  origins: Pick<Origins, 'isSecure'>;
  administration: Pick<Administration, 'publicUrl'>;
}

export function readToken(request: RequestHead, parts: Pick<CookieParts, 'origins'>): string | undefined {
  const token = readCookie(SESSION, request, parts);
  return token !== undefined && /^[0-9A-Za-z]{43}$/.test(token) ? token : undefined;
}

/** Reads the cookie that identifies a browser in which a user signed in before. See `Devices`. */
export function readDevice(request: RequestHead, parts: Pick<CookieParts, 'origins'>): string | undefined {
  return readCookie(DEVICE, request, parts);
}

/** Reads the cookie of a sign-in at an identity provider. */
export function readSignIn(request: RequestHead, parts: Pick<CookieParts, 'origins'>): string | undefined {
  return readCookie(SIGN_IN, request, parts);
}

/** Reads a cookie. Without the prefix it counts only where browsers refuse Secure cookies. */
function readCookie(
  ofName: string,
  request: RequestHead,
  { origins }: Pick<CookieParts, 'origins'>,
): string | undefined {
  const cookies = new Map<string, string>();
  for (const pair of request.headers.get('cookie')?.split(';') ?? []) {
    const [name = '', value = ''] = pair.trim().split('=', 2);
    if (!cookies.has(name)) cookies.set(name, value);
  }
  return cookies.get(HOST_PREFIX + ofName) ?? (origins.isSecure(request) ? undefined : cookies.get(ofName));
}

/**
 * Returns the `Set-Cookie` header that signs a browser in.
 * @throws {AppError} FORBIDDEN over plain http when the public URL is https
 */
export function sessionCookie(token: string, request: RequestHead, parts: CookieParts): string {
  const { publicUrl } = parts.administration;
  if (publicUrl?.startsWith('https:') && !parts.origins.isSecure(request))
    throw new AppError('FORBIDDEN', `sign in at ${publicUrl}, because this connection is not encrypted`);
  return writeCookie({ name: SESSION, value: token, maxAgeMs: SESSION_MS }, request, parts);
}

/** Returns the `Set-Cookie` header that signs a browser out. */
export function expiredCookie(request: RequestHead, parts: Pick<CookieParts, 'origins'>): string {
  return writeCookie({ name: SESSION, value: '', maxAgeMs: 0 }, request, parts);
}

/**
 * Returns the `Set-Cookie` header that makes a browser known. It also lasts while the browser is signed out.
 */
export function deviceCookie(
  value: string,
  request: RequestHead,
  parts: Pick<CookieParts, 'origins'>,
): string {
  return writeCookie({ name: DEVICE, value, maxAgeMs: DEVICE_MS }, request, parts);
}

/** Returns the `Set-Cookie` header that makes a browser unknown. */
export function expiredDeviceCookie(request: RequestHead, parts: Pick<CookieParts, 'origins'>): string {
  return writeCookie({ name: DEVICE, value: '', maxAgeMs: 0 }, request, parts);
}

/** Returns the `Set-Cookie` header of a sign-in at an identity provider. An empty value ends it. */
export function signInCookie(
  { value, maxAgeMs }: { value: string; maxAgeMs: number },
  request: RequestHead,
  parts: Pick<CookieParts, 'origins'>,
): string {
  return writeCookie({ name: SIGN_IN, value, maxAgeMs }, request, parts);
}

function writeCookie(
  { name, value, maxAgeMs }: { name: string; value: string; maxAgeMs: number },
  request: RequestHead,
  { origins }: Pick<CookieParts, 'origins'>,
): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeMs / 1000}`;
  return origins.isSecure(request)
    ? `${HOST_PREFIX}${name}=${value}; ${attributes}; Secure`
    : `${name}=${value}; ${attributes}`;
}
