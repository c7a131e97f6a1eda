import type { EgressGuard } from '../../../src/plugin.ts';
import { readAssetUrl } from '../assets/asset-urls.ts';
import type { Resource } from './receipt.ts';

/** The start of a response. */
export interface ResponseHead {
  status: number;
  /** The media type of the Content-Type header; `null` if the response has none. */
  mimeType: string | null;
  /** Set when the egress guard responded in place of the server. */
  egressFailure: string | null;
}

/** Chromium's description of a failed request: the parameters of `Network.loadingFailed`. */
export interface LoadingFailure {
  errorText: string;
  blockedReason?: string;
  canceled?: boolean;
  corsErrorStatus?: { corsError: string };
}

export interface EndedRequest {
  href: string;
  type: string;
  /** The URL of the document that sent the request. */
  documentUrl: string;
  response: ResponseHead | null;
  /** `null` when the response arrived in full. */
  failure: LoadingFailure | null;
}

/** The reason of requests that the document itself canceled. */
export const CANCELED = 'the request was canceled';

const BLOCKED_BY_ORB = 'net::ERR_BLOCKED_BY_ORB';

const NOUNS: Readonly<Record<string, string>> = {
  Image: 'an image',
  Stylesheet: 'a style sheet',
  Script: 'a script',
  Font: 'a font',
  Media: 'audio or video',
};

const NOT_PUBLIC = 'the address is not public';

/** The failures that the egress guard reports in a response to a plain http request. */
const EGRESS_REASONS: Readonly<Record<string, string>> = {
  unresolvable: 'the host has no address',
  unreachable: 'the host does not accept connections',
  timeout: 'the host did not accept the connection in time',
  unanswered: 'the host did not answer with an HTTP response',
};

const CLOSED_EARLY = 'the connection was closed before the response was complete';

const NETWORK_REASONS: Readonly<Record<string, string>> = {
  'net::ERR_CERT_AUTHORITY_INVALID': "the server's certificate is not from a trusted authority",
  'net::ERR_CERT_COMMON_NAME_INVALID': "the server's certificate is for another host",
  'net::ERR_CERT_DATE_INVALID': "the server's certificate has expired or is not valid yet",
  'net::ERR_CONNECTION_CLOSED': CLOSED_EARLY,
  'net::ERR_CONNECTION_RESET': CLOSED_EARLY,
  'net::ERR_CONTENT_LENGTH_MISMATCH': CLOSED_EARLY,
  'net::ERR_EMPTY_RESPONSE': CLOSED_EARLY,
  'net::ERR_INCOMPLETE_CHUNKED_ENCODING': CLOSED_EARLY,
  'net::ERR_UNSAFE_PORT': 'browsers do not allow this port',
  'net::ERR_UNSAFE_REDIRECT': 'the server redirects to a URL that is not http or https',
  'net::ERR_TOO_MANY_REDIRECTS': 'the server redirected more than 20 times',
  'net::ERR_TUNNEL_CONNECTION_FAILED': 'the host cannot be reached',
  'net::ERR_UNKNOWN_URL_SCHEME': 'the URL is neither http nor https',
};

const BLOCKED_REASONS: Readonly<Record<string, string>> = {
  'content-type': 'the response has the wrong content type',
  'corp-not-same-origin': 'the Cross-Origin-Resource-Policy header of the response does not allow it',
  'corp-not-same-site': 'the Cross-Origin-Resource-Policy header of the response does not allow it',
  csp: 'the Content-Security-Policy of the document does not allow it',
  'mixed-content': 'a document from an https address cannot load an http address',
  origin: 'the browser does not allow this resource from another origin',
};

const CORS_REASONS: Readonly<Record<string, string>> = {
  MissingAllowOriginHeader:
    'the response has no Access-Control-Allow-Origin header, which fonts and data from another origin need',
  PreflightMissingAllowOriginHeader:
    'the response to the CORS preflight request has no Access-Control-Allow-Origin header',
  AllowOriginMismatch: 'the Access-Control-Allow-Origin header of the response names another origin',
  PreflightAllowOriginMismatch:
    'the Access-Control-Allow-Origin header of the response to the CORS preflight request names another origin',
  PreflightInvalidStatus: 'the CORS preflight request failed',
  PreflightDisallowedRedirect: 'the CORS preflight request was redirected',
};

/**
 * CORS errors that Chromium finds in a response, rather than in a request or in the response to its preflight
 * request.
 */
const FOUND_IN_RESPONSE = /^(?!Preflight).*Allow(?:Origin|Credentials)/;

/**
 * Tells whether a response must exist although Chromium reports only a failure. Its head then comes in
 * `Network.responseReceivedExtraInfo`, before or after the failure.
 */
