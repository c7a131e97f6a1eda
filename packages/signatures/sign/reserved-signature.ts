import { Dict, name, ReservedString, type PdfObject } from '@platen/pdf/objects';
import { digest, type DigestName } from '../asn1/algorithms.ts';

/**
 * The position of a signature's value in a file: the offset of its first hexadecimal digit, and the number of
 * digits.
 */
export interface SignaturePosition {
  offset: number;
  digits: number;
}

/**
 * A signature dictionary whose value is empty. The value begins with a random mark that locates it in the
 * file.
 */
export interface ReservedSignature {
  dict: Dict;
  mark: string;
}

const PLACEHOLDER = 9_999_999_999;
/**
 * The text before the value. A file has at most 9,999,999,999 bytes, so every offset fits into its
 * placeholder.
 */
const BEFORE = `/ByteRange [0 ${PLACEHOLDER} ${PLACEHOLDER} ${PLACEHOLDER}]\n/Contents <`;
const AFTER_RANGE = '\n/Contents <';
const MARK_BYTES = 24;

/** Creates a signature dictionary (ISO 32000-2 table 255) with room for a value. */
export function reserveSignature(
  { type, subFilter, bytes }: { type: 'Sig' | 'DocTimeStamp'; subFilter: string; bytes: number },
  entries: Readonly<Record<string, PdfObject | undefined>> = {},
): ReservedSignature {
  const contents = Buffer.alloc(Math.max(bytes, MARK_BYTES));
  crypto.getRandomValues(contents.subarray(0, MARK_BYTES));
  const dict = Dict.of({
    Type: name(type),
    Filter: name('Adobe.PPKLite'),
    SubFilter: name(subFilter),
    ByteRange: [0, PLACEHOLDER, PLACEHOLDER, PLACEHOLDER],
    Contents: new ReservedString(contents),
    ...entries,
  });
  return { dict, mark: contents.toString('hex', 0, MARK_BYTES) };
}

/**
 * Finds a reserved signature in the part of a file that begins at `from`. Writes its byte range, and removes
 * its mark.
 */
export function writeByteRange(pdf: Buffer, mark: string, from: number): SignaturePosition {
  const offset = pdf.indexOf(mark, from, 'latin1');
  const start = offset - BEFORE.length;
  if (offset < 0 || pdf.toString('latin1', start, offset) !== BEFORE)
    throw new Error('the signature is not in the file');
  const end = pdf.indexOf('>', offset, 'latin1');
  const range = `/ByteRange [0 ${offset - 1} ${end + 1} ${pdf.length - end - 1}]`;
  pdf.write(range.padEnd(BEFORE.length - AFTER_RANGE.length), start, 'latin1');
  pdf.fill('0', offset, end);
  return { offset, digits: end - offset };
}

/** Returns the digest of a file without the value of the signature (ISO 32000-2 12.8.1). */
export function digestWithoutSignature(
  pdf: Uint8Array,
  { offset, digits }: SignaturePosition,
  algorithm: DigestName,
): Buffer {
  return digest(algorithm, pdf.subarray(0, offset - 1), pdf.subarray(offset + digits + 1));
}
