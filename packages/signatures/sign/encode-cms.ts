import { Constructed, Null, ObjectIdentifier, Sequence, Set as Asn1Set, type BaseBlock } from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { InputFault } from '@platen/pdf/objects';
import { readCertificates, type Certificate } from '../certificates/certificate.ts';
import { signingAlgorithmOf } from '../certificates/signing-algorithm.ts';
import { checkSignature, digest, digestOid } from '../asn1/algorithms.ts';
import { Asn1Fault, decodeAsn1, encodeAsn1, octetString } from '../asn1/asn1.ts';
import { ATTRIBUTES, readCms } from '../cms/read-cms.ts';

// The tag of a directory name in GeneralName (RFC 5280 4.2.1.6).
const DIRECTORY_NAME = { tagClass: 3, tagNumber: 4 };
// The tags of SignedAndUnsignedAttributes (RFC 5652 5.3).
const SIGNED = 0;
const UNSIGNED = 1;

/**
 * Encodes the signed attributes of a PAdES baseline signature (ETSI EN 319 142-1 6.3): the content type, the
 * digest of the file, and the certificate. The time of signing is in the signature dictionary.
 */
export function signedAttributes({ der, parsed }: Certificate, fileDigest: Uint8Array): Buffer {
  const issuer = new Constructed({ idBlock: DIRECTORY_NAME, value: [parsed.issuer.toSchema()] });
  const issuerSerial = sequence(sequence(issuer), parsed.serialNumber);
  const certificateId = sequence(octetString(digest('sha256', der)), issuerSerial);
  const attributes = [
    attribute(ATTRIBUTES.contentType, new ObjectIdentifier({ value: ContentInfo.DATA })),
    attribute(ATTRIBUTES.messageDigest, octetString(fileDigest)),
    attribute(ATTRIBUTES.signingCertificateV2, sequence(sequence(certificateId))),
  ].map((each) => each.toSchema());
  // DER orders the elements of a set.
  const value = attributes.toSorted((a, b) => Buffer.compare(encodeAsn1(a), encodeAsn1(b)));
  return encodeAsn1(new Asn1Set({ value }));
}

function sequence(...value: BaseBlock[]): Sequence {
  return new Sequence({ value });
}

function attribute(type: string, value: BaseBlock): Attribute {
  return new Attribute({ type, values: [value] });
}

/** The parts of a signature. */
export interface SignatureContent {
  certificate: Certificate;
  /** The certificates of the issuers, in DER. */
  chain: readonly Uint8Array[];
  /** The value of {@link signedAttributes}. */
  attributes: Uint8Array;
  signature: Uint8Array;
  /** A timestamp of the signature (RFC 3161), in DER. */
  timestamp?: Uint8Array | undefined;
}

/**
 * Encodes a detached signature (CMS, RFC 5652) in DER.
 * @throws {InputFault} that names `certificate`, if another key made the signature
 */
export function encodeSignature(parts: SignatureContent): Buffer {
  const { certificate } = parts;
  const info = signerInfo(parts);
  const signedData = new SignedData({
    version: 1,
    digestAlgorithms: [info.digestAlgorithm],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: ContentInfo.DATA }),
    certificates: [certificate, ...readCertificates(parts.chain)]
      .toSorted((a, b) => Buffer.compare(a.der, b.der))
      .map(({ parsed }) => parsed),
    signerInfos: [info],
  });
  const content = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signedData.toSchema() });
  const encoded = encodeAsn1(content.toSchema());
  // The library re-encodes certificates. The result must equal the original.
  if (readCms(encoded).signer?.fingerprint !== certificate.fingerprint)
    throw new InputFault('certificate', 'is not encoded in DER');
  return encoded;
}

/**
 * Creates the SignerInfo. @throws {InputFault} that names `certificate`, if another key made the signature
 */
function signerInfo({ certificate, attributes, signature, timestamp }: SignatureContent): SignerInfo {
  const { digest: name, oid, hasNull } = signingAlgorithmOf(certificate);
  const algorithm = new AlgorithmIdentifier({
    algorithmId: oid,
    ...(hasNull && { algorithmParams: new Null() }),
  });
  const { publicKey } = certificate;
  if (checkSignature({ publicKey, algorithm, digest: name, bytes: attributes, signature }) !== undefined)
    throw new InputFault('certificate', 'does not fit the key of its signer');
  const { issuer, serialNumber } = certificate.parsed;
  return new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer, serialNumber }),
    digestAlgorithm: new AlgorithmIdentifier({ algorithmId: digestOid(name) }),
    signedAttrs: new SignedAndUnsignedAttributes({ type: SIGNED, attributes: readAttributes(attributes) }),
    signatureAlgorithm: algorithm,
    signature: octetString(signature),
    ...(timestamp && {
      unsignedAttrs: new SignedAndUnsignedAttributes({
        type: UNSIGNED,
        attributes: [attribute(ATTRIBUTES.timestampToken, decodeAsn1(timestamp, (block) => block).value)],
      }),
    }),
  });
}

function readAttributes(set: Uint8Array): Attribute[] {
  return decodeAsn1(set, (block) => {
    if (!(block instanceof Asn1Set)) throw new Asn1Fault('is malformed');
    return block.valueBlock.value.map((schema) => new Attribute({ schema }));
  }).value;
}

/** Returns an upper bound for the length of the result of {@link encodeSignature}. */
export function signatureBytes({ der, issuer, serial }: Certificate, chain: readonly Uint8Array[]): number {
  const certificates = chain.reduce((sum, { length }) => sum + length, der.length);
  // The issuer and the serial number are hexadecimal and occur twice. The largest signature has 1,024 bytes.
  return certificates + issuer.length + serial.length + 2_000;
}
