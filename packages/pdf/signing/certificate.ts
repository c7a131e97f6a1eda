import { Asn1, Asn1Error } from './asn1.ts';
import { nameText } from './distinguished-name.ts';

/** A certificate (RFC 5280). */
export interface Certificate {
  der: Buffer;
  /** The issuer and the subject in DER. */
  issuer: Buffer;
  subject: Buffer;
  /** The serial number, with its tag, in DER. */
  serial: Buffer;
  /** The subject's public key in DER. */
  publicKey: Buffer;
  /** Epoch milliseconds. */
  notBefore: number;
  notAfter: number;
  /** The subject and the issuer for readers (RFC 4514): `CN=Ada Lovelace, O=Acme, C=GB`. */
  subjectText: string;
  issuerText: string;
  /** The subject's common name, or its whole name if it has none. */
  commonName: string;
  /** Whether the certificate allows signatures, as far as it restricts the use of its key. */
  maySign: boolean;
}

const KEY_USAGE = '2.5.29.15';
const COMMON_NAME = 'CN';
const EXTENSIONS_TAG = 3;

/** Reads a certificate in DER. @throws {Asn1Error} */
export function readCertificate(der: Buffer): Certificate {
  const fields = Asn1.parse(der).at(0).items;
  // The version is absent in version 1.
  const [serial, , issuer, validity, subject, publicKey] =
    fields[0]?.contextTag === 0 ? fields.slice(1) : fields;
  if (!serial || !issuer || !validity || !subject || !publicKey)
    throw new Asn1Error('has an incomplete certificate');
  const subjectName = nameText(subject);
  const subjectText = subjectName.map(({ type, text }) => `${type}=${text}`).join(', ');
  return {
    der,
    issuer: issuer.encoded,
    subject: subject.encoded,
    serial: serial.encoded,
    publicKey: publicKey.encoded,
    notBefore: validity.at(0).time,
    notAfter: validity.at(1).time,
    subjectText,
    issuerText: nameText(issuer)
      .map(({ type, text }) => `${type}=${text}`)
      .join(', '),
    commonName: subjectName.find(({ type }) => type === COMMON_NAME)?.text ?? subjectText,
    maySign: allowsSignatures(fields),
  };
}

/** Reads the key usage extension (RFC 5280 4.2.1.3): `digitalSignature` or `nonRepudiation`. */
function allowsSignatures(fields: readonly Asn1[]): boolean {
  const extensions = fields.find(({ contextTag }) => contextTag === EXTENSIONS_TAG)?.at(0).items ?? [];
  const usage = extensions.find((extension) => extension.at(0).oid === KEY_USAGE);
  if (!usage) return true;
  const bits = Asn1.parse(usage.items.at(-1)?.bytes ?? Buffer.alloc(0)).encoded;
  // Tag, length, the number of unused bits, and the first eight bits.
  return ((bits[3] ?? 0) & 0xc0) !== 0;
}

/** Returns the certificates of the issuers of a certificate, from its issuer upwards, as far as they are known. */
export function certificateChain(certificate: Certificate, known: readonly Certificate[]): Buffer[] {
  const chain: Certificate[] = [];
  for (let last = certificate; !last.issuer.equals(last.subject);) {
    const above = known.find(
      (each) => each.subject.equals(last.issuer) && each !== last && !chain.includes(each),
    );
    if (!above || above === certificate) break;
    chain.push(above);
    last = above;
  }
  return chain.map(({ der }) => der);
}
