import { createHash, verify } from 'node:crypto';
import { algorithm, octets, oid, sequence, setOf, smallInteger, tagged } from './der.ts';
import { Asn1 } from './asn1.ts';
import type { Certificate } from './certificate.ts';
import { openPublicKey, signatureAlgorithmOf, type SignatureAlgorithm } from './key-type.ts';

const ID = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.47',
  timestamp: '1.2.840.113549.1.9.16.2.14',
};

// Tags of CMS (RFC 5652 5).
const EXPLICIT_0 = 0xa0;
const CERTIFICATES = 0xa0;
const SIGNED_ATTRIBUTES = 0xa0;
const UNSIGNED_ATTRIBUTES = 0xa1;
// The tag of a directory name in GeneralName (RFC 5280 4.2.1.6).
const DIRECTORY_NAME = 0xa4;

/** Returns how the key of a certificate signs. @throws {Error} if its algorithm is not supported */
export function algorithmOf(certificate: Certificate): SignatureAlgorithm {
  const found = signatureAlgorithmOf(openPublicKey(certificate.publicKey));
  if (!found) throw new Error('the key of the certificate has an unsupported algorithm');
  return found;
}

/**
 * Encodes the signed attributes of a PAdES baseline signature (ETSI EN 319 142-1 6.3): the content type, the digest of the file, and the
 * certificate. The time of signing is in the signature dictionary.
 */
export function signedAttributes(certificate: Certificate, digest: Uint8Array): Buffer {
  const issuerSerial = sequence(sequence(tagged(DIRECTORY_NAME, certificate.issuer)), certificate.serial);
  const hash = createHash('sha256').update(certificate.der).digest();
  return setOf(
    attribute(ID.contentType, oid(ID.data)),
    attribute(ID.messageDigest, octets(digest)),
    attribute(ID.signingCertificate, sequence(sequence(sequence(octets(hash), issuerSerial)))),
  );
}

function attribute(id: string, value: Uint8Array): Buffer {
  return sequence(oid(id), tagged(0x31, value));
}

/** The parts of a signature. */
export interface SignatureParts {
  certificate: Certificate;
  /** The certificates of the issuers, in DER. */
  chain: readonly Uint8Array[];
  /** The value of {@link signedAttributes}. */
  attributes: Uint8Array;
  signature: Uint8Array;
  /** A timestamp of the signature (RFC 3161), in DER. */
  timestamp?: Uint8Array | undefined;
}

/** Tells whether a signature was made with the key of the certificate. */
export function isSignedBy({ certificate, attributes, signature }: SignatureParts): boolean {
  try {
    return verify(algorithmOf(certificate).hash, attributes, openPublicKey(certificate.publicKey), signature);
  } catch {
    return false;
  }
}

/** Encodes a detached signature (CMS, RFC 5652) in DER. */
export function encodeSignature(parts: SignatureParts): Buffer {
  const { certificate, chain, attributes, signature, timestamp } = parts;
  const { hashId, id, parameters } = algorithmOf(certificate);
  const signerInfo = sequence(
    smallInteger(1),
    sequence(certificate.issuer, certificate.serial),
    algorithm(hashId),
    implicit(SIGNED_ATTRIBUTES, attributes),
    algorithm(id, parameters),
    octets(signature),
    ...(timestamp ? [tagged(UNSIGNED_ATTRIBUTES, attribute(ID.timestamp, timestamp))] : []),
  );
  const signedData = sequence(
    smallInteger(1),
    setOf(algorithm(hashId)),
    sequence(oid(ID.data)),
    implicit(CERTIFICATES, setOf(certificate.der, ...chain)),
    setOf(signerInfo),
  );
  return sequence(oid(ID.signedData), tagged(EXPLICIT_0, signedData));
}

/** Returns the timestamp in the answer of an authority (RFC 3161 2.4.2), byte for byte. */
export function timestampIn(answer: Uint8Array): Buffer {
  return Asn1.parse(answer).at(1).encoded;
}

/** Replaces the tag of an encoded value. */
function implicit(tag: number, encoded: Uint8Array): Buffer {
  const copy = Buffer.from(encoded);
  copy[0] = tag;
  return copy;
}

/** Returns how many bytes {@link encodeSignature} needs at most. */
export function signatureBytes(certificate: Certificate, chain: readonly Uint8Array[]): number {
  const certificates = [certificate.der, ...chain].reduce((sum, { length }) => sum + length, 0);
  // Issuer and serial number occur twice; the largest signature has 1,024 bytes.
  return certificates + 2 * (certificate.issuer.length + certificate.serial.length) + 2_000;
}
