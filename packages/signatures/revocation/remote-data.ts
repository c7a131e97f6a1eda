/** Data to fetch for a verification, from an address in a certificate. */
export interface RemoteRequest {
  /** An OCSP response, a revocation list, or the certificate of an issuer. */
  kind: 'ocsp' | 'crl' | 'certificate';
  url: string;
  /** The OCSP request to send with POST. Other data is fetched with GET. */
  body?: Uint8Array;
}

/**
 * The response to a request: its bytes, or the failure as the end of a sentence, such as "refused the
 * connection".
 */
export interface RemoteResponse {
  request: RemoteRequest;
  bytes?: Uint8Array;
  failure?: string;
}

/** Returns a key that is the same for equal requests. */
export function remoteKey({ kind, url, body }: RemoteRequest): string {
  return `${kind} ${url} ${body ? Buffer.from(body).toString('base64') : ''}`;
}
