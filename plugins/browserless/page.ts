import { invalid } from '../../src/plugin.ts';
import { headerFault, isHeaderValue } from '../documents/exports.ts';
import type { PageCookie, PageHeader, PageOptions, ReadUrlPatterns } from '../render/contract.ts';
import { pageScript, type PageSteps } from './page-script.ts';
import { readRequestRule } from './request-rule.ts';
import type { PageBody } from './schemas.ts';

/** The source and the page options of a request. */
export interface ReadPage {
  source: { html: string } | { url: string };
  page: PageOptions;
  /** CSS that is added to the page. */
  styles: string | undefined;
}

const MAX_HEADERS = 50;

/** Reads the options of a page that all routes have. @throws {AppError} that names the option */
export async function readPage(
  body: PageBody,
  readUrlPatterns: ReadUrlPatterns,
  steps: PageSteps = body,
): Promise<ReadPage> {
  const source = readSource(body);
  const url = 'url' in source ? source.url : undefined;
  const { setJavaScriptEnabled: scripts = true, userAgent, emulateMediaType, viewport } = body;
  if (userAgent !== undefined && !isHeaderValue(userAgent, 'ascii'))
    throw invalid('userAgent', 'must be printable ASCII');
  const expression = pageScript(steps);
  if (!scripts && expression !== undefined)
    throw invalid('setJavaScriptEnabled', 'must not be false with waits and script tags, which are scripts');
  const headers = readHeaders(body, url);
  const cookies = (body.cookies ?? []).map((cookie, index) => readCookie(cookie, index, url));
  const mayRequest = await readRequestRule(body, readUrlPatterns);
  const until = [body.gotoOptions?.waitUntil ?? []].flat();
  const waitFor = {
    ...(expression !== undefined && { expression, strictExpression: true }),
    ...(until.includes('networkidle0') && { networkIdle: true }),
    ...(until.includes('networkidle2') && { networkAlmostIdle: true }),
  };
  return {
    source,
    styles: readStyles(body),
    page: {
      nativeHeaders: true,
      ...(Object.keys(waitFor).length > 0 && { waitFor }),
      ...(headers.length > 0 && { headers }),
      ...(cookies.length > 0 && { cookies }),
      ...(userAgent !== undefined && { userAgent }),
      ...(emulateMediaType && { emulatedMedia: emulateMediaType }),
      ...(viewport && { windowPx: { width: viewport.width, height: viewport.height } }),
      ...(!scripts && { scripts: false }),
      ...(mayRequest && { mayRequest }),
      // Puppeteer uses a page whatever its status is.
      ...(url !== undefined && { judge: () => undefined }),
    },
  };
}

function readSource({ html, url }: PageBody): ReadPage['source'] {
  if (html !== undefined && url !== undefined) throw invalid('html', 'cannot be combined with url');
  if (html !== undefined) return { html };
  if (url === undefined) throw invalid('url', 'or "html" is required');
  return { url: readUrl('url', url).href };
}

function readUrl(path: string, text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw invalid(path, 'must be an http or https URL');
  if (url.username !== '' || url.password !== '')
    throw invalid(path, 'must not contain a user name or password: use authenticate');
  return url;
}

function readHeaders(
  { setExtraHTTPHeaders = {}, authenticate, gotoOptions }: PageBody,
  url: string | undefined,
): PageHeader[] {
  const entries = Object.entries(setExtraHTTPHeaders);
  if (entries.length > MAX_HEADERS)
    throw invalid('setExtraHTTPHeaders', `must have at most ${MAX_HEADERS} headers`);
  const headers: PageHeader[] = entries.map(([name, value]) => {
    const fault = headerFault({ name, value }, 'latin1');
    if (fault === 'name') throw invalid('setExtraHTTPHeaders', 'has an invalid name of a header');
    const path = `setExtraHTTPHeaders.${name}`;
    if (fault === 'connection') throw invalid(path, 'is not allowed: the browser sets this header');
    if (fault === 'value') throw invalid(path, 'must be text without line breaks');
    return { name, value };
  });
  const forUrl = (path: string, header: (page: string) => PageHeader) => {
    if (url === undefined) throw invalid(path, 'is only for url');
    headers.push(header(url));
  };
  const referer = gotoOptions?.referer;
  if (referer !== undefined)
    forUrl('gotoOptions.referer', (page) => ({
      name: 'Referer',
      value: readUrl('gotoOptions.referer', referer).href,
      appliesTo: (requested) => requested === page,
    }));
  if (authenticate)
    forUrl('authenticate', (page) => {
      const { origin } = new URL(page);
      const credentials = Buffer.from(`${authenticate.username}:${authenticate.password}`).toString('base64');
      return {
        name: 'Authorization',
        value: `Basic ${credentials}`,
        appliesTo: (requested) => URL.parse(requested)?.origin === origin,
      };
    });
  return headers;
}

function readCookie(
  { url, domain, name, value, path, secure, httpOnly, sameSite }: NonNullable<PageBody['cookies']>[number],
  index: number,
  page: string | undefined,
): PageCookie {
  const field = `cookies[${index}]`;
  const owner = url === undefined ? page : readUrl(`${field}.url`, url).href;
  const host = domain ?? (owner === undefined ? undefined : new URL(owner).hostname);
  if (host === undefined) throw invalid(`${field}.domain`, 'is required without url');
  return { name, value, domain: host, path, secure, httpOnly, sameSite };
}

function readStyles({ addStyleTag = [] }: PageBody): string | undefined {
  // Imports must precede all other rules.
  const imports = addStyleTag.flatMap(({ url }, index) =>
    url === undefined
      ? []
      : [`@import url(${JSON.stringify(readUrl(`addStyleTag[${index}].url`, url).href)});`],
  );
  const rules = addStyleTag.flatMap(({ content }) => content ?? []);
  return imports.length + rules.length === 0 ? undefined : [...imports, ...rules].join('\n');
}
