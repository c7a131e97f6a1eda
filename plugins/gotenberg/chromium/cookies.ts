import { messageOf } from '../../../src/plugin.ts';
import type { PageCookie } from '../../render/contract.ts';
import { parseGoJson } from '../form/go-json.ts';
import { wrongType } from './json-values.ts';

const MAX_COOKIES = 100;
const SAME_SITE: Readonly<Record<string, PageCookie['sameSite']>> = {
  strict: 'Strict',
  lax: 'Lax',
  none: 'None',
};

/** Reads cookies. @throws {Error} with Gotenberg's message */
export function readCookies(given: string): PageCookie[] {
  const list = readList(given);
  const faults: string[] = [];
  const cookies = list.map((entry, index) => {
    const cookie = readCookie(entry);
    if ([cookie.name, cookie.value, cookie.domain].some((part) => part.trim() === ''))
      faults.push(`cookie ${index} must have its name, value and domain set`);
    return cookie;
  });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return cookies;
}

function readList(given: string): unknown[] {
  try {
    const value = parseGoJson(given);
    if (value === null) return [];
    if (!Array.isArray(value)) throw wrongType(value, '[]chromium.Cookie');
    if (value.length > MAX_COOKIES) throw new Error(`more than ${MAX_COOKIES} cookies`);
    return value;
  } catch (error) {
    throw malformed(error);
  }
}

function readCookie(entry: unknown): PageCookie {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw malformed(wrongType(entry, 'chromium.Cookie'));
  // Go ignores the case of the names of fields.
  const fields = new Map(
    Object.entries(entry).map(([name, value]) => [name.toLowerCase(), value as unknown]),
  );
  const readText = (name: string): string | undefined => {
    const value = fields.get(name) ?? undefined;
    if (value === undefined || typeof value === 'string') return value;
    throw malformed(wrongType(value, 'string'));
  };
  const readFlag = (name: string): boolean | undefined => {
    const value = fields.get(name) ?? undefined;
    if (value === undefined || typeof value === 'boolean') return value;
    throw malformed(wrongType(value, 'bool'));
  };
  const sameSite = readText('samesite');
  if (sameSite && !SAME_SITE[sameSite.toLowerCase()])
    throw malformed(new Error(`unknown CookieSameSite value: ${sameSite}`));
  return {
    name: readText('name') ?? '',
    value: readText('value') ?? '',
    domain: withoutPort(readText('domain') ?? ''),
    path: readText('path') || undefined,
    secure: readFlag('secure'),
    httpOnly: readFlag('httponly'),
    sameSite: sameSite ? SAME_SITE[sameSite.toLowerCase()] : undefined,
  };
}

function malformed(cause: unknown): Error {
  return new Error(`unmarshal cookies: ${messageOf(cause)}`, { cause });
}

/** Cookies apply to all ports of a host. */
function withoutPort(domain: string): string {
  return domain.replace(/:\d{1,5}$/, '');
}
