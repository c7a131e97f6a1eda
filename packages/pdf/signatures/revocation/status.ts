import type { Certificate } from '../certificates/certificate.ts';

/** What an OCSP response or a revocation list says about a certificate. Times are epoch milliseconds. */
export type RevocationStatus =
  | Statement
  /** The statement cannot be used. The problem is a clause: "the OCSP response does not match its content". */
  | { status: 'invalid'; problem: string };

/** A statement that its issuer signed. It holds for the time from `from` to `until`. */
export type Statement = ({ status: 'good' } | { status: 'revoked'; revokedAt: number }) & {
  from: number;
  until: number;
  /**
   * The OCSP responder, if the issuer delegated the statement to it and the responder's certificate can have been revoked (RFC 6960
   * 4.2.2.2.1). The statement counts only if it was not.
   */
  responder?: Certificate;
};
