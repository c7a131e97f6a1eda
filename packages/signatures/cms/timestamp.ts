import { randomBytes } from 'node:crypto';
import { Null } from 'asn1js';
import { AlgorithmIdentifier, MessageImprint, PKIStatus, TimeStampReq, TimeStampResp, TSTInfo } from 'pkijs';
import { anyDigestOf, digestOf, digestOid, type DigestName } from '../asn1/algorithms.ts';
import { Asn1Fault, bytesOf, decodeAsn1, encodeAsn1, integerOf, octetString } from '../asn1/asn1.ts';
import { TIME_STAMPING } from '../certificates/certificate.ts';
import { checkCms, contentOf, readCms, type CmsSignature, type SignedContent } from './read-cms.ts';

const TST_INFO = '1.2.840.113549.1.9.16.1.4';
/** The PKIStatus of responses that contain a timestamp (RFC 3161 2.4.2). */
const GRANTED: readonly PKIStatus[] = [PKIStatus.granted, PKIStatus.grantedWithMods];

/** A timestamp to request from an authority: the digest, and a nonce that the response must repeat. */
export interface TimestampRequest {
  digest: Uint8Array;
  algorithm: DigestName;
  nonce: Uint8Array;
  /** The request to send, of the type `application/timestamp-query`. */
  der: Uint8Array;
}

/** Creates a request for a timestamp of a digest, with a random nonce (RFC 3161 2.4.1). */
export function createTimestampRequest(hash: Uint8Array, algorithm: DigestName = 'sha256'): TimestampRequest {
  const nonce = randomBytes(16);
  const der = encodeAsn1(
    new TimeStampReq({
      version: 1,
      messageImprint: new MessageImprint({
        hashAlgorithm: new AlgorithmIdentifier({
          algorithmId: digestOid(algorithm),
          algorithmParams: new Null(),
        }),
        hashedMessage: octetString(hash),
      }),
      nonce: integerOf(nonce),
      certReq: true,
    }).toSchema(),
  );
  return { digest: hash, algorithm, nonce, der };
}

/**
 * Reads the response of an authority (RFC 3161 2.4.2), and checks it: status, digest, nonce, signature and
 * the purpose of the certificate. Does not check whether the certificate can be trusted.
 * @returns the DER of the timestamp token, and its time in epoch milliseconds
 * @throws {Asn1Fault} with the fault as the end of a sentence: "the answer …"
 */
export function readTimestampResponse(
  bytes: Uint8Array,
  request: Omit<TimestampRequest, 'der'>,
): { token: Uint8Array; time: number } {
  const { value } = decodeAsn1(bytes, (schema) => new TimeStampResp({ schema }));
  const { status, timeStampToken } = value;
  if (!GRANTED.includes(status.status) || !timeStampToken)
    throw new Asn1Fault(`refuses the request (status ${status.status})`);
  const der = encodeAsn1(timeStampToken.toSchema());
  const token = readTimestamp(der);
  const fault = checkTimestamp(token, {
    digest(name) {
      if (name !== request.algorithm) throw new Asn1Fault('has another digest algorithm than the request');
      return request.digest;
    },
  });
  if (fault !== undefined) throw new Asn1Fault(fault);
  if (!token.nonce || !Buffer.from(trimZeros(token.nonce)).equals(trimZeros(request.nonce)))
    throw new Asn1Fault('does not repeat the nonce of the request');
  return { token: der, time: token.time };
}

/** A timestamp token. */
export interface Timestamp {
  cms: CmsSignature;
  /** The time that the authority confirms, in epoch milliseconds. */
  time: number;
  /** The digest that was timestamped. */
  imprint: { oid: string; digest: Uint8Array };
  nonce: Uint8Array | undefined;
}

/** Reads a timestamp token. @throws {Asn1Fault} */
export function readTimestamp(bytes: Uint8Array): Timestamp {
  const cms = readCms(bytes);
  if (cms.contentType !== TST_INFO || !cms.content) throw new Asn1Fault('is not a timestamp');
  const { value } = decodeAsn1(cms.content, (schema) => new TSTInfo({ schema }));
  const { hashAlgorithm, hashedMessage } = value.messageImprint;
  return {
    cms,
    time: value.genTime.getTime(),
    imprint: { oid: hashAlgorithm.algorithmId, digest: bytesOf(hashedMessage) },
    nonce: value.nonce?.valueBlock.valueHexView,
  };
}

/**
 * Checks that a timestamp is for the content, and is correctly signed with a certificate for time stamping.
 * Does not check whether the certificate can be trusted. Returns the first fault as the end of a sentence.
 */
export function checkTimestamp(
  { cms, imprint }: Timestamp,
  content: Pick<SignedContent, 'digest'>,
  { allowsWeak = false } = {},
): string | undefined {
  const hash = (allowsWeak ? anyDigestOf : digestOf)(imprint.oid);
  if ('fault' in hash) return hash.fault;
  if (!Buffer.from(content.digest(hash.name)).equals(imprint.digest)) return 'is for other content';
  const fault = checkCms(cms, contentOf(cms.content ?? new Uint8Array()), { allowsWeak });
  if (fault !== undefined) return fault;
  if (!cms.namesSigner) return 'does not name the certificate of its signer';
  const usage = cms.signer?.extendedUsage;
  // RFC 3161 2.3.
  if (usage?.critical !== true || usage.purposes.length !== 1 || usage.purposes[0] !== TIME_STAMPING)
    return 'is signed with a certificate that is not for time stamping';
  return undefined;
}

function trimZeros(bytes: Uint8Array): Uint8Array {
  const from = bytes.findIndex((byte) => byte !== 0);
  return from < 0 ? new Uint8Array() : bytes.subarray(from);
}
