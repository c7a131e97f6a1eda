import type { Certificate } from '../certificates/certificate.ts';

/**
 * The status of a certificate according to an OCSP response or a revocation list. Times are epoch
 * milliseconds.
 */
export type RevocationStatus =
  | Statement
  /**
   * The statement cannot be used. The fault is a clause: "the OCSP response does not match its content".
   */
  | { status: 'invalid'; fault: string };

/** A signed statement. It holds from `from` to `until`. */
export type Statement = ({ status: 'good' } | { status: 'revoked'; revokedAt: number }) & {
  from: number;
  until: number;
  /**
   * The delegated OCSP responder, unless its certificate need not be checked (RFC 6960 4.2.2.2.1). The
   * statement counts only if that certificate was not revoked.
   */
  responder?: Certificate;
};
