import {
  AccessDescription,
  BasicConstraints,
  Certificate as ParsedCertificate,
  CRLDistributionPoints,
  ExtKeyUsage,
  AuthorityKeyIdentifier,
  InfoAccess,
  type Extension,
  type GeneralName,
  type RelativeDistinguishedNames,
  type Time,
} from 'pkijs';
import { BitString, OctetString } from 'asn1js';
import { checkSignature, digest, NO_MATCH } from '../asn1/algorithms.ts';
import { Asn1Fault, decodeAsn1, encodeAsn1, readIfValid, requireExactLengths } from '../asn1/asn1.ts';

/** Purposes of certificates in their extended key usage (RFC 5280 4.2.1.12). */
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
export const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';

/** Bits of the key usage (RFC 5280 4.2.1.3). */
export const KEY_USAGE = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, crlSign: 6 } as const;

/** The extensions that this module evaluates. Other extensions must not be critical. */
const EVALUATED = new Set([
  '2.5.29.15', // key usage
  '2.5.29.17', // subject alternative name
  '2.5.29.18', // issuer alternative name
  '2.5.29.19', // basic constraints
  '2.5.29.31', // CRL distribution points
  '2.5.29.32', // certificate policies: any policy is acceptable
  '2.5.29.37', // extended key usage
]);

/**
 * An X.509 certificate (RFC 5280). Names, serial numbers and key identifiers are hexadecimal. Times are epoch
 * milliseconds.
 */
export interface Certificate {
  der: Uint8Array;
  /** The SHA-256 digest of the certificate, which identifies it. */
  fingerprint: string;
  subject: string;
  issuer: string;
  serial: string;
  /** The display name of the subject: its common name, or else its whole name. */
  name: string;
  /** The subject and the issuer in full (RFC 4514): `CN=Ada Lovelace, O=Analytical Engines, C=GB`. */
  subjectText: string;
  issuerText: string;
  notBefore: number;
  notAfter: number;
  /** The SubjectPublicKeyInfo. */
  publicKey: Uint8Array;
  /** The bits of the public key. OCSP identifies the key by their digest. */
  keyBits: Uint8Array;
  isAuthority: boolean;
  /** The number of intermediate certificates that may follow, if it is limited. */
  pathLength: number | undefined;
  /**
   * Tells whether the key may be used for a purpose. Without the key usage extension, it may be used for any
   * purpose.
   */
  mayUse: (bit: number) => boolean;
  extendedUsage: { purposes: readonly string[]; critical: boolean } | undefined;
  keyId: string | undefined;
  authorityKeyId: string | undefined;
  /** The identifiers of critical extensions that are not evaluated. */
  unsupported: readonly string[];
  ocspUrls: readonly string[];
  crlUrls: readonly string[];
  issuerUrls: readonly string[];
  /**
   * Whether an OCSP responder with this certificate need not be checked for revocation (RFC 6960 4.2.2.2.1).
   */
  noCheck: boolean;
  parsed: ParsedCertificate;
}

/** Reads a certificate in DER. @throws {Asn1Fault} */
export function readCertificate(bytes: Uint8Array): Certificate {
  const { value, length } = decodeAsn1(bytes, (schema) => {
    const parsed = new ParsedCertificate({ schema });
    return describe(parsed, bytes);
  });
  if (length !== bytes.length) throw new Asn1Fault('is followed by other bytes');
  requireExactLengths(bytes, length);
  return value;
}

/** Reads certificates, and skips malformed ones. */
export function readCertificates(list: Iterable<Uint8Array>): Certificate[] {
  return [...list].flatMap((bytes) => readIfValid(() => readCertificate(bytes)));
}

const PEM = /-----BEGIN (?:X509 )?CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END/g;

/**
 * Reads the certificates in PEM.
 * @throws {Asn1Fault} for a malformed certificate and for text without a certificate
 */
export function readPem(text: string): Certificate[] {
  const found = [...text.matchAll(PEM)].map(([, body = '']) => readCertificate(Buffer.from(body, 'base64')));
  if (found.length === 0) throw new Asn1Fault('contains no certificate in PEM');
  return found;
}

const OTHER_PURPOSES = new Set([SERVER_AUTHENTICATION, TIME_STAMPING, OCSP_SIGNING]);

/**
 * Tells whether a certificate may sign documents: its key usage allows signatures, and its extended key usage
 * is not limited to other purposes.
 */
export function isForSigning({ mayUse, extendedUsage }: Certificate): boolean {
  if (!mayUse(KEY_USAGE.digitalSignature) && !mayUse(KEY_USAGE.nonRepudiation)) return false;
  const purposes = extendedUsage?.purposes ?? [];
  return purposes.length === 0 || purposes.some((each) => !OTHER_PURPOSES.has(each));
}

/** Checks that `issuer` signed a certificate. Returns the fault, if there is one. */
export function checkIssued(certificate: Certificate, issuer: Certificate): string | undefined {
  const { parsed } = certificate;
  if (parsed.signatureValue.valueBlock.unusedBits !== 0) return NO_MATCH;
  return checkSignature({
    publicKey: issuer.publicKey,
    algorithm: parsed.signatureAlgorithm,
    bytes: parsed.tbsView,
    signature: parsed.signatureValue.valueBlock.valueHexView,
  });
}

