import { invalid, type Static, Type } from '../../../src/plugin.ts';
import { headerFault, isHeaderValue, isToken, urlFields, urlLimits } from '../../documents/exports.ts';
import type { UrlCookie, UrlSource } from './url-source.ts';

const Fields = Type.Object(urlFields);

/** The fields of a request whose source is a URL. */
export type UrlFields = { [K in keyof Static<typeof Fields>]: Static<typeof Fields>[K] | undefined };

type Cookie = NonNullable<UrlFields['cookies']>[number];

/** RFC 6265 4.1.1 also excludes spaces, commas, quotes and backslashes, which browsers accept. */
const COOKIE_VALUE = /^[\x20-\x3a\x3c-\x7e]*$/;
const COOKIE_PATH = /^\/[\x21-\x3a\x3c-\x7e]*$/;

/** Further headers that the browser sets, or that change the meaning of the request. */
const RESERVED_HEADERS = new Set([
  'accept-charset',
  'accept-encoding',
  'cookie2',
  'date',
  'dnt',
  'origin',
  'range',
  'referer',
  'set-cookie',
  'upgrade-insecure-requests',
  'via',
]);
const RESERVED_PREFIXES = /^(?:access-control-|content-|if-|sec-)/;

/** Headers for which a request has a separate field. */
const SEPARATE_FIELDS: Readonly<Record<string, string>> = { cookie: 'cookies', 'user-agent': 'user_agent' };

/**
 * Reads a URL and its credentials. The messages contain names, never values.
 * @throws {AppError} VALIDATION_ERROR that names the field.
 */
export function readUrlSource({ url: text, user_agent: userAgent, ...fields }: UrlFields): UrlSource {
  const url = readUrl(text ?? '');
  if (userAgent !== undefined && !isHeaderValue(userAgent, 'ascii'))
    throw invalid('user_agent', 'must be printable ASCII');
  const headers = readHeaders(fields);
  const cookies = (fields.cookies ?? []).map((cookie, index) => readCookie(cookie, `cookies[${index}]`, url));
  const pairs = [...Object.entries(headers), ...cookies.map(({ name, value }) => [name, value] as const)];
  const size = pairs.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (size > urlLimits.credentialsCharacters)
    throw invalid(
      cookies.length > 0 ? 'cookies' : 'headers',
      `cookies and headers must have at most ${urlLimits.credentialsCharacters} characters together`,
    );
  return {
    url: url.href,
    ...(cookies.length > 0 && { cookies }),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(userAgent !== undefined && { userAgent }),
  };
}

function readUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw invalid('url', 'must be an http or https URL, such as "https://example.com/invoice/7"');
  if (url.username !== '' || url.password !== '')
    throw invalid('url', 'must not contain a user name or password: use basic_auth');
  // Characters that must be encoded make a URL longer.
  if (url.href.length > urlLimits.urlCharacters)
    throw invalid('url', `must have at most ${urlLimits.urlCharacters} characters when it is encoded`);
  return url;
}

function readHeaders({ headers = {}, basic_auth: basic }: UrlFields): Record<string, string> {
  const entries = Object.entries(headers);
  if (entries.length > urlLimits.headers)
    throw invalid('headers', `must have at most ${urlLimits.headers} headers`);
  const names = new Set<string>();
  for (const [name, value] of entries) {
    const fault = headerFault({ name, value }, 'ascii');
    if (fault === 'name')
      throw invalid(
        'headers',
        'has an invalid name: a name has 1 to 100 letters, digits, hyphens or underscores',
      );
    const path = `headers.${name}`;
    const folded = name.toLowerCase();
    if (names.has(folded)) throw invalid(path, 'is given twice: the case of a name does not matter');
    names.add(folded);
    if (SEPARATE_FIELDS[folded] !== undefined)
      throw invalid(path, `is not allowed: use ${SEPARATE_FIELDS[folded]}`);
    if (fault === 'connection' || RESERVED_HEADERS.has(folded) || RESERVED_PREFIXES.test(folded))
      throw invalid(path, 'is not allowed: the browser sets this header');
    if (fault === 'value') throw invalid(path, 'must be printable ASCII without line breaks');
  }
  if (basic === undefined) return headers;
  if (names.has('authorization'))
    throw invalid('basic_auth', 'cannot be combined with the header Authorization');
  if (basic.username.includes(':')) throw invalid('basic_auth.username', 'must not contain a colon');
  // oxlint-disable-next-line no-control-regex -- control characters are the subject (RFC 7617 2)
  if (/[\0-\x1f\x7f]/.test(basic.username + basic.password))
    throw invalid('basic_auth', 'must not contain control characters');
  const credentials = Buffer.from(`${basic.username}:${basic.password}`).toString('base64');
  return { ...headers, Authorization: `Basic ${credentials}` };
}

function readCookie({ name, value, domain, path = '/' }: Cookie, field: string, url: URL): UrlCookie {
  if (!isToken(name))
    throw invalid(`${field}.name`, 'must have 1 to 100 letters, digits, hyphens or underscores');
  if (!COOKIE_VALUE.test(value) || value !== value.trim())
    throw invalid(
      `${field}.value`,
      'must be printable ASCII without semicolons, and must not begin or end with a space',
    );
  if (!COOKIE_PATH.test(path)) throw invalid(`${field}.path`, 'must begin with "/"');
  if (domain !== undefined && !isDomainOf(url.hostname, domain))
    throw invalid(`${field}.domain`, `must be ${url.hostname} or a parent domain of it`);
  const isHost = name.toLowerCase().startsWith('__host-');
  if ((isHost || name.toLowerCase().startsWith('__secure-')) && url.protocol !== 'https:')
    throw invalid(`${field}.name`, 'begins with a prefix that requires an https URL');
  if (isHost && path !== '/')
    throw invalid(`${field}.path`, 'must be "/" for a name that begins with __Host-');
  return { name, value, path };
}

/** Tells whether a cookie of the domain applies to the host (RFC 6265 5.1.3). */
function isDomainOf(host: string, domain: string): boolean {
  const bare = domain.toLowerCase().replace(/^\./, '');
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host);
  return bare !== '' && (host === bare || (!isAddress && bare.includes('.') && host.endsWith(`.${bare}`)));
}
