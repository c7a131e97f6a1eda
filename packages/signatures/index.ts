/**
 * Signatures (PAdES, ETSI EN 319 142-1): signing, verification, timestamps (RFC 3161), certificates and
 * revocation data. No function opens a connection: a function that needs data from other servers returns
 * requests, and the caller repeats the call with the answers.
 * @module
 */
export { Asn1Fault } from './asn1/asn1.ts';
export { createTimestampRequest, readTimestampResponse, type TimestampRequest } from './cms/timestamp.ts';
export { isForSigning, readCertificate, readPem, type Certificate } from './certificates/certificate.ts';
export { issuersOf } from './certificates/path.ts';
export { isPem, readPkcs12, type Identity } from './certificates/pkcs12.ts';
export { keyFault, signingAlgorithmOf } from './certificates/signing-algorithm.ts';
export { SIGNATURE_LEVELS, type SignatureLevel } from './levels.ts';
export type { RemoteResponse, RemoteRequest } from './revocation/remote-data.ts';
export { addValidationData, type SecurityStore } from './security-store.ts';
export { collectValidationData, type CollectionRequest } from './sign/collect-validation-data.ts';
export {
  embedTimestamp,
  prepareTimestamp,
  TIMESTAMP_BYTES,
  type PreparedTimestamp,
} from './sign/document-timestamp.ts';
export {
  encodeSignature,
  signatureBytes,
  signedAttributes,
  type SignatureContent,
} from './sign/encode-cms.ts';
export type { Certification } from './sign/permission.ts';
export {
  findSignatureField,
  prepareSignature,
  type PreparedSignature,
  type SignatureAppearance,
  type SignatureRequest,
} from './sign/prepare-signature.ts';
export { digestWithoutSignature } from './sign/reserved-signature.ts';
export { inspectSignatures, type InspectedSignature, type Inspection } from './verify/inspect.ts';
export {
  levelsOf,
  verifySignatures,
  type Verification,
  type VerificationInput,
  type VerifiedSignature,
} from './verify/verify.ts';
