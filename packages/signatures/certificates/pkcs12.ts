import { createPrivateKey, createPublicKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { OctetString, type BaseBlock } from 'asn1js';
import {
  AuthenticatedSafe,
  CertBag,
  ContentInfo,
  EncryptedData,
  PFX,
  PKCS8ShroudedKeyBag,
  PrivateKeyInfo,
  SafeContents,
  type AlgorithmIdentifier,
  type MacData,
} from 'pkijs';
import { InputFault } from '@platen/pdf/objects';
import { Asn1Fault, attempt, bytesOf, decodeAsn1, encodeAsn1 } from '../asn1/asn1.ts';
import { readCertificates, type Certificate } from './certificate.ts';
import { issuersOf } from './path.ts';
import {
  authenticate,
  decryptWithPassword,
  IterationBudget,
  UnsupportedAlgorithmError,
} from './pkcs12-decryption.ts';
import { keyFault } from './signing-algorithm.ts';

/** A certificate with its private key, as a PKCS#12 file contains them. */
export interface Identity {
  certificate: Certificate;
  /** The certificates of the issuers in the file, from the signer's issuer upwards. */
  chain: readonly Certificate[];
  /** The private key as PKCS#8 in DER. */
  privateKey: Buffer;
}

/** The maximum size of a PKCS#12 file. */
const MAX_PKCS12_BYTES = 1_000_000;
/**
 * The maximum total size of a certificate and its issuers. An account can list 100 such certificates at once.
 */
const MAX_CHAIN_BYTES = 50_000;
const MAX_BAGS = 100;
const MAX_DEPTH = 8;

/**
 * Reads the certificate and the private key of a PKCS#12 file (RFC 7292).
 * @throws {InputFault} that names `file` or `password`
 */
export function readPkcs12(file: Uint8Array, password: string): Identity {
  if (file.length > MAX_PKCS12_BYTES)
    throw new InputFault('file', `is larger than ${MAX_PKCS12_BYTES} bytes (it has ${file.length})`);
  try {
    return identify(openBags(file, password));
  } catch (error) {
    if (error instanceof Asn1Fault && isPem(file)) throw new InputFault('file', PEM);
    if (error instanceof Asn1Fault)
      throw new InputFault('file', `is not a PKCS#12 file: it ${error.message}`);
    if (error instanceof UnsupportedAlgorithmError)
      throw new InputFault('file', `cannot be read: ${error.message}`);
    throw error;
  }
}

const PEM =
  'is PEM, not PKCS#12: send a .p12 or .pfx file. OpenSSL makes one with: openssl pkcs12 -export -in certificate.pem -inkey key.pem -out certificate.p12';

/** Text may precede the first block of a PEM file (RFC 7468 2). */
const MAX_PEM_PREFIX = 10_000;

/** Tells whether bytes are a PEM file. */
export function isPem(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes;
  return Buffer.from(buffer, byteOffset, Math.min(length, MAX_PEM_PREFIX)).includes('-----BEGIN ');
}

interface Bags {
  keys: KeyObject[];
  certificates: Uint8Array[];
}

/** The password of a file, and the iterations that its key derivations may still take. */
interface Access {
  password: string;
  budget: IterationBudget;
}

function openBags(file: Uint8Array, password: string): Bags {
  const access = { password, budget: new IterationBudget() };
  const { authSafe, macData, version } = decodeAsn1(file, (schema) => new PFX({ schema })).value;
  if (version !== 3) throw new Asn1Fault('has no version 3');
  if (authSafe.contentType !== ContentInfo.DATA)
    throw new UnsupportedAlgorithmError('it is protected by a public key, not by a password');
  const content = contentOf(authSafe);
  if (macData) checkPassword(macData, content, access);
  const bags: Bags = { keys: [], certificates: [] };
  const { safeContents } = decodeAsn1(content, (schema) => new AuthenticatedSafe({ schema })).value;
  for (const part of safeContents) {
    const { value } = decodeAsn1(openPart(part, access), (schema) => new SafeContents({ schema }));
    collect(value, { bags, access, depth: 0 });
  }
  return bags;
}

function contentOf({ content }: ContentInfo): Uint8Array {
  const value: unknown = content;
  if (!(value instanceof OctetString)) throw new Asn1Fault('is malformed');
  return bytesOf(value);
}

/** @throws {InputFault} if the password is wrong */
function checkPassword(mac: MacData, content: Uint8Array, access: Access): void {
  const { computed, expected } = authenticate(mac, content, access);
  if (computed.length !== expected.length || !timingSafeEqual(computed, expected)) throw wrongPassword();
}

function wrongPassword(): InputFault {
  return new InputFault('password', 'is wrong: it does not open the PKCS#12 file');
}

/** Opens one of the contents of the file, which may be encrypted. */
function openPart(part: ContentInfo, access: Access): Uint8Array {
  if (part.contentType === ContentInfo.DATA) return contentOf(part);
  if (part.contentType !== ContentInfo.ENCRYPTED_DATA)
    throw new UnsupportedAlgorithmError(`its content type ${part.contentType} is not supported`);
  const encrypted = attempt(() => {
    const { encryptedContentInfo: info } = new EncryptedData({ schema: part.content });
    return { algorithm: info.contentEncryptionAlgorithm, bytes: new Uint8Array(info.getEncryptedContent()) };
  });
  return decrypt(encrypted.algorithm, encrypted.bytes, access);
}

function decrypt(algorithm: AlgorithmIdentifier, encrypted: Uint8Array, access: Access): Buffer {
  try {
    return decryptWithPassword(algorithm, encrypted, access);
  } catch (error) {
    if (error instanceof Asn1Fault || error instanceof UnsupportedAlgorithmError) throw error;
    throw wrongPassword();
  }
}

function collect({ safeBags }: SafeContents, to: { bags: Bags; access: Access; depth: number }): void {
  const { bags, access, depth } = to;
  for (const { bagValue: value } of safeBags) {
    if (bags.keys.length + bags.certificates.length >= MAX_BAGS || depth > MAX_DEPTH)
      throw new UnsupportedAlgorithmError(`it has more than ${MAX_BAGS} keys and certificates`);
    if (value instanceof PrivateKeyInfo) bags.keys.push(openKey(encodeAsn1(toBlock(value))));
    else if (value instanceof PKCS8ShroudedKeyBag)
      bags.keys.push(openKey(decrypt(value.encryptionAlgorithm, bytesOf(value.encryptedData), access)));
    else if (value instanceof SafeContents) collect(value, { ...to, depth: depth + 1 });
    else if (value instanceof CertBag && value.certValue instanceof OctetString)
      bags.certificates.push(bytesOf(value.certValue));
  }
}

function toBlock(key: PrivateKeyInfo): BaseBlock {
  return attempt(() => key.toSchema());
}

function openKey(pkcs8: Buffer): KeyObject {
  try {
    return createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
  } catch {
    throw new UnsupportedAlgorithmError(
      'the algorithm of its private key is not supported: use RSA or ECDSA',
    );
  }
}

function identify({ keys, certificates }: Bags): Identity {
  if (keys.length === 0)
    throw new InputFault('file', 'has no private key: export the certificate together with its key');
  if (certificates.length === 0) throw new InputFault('file', 'has no certificate');
  const known = readCertificates(certificates);
  for (const key of keys) {
    const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
    const certificate = known.find((each) => publicKey.equals(each.publicKey));
    if (!certificate) continue;
    const fault = keyFault(certificate);
    if (fault !== undefined) throw new InputFault('file', fault);
    const privateKey = key.export({ type: 'pkcs8', format: 'der' });
    const chain = issuersOf(certificate, known);
    const size = [certificate, ...chain].reduce((sum, { der }) => sum + der.length, 0);
    if (size > MAX_CHAIN_BYTES)
      throw new InputFault(
        'file',
        `has a certificate that is larger than ${MAX_CHAIN_BYTES} bytes together with those of its issuers`,
      );
    return { certificate, chain, privateKey };
  }
  throw new InputFault('file', 'has no certificate for its private key');
}
