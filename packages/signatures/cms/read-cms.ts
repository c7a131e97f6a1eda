import { createHash } from 'node:crypto';
import { Null, ObjectIdentifier, OctetString, Sequence, UTCTime, GeneralizedTime } from 'asn1js';
import {
  Certificate as ParsedCertificate,
  ContentInfo,
  IssuerAndSerialNumber,
  SignedData,
  type AlgorithmIdentifier,
  type Attribute,
  type SignerInfo,
} from 'pkijs';
import {
  anyDigestOf,
  checkSignature,
  digest,
  digestOf,
  weaknessOf,
  type DigestName,
  type WeakDigestName,
} from '../asn1/algorithms.ts';
import { Asn1Fault, attempt, bytesOf, decodeAsn1, encodeAsn1, requireExactLengths } from '../asn1/asn1.ts';
import { nameKey, readCertificates, type Certificate } from '../certificates/certificate.ts';

/** The object identifiers of attributes (RFC 5652 11, RFC 5035, RFC 3161 appendix A). */
export const ATTRIBUTES = {
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingTime: '1.2.840.113549.1.9.5',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  timestampToken: '1.2.840.113549.1.9.16.2.14',
  adobeRevocation: '1.2.840.113583.1.1.8',
} as const;
/** The versions of SignedData and SignerInfo (RFC 5652 5.1 and 5.3). */
const DATA_VERSIONS: ReadonlySet<number> = new Set([1, 3, 4, 5]);
const SIGNER_VERSIONS: ReadonlySet<number> = new Set([1, 3]);
/** The maximum number of certificates in one signature. */
const MAX_CERTIFICATES = 100;

/** A CMS signature (RFC 5652) by one signer. */
export interface CmsSignature {
  /** The type of the signed content. */
  contentType: string;
  /** The content, if the signature includes it. */
  content: Uint8Array | undefined;
  /** The certificates in the signature. */
  certificates: readonly Certificate[];
  /** Whether one of the certificates is malformed. */
  hasMalformed: boolean;
  /** The certificate of the signer, if the signature includes it. */
  signer: Certificate | undefined;
  /**
   * Whether the signature covers the identity of the signer's certificate (RFC 5035), which PAdES requires.
   */
  namesSigner: boolean;
  /** The signature value, which a signature timestamp covers. */
  value: Uint8Array;
  /** The time that the signer claims. */
  signingTime: number | undefined;
  /** The DER of signature timestamps (RFC 3161 appendix A). */
  timestamps: readonly Uint8Array[];
  /** The DER of revocation data in a signed attribute, as Acrobat stores it. */
  revocation: { ocsps: readonly Uint8Array[]; crls: readonly Uint8Array[] };
  /** The number of bytes of the encoded signature. Padding may follow. */
  sizeBytes: number;
  info: SignerInfo;
}

/** Reads a signature. @throws {Asn1Fault} if it is malformed or does not have exactly one signer */
export function readCms(bytes: Uint8Array): CmsSignature {
  const { value, length } = decodeAsn1(bytes, (schema) => {
    const outer = new ContentInfo({ schema });
    if (outer.contentType !== ContentInfo.SIGNED_DATA) throw new Asn1Fault('is not a CMS signature');
    return describe(new SignedData({ schema: outer.content }));
  });
  requireExactLengths(bytes, length);
  return { ...value, sizeBytes: length };
}

