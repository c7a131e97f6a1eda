/** Encodes ASN.1 values in DER (ITU-T X.690). Encoded values are joined byte for byte, so a certificate keeps its encoding. */

const TAG = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, sequence: 0x30, set: 0x31 } as const;

/** Encodes a value with a tag. */
export function tagged(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

/** Encodes a SEQUENCE of encoded values. */
export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(TAG.sequence, ...parts);
}

/** Encodes a SET OF encoded values, in the order that DER requires. */
export function setOf(...parts: readonly Uint8Array[]): Buffer {
  return tagged(TAG.set, ...parts.toSorted((a, b) => Buffer.compare(a, b)));
}

/** Encodes an OCTET STRING. */
export function octets(bytes: Uint8Array): Buffer {
  return tagged(TAG.octets, bytes);
}

/** Encodes an INTEGER from 0 to 127. */
export function smallInteger(value: number): Buffer {
  return tagged(TAG.integer, Buffer.from([value]));
}

/** Encodes an algorithm identifier. RSA signatures have the parameters NULL, and others have none. */
export function algorithm(id: string, parameters?: 'null'): Buffer {
  return parameters === 'null' ? sequence(oid(id), tagged(TAG.null)) : sequence(oid(id));
}

/** Encodes an OBJECT IDENTIFIER in dotted notation. */
export function oid(id: string): Buffer {
  const [first = 0, second = 0, ...rest] = id.split('.').map(Number);
  return tagged(TAG.oid, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
}

function base128(value: number): number[] {
  const digits = [value % 128];
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128))
    digits.unshift((left % 128) | 0x80);
  return digits;
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let left = length; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256);
  return [0x80 | bytes.length, ...bytes];
}
