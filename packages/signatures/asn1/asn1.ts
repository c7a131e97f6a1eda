import { BaseBlock, fromBER, Integer, OctetString } from 'asn1js';

/**
 * Thrown for bytes that are not the expected ASN.1 structure. The message completes a sentence: "the
 * timestamp …".
 */
export class Asn1Fault extends Error {
  override name = 'Asn1Fault';
}

/** Limits for untrusted input. {@link readElement} reads revocation lists, which can exceed them. */
const LIMITS = { maxDepth: 64, maxNodes: 200_000, maxContentLength: 32_000_000 };

/**
 * Decodes the BER value at the start of `bytes`, and builds a structure from it. Also returns the length of
 * the value, because padding may follow it.
 * @throws {Asn1Fault} if the bytes are not BER, or `build` rejects the value
 */
export function decodeAsn1<T>(
  bytes: Uint8Array,
  build: (value: BaseBlock) => T,
): { value: T; length: number } {
  const { offset, result } = attempt(() => fromBER(bytes, LIMITS));
  if (offset <= 0 || result.error !== '') throw new Asn1Fault('is not valid ASN.1');
  return { value: attempt(() => build(result)), length: offset };
}

/**
 * Runs library code, and converts the various errors that it throws for malformed input. @throws {Asn1Fault}
 */
export function attempt<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof Asn1Fault) throw error;
    if (error instanceof Error) throw new Asn1Fault('is malformed', { cause: error });
    throw error;
  }
}

/** Runs a reader, and returns its result in a list. The list is empty if the bytes are malformed. */
export function readIfValid<T>(read: () => T): T[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof Asn1Fault) return [];
    throw error;
  }
}

/** Returns the DER of a value. */
export function encodeAsn1(value: BaseBlock): Buffer {
  return Buffer.from(value.toBER());
}

export function octetString(bytes: Uint8Array): OctetString {
  return new OctetString({ valueHex: Uint8Array.from(bytes).buffer });
}

/** Returns the bytes of an octet string. BER allows it to consist of several parts. */
export function bytesOf(string: OctetString): Uint8Array {
  return new Uint8Array(string.getValue());
}

/** Returns an unsigned integer as an ASN.1 value. */
export function integerOf(bytes: Uint8Array): Integer {
  const isNegative = ((bytes[0] ?? 0) & 0x80) !== 0;
  return new Integer({ valueHex: Uint8Array.from(isNegative ? [0, ...bytes] : bytes).buffer });
}

/** An element of a DER encoding: its tag, and the offsets of its start, its content and its end. */
export interface Element {
  tag: number;
  start: number;
  content: number;
  end: number;
}

/**
 * Reads the tag and the length of the element at `at`, which must end at or before `limit`. Does not decode
 * the content.
 * @throws {Asn1Fault}
 */
export function readElement(bytes: Uint8Array, at: number, limit = bytes.length): Element {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || at + 2 > limit) throw new Asn1Fault('is truncated');
  let content = at + 2;
  let length = first;
  if (first >= 0x80) {
    const count = first & 0x7f;
    if (count === 0 || count > 4) throw new Asn1Fault('is not DER');
    length = 0;
    for (let index = 0; index < count; index++) length = length * 256 + (bytes[content++] ?? 0);
  }
  const end = content + length;
  if (end > limit) throw new Asn1Fault('is truncated');
  return { tag, start: at, content, end };
}

const CONSTRUCTED = 0x20;
const INDEFINITE = 0x80;

/**
 * Checks that the length of each element matches its content exactly, as DER requires. The library tolerates
 * wrong lengths, so a changed byte could go unnoticed. Skips values with an indefinite length, which BER
 * allows and old signatures use.
 * @throws {Asn1Fault}
 */
export function requireExactLengths(bytes: Uint8Array, length: number): void {
  const open: { at: number; end: number }[] = [{ at: 0, end: length }];
  for (let step = open.at(-1); step; step = open.at(-1)) {
    if (step.at === step.end) {
      open.pop();
      continue;
    }
    if (bytes[step.at + 1] === INDEFINITE) return;
    const element = readElement(bytes, step.at, step.end);
    const size = element.end - element.content;
    const minimal =
      size < 0x80 ? 2 : 3 + (size > 0xff ? 1 : 0) + (size > 0xff_ff ? 1 : 0) + (size > 0xff_ff_ff ? 1 : 0);
    // Tag 0 would be padding that a wrong length includes.
    if (element.tag === 0 || element.content - element.start !== minimal) throw new Asn1Fault('is not DER');
    step.at = element.end;
    if ((element.tag & CONSTRUCTED) !== 0) open.push({ at: element.content, end: element.end });
  }
}
