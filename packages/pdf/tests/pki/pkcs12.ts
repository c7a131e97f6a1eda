import { OctetString } from 'asn1js';
import { AuthenticatedSafe, CertBag, ContentInfo, PFX, PrivateKeyInfo, SafeBag, SafeContents } from 'pkijs';
import { parse, toArrayBuffer, type Party } from './certificates.ts';

/** Makes an unencrypted PKCS#12 file (RFC 7292) with the key and certificate of a signer, and the certificates of its issuers. */
export function pkcs12Of(signer: Party, issuers: readonly Party[]): Buffer {
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
  return Buffer.from(new PFX({ version: 3, authSafe: dataOf(safe) }).toSchema().toBER());
}

function dataOf(value: SafeContents | AuthenticatedSafe): ContentInfo {
  const content = octets(Buffer.from(value.toSchema().toBER()));
  return new ContentInfo({ contentType: ContentInfo.DATA, content });
}

function octets(bytes: Uint8Array): OctetString {
  return new OctetString({ valueHex: toArrayBuffer(bytes) });
}
