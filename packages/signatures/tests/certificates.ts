import { constants, createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { BitString, fromBER, GeneralizedTime, Integer, Null, OctetString, Utf8String } from 'asn1js';
import {
  AccessDescription,
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CRLDistributionPoints,
  DistributionPoint,
  ExtKeyUsage,
  Extension,
  GeneralName,
  InfoAccess,
  PublicKeyInfo,
  RSASSAPSSParams,
  Time,
  TimeType,
} from 'pkijs';

/** A kind of key, and the signature algorithm that is used with it. */
export type KeyKind = 'rsa' | 'rsa-1024' | 'rsa-pss' | 'p256' | 'p384' | 'p521' | 'ed25519';

/** An owner of a key and a certificate. */
export interface Party {
  name: string;
  kind: KeyKind;
  privateKey: KeyObject;
  publicKey: KeyObject;
  certificate: Certificate;
  /** The certificate in DER. */
  der: Buffer;
}

/** A certificate to issue. Without `issuer`, the certificate is self-signed. */
export interface CertificateRequest {
  name: string;
  issuer?: Party;
  kind?: KeyKind;
  digest?: string;
  isAuthority?: boolean;
  notBefore?: Date;
  notAfter?: Date;
  /** The bits of the key usage. The default suits an authority or a signer. */
  keyUsage?: number;
  purposes?: { list: string[]; critical: boolean };
  ocspUrl?: string;
  crlUrl?: string;
  issuerUrl?: string;
  noCheck?: boolean;
  /** Object identifiers of further critical extensions. */
  critical?: string[];
  /** A key to use instead of a new one, such as that of another certificate. */
  key?: { privateKey: KeyObject; publicKey: KeyObject };
  /** The SubjectPublicKeyInfo to state instead of that of the key. */
  publicKeyInfo?: Uint8Array;
}

const YEAR_MS = 365 * 86_400_000;
const DIGEST_OIDS: Record<string, string> = {
  sha1: '1.3.14.3.2.26',
  md5: '1.2.840.113549.2.5',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
};
const RSA_OIDS: Record<string, string> = { md5: '4', sha1: '5', sha256: '11', sha384: '12', sha512: '13' };
const EC_OIDS: Record<string, string> = { sha1: '1', sha256: '3.2', sha384: '3.3', sha512: '3.4' };
const CURVES = { p256: 'P-256', p384: 'P-384', p521: 'P-521' } as const;

function generateKey(kind: KeyKind): { privateKey: KeyObject; publicKey: KeyObject } {
  if (kind === 'ed25519') return generateKeyPairSync('ed25519');
  if (kind === 'rsa-1024') return generateKeyPairSync('rsa', { modulusLength: 1024 });
  if (kind === 'rsa' || kind === 'rsa-pss') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return generateKeyPairSync('ec', { namedCurve: CURVES[kind] });
}

export function digestAlgorithm(digest: string): AlgorithmIdentifier {
  return new AlgorithmIdentifier({ algorithmId: DIGEST_OIDS[digest] ?? '', algorithmParams: new Null() });
}

export function signatureAlgorithm(kind: KeyKind, digest: string): AlgorithmIdentifier {
  if (kind === 'ed25519') return new AlgorithmIdentifier({ algorithmId: '1.3.101.112' });
  if (kind === 'rsa' || kind === 'rsa-1024')
    return new AlgorithmIdentifier({
      algorithmId: `1.2.840.113549.1.1.${RSA_OIDS[digest]}`,
      algorithmParams: new Null(),
    });
  if (kind === 'rsa-pss') {
    const hashAlgorithm = digestAlgorithm(digest);
    const maskGenAlgorithm = new AlgorithmIdentifier({
      algorithmId: '1.2.840.113549.1.1.8',
      algorithmParams: hashAlgorithm.toSchema(),
    });
    const params = new RSASSAPSSParams({ hashAlgorithm, maskGenAlgorithm, saltLength: 32 });
    return new AlgorithmIdentifier({
      algorithmId: '1.2.840.113549.1.1.10',
      algorithmParams: params.toSchema(),
    });
  }
  const ec = EC_OIDS[digest];
  return new AlgorithmIdentifier({
    algorithmId: digest === 'sha1' ? '1.2.840.10045.4.1' : `1.2.840.10045.4.${ec}`,
  });
}

export function signBytes(kind: KeyKind, key: KeyObject, digest: string, bytes: Uint8Array): Buffer {
  if (kind === 'ed25519') return sign(null, bytes, key);
  if (kind === 'rsa-pss')
    return sign(digest, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 });
  return sign(digest, bytes, key);
}

