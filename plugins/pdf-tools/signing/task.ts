import { createHash, sign } from 'node:crypto';
import { convertToPdfa } from '@platen/pdf-standards';
import {
  forField,
  InputFault,
  openInput,
  toAsyncResult,
  toResult,
  type PdfDocument,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { claimedPdfa } from '@platen/pdf/objects';
import {
  addValidationData,
  Asn1Fault,
  collectValidationData,
  createTimestampRequest,
  digestWithoutSignature,
  encodeSignature,
  findSignatureField,
  isForSigning,
  issuersOf,
  keyFault,
  prepareSignature,
  readCertificate,
  readPem,
  readTimestampResponse,
  signatureBytes,
  signedAttributes,
  signingAlgorithmOf,
  TIMESTAMP_BYTES,
  type Certificate,
  type CollectionRequest,
  type PreparedSignature,
  type SecurityStore,
  type SignatureAppearance,
  type SignatureRequest,
  type TimestampRequest,
} from '@platen/signatures';

// The functions in this file run in the sandbox.

/** The certificate of a signer and the certificates of its issuers, in DER. */
export interface SignerCertificates {
  certificate: Uint8Array;
  chain: readonly Uint8Array[];
}

export type PrepareRequest = SignerCertificates &
  Omit<SignatureRequest, 'reservedBytes'> & {
    pdf: PdfSource;
    /** Whether a timestamp will be added. */
    hasTimestamp: boolean;
  };

/** Adds an empty signature to a PDF. Returns the attributes that the signer signs, in DER. */
export async function prepare({
  pdf,
  certificate,
  chain,
  hasTimestamp,
  appearance,
  ...request
}: PrepareRequest): Promise<Result<PreparedSignature & { attributes: Uint8Array }>> {
  return toAsyncResult('pdf', async () => {
    const signer = readCertificate(certificate);
    const document = openInput(pdf, 'pdf');
    const prepared = prepareSignature(document, {
      ...request,
      appearance: appearance && (await conforming(document, appearance)),
      reservedBytes: signatureBytes(signer, chain) + (hasTimestamp ? TIMESTAMP_BYTES : 0),
    });
    const digest = digestWithoutSignature(prepared.pdf, prepared, signingAlgorithmOf(signer).digest);
    return { ...prepared, attributes: signedAttributes(signer, digest) };
  });
}

/**
 * Converts an appearance to PDF/A if the document claims PDF/A, so that the claim stays true. Every level
 * allows an appearance that 1b allows.
 */
async function conforming(
  document: PdfDocument,
  appearance: SignatureAppearance,
): Promise<SignatureAppearance> {
  if (claimedPdfa(document) === null) return appearance;
  const { drawn } = appearance;
  return { ...appearance, drawn: { ...drawn, pdf: await convertToPdfa(drawn.pdf, { level: '1b' }) } };
}

/**
 * Returns the size in points of the signature field with a name; `null` if the PDF has none, or one without
 * area.
 */
export function measureField({ pdf, field }: { pdf: PdfSource; field: string }): Result<{
  width: number;
  height: number;
} | null> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => findSignatureField(document, field) ?? null);
  });
}

/** Reads the certificates of a signer: its own first, then its issuers' in any order. */
export function describeSigner({ pem }: { pem: string }): Result<{
  name: string;
  certificate: Uint8Array;
  chain: Uint8Array[];
  notBefore: number;
  notAfter: number;
}> {
  return toResult(() => {
    const [signer, ...others] = readCertificates(pem);
    if (!signer) throw new InputFault('certificates', 'has no certificate in PEM');
    const fault = keyFault(signer);
    if (fault !== undefined) throw new InputFault('certificates', fault);
    if (!isForSigning(signer))
      throw new InputFault('certificates', 'has a certificate that does not allow signatures (key usage)');
    const { name, der, notBefore, notAfter } = signer;
    const chain = issuersOf(signer, others).map((issuer) => issuer.der);
    return { name, certificate: der, chain, notBefore, notAfter };
  });
}

function readCertificates(pem: string): Certificate[] {
  try {
    return readPem(pem);
  } catch (error) {
    if (error instanceof Asn1Fault) throw new InputFault('certificates', error.message);
    throw error;
  }
}

/** Signs data with a private key (PKCS#8 in DER). */
export function signWithKey({
  privateKey,
  certificate,
  data,
}: {
  privateKey: Uint8Array;
  certificate: Uint8Array;
  data: Uint8Array;
}): Uint8Array {
  const { digest } = signingAlgorithmOf(readCertificate(certificate));
  const key = Buffer.from(privateKey);
  try {
    return sign(digest, data, { key, format: 'der', type: 'pkcs8' });
  } finally {
    // The process handles files of other callers next.
    key.fill(0);
    privateKey.fill(0);
  }
}

export function requestTimestamp({ signature }: { signature: Uint8Array }): TimestampRequest {
  return createTimestampRequest(createHash('sha256').update(signature).digest());
}

/**
 * Reads the response to a request for a timestamp. Returns the token, or the fault as the end of a
 * sentence: "the answer …".
 */
export function readTimestampToken({
  answer,
  request,
}: {
  answer: Uint8Array;
  request: TimestampRequest;
}): { token: Uint8Array } | { fault: string } {
  try {
    return { token: readTimestampResponse(answer, request).token };
  } catch (error) {
    if (error instanceof Asn1Fault) return { fault: error.message };
    throw error;
  }
}

/** Collects the data for later validation, or returns requests for missing data. */
export function collect(request: CollectionRequest): ReturnType<typeof collectValidationData> {
  return collectValidationData(request);
}

export function addData({ pdf, data }: { pdf: PdfSource; data: SecurityStore }): Result<Uint8Array> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => addValidationData(document, data));
  });
}

/**
 * Encodes a signature in hexadecimal, to replace the empty one in a PDF. A wrong signature is a failure of
 * `certificate`.
 */
export function encode({
  certificate,
  chain,
  attributes,
  signature,
  timestamp,
  digits,
}: SignerCertificates & {
  attributes: Uint8Array;
  signature: Uint8Array;
  timestamp?: Uint8Array | undefined;
  digits: number;
}): Result<string> {
  return toResult(() => {
    const parts = { certificate: readCertificate(certificate), chain, attributes, signature, timestamp };
    const hex = encodeSignature(parts).toString('hex');
    if (hex.length > digits) throw new InputFault('level', 'cannot be reached: the timestamp is too large');
    return hex;
  });
}
