/**
 * The headers of every response. They keep browsers from guessing its type and from sending a Referer with
 * its links.
 */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The policy of responses that are not web pages: nothing is loaded, and no frame may contain them. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";

/**
 * The policy of `/docs`: scripts and styles from this service, none inline, and requests to this service
 * only.
 */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
