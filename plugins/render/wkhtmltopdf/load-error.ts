/** A page or a file of a page that could not be loaded. */
export class LoadError extends Error {
  /** The HTTP status of the response; `undefined` if there was none. */
  readonly status: number | undefined;
  /** The cause in wkhtmltopdf's words. */
  readonly explanation: string;

  constructor(url: string, { status, netError = '' }: { status?: number | undefined; netError?: string }) {
    const reason = status === undefined ? nameOf(netError) : `the server responded with ${status}`;
    super(`Failed to load ${url}, ${reason}`);
    this.status = status;
    this.explanation = status === undefined ? `network error: ${nameOf(netError)}` : `http error: ${status}`;
  }
}

/** wkhtmltopdf's names (`QNetworkReply::NetworkError`) of Chromium's errors. */
const NAMES: Readonly<Record<string, string>> = {
  'net::ERR_NAME_NOT_RESOLVED': 'HostNotFoundError',
  'net::ERR_CONNECTION_REFUSED': 'ConnectionRefusedError',
  'net::ERR_CONNECTION_CLOSED': 'RemoteHostClosedError',
  'net::ERR_CONNECTION_RESET': 'RemoteHostClosedError',
  'net::ERR_EMPTY_RESPONSE': 'RemoteHostClosedError',
  'net::ERR_CONNECTION_TIMED_OUT': 'TimeoutError',
  'net::ERR_TIMED_OUT': 'TimeoutError',
  'net::ERR_FILE_NOT_FOUND': 'ContentNotFoundError',
  'net::ERR_ACCESS_DENIED': 'ContentAccessDenied',
  'net::ERR_UNKNOWN_URL_SCHEME': 'ProtocolUnknownError',
  'net::ERR_INVALID_URL': 'ProtocolInvalidOperationError',
  'net::ERR_PROXY_CONNECTION_FAILED': 'ProxyConnectionRefusedError',
};

function nameOf(netError: string): string {
  if (netError.startsWith('net::ERR_CERT') || netError.startsWith('net::ERR_SSL'))
    return 'SslHandshakeFailedError';
  return NAMES[netError] ?? `UnknownNetworkError (${netError})`;
}
