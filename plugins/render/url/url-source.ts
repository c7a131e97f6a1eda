/** A cookie for the origin of a URL. */
export interface UrlCookie {
  name: string;
  value: string;
  /** `/` when absent. */
  path?: string | undefined;
}

/**
 * A web page as the source of a document. Cookies and headers are credentials: the browser sends them only to
 * the origin of the URL (scheme, host and port), and they are never logged. A batch stores them encrypted
 * until its item ends.
 */
export interface UrlSource {
  /** An http or https URL without a user and password, as the URL parser writes it. */
  url: string;
  cookies?: readonly UrlCookie[];
  /** Request headers, including the `Authorization` of `basic_auth`. */
  headers?: Readonly<Record<string, string>>;
  userAgent?: string;
}

/** A web page to print, with CSS to add to it. */
export interface UrlDocument extends UrlSource {
  styles: string | undefined;
}