function describe(data: SignedData): Omit<CmsSignature, 'sizeBytes'> {
  const [info, second] = data.signerInfos;
  if (!info || second) throw new Asn1Fault(`has ${data.signerInfos.length} signers instead of one`);
  if (!DATA_VERSIONS.has(data.version) || !SIGNER_VERSIONS.has(info.version))
    throw new Asn1Fault('has an unknown version');
  const digests = data.digestAlgorithms.map(({ algorithmId }) => algorithmId);
  if (!digests.includes(info.digestAlgorithm.algorithmId)) throw new Asn1Fault('does not list its digest');
  if (![info.digestAlgorithm, ...data.digestAlgorithms].every(hasNoParameters))
    throw new Asn1Fault('has parameters of its digest');
  const encoded = (data.certificates ?? []).flatMap((each) =>
    each instanceof ParsedCertificate ? [encodeAsn1(each.toSchema())] : [],
  );
  if (encoded.length > MAX_CERTIFICATES) throw new Asn1Fault('has too many certificates');
  const certificates = readCertificates(encoded);
  // The certificates of one key have the same key identifier. The signed attribute tells which of them is
  // meant.
  const possible = certificates.filter((each) => identifies(info.sid, each));
  const signer = possible.find((each) => namesCertificate(info, each)) ?? possible[0];
  const { eContent, eContentType } = data.encapContentInfo;
  return {
    contentType: eContentType,
    content: eContent && bytesOf(eContent),
    certificates,
    hasMalformed: certificates.length !== encoded.length,
    signer,
    namesSigner: signer !== undefined && namesCertificate(info, signer),
    value: info.signature.valueBlock.valueHexView,
    signingTime: readSigningTime(info),
    timestamps: (info.unsignedAttrs?.attributes ?? [])
      .filter(({ type }) => type === ATTRIBUTES.timestampToken)
      .flatMap(({ values }) => values.map((value) => encodeAsn1(value))),
    revocation: readAdobeRevocation(info),
    info,
  };
}

function hasNoParameters({ algorithmParams }: AlgorithmIdentifier): boolean {
  return algorithmParams === undefined || algorithmParams instanceof Null;
}

/** The signed content: its digests, and its bytes for signatures without signed attributes. */
export interface SignedContent {
  digest(name: DigestName | WeakDigestName): Uint8Array;
  bytes(): Uint8Array;
}

export function contentOf(bytes: Uint8Array): SignedContent {
  return { digest: (name) => digest(name, bytes), bytes: () => bytes };
}

/**
 * Verifies that the signer signed the content. Does not check whether the certificate can be trusted. Returns
 * the first fault as the end of a sentence: "… does not match its content". With `allowsWeak`, weak
 * algorithms count as signatures; {@link weaknessOfCms} tells about them.
 */
export function checkCms(
  cms: CmsSignature,
  content: SignedContent,
  { allowsWeak = false } = {},
): string | undefined {
  const { info, signer } = cms;
  if (!signer) return 'does not include the certificate of its signer';
  const hash = (allowsWeak ? anyDigestOf : digestOf)(info.digestAlgorithm.algorithmId);
  if ('fault' in hash) return hash.fault;
  const attributes = info.signedAttrs;
  const common = {
    publicKey: signer.publicKey,
    algorithm: info.signatureAlgorithm,
    digest: hash.name,
    signature: cms.value,
    allowsWeak,
  };
  if (!attributes) return checkSignature({ ...common, bytes: content.bytes() });
  const type = single(info, ATTRIBUTES.contentType);
  if (!(type instanceof ObjectIdentifier) || type.valueBlock.toString() !== cms.contentType)
    return 'does not name the type of its content';
  const named = single(info, ATTRIBUTES.messageDigest);
  if (!(named instanceof OctetString)) return 'does not include the digest of its content';
  if (!Buffer.from(content.digest(hash.name)).equals(named.valueBlock.valueHexView))
    return 'does not match its content';
  if (hasSigningCertificate(info) && !cms.namesSigner) return "does not name its signer's certificate";
  return checkSignature({ ...common, bytes: new Uint8Array(attributes.encodedValue) });
}

/** Returns the reason why a signature proves little although it is correct, as the end of a sentence. */
export function weaknessOfCms({ info, signer }: CmsSignature): string | undefined {
  if (!signer) return undefined;
  const digests = [info.digestAlgorithm.algorithmId];
  return weaknessOf({ publicKey: signer.publicKey, algorithm: info.signatureAlgorithm, digests });
}