export function hidesResponse({ errorText, corsErrorStatus }: LoadingFailure): boolean {
  if (corsErrorStatus) return FOUND_IN_RESPONSE.test(corsErrorStatus.corsError);
  return errorText === BLOCKED_BY_ORB || errorText.startsWith('net::ERR_BLOCKED_BY_RESPONSE');
}

/**
 * Determines the result of a request. A response of the server comes first, because Chromium often reports
 * only the consequence: it blocks an HTML error page in place of an image as an invalid image, and one in
 * place of a font as a violation of CORS.
 */
export function explain(
  request: EndedRequest,
  decisionOf: EgressGuard['decisionOf'],
): Pick<Resource, 'outcome' | 'reason'> {
  const { href, type, response, failure } = request;
  if (response && response.egressFailure === null) return explainResponse(request, response);
  const decision = decisionOf(href);
  const failed = (reason: string) => ({ outcome: 'failed', reason }) as const;
  if (decision?.outcome === 'refused') return { outcome: 'refused', reason: decision.reason };
  if (response?.egressFailure === 'refused') return { outcome: 'refused', reason: NOT_PUBLIC };
  if (decision?.outcome === 'unresolvable') return failed(decision.reason);
  if (response) return failed(EGRESS_REASONS[response.egressFailure ?? ''] ?? 'the host cannot be reached');
  if (!failure) return failed('the server sent no response');
  if (failure.errorText === BLOCKED_BY_ORB)
    return { outcome: 'broken', reason: describeWrongType(type, null) };
  const isTunnel = failure.errorText === 'net::ERR_TUNNEL_CONNECTION_FAILED';
  return failed((isTunnel && decision?.failure) || describe(type, failure));
}

function explainResponse(
  request: EndedRequest,
  { status, mimeType }: ResponseHead,
): Pick<Resource, 'outcome' | 'reason'> {
  const { type, failure, href } = request;
  if (status >= 400) {
    const asset = readAssetUrl(href);
    if (asset)
      return {
        outcome: 'failed',
        reason:
          status === 404 ? `no asset named ${JSON.stringify(asset.name)}` : 'the asset could not be read',
      };
    const content = mimeType === null ? '' : ` (${mimeType})`;
    return { outcome: 'failed', reason: `the server responded with ${status}${content}` };
  }
  const isBlocked = failure?.errorText === BLOCKED_BY_ORB;
  if (failure && !isBlocked) return { outcome: 'failed', reason: describe(type, failure) };
  // The media type of a redirect describes its own body, not its target.
  return isBlocked || (status < 300 && isUnusable(request, mimeType))
    ? { outcome: 'broken', reason: describeWrongType(type, mimeType) }
    : { outcome: 'loaded', reason: null };
}

/** Tells whether Chromium discards a loaded response because of its content type, without reporting it. */
function isUnusable({ type, href, documentUrl }: EndedRequest, mimeType: string | null): boolean {
  if (mimeType === null) return false;
  if (type === 'Script') return /^(?:image|audio|video)\/|^text\/csv$/.test(mimeType);
  // A document in quirks mode accepts any type from its own origin.
  const isForeign = URL.parse(href)?.origin !== URL.parse(documentUrl)?.origin;
  return type === 'Stylesheet' && mimeType !== 'text/css' && isForeign;
}

/** Describes a response that is not of the type that the document needs. */
export function describeWrongType(type: string, mimeType: string | null): string {
  const noun = NOUNS[type] ?? 'a resource of the expected type';
  return mimeType === null ? `the response is not ${noun}` : `the response is ${mimeType}, not ${noun}`;
}

function describe(
  type: string,
  { errorText, blockedReason, canceled, corsErrorStatus }: LoadingFailure,
): string {
  // X-Frame-Options, or frame-ancestors of a Content-Security-Policy.
  if (type === 'Document' && errorText === 'net::ERR_BLOCKED_BY_RESPONSE')
    return 'the server does not allow other sites to show the page in a frame';
  if (blockedReason !== undefined)
    return BLOCKED_REASONS[blockedReason] ?? `the browser blocked the request (${truncate(blockedReason)})`;
  if (canceled) return CANCELED;
  if (corsErrorStatus) {
    const { corsError } = corsErrorStatus;
    return CORS_REASONS[corsError] ?? `CORS does not allow the request (${truncate(corsError)})`;
  }
  if (NETWORK_REASONS[errorText] !== undefined) return NETWORK_REASONS[errorText];
  const code = truncate(errorText);
  if (errorText.startsWith('net::ERR_CERT_')) return `the server's certificate is not valid (${code})`;
  if (errorText.startsWith('net::ERR_SSL_')) return `the TLS handshake with the server failed (${code})`;
  return `the request failed (${code})`;
}

function truncate(text: string): string {
  return text.slice(0, 100);
}
