import { createHash } from 'node:crypto';
import { Null, OctetString, Enumerated } from 'asn1js';
import {
  AlgorithmIdentifier,
  BasicOCSPResponse,
  CertID,
  OCSPRequest,
  OCSPResponse,
  Request,
  type SingleResponse,
} from 'pkijs';
import { checkSignature } from '../asn1/algorithms.ts';
import { Asn1Fault, bytesOf, decodeAsn1, encodeAsn1, octetString } from '../asn1/asn1.ts';
import {
  checkIssued,
  nameKey,
  OCSP_SIGNING,
  readCertificates,
  type Certificate,
} from '../certificates/certificate.ts';
import type { RevocationStatus } from './status.ts';

const BASIC = '1.3.6.1.5.5.7.48.1.1';
const SHA1 = '1.3.14.3.2.26';
/**
 * Digests that identify an issuer. SHA-1 is safe for this purpose, and it is the only digest that all
 * responders support.
 */
const ID_DIGESTS: Readonly<Record<string, string>> = {
  [SHA1]: 'sha1',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
};

/**
 * Creates a request for the status of a certificate (RFC 6960 4.1), to be sent as `application/ocsp-request`.
 */
export function createOcspRequest(certificate: Certificate, issuer: Certificate): Uint8Array {
  const request = new OCSPRequest();
  request.tbsRequest.requestList = [
    new Request({
      reqCert: new CertID({
        hashAlgorithm: new AlgorithmIdentifier({ algorithmId: SHA1, algorithmParams: new Null() }),
        issuerNameHash: octetString(sha('sha1', Buffer.from(issuer.subject, 'hex'))),
        issuerKeyHash: octetString(sha('sha1', issuer.keyBits)),
        serialNumber: certificate.parsed.serialNumber,
      }),
    }),
  ];
  return encodeAsn1(request.toSchema(true));
}

/** A signed OCSP response. */
export interface OcspResponse {
  /** The DER of the whole response, for the DSS. */
  der: Uint8Array;
  parsed: BasicOCSPResponse;
  certificates: readonly Certificate[];
}

/** Reads an OCSP response. @throws {Asn1Fault} if it is malformed or reports an error */
export function readOcsp(der: Uint8Array): OcspResponse {
  const { value } = decodeAsn1(der, (schema) => {
    const response = new OCSPResponse({ schema });
    const status: unknown = response.responseStatus;
    const code = status instanceof Enumerated ? status.valueBlock.valueDec : -1;
    const { responseBytes } = response;
    if (code !== 0 || responseBytes?.responseType !== BASIC)
      throw new Asn1Fault(`refuses the request (status ${code})`);
    return bytesOf(responseBytes.response);
  });
  const { value: parsed } = decodeAsn1(value, (schema) => new BasicOCSPResponse({ schema }));
  const certificates = readCertificates((parsed.certs ?? []).map((each) => encodeAsn1(each.toSchema())));
  return { der, parsed, certificates };
}

/**
 * Returns the status of a certificate in a response, or `undefined` if the response is about other
 * certificates. A response is invalid unless the issuer or a responder of the issuer signed it.
 */
export function ocspStatus(
  response: OcspResponse,
  certificate: Certificate,
  issuer: Certificate,
): RevocationStatus | undefined {
  const { tbsResponseData: data } = response.parsed;
  const single = data.responses.find((each) => isAbout(each, certificate, issuer));
  if (!single) return undefined;
  const responder = findResponder(response, issuer);
  if (typeof responder === 'string') return { status: 'invalid', fault: `the OCSP response ${responder}` };
  const from = single.thisUpdate.getTime();
  const isDelegate = responder !== issuer && !responder.noCheck;
  const common = {
    from,
    until: single.nextUpdate?.getTime() ?? from,
    ...(isDelegate && { responder }),
  };
  const [status, revokedAt] = readStatus(single.certStatus);
  if (status === 'revoked') return { status, revokedAt: revokedAt ?? from, ...common };
  if (status === 'good') return { status, ...common };
  return { status: 'invalid', fault: 'the OCSP responder does not know the certificate' };
}

function isAbout({ certID }: SingleResponse, certificate: Certificate, issuer: Certificate): boolean {
  const hash = ID_DIGESTS[certID.hashAlgorithm.algorithmId];
  if (hash === undefined) return false;
  return (
    Buffer.from(certID.serialNumber.valueBlock.valueHexView).toString('hex') === certificate.serial &&
    sha(hash, issuer.keyBits).equals(bytesOf(certID.issuerKeyHash)) &&
    sha(hash, Buffer.from(issuer.subject, 'hex')).equals(bytesOf(certID.issuerNameHash))
  );
}

/**
 * Returns the signer of a response: the issuer, or a responder with a certificate from the issuer (RFC 6960
 * 4.2.2.2). Otherwise, returns the fault.
 */
function findResponder({ parsed, certificates }: OcspResponse, issuer: Certificate): Certificate | string {
  const { tbsResponseData: data } = parsed;
  const producedAt = data.producedAt.getTime();
  const isDelegate = (each: Certificate) =>
    each.extendedUsage?.purposes.includes(OCSP_SIGNING) === true &&
    each.issuer === issuer.subject &&
    each.notBefore <= producedAt &&
    producedAt <= each.notAfter &&
    checkIssued(each, issuer) === undefined;
  const candidates = [issuer, ...certificates.filter((each) => each.fingerprint !== issuer.fingerprint)];
  const responder = candidates.find((each) => isNamed(data.responderID, each));
  if (!responder) return 'does not include the certificate of its signer';
  if (responder !== issuer && !isDelegate(responder))
    return 'is signed by a certificate that is not for OCSP';
  const fault = checkSignature({
    publicKey: responder.publicKey,
    algorithm: parsed.signatureAlgorithm,
    bytes: data.tbsView,
    signature: parsed.signature.valueBlock.valueHexView,
  });
  return fault ?? responder;
}

function isNamed(id: unknown, certificate: Certificate): boolean {
  if (id instanceof OctetString) return sha('sha1', certificate.keyBits).equals(bytesOf(id));
  if (typeof id !== 'object' || id === null || !('typesAndValues' in id)) return false;
  // pkijs declares the responder as `any`.
  return nameKey(id as Parameters<typeof nameKey>[0]) === certificate.subject;
}

/** Reads CertStatus: [0] good, [1] revoked with its time, [2] unknown. */
function readStatus(value: unknown): ['good' | 'revoked' | 'unknown', number?] {
  if (typeof value !== 'object' || value === null || !('idBlock' in value)) return ['unknown'];
  const { idBlock } = value;
  const tag =
    typeof idBlock === 'object' && idBlock !== null && 'tagNumber' in idBlock ? idBlock.tagNumber : 2;
  if (tag === 0) return ['good'];
  if (tag !== 1) return ['unknown'];
  const block = 'valueBlock' in value ? value.valueBlock : undefined;
  const items =
    typeof block === 'object' && block !== null && 'value' in block && Array.isArray(block.value)
      ? block.value
      : [];
  const [time]: unknown[] = items;
  const date =
    typeof time === 'object' && time !== null && 'toDate' in time && typeof time.toDate === 'function'
      ? time.toDate()
      : undefined;
  return date instanceof Date ? ['revoked', date.getTime()] : ['revoked'];
}

function sha(name: string, bytes: Uint8Array): Buffer {
  return createHash(name).update(bytes).digest();
}