function describe(parsed: ParsedCertificate, der: Uint8Array): Certificate {
  const extensions = new Map((parsed.extensions ?? []).map((each) => [each.extnID, each]));
  if (extensions.size !== (parsed.extensions ?? []).length) throw new Asn1Fault('repeats an extension');
  const constraints = valueOf(extensions.get('2.5.29.19'), BasicConstraints);
  const usage = valueOf(extensions.get('2.5.29.15'), BitString)?.valueBlock.valueHexView;
  const extendedUsage = valueOf(extensions.get('2.5.29.37'), ExtKeyUsage);
  const keyId = valueOf(extensions.get('2.5.29.14'), OctetString)?.valueBlock.valueHexView;
  const authority = valueOf(extensions.get('2.5.29.35'), AuthorityKeyIdentifier)?.keyIdentifier;
  const access = valueOf(extensions.get('1.3.6.1.5.5.7.1.1'), InfoAccess)?.accessDescriptions ?? [];
  const points = valueOf(extensions.get('2.5.29.31'), CRLDistributionPoints)?.distributionPoints ?? [];
  const limit: unknown = constraints?.pathLenConstraint;
  const subject = attributesOf(parsed.subject);
  const subjectText = textOf(subject);
  const commonName = subject.find(({ type }) => type === 'CN')?.text;
  return {
    der,
    fingerprint: digest('sha256', der).toString('hex'),
    subject: nameKey(parsed.subject),
    issuer: nameKey(parsed.issuer),
    serial: hex(parsed.serialNumber.valueBlock.valueHexView),
    name: (commonName ?? subjectText) || 'a certificate without a name',
    subjectText,
    issuerText: textOf(attributesOf(parsed.issuer)),
    notBefore: timeOf(parsed.notBefore),
    notAfter: timeOf(parsed.notAfter),
    publicKey: encodeAsn1(parsed.subjectPublicKeyInfo.toSchema()),
    keyBits: parsed.subjectPublicKeyInfo.subjectPublicKey.valueBlock.valueHexView,
    isAuthority: constraints?.cA === true,
    pathLength: typeof limit === 'number' ? limit : undefined,
    mayUse: (bit) => usage === undefined || ((usage[bit >> 3] ?? 0) & (0x80 >> (bit & 7))) !== 0,
    extendedUsage: extendedUsage && {
      purposes: extendedUsage.keyPurposes,
      critical: extensions.get('2.5.29.37')?.critical === true,
    },
    keyId: keyId && hex(keyId),
    authorityKeyId: authority && hex(authority.valueBlock.valueHexView),
    unsupported: [...extensions.values()]
      .filter(({ extnID, critical }) => critical && !EVALUATED.has(extnID))
      .map(({ extnID }) => extnID),
    ocspUrls: accessUrls(access, '1.3.6.1.5.5.7.48.1'),
    issuerUrls: accessUrls(access, '1.3.6.1.5.5.7.48.2'),
    crlUrls: points.flatMap(({ distributionPoint, cRLIssuer, reasons }) =>
      // A list from another issuer, or for some revocation reasons only, is not conclusive.
      Array.isArray(distributionPoint) && !cRLIssuer && !reasons ? urlsOf(distributionPoint) : [],
    ),
    noCheck: extensions.has('1.3.6.1.5.5.7.48.1.5'),
    parsed,
  };
}

/**
 * Returns the value of an extension.
 * @throws {Asn1Fault} if the extension is malformed, because its restriction is then unknown
 */
function valueOf<T extends object>(
  extension: Extension | undefined,
  type: new (...args: never[]) => T,
): T | undefined {
  if (!extension) return undefined;
  const value: unknown = extension.parsedValue;
  if (!(value instanceof type)) throw new Asn1Fault('has a malformed extension');
  return value;
}

function accessUrls(list: readonly AccessDescription[], method: string): string[] {
  return list.flatMap(({ accessMethod, accessLocation }) =>
    accessMethod === method ? urlsOf([accessLocation]) : [],
  );
}

const URI = 6;
const MAX_URL_LENGTH = 2_000;

function urlsOf(names: readonly GeneralName[]): string[] {
  return names.flatMap(({ type, value }) =>
    type === URI && typeof value === 'string' && value.length <= MAX_URL_LENGTH && /^https?:\/\//i.test(value)
      ? [value]
      : [],
  );
}

/** Returns the hexadecimal encoding of a name, which identifies it in comparisons of issuers and subjects. */
export function nameKey(name: RelativeDistinguishedNames): string {
  return hex(encodeAsn1(name.toSchema()));
}

/** The short names of attributes (RFC 4514, RFC 5280 A.1). */
const NAME_TYPES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.9': 'street',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
  '2.5.4.12': 'title',
  '2.5.4.42': 'GN',
  '2.5.4.97': 'organizationIdentifier',
  '1.2.840.113549.1.9.1': 'emailAddress',
  '0.9.2342.19200300.100.1.25': 'DC',
};
const MAX_NAME_LENGTH = 200;
const MAX_TEXT_LENGTH = 2_000;

/** An attribute of a distinguished name, for display. */
interface NameAttribute {
  type: string;
  text: string;
}

/**
 * Returns the attributes of a name. The last one, which is the most specific, comes first, as RFC 4514 orders
 * them.
 */
function attributesOf({ typesAndValues }: RelativeDistinguishedNames): NameAttribute[] {
  return typesAndValues.toReversed().map(({ type, value }) => {
    const given: unknown = value.valueBlock.value;
    const start = typeof given === 'string' ? given.slice(0, MAX_NAME_LENGTH).toWellFormed() : '';
    // Control characters could forge lines of a log or a report.
    return { type: NAME_TYPES[type] ?? type, text: start.replaceAll(/\p{Cc}+/gu, ' ') };
  });
}

function textOf(attributes: readonly NameAttribute[]): string {
  const text = attributes.map((each) => `${each.type}=${each.text}`).join(', ');
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed();
}

function timeOf({ value }: Time): number {
  const time = value.getTime();
  if (!Number.isFinite(time)) throw new Asn1Fault('has an invalid date');
  return time;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
