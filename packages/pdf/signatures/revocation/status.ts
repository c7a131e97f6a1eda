/** What an OCSP response or a revocation list says about a certificate. Times are epoch milliseconds. */
export type RevocationStatus =
  /** The statement holds for the time from `from` to `until`. */
  | { status: 'good'; from: number; until: number }
  | { status: 'revoked'; revokedAt: number; from: number; until: number }
  /** The statement cannot be used. The problem is a clause: "the OCSP response does not match its content". */
  | { status: 'invalid'; problem: string };
