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
} from 'pkijs';
import { BitString, OctetString } from 'asn1js';
import { checkSignature, digest, NO_MATCH } from './algorithms.ts';
import { Asn1Fault, decodeAsn1, encodeAsn1, requireExactLengths } from './asn1.ts';

/** The purpose of a certificate in its extended key usage (RFC 5280 4.2.1.12). */
export const TIME_STAMPING = '1.3.6.1.5.5.7.3.8';
export const OCSP_SIGNING = '1.3.6.1.5.5.7.3.9';

/** Bits of the key usage (RFC 5280 4.2.1.3). */
export const KEY_USAGE = { digitalSignature: 0, nonRepudiation: 1, keyCertSign: 5, crlSign: 6 } as const;

/** The extensions that this module evaluates. Others must not be critical. */
const EVALUATED = new Set([
  '2.5.29.15', // key usage
  '2.5.29.17', // subject alternative name
  '2.5.29.18', // issuer alternative name
  '2.5.29.19', // basic constraints
  '2.5.29.31', // CRL distribution points
  '2.5.29.32', // certificate policies: any policy is acceptable
  '2.5.29.37', // extended key usage
]);

/** An X.509 certificate (RFC 5280). Names, serial numbers and key identifiers are hexadecimal. Times are epoch milliseconds. */
export interface Certificate {
  der: Uint8Array;
  /** The SHA-256 digest of the certificate, which identifies it. */
  fingerprint: string;
  subject: string;
  issuer: string;
  serial: string;
  /** The subject for people: its common name, or else another of its names. */
  name: string;
  /** The subject in full: `CN=Ada Lovelace, O=Analytical Engines, C=GB`. */
  subjectText: string;
  notBefore: number;
  notAfter: number;
  /** The SubjectPublicKeyInfo. */
  publicKey: Uint8Array;
  /** The bits of the public key, which OCSP identifies by their digest. */
  keyBits: Uint8Array;
  isAuthority: boolean;
  /** The number of intermediate certificates that may follow, if it is limited. */
  pathLength: number | undefined;
  /** Tells whether the key may be used for a purpose. Without the extension, it may be used for all. */
  mayUse: (bit: number) => boolean;
  extendedUsage: { purposes: readonly string[]; critical: boolean } | undefined;
  keyId: string | undefined;
  authorityKeyId: string | undefined;
  /** The identifiers of critical extensions that are not evaluated. */
  unsupported: readonly string[];
  ocspUrls: readonly string[];
  crlUrls: readonly string[];
  issuerUrls: readonly string[];
  /** Whether an OCSP responder with this certificate need not be checked for revocation (RFC 6960 4.2.2.2.1). */
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

/** Reads certificates, and leaves out those that are malformed. */
export function readCertificates(list: Iterable<Uint8Array>): Certificate[] {
  const found: Certificate[] = [];
  for (const bytes of list) {
    try {
      found.push(readCertificate(bytes));
    } catch (error) {
      if (!(error instanceof Asn1Fault)) throw error;
    }
  }
  return found;
}

const PEM = /-----BEGIN (?:X509 )?CERTIFICATE-----([A-Za-z0-9+/=\s]*)-----END/g;

/** Reads the certificates in PEM. @throws {Asn1Fault} for a malformed certificate and for text without a certificate */
export function readPem(text: string): Certificate[] {
  const found = [...text.matchAll(PEM)].map(([, body = '']) => readCertificate(Buffer.from(body, 'base64')));
  if (found.length === 0) throw new Asn1Fault('contains no certificate in PEM');
  return found;
}

/** Checks that `issuer` signed a certificate. Returns the problem, if there is one. */
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
  const text = textOf(parsed.subject);
  return {
    der,
    fingerprint: digest('sha256', der).toString('hex'),
    subject: nameKey(parsed.subject),
    issuer: nameKey(parsed.issuer),
    serial: hex(parsed.serialNumber.valueBlock.valueHexView),
    name: text.get('CN') ?? [...text.values()][0] ?? 'a certificate without a name',
    subjectText: [...text].map(([key, value]) => `${key}=${value}`).join(', '),
    notBefore: parsed.notBefore.value.getTime(),
    notAfter: parsed.notAfter.value.getTime(),
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
      // A list by another issuer, or for some reasons only, is not conclusive.
      Array.isArray(distributionPoint) && !cRLIssuer && !reasons ? urlsOf(distributionPoint) : [],
    ),
    noCheck: extensions.has('1.3.6.1.5.5.7.48.1.5'),
    parsed,
  };
}

/** Returns the value of an extension. @throws {Asn1Fault} if the extension is malformed, because its restriction is then unknown */
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

/** Returns the encoded name, by which issuers and subjects are compared. */
export function nameKey(name: RelativeDistinguishedNames): string {
  return hex(encodeAsn1(name.toSchema()));
}

const NAME_TYPES: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.42': 'GN',
  '2.5.4.4': 'SN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.97': 'organizationIdentifier',
  '2.5.4.11': 'OU',
  '2.5.4.10': 'O',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.6': 'C',
  '1.2.840.113549.1.9.1': 'emailAddress',
};
const MAX_NAME_LENGTH = 200;

function textOf({ typesAndValues }: RelativeDistinguishedNames): Map<string, string> {
  const parts = new Map<string, string>();
  for (const { type, value } of typesAndValues) {
    const key = NAME_TYPES[type] ?? type;
    const text: unknown = value.valueBlock.value;
    // Control characters would forge lines of a log or a report.
    if (typeof text === 'string' && !parts.has(key))
      parts.set(key, text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, MAX_NAME_LENGTH));
  }
  return parts;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}
