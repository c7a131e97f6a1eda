import { Dict, Parser, PdfString, resolve, type PdfDocument, type PdfObject } from '@platen/pdf/objects';
import { SyntaxFault } from '@platen/pdf/objects';
import type { SignedField } from './signature-fields.ts';

/**
 * The bytes that a signature covers: all bytes up to `end`, except the gap that contains the value of the
 * signature.
 */
export interface Coverage {
  /** The part before the value of the signature, and the part after it. */
  parts: readonly [Buffer, Buffer];
  /** The decoded value of the signature, with its padding. */
  contents: Buffer;
  /** The end of the covered bytes in the file. */
  end: number;
}

const LESS_THAN = 60;
const GREATER_THAN = 62;
const EOF_SEARCH_BYTES = 64;

/**
 * Reads the byte ranges of a signature (ISO 32000-1 12.8.1). They must cover a whole revision of the file
 * except the value of this signature: other gaps could contain unsigned objects.
 * @returns the covered bytes, or the fault as the end of a sentence: "the signature …"
 */
export function readCoverage(
  document: PdfDocument,
  { signature, holder }: SignedField,
): Coverage | { fault: string } {
  const { file } = document;
  const ranges = (signature.array('ByteRange') ?? []).map((each) => resolve(each));
  if (ranges.length === 0) return { fault: 'has no byte ranges' };
  const [start, before, after, length] = ranges;
  if (ranges.length !== 4 || !isOffset(start) || !isOffset(before) || !isOffset(after) || !isOffset(length))
    return { fault: 'has malformed byte ranges' };
  const end = after + length;
  if (start !== 0) return { fault: 'does not cover the start of the file' };
  if (after < before + 2 || end > file.length) return { fault: 'has byte ranges that do not fit the file' };
  const gap = file.subarray(before, after);
  const contents =
    gap[0] === LESS_THAN && gap.at(-1) === GREATER_THAN ? decodeHex(gap.subarray(1, -1)) : undefined;
  if (!contents) return { fault: 'leaves a gap in the file that is not its own value' };
  if (!isOwnValue(document, { gap: [before, after], contents, holder }))
    return { fault: 'leaves a gap in the file that is not its own value' };
  const tail = file.toString('latin1', Math.max(after, end - EOF_SEARCH_BYTES), end);
  if (!tail.trimEnd().endsWith('%%EOF')) return { fault: 'does not cover a whole revision of the file' };
  return { parts: [file.subarray(0, before), file.subarray(after, end)], contents, end };
}

function isOffset(value: PdfObject | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function decodeHex(text: Buffer): Buffer | undefined {
  if (text.length % 2 !== 0 || text.length === 0) return undefined;
  const decoded = Buffer.from(text.toString('latin1'), 'hex');
  return decoded.length === text.length / 2 ? decoded : undefined;
}

function readObject(parser: Parser): PdfObject {
  try {
    return parser.object();
  } catch (error) {
    if (error instanceof SyntaxFault) return null;
    throw error;
  }
}

/** Checks that the gap is the entry `Contents` of the signature, and not a string elsewhere in the file. */
function isOwnValue(
  document: PdfDocument,
  { gap, contents, holder }: { gap: [number, number]; contents: Buffer; holder: SignedField['holder'] },
): boolean {
  const entry = holder && document.xref.entries.get(holder.number);
  if (entry?.kind !== 'in-use') return false;
  const shift = document.file.length - document.bytes.length;
  // The parser does not decrypt strings, because the value of a signature is never encrypted.
  const parser = new Parser(document.bytes, entry.offset, { ref: (number) => document.ref(number) });
  parser.integer();
  parser.integer();
  if (!parser.keyword('obj') || entry.offset + shift > gap[0]) return false;
  const object = readObject(parser);
  if (!(object instanceof Dict) || parser.position + shift < gap[1]) return false;
  const value = object.raw('Contents') ?? object.dict('V')?.raw('Contents');
  return value instanceof PdfString && contents.equals(value.bytes);
}
