import { createPrivateKey, createPublicKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import { InputFault } from '../objects/index.ts';
import { Asn1, Asn1Error } from './asn1.ts';
import { certificateChain, readCertificate, type Certificate } from './certificate.ts';
import { keyFault } from './key-type.ts';
import { authenticate, decryptWithPassword, UnsupportedAlgorithmError } from './pkcs12-keys.ts';

/** A certificate with its private key, as a PKCS#12 file contains them. */
export interface Identity {
  certificate: Certificate;
  /** The certificates of the issuers in the file, in DER, from the signer's issuer upwards. */
  chain: Buffer[];
  /** The private key as PKCS#8 in DER. */
  privateKey: Buffer;
}

/** The largest PKCS#12 file. */
export const MAX_PKCS12_BYTES = 1_000_000;
const MAX_BAGS = 100;
const MAX_DEPTH = 8;

const DATA = '1.2.840.113549.1.7.1';
const ENCRYPTED_DATA = '1.2.840.113549.1.7.6';
const X509 = '1.2.840.113549.1.9.22.1';
const BAG = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
  safeContents: '1.2.840.113549.1.12.10.1.6',
};

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
    if (error instanceof Asn1Error)
      throw new InputFault('file', `is not a PKCS#12 file: it ${error.message}`);
    if (error instanceof UnsupportedAlgorithmError)
      throw new InputFault('file', `cannot be read: ${error.message}`);
    throw error;
  }
}

interface Bags {
  keys: KeyObject[];
  certificates: Buffer[];
}

function openBags(file: Uint8Array, given: string): Bags {
  const [version, safe, mac] = Asn1.parse(file).items;
  if (!version || version.integer !== 3 || !safe) throw new Asn1Error('has no version 3');
  if (safe.at(0).oid !== DATA)
    throw new UnsupportedAlgorithmError('it is protected by a public key, not by a password');
  const content = safe.at(1).at(0).bytes;
  const password = mac ? checkPassword(mac, content, given) : given;
  const bags: Bags = { keys: [], certificates: [] };
  for (const part of Asn1.parse(content).items)
    collect(openPart(part, password), { bags, password, depth: 0 });
  return bags;
}

/** Returns the password in the form that the file uses. @throws {InputFault} if it is wrong */
function checkPassword(mac: Asn1, content: Buffer, password: string): string {
  const { computed, expected } = authenticate(mac, content, password);
  if (computed.length === expected.length && timingSafeEqual(computed, expected)) return password;
  throw wrongPassword();
}

function wrongPassword(): InputFault {
  return new InputFault('password', 'is wrong: it does not open the PKCS#12 file');
}

/** Opens one of the contents of the file, which may be encrypted. */
function openPart(part: Asn1, password: string): Asn1 {
  const type = part.at(0).oid;
  const content = part.at(1).at(0);
  if (type === DATA) return Asn1.parse(content.bytes);
  if (type !== ENCRYPTED_DATA)
    throw new UnsupportedAlgorithmError(`its content type ${type} is not supported`);
  const [, encryption, encrypted] = content.at(1).items;
  if (!encryption || !encrypted) throw new Asn1Error('has an incomplete structure');
  return Asn1.parse(decrypt(encryption, encrypted.bytes, password));
}

function decrypt(identifier: Asn1, encrypted: Buffer, password: string): Buffer {
  try {
    return decryptWithPassword(identifier, encrypted, password);
  } catch (error) {
    if (error instanceof Asn1Error || error instanceof UnsupportedAlgorithmError) throw error;
    throw wrongPassword();
  }
}

function collect(contents: Asn1, to: { bags: Bags; password: string; depth: number }): void {
  const { bags, password, depth } = to;
  for (const bag of contents.items) {
    if (bags.keys.length + bags.certificates.length >= MAX_BAGS || depth > MAX_DEPTH)
      throw new UnsupportedAlgorithmError(`it has more than ${MAX_BAGS} keys and certificates`);
    const value = bag.at(1).at(0);
    switch (bag.at(0).oid) {
      case BAG.key:
        bags.keys.push(openKey(value.encoded));
        break;
      case BAG.shroudedKey:
        bags.keys.push(openKey(decrypt(value.at(0), value.at(1).bytes, password)));
        break;
      case BAG.certificate:
        if (value.at(0).oid === X509) bags.certificates.push(value.at(1).at(0).bytes);
        break;
      case BAG.safeContents:
        collect(value, { ...to, depth: depth + 1 });
        break;
      default:
    }
  }
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
  const read = certificates.map(readCertificate);
  for (const key of keys) {
    const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' });
    const certificate = read.find((each) => each.publicKey.equals(publicKey));
    if (!certificate) continue;
    const fault = keyFault(key);
    if (fault !== undefined) throw new InputFault('file', fault);
    const privateKey = key.export({ type: 'pkcs8', format: 'der' });
    return { certificate, chain: certificateChain(certificate, read), privateKey };
  }
  throw new InputFault('file', 'has no certificate for its private key');
}
