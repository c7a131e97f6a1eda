/**
 * Signatures: timestamps (RFC 3161), revocation data (RFC 6960, RFC 5280) and certificates. Pure functions: the service fetches.
 * @module
 */
export { Asn1Fault } from './asn1.ts';
export type { DigestName } from './algorithms.ts';
export { readCertificate, readPem, type Certificate } from './certificate.ts';
export { createOcspRequest, ocspStatus, readOcsp } from './ocsp.ts';
export { crlStatus, readCrl } from './crl.ts';
export type { RevocationStatus } from './revocation.ts';
export type { RemoteAnswer, RemoteRequest } from './remote-data.ts';
export { createTimestampRequest, readTimestampResponse, type TimestampRequest } from './timestamp.ts';
export { inspectSignatures, type InspectedSignature, type Inspection } from './inspect.ts';
export {
  levelsOf,
  SIGNATURE_LEVELS,
  verifySignatures,
  type SignatureLevel,
  type Verification,
  type VerificationInput,
  type VerifiedSignature,
} from './verify.ts';
export { embedTimestamp, prepareTimestamp, type PreparedTimestamp } from './document-timestamp.ts';
export { addValidationData } from '../signing/validation-data.ts';
export { collectValidationData, type CollectionRequest } from '../signing/collect-validation-data.ts';
export type { SecurityStore } from './dss.ts';
