import { createHash } from 'node:crypto';
import {
  BitString,
  Enumerated,
  Integer,
  ObjectIdentifier,
  OctetString,
  Primitive,
  Constructed,
  Sequence,
  Set as Asn1Set,
} from 'asn1js';
import {
  AlgorithmIdentifier,
  Attribute,
  BasicOCSPResponse,
  CertificateRevocationList,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  MessageImprint,
  OCSPRequest,
  OCSPResponse,
  PKIStatus,
  PKIStatusInfo,
  ResponseBytes,
  RevokedCertificate,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
  SingleResponse,
  Time,
  TimeStampReq,
  TimeStampResp,
  TimeType,
  TSTInfo,
  Certificate,
} from 'pkijs';
import {
  digestAlgorithm,
  generalizedTime,
  keyId,
  parse,
  signatureAlgorithm,
  signBytes,
  toArrayBuffer,
  type Party,
} from './certificates.ts';

const DAY_MS = 86_400_000;

/** The parts of a CMS signature. */
export interface CmsRequest {
  signer: Party;
  digest?: string;
  /** Further certificates to include, before that of the signer. */
  chain?: readonly Party[];
  /** The digest of detached content. By default, the digest of `content`. */
  messageDigest?: Uint8Array;
  /** Content to include in the signature. */
  content?: { type: string; bytes: Uint8Array };
  signingTime?: Date;
  /** Leaves out the attribute that identifies the signer's certificate. */
  anonymous?: boolean;
  /** Names the signer by its key identifier instead of its issuer and serial number. */
  byKeyId?: boolean;
  /** The object identifier of the signature algorithm, if it is not that of the key. */
  algorithm?: string;
  /** Makes a timestamp token, in DER, for the value of the signature. */
  timestamp?: (value: Uint8Array) => Uint8Array | Promise<Uint8Array>;
}

/** Makes a CMS signature with signed attributes, as PAdES requires. */
export async function signCms(request: CmsRequest): Promise<Buffer> {
  const { signer, digest = 'sha256', chain = [], content, signingTime, anonymous = false } = request;
  const type = content?.type ?? '1.2.840.113549.1.7.1';
  const messageDigest =
    request.messageDigest ??
    createHash(digest)
      .update(content?.bytes ?? new Uint8Array())
      .digest();
  const attribute = (oid: string, value: unknown) => new Attribute({ type: oid, values: [value] });
  const attributes = [
    attribute('1.2.840.113549.1.9.3', new ObjectIdentifier({ value: type })),
    attribute('1.2.840.113549.1.9.4', octets(messageDigest)),
  ];
  if (signingTime) attributes.push(attribute('1.2.840.113549.1.9.5', generalizedTime(signingTime)));
  if (!anonymous) {
    const id = new Sequence({ value: [octets(createHash('sha256').update(signer.der).digest())] });
    const list = new Sequence({ value: [new Sequence({ value: [id] })] });
    attributes.push(attribute('1.2.840.113549.1.9.16.2.47', list));
  }
  const encoded = Buffer.from(new Asn1Set({ value: attributes.map((each) => each.toSchema()) }).toBER());
  const value = signBytes(signer.kind, signer.privateKey, digest, encoded);
  const token = await request.timestamp?.(value);
  const info = new SignerInfo({
    version: request.byKeyId ? 3 : 1,
    sid: request.byKeyId
      ? new Primitive({
          idBlock: { tagClass: 3, tagNumber: 0 },
          valueHex: toArrayBuffer(keyId(signer.certificate.subjectPublicKeyInfo)),
        })
      : new IssuerAndSerialNumber({
          issuer: signer.certificate.issuer,
          serialNumber: signer.certificate.serialNumber,
        }),
    digestAlgorithm: digestAlgorithm(digest),
    signatureAlgorithm:
      request.algorithm === undefined
        ? signatureAlgorithm(signer.kind, digest)
        : new AlgorithmIdentifier({ algorithmId: request.algorithm }),
    signature: octets(value),
    signedAttrs: new SignedAndUnsignedAttributes({ type: 0, attributes }),
    ...(token && {
      unsignedAttrs: new SignedAndUnsignedAttributes({
        type: 1,
        attributes: [attribute('1.2.840.113549.1.9.16.2.14', parse(token))],
      }),
    }),
  });
  const data = new SignedData({
    version: content ? 3 : 1,
    digestAlgorithms: [digestAlgorithm(digest)],
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: type }),
    certificates: [...chain, signer].map(({ der }) => new Certificate({ schema: parse(der) })),
    signerInfos: [info],
  });
  // The constructor would split the content into parts, which DER does not allow.
  if (content) data.encapContentInfo.eContent = octets(content.bytes);
  const outer = new ContentInfo({ contentType: '1.2.840.113549.1.7.2', content: data.toSchema(true) });
  return Buffer.from(outer.toSchema().toBER());
}

/** How a time stamping authority responds. */
export interface TsaBehaviour {
  signer: Party;
  chain?: readonly Party[];
  time?: Date;
  /** Timestamps a digest other than that of the request. */
  wrongImprint?: boolean;
  wrongNonce?: boolean;
  /** Refuses the request. */
  refuses?: boolean;
}

