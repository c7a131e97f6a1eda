import type { CollectionSpec } from '../../../src/plugin.ts';

/** A stored certificate. Times are epoch milliseconds. */
export interface StoredCertificate {
  id: string;
  accountId: string;
  name: string;
  /** The distinguished names, for display. */
  subject: string;
  issuer: string;
  commonName: string;
  /** `RSA 2048`, `EC P-256`. */
  keyType: string;
  notBefore: number;
  notAfter: number;
  /** The certificate and the certificates of its issuers, in DER and base64. */
  certificate: string;
  chain: readonly string[];
  /** The private key (PKCS#8 in DER and base64), sealed for the id of this record. */
  sealedKey: string;
  createdAt: number;
}

/** The certificates of all accounts. */
export const certificates: CollectionSpec<StoredCertificate> = {
  name: 'certificates',
  indexes: [{ fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } }],
};