/** Issues a certificate, with a new key unless the request contains one. */
export function issue(request: CertificateRequest): Party {
  const { name, issuer, kind = 'p256', digest = 'sha256', isAuthority = issuer === undefined } = request;
  const key = request.key ?? generateKey(kind);
  const signer = issuer ?? { name, kind, ...key };
  const publicKeyInfo = request.publicKeyInfo ?? key.publicKey.export({ type: 'spki', format: 'der' });
  const spki = new PublicKeyInfo({ schema: parse(publicKeyInfo) });
  const certificate = new Certificate({ version: 2, serialNumber: new Integer({ valueHex: serial() }) });
  setName(certificate.issuer.typesAndValues, signer.name);
  setName(certificate.subject.typesAndValues, name);
  certificate.notBefore = new Time({
    type: TimeType.GeneralizedTime,
    value: request.notBefore ?? new Date(Date.now() - YEAR_MS),
  });
  certificate.notAfter = new Time({
    type: TimeType.GeneralizedTime,
    value: request.notAfter ?? new Date(Date.now() + 5 * YEAR_MS),
  });
  certificate.subjectPublicKeyInfo = spki;
  certificate.extensions = extensionsOf(request, isAuthority, {
    own: keyId(spki),
    issuer: issuer ? keyId(issuer.certificate.subjectPublicKeyInfo) : keyId(spki),
  });
  const algorithm = signatureAlgorithm(signer.kind, digest);
  certificate.signature = algorithm;
  certificate.signatureAlgorithm = algorithm;
  certificate.tbs = certificate.encodeTBS().toBER();
  const signature = signBytes(signer.kind, signer.privateKey, digest, new Uint8Array(certificate.tbs));
  certificate.signatureValue = new BitString({ valueHex: toArrayBuffer(signature) });
  const der = Buffer.from(certificate.toSchema(true).toBER());
  return { name, kind, ...key, certificate, der };
}

/** Writes a certificate in PEM. */
export function toPem(...parties: readonly Party[]): string {
  return parties
    .map(({ der }) => `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`)
    .join('');
}

/** Parses the first ASN.1 value of DER bytes. */
export function parse(der: Uint8Array) {
  return fromBER(der).result;
}

/** Copies bytes to a buffer of exactly their size. */
export function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer;
}

export function generalizedTime(value: Date): GeneralizedTime {
  return new GeneralizedTime({ valueDate: value });
}

/** Computes the identifier of a key (RFC 5280, 4.2.1.2, method 1). */
export function keyId({ subjectPublicKey }: PublicKeyInfo): Buffer {
  return createHash('sha1').update(subjectPublicKey.valueBlock.valueHexView).digest();
}

function serial(): ArrayBuffer {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  bytes[0] = 1;
  return bytes.buffer;
}

function setName(list: AttributeTypeAndValue[], value: string): void {
  list.push(new AttributeTypeAndValue({ type: '2.5.4.3', value: new Utf8String({ value }) }));
}

function extensionsOf(
  { keyUsage, purposes, ocspUrl, crlUrl, issuerUrl, noCheck = false, critical = [] }: CertificateRequest,
  isAuthority: boolean,
  keys: { own: Buffer; issuer: Buffer },
): Extension[] {
  const extension = (extnID: string, value: { toBER(): ArrayBuffer }, isCritical = false) =>
    new Extension({ extnID, critical: isCritical, extnValue: value.toBER() });
  const uri = (value: string) => new GeneralName({ type: 6, value });
  const list = [
    extension('2.5.29.14', new OctetString({ valueHex: toArrayBuffer(keys.own) })),
    extension(
      '2.5.29.35',
      new AuthorityKeyIdentifier({
        keyIdentifier: new OctetString({ valueHex: toArrayBuffer(keys.issuer) }),
      }).toSchema(),
    ),
    extension('2.5.29.15', usage(keyUsage ?? (isAuthority ? 0x06 : 0xc0)), true),
    ...critical.map((oid) => extension(oid, new Null(), true)),
  ];
  if (isAuthority) list.push(extension('2.5.29.19', new BasicConstraints({ cA: true }).toSchema(), true));
  if (purposes)
    list.push(
      extension('2.5.29.37', new ExtKeyUsage({ keyPurposes: purposes.list }).toSchema(), purposes.critical),
    );
  if (crlUrl !== undefined) {
    const point = new DistributionPoint({ distributionPoint: [uri(crlUrl)] });
    list.push(extension('2.5.29.31', new CRLDistributionPoints({ distributionPoints: [point] }).toSchema()));
  }
  const access = [
    ...(ocspUrl === undefined ? [] : [['1.3.6.1.5.5.7.48.1', ocspUrl] as const]),
    ...(issuerUrl === undefined ? [] : [['1.3.6.1.5.5.7.48.2', issuerUrl] as const]),
  ].map(([accessMethod, url]) => new AccessDescription({ accessMethod, accessLocation: uri(url) }));
  if (access.length > 0)
    list.push(extension('1.3.6.1.5.5.7.1.1', new InfoAccess({ accessDescriptions: access }).toSchema()));
  if (noCheck) list.push(extension('1.3.6.1.5.5.7.48.1.5', new Null()));
  return list;
}

function usage(bits: number): BitString {
  return new BitString({ valueHex: Uint8Array.of(bits).buffer, unusedBits: 0 });
}