/** Returns the response of an authority to a timestamp request. */
export async function answerTimestamp(der: Uint8Array, behaviour: TsaBehaviour): Promise<Buffer> {
  const { signer, chain = [], time = new Date(), wrongImprint, wrongNonce, refuses } = behaviour;
  if (refuses) {
    const status = new PKIStatusInfo({ status: PKIStatus.rejection });
    return Buffer.from(new TimeStampResp({ status }).toSchema().toBER());
  }
  const request = new TimeStampReq({ schema: parse(der) });
  const imprint = new MessageImprint({
    hashAlgorithm: request.messageImprint.hashAlgorithm,
    hashedMessage: wrongImprint ? octets(Buffer.alloc(32, 7)) : request.messageImprint.hashedMessage,
  });
  const nonce = wrongNonce ? new Integer({ value: 12_345 }) : request.nonce;
  const info = new TSTInfo({
    version: 1,
    policy: '1.2.3.4.1',
    messageImprint: imprint,
    serialNumber: new Integer({ value: 1 }),
    genTime: time,
    ...(nonce && { nonce }),
  });
  const content = { type: '1.2.840.113549.1.9.16.1.4', bytes: Buffer.from(info.toSchema().toBER()) };
  const token = await signCms({ signer, chain, content });
  const answer = new TimeStampResp({
    status: new PKIStatusInfo({ status: PKIStatus.granted }),
    timeStampToken: new ContentInfo({ schema: parse(token) }),
  });
  return Buffer.from(answer.toSchema().toBER());
}

/**
 * The revocations that an OCSP responder or a revocation list reports, and the period in which the report is
 * valid.
 */
export interface RevocationData {
  signer: Party;
  /** Serial numbers in hexadecimal, with the time of revocation. */
  revoked?: ReadonlyMap<string, Date>;
  from?: Date;
  until?: Date;
}

/** Returns the OCSP response to a request about one certificate. */
export function answerOcsp(
  der: Uint8Array,
  { signer, revoked = new Map(), from, until }: RevocationData,
): Buffer {
  const request = new OCSPRequest({ schema: parse(der) });
  const [asked] = request.tbsRequest.requestList;
  if (!asked) throw new Error('the OCSP request is empty');
  const revokedAt = revoked.get(serialOf(asked.reqCert.serialNumber));
  const thisUpdate = from ?? new Date(Date.now() - 60_000);
  const response = new BasicOCSPResponse();
  response.tbsResponseData.responderID = signer.certificate.subject;
  response.tbsResponseData.producedAt = thisUpdate;
  response.tbsResponseData.responses = [
    new SingleResponse({
      certID: asked.reqCert,
      certStatus: revokedAt
        ? new Constructed({ idBlock: { tagClass: 3, tagNumber: 1 }, value: [generalizedTime(revokedAt)] })
        : new Primitive({ idBlock: { tagClass: 3, tagNumber: 0 }, lenBlock: { length: 1 } }),
      thisUpdate,
      nextUpdate: until ?? new Date(Date.now() + DAY_MS),
    }),
  ];
  const data = response.tbsResponseData.toSchema(true).toBER();
  response.tbsResponseData.tbs = data;
  response.signatureAlgorithm = signatureAlgorithm(signer.kind, 'sha256');
  const signature = signBytes(signer.kind, signer.privateKey, 'sha256', new Uint8Array(data));
  response.signature = new BitString({ valueHex: toArrayBuffer(signature) });
  response.certs = [signer.certificate];
  const outer = new OCSPResponse({
    responseStatus: new Enumerated({ value: 0 }),
    responseBytes: new ResponseBytes({
      responseType: '1.3.6.1.5.5.7.48.1.1',
      response: octets(Buffer.from(response.toSchema().toBER())),
    }),
  });
  return Buffer.from(outer.toSchema().toBER());
}

/** Makes a revocation list. */
export function makeCrl({
  signer,
  revoked = new Map(),
  from,
  until,
  change,
}: RevocationData & {
  /** Changes the content before it is signed. */
  change?: (content: Buffer) => void;
}): Buffer {
  const list = new CertificateRevocationList({
    version: 1,
    issuer: signer.certificate.subject,
    thisUpdate: new Time({ type: TimeType.GeneralizedTime, value: from ?? new Date(Date.now() - 60_000) }),
    nextUpdate: new Time({ type: TimeType.GeneralizedTime, value: until ?? new Date(Date.now() + DAY_MS) }),
    ...(revoked.size > 0 && {
      revokedCertificates: [...revoked].map(
        ([serial, date]) =>
          new RevokedCertificate({
            userCertificate: new Integer({ valueHex: toArrayBuffer(Buffer.from(serial, 'hex')) }),
            revocationDate: new Time({ type: TimeType.GeneralizedTime, value: date }),
          }),
      ),
    }),
  });
  list.signature = signatureAlgorithm(signer.kind, 'sha256');
  list.signatureAlgorithm = list.signature;
  const [content] = list.toSchema(true).valueBlock.value;
  if (!content) throw new Error('the revocation list is empty');
  list.tbs = content.toBER();
  const tbs = Buffer.from(list.tbs);
  change?.(tbs);
  const signature = signBytes(signer.kind, signer.privateKey, 'sha256', tbs);
  const rest = [
    list.signatureAlgorithm.toSchema().toBER(),
    new BitString({ valueHex: toArrayBuffer(signature) }).toBER(),
  ];
  // Assembled by hand, because the library would encode the content again, without the change.
  const parts = Buffer.concat([tbs, ...rest.map((part) => Buffer.from(part))]);
  return Buffer.concat([Buffer.of(0x30, 0x82, parts.length >> 8, parts.length & 0xff), parts]);
}

/** Writes the serial number of a certificate in hexadecimal. */
export function serialOf(serial: Integer): string {
  return Buffer.from(serial.valueBlock.valueHexView).toString('hex');
}

function octets(bytes: Uint8Array): OctetString {
  return new OctetString({ valueHex: toArrayBuffer(bytes) });
}
