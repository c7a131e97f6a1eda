import { InputFault, toResult, type Result } from '@platen/pdf';
import { decodeBase64 } from '@platen/pdf/base64';
import { isForSigning, isPem, readPkcs12, signingAlgorithmOf } from '@platen/signatures';
import type { FileValue } from '../../../src/plugin.ts';

// The functions in this file run in the sandbox.

/** A certificate and its private key, read from an uploaded file. */
export interface ReadCertificate {
  subject: string;
  issuer: string;
  commonName: string;
  keyType: string;
  notBefore: number;
  notAfter: number;
  certificate: Uint8Array;
  chain: Uint8Array[];
  /** PKCS#8 in DER. */
  privateKey: Uint8Array;
}

/** Reads a PKCS#12 file. A failure names `file` or `password`. */
export function readUpload({
  file,
  password,
}: {
  file: FileValue;
  password: string;
}): Result<ReadCertificate> {
  return toResult(() => {
    const { certificate, chain, privateKey } = readPkcs12(bytesOf(file), password);
    if (!isForSigning(certificate))
      throw new InputFault('file', 'has a certificate that does not allow signatures (key usage)');
    return {
      subject: certificate.subjectText,
      issuer: certificate.issuerText,
      commonName: certificate.name,
      keyType: signingAlgorithmOf(certificate).keyType,
      notBefore: certificate.notBefore,
      notAfter: certificate.notAfter,
      certificate: certificate.der,
      chain: chain.map(({ der }) => der),
      privateKey,
    };
  });
}

function bytesOf(file: FileValue): Uint8Array {
  if (typeof file !== 'string' && !(file instanceof Uint8Array)) return file.raw;
  const text = typeof file === 'string' ? Buffer.from(file, 'latin1') : Buffer.from(file);
  // The reader of PKCS#12 rejects it with an explanation.
  if (isPem(text)) return text;
  const decoded = decodeBase64(text);
  if (!decoded) throw new InputFault('file', 'is not valid base64');
  return decoded;
}
