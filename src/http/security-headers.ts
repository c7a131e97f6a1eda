/** The headers of every answer: its type is the declared one, and links from it tell nothing. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

/** The policy of answers that are no page: a browser that shows one loads nothing for it and shows it in no frame. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** The policy of `/docs`: its own scripts and styles, no inline ones, and requests to this service alone. */
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
