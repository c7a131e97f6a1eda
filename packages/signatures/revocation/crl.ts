import { BitString, GeneralizedTime, UTCTime } from 'asn1js';
import { AlgorithmIdentifier, Extension, IssuingDistributionPoint } from 'pkijs';
import { checkSignature } from '../asn1/algorithms.ts';
import { Asn1Fault, decodeAsn1, readIfValid, readElement, type Element } from '../asn1/asn1.ts';
import { KEY_USAGE, type Certificate } from '../certificates/certificate.ts';
import type { RevocationStatus } from './status.ts';

const SEQUENCE = 0x30;
const INTEGER = 0x02;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const EXTENSIONS = 0xa0;
const ISSUING_DISTRIBUTION_POINT = '2.5.29.28';
/**
 * Extensions that do not change the meaning of a complete list: its number, the key of its issuer, and where
 * to find others.
 */
const HARMLESS = new Set([
  '2.5.29.20',
  '2.5.29.35',
  '2.5.29.18',
  '2.5.29.46',
  '1.3.6.1.5.5.7.1.1',
  '2.5.29.60',
]);

/**
 * A certificate revocation list (RFC 5280 5). Entries are searched without decoding the whole list, because
 * it can have a million.
 */
export interface RevocationList {
  der: Uint8Array;
  /** The encoded name of the issuer, hexadecimal. */
  issuer: string;
  from: number;
  until: number;
  signed: Uint8Array;
  algorithm: AlgorithmIdentifier;
  signature: Uint8Array;
  entries: Element | undefined;
  /** The certificates that the list covers. A list that is incomplete in any other way is `partial`. */
  scope: 'all' | 'users' | 'authorities' | 'partial';
}

/** Reads a revocation list. @throws {Asn1Fault} */
export function readCrl(der: Uint8Array): RevocationList {
  const outer = expectTag(readElement(der, 0), SEQUENCE);
  const tbs = expectTag(readElement(der, outer.content, outer.end), SEQUENCE);
  const algorithm = readElement(der, tbs.end, outer.end);
  const signature = readElement(der, algorithm.end, outer.end);
  const parts: Element[] = [];
  for (let at = tbs.content; at < tbs.end;) {
    const part = readElement(der, at, tbs.end);
    parts.push(part);
    at = part.end;
    if (parts.length > 8) throw new Asn1Fault('is malformed');
  }
  if (parts[0]?.tag === INTEGER) parts.shift();
  const [, issuer, thisUpdate] = parts;
  if (!issuer || !thisUpdate) throw new Asn1Fault('is malformed');
  const rest = parts.slice(3);
  const nextUpdate = rest[0] && isTime(rest[0].tag) ? rest.shift() : undefined;
  const entries = rest[0]?.tag === SEQUENCE ? rest.shift() : undefined;
  const extensions = rest[0]?.tag === EXTENSIONS ? rest.shift() : undefined;
  const bits = decodeAsn1(bytesAt(der, signature), (value) => value).value;
  if (!(bits instanceof BitString)) throw new Asn1Fault('is malformed');
  const from = readTime(der, thisUpdate);
  return {
    der,
    issuer: Buffer.from(bytesAt(der, issuer)).toString('hex'),
    from,
    until: nextUpdate ? readTime(der, nextUpdate) : from,
    signed: bytesAt(der, tbs),
    algorithm: decodeAsn1(bytesAt(der, algorithm), (schema) => new AlgorithmIdentifier({ schema })).value,
    signature: bits.valueBlock.valueHexView,
    entries,
    scope: extensions ? readScope(der, extensions) : 'all',
  };
}

/**
 * Returns the status of a certificate in a list, or `undefined` if the list does not cover the certificate.
 */
export function crlStatus(
  list: RevocationList,
  certificate: Certificate,
  issuer: Certificate,
): RevocationStatus | undefined {
  if (list.issuer !== issuer.subject || list.issuer !== certificate.issuer) return undefined;
  if (list.scope === 'partial') return undefined;
  if (list.scope === (certificate.isAuthority ? 'users' : 'authorities')) return undefined;
  const { algorithm, signature, from, until } = list;
  if (!issuer.mayUse(KEY_USAGE.crlSign))
    return {
      status: 'invalid',
      fault: 'the revocation list is signed by a certificate that is not for revocation lists',
    };
  const fault = checkSignature({ publicKey: issuer.publicKey, algorithm, bytes: list.signed, signature });
  if (fault !== undefined) return { status: 'invalid', fault: `the revocation list ${fault}` };
  const [entry] = readIfValid(() => ({ revokedAt: findEntry(list, Buffer.from(certificate.serial, 'hex')) }));
  if (!entry) return { status: 'invalid', fault: 'the revocation list is malformed' };
  const { revokedAt } = entry;
  return revokedAt === undefined
    ? { status: 'good', from, until }
    : { status: 'revoked', revokedAt, from, until };
}

function findEntry({ der, entries }: RevocationList, serial: Buffer): number | undefined {
  if (!entries) return undefined;
  for (let at = entries.content; at < entries.end;) {
    const entry = readElement(der, at, entries.end);
    const number = readElement(der, entry.content, entry.end);
    if (
      number.end - number.content === serial.length &&
      serial.equals(der.subarray(number.content, number.end))
    )
      return readTime(der, readElement(der, number.end, entry.end));
    at = entry.end;
  }
  return undefined;
}

function readScope(der: Uint8Array, extensions: Element): RevocationList['scope'] {
  let scope: RevocationList['scope'] = 'all';
  const list = readElement(der, extensions.content, extensions.end);
  for (let at = list.content; at < list.end;) {
    const element = readElement(der, at, list.end);
    at = element.end;
    const { value } = decodeAsn1(bytesAt(der, element), (schema) => new Extension({ schema }));
    if (value.extnID === ISSUING_DISTRIBUTION_POINT) {
      const point: unknown = value.parsedValue;
      if (!(point instanceof IssuingDistributionPoint)) return 'partial';
      if (point.indirectCRL || point.onlyContainsAttributeCerts || point.onlySomeReasons !== undefined)
        return 'partial';
      if (point.onlyContainsUserCerts) scope = 'users';
      else if (point.onlyContainsCACerts) scope = 'authorities';
      // An unknown critical extension, such as the extension of a delta list, changes the meaning of the
      // list.
    } else if (value.critical && !HARMLESS.has(value.extnID)) return 'partial';
  }
  return scope;
}

function expectTag(element: Element, tag: number): Element {
  if (element.tag !== tag) throw new Asn1Fault('is malformed');
  return element;
}

function bytesAt(der: Uint8Array, { start, end }: Element): Uint8Array {
  return der.subarray(start, end);
}

function isTime(tag: number): boolean {
  return tag === UTC_TIME || tag === GENERALIZED_TIME;
}

function readTime(der: Uint8Array, element: Element): number {
  const { value } = decodeAsn1(bytesAt(der, element), (time) => time);
  if (!(value instanceof UTCTime || value instanceof GeneralizedTime)) throw new Asn1Fault('is malformed');
  const time = value.toDate().getTime();
  if (!Number.isFinite(time)) throw new Asn1Fault('has an invalid date');
  return time;
}
