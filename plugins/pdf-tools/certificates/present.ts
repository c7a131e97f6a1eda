import type { StoredCertificate } from './collections.ts';
import type { CertificateResponse } from './schemas.ts';

/** Converts a certificate to wire names, without its key. */
export function presentCertificate(stored: StoredCertificate): CertificateResponse {
  return {
    id: stored.id,
    name: stored.name,
    subject: stored.subject,
    issuer: stored.issuer,
    not_before: new Date(stored.notBefore).toISOString(),
    not_after: new Date(stored.notAfter).toISOString(),
    key_type: stored.keyType,
    created_at: new Date(stored.createdAt).toISOString(),
  };
}
