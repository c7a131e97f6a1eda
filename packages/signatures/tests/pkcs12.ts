import { createHmac, pbkdf2Sync } from 'node:crypto';
import { OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  AuthenticatedSafe,
  CertBag,
  ContentInfo,
  DigestInfo,
  MacData,
  PBES2Params,
  PBKDF2Params,
  PFX,
  PrivateKeyInfo,
  SafeBag,
  SafeContents,
} from 'pkijs';
import { parse, toArrayBuffer, type Party } from './certificates.ts';

/**
 * Makes an unencrypted PKCS#12 file (RFC 7292) with the key and certificate of a signer, and the certificates
 * of its issuers. `macOf` computes the MAC of its content.
 */
export function pkcs12Of(
  signer: Party,
  issuers: readonly Party[],
  macOf?: (content: Uint8Array) => MacData,
): Buffer {
  const pkcs8 = signer.privateKey.export({ type: 'pkcs8', format: 'der' });
  const key = new SafeBag({
    bagId: '1.2.840.113549.1.12.10.1.1',
    bagValue: new PrivateKeyInfo({ schema: parse(pkcs8) }),
  });
  const certificates = [signer, ...issuers].map(({ der }) => {
    const bagValue = new CertBag({ certId: '1.2.840.113549.1.9.22.1', certValue: octets(der) });
    return new SafeBag({ bagId: '1.2.840.113549.1.12.10.1.3', bagValue });
  });
  const contents = new SafeContents({ safeBags: [key, ...certificates] });
  const safe = new AuthenticatedSafe({ safeContents: [dataOf(contents)] });
  const macData = macOf?.(Buffer.from(safe.toSchema().toBER()));
  const file = new PFX({ version: 3, authSafe: dataOf(safe), ...(macData && { macData }) });
  return Buffer.from(file.toSchema().toBER());
}

const ITERATIONS = 2_048;
const HMAC_SHA256 = '1.2.840.113549.2.9';

/**
 * Returns a function that computes a MAC with PBMAC1 (RFC 9579). `digestBytes` replaces the digest with
 * zeros.
 */
export function pbmac1(
  password: string,
  { digestBytes }: { digestBytes?: number } = {},
): (content: Uint8Array) => MacData {
  return (content) => {
    const salt = Buffer.alloc(16, 1);
    const key = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
    const digest =
      digestBytes === undefined
        ? createHmac('sha256', key).update(content).digest()
        : Buffer.alloc(digestBytes);
    const derivation = new PBKDF2Params({
      salt: octets(salt),
      iterationCount: ITERATIONS,
      keyLength: 32,
      prf: new AlgorithmIdentifier({ algorithmId: HMAC_SHA256 }),
    });
    const parameters = new PBES2Params({
      keyDerivationFunc: new AlgorithmIdentifier({
        algorithmId: '1.2.840.113549.1.5.12',
        algorithmParams: derivation.toSchema(),
      }),
      encryptionScheme: new AlgorithmIdentifier({ algorithmId: HMAC_SHA256 }),
    });
    return new MacData({
      mac: new DigestInfo({
        digestAlgorithm: new AlgorithmIdentifier({
          algorithmId: '1.2.840.113549.1.5.14',
          algorithmParams: parameters.toSchema(),
        }),
        digest: octets(digest),
      }),
      macSalt: octets(salt),
      iterations: ITERATIONS,
    });
  };
}

function dataOf(value: SafeContents | AuthenticatedSafe): ContentInfo {
  const content = octets(Buffer.from(value.toSchema().toBER()));
  return new ContentInfo({ contentType: ContentInfo.DATA, content });
}

function octets(bytes: Uint8Array): OctetString {
  return new OctetString({ valueHex: toArrayBuffer(bytes) });
}