function identifies(sid: unknown, certificate: Certificate): boolean {
  if (sid instanceof IssuerAndSerialNumber)
    return (
      nameKey(sid.issuer) === certificate.issuer &&
      Buffer.from(sid.serialNumber.valueBlock.valueHexView).toString('hex') === certificate.serial
    );
  // A subject key identifier, with the implicit tag [0].
  const block: unknown = sid;
  if (typeof block !== 'object' || block === null || !('valueBlock' in block)) return false;
  const { valueBlock } = block;
  if (typeof valueBlock !== 'object' || valueBlock === null || !('valueHexView' in valueBlock)) return false;
  const { valueHexView } = valueBlock;
  return (
    valueHexView instanceof Uint8Array && Buffer.from(valueHexView).toString('hex') === certificate.keyId
  );
}

function signedAttribute(info: SignerInfo, oid: string): Attribute | undefined {
  const found = (info.signedAttrs?.attributes ?? []).filter(({ type }) => type === oid);
  if (found.length > 1) throw new Asn1Fault('repeats a signed attribute');
  return found[0];
}

function single(info: SignerInfo, oid: string): unknown {
  const attribute = signedAttribute(info, oid);
  return attribute?.values.length === 1 ? attribute.values[0] : undefined;
}

function readSigningTime(info: SignerInfo): number | undefined {
  const time = single(info, ATTRIBUTES.signingTime);
  if (!(time instanceof UTCTime || time instanceof GeneralizedTime)) return undefined;
  return attempt(() => time.toDate().getTime());
}

function hasSigningCertificate(info: SignerInfo): boolean {
  return [ATTRIBUTES.signingCertificate, ATTRIBUTES.signingCertificateV2].some(
    (oid) => signedAttribute(info, oid) !== undefined,
  );
}

/** Tells whether the attribute signing-certificate names the certificate of the signer first. */
function namesCertificate(info: SignerInfo, { der }: Certificate): boolean {
  for (const oid of [ATTRIBUTES.signingCertificateV2, ATTRIBUTES.signingCertificate]) {
    const value = single(info, oid);
    if (value === undefined) continue;
    const [list] = value instanceof Sequence ? value.valueBlock.value : [];
    const [id] = list instanceof Sequence ? list.valueBlock.value : [];
    const [first, second] = id instanceof Sequence ? id.valueBlock.value : [];
    if (first instanceof OctetString) {
      const { valueHexView } = first.valueBlock;
      // The first version of the attribute always uses SHA-1, which only identifies the certificate here.
      const expected =
        oid === ATTRIBUTES.signingCertificate
          ? createHash('sha1').update(der).digest()
          : digest('sha256', der);
      return expected.equals(valueHexView);
    }
    const [algorithm] = first instanceof Sequence ? first.valueBlock.value : [];
    if (!(algorithm instanceof ObjectIdentifier) || !(second instanceof OctetString)) return false;
    const hash = digestOf(algorithm.valueBlock.toString());
    return 'name' in hash && digest(hash.name, der).equals(second.valueBlock.valueHexView);
  }
  return false;
}

/** Reads `RevocationInfoArchival`: [0] CRLs and [1] OCSP responses (ISO 32000-2 12.8.3.3.2). */
function readAdobeRevocation(info: SignerInfo): CmsSignature['revocation'] {
  const value = single(info, ATTRIBUTES.adobeRevocation);
  const lists: Record<number, Uint8Array[]> = { 0: [], 1: [] };
  for (const part of value instanceof Sequence ? value.valueBlock.value : []) {
    const [list] =
      'value' in part.valueBlock && Array.isArray(part.valueBlock.value) ? part.valueBlock.value : [];
    const items = list instanceof Sequence ? list.valueBlock.value : [];
    lists[part.idBlock.tagNumber]?.push(...items.map((item) => encodeAsn1(item)));
  }
  return { crls: lists[0] ?? [], ocsps: lists[1] ?? [] };
}
