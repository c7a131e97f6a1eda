import { PdfStream, resolve, type PdfDocument } from '../../objects/index.ts';
import { findOddString } from './strings.ts';
import type { Findings } from './report.ts';

/** Checks the bytes of a file: header, trailer, cross-reference table, and how objects and streams are delimited (6.1.2 to 6.1.8). */
export function checkStructure(document: PdfDocument, findings: Findings): void {
  const { file, xref, trailer } = document;
  findings.expect(
    /^%PDF-1\.\d[\r\n]/.test(latin1(file, 0, 9)),
    '6.1.2',
    'does not begin with a header of PDF 1',
  );
  findings.expect(
    /^%PDF-1\.\d(?:\r\n|\r|\n)%[\u0080-\u00ff]{4}/.test(latin1(file, 0, 16)),
    '6.1.2',
    'has no comment of four bytes above 127 behind its header',
  );
  findings.expect(
    /%%EOF(?:\r\n|\r|\n)?$/.test(latin1(file, file.length - 8, file.length)),
    '6.1.3',
    'has data behind its last end-of-file marker, or no such marker',
  );
  findings.expect(trailer.array('ID')?.length === 2, '6.1.3', 'has no ID in its trailer');
  findings.expect(!trailer.map.has('Encrypt'), '6.1.3', 'is encrypted');
  findings.expect(
    !document.repaired,
    '6.1.4',
    'has objects that are not where its cross-reference table says',
  );
  if (xref.hasStreams) findings.add('6.1.4', 'has a cross-reference stream');
  else checkTables(document, findings);
  if (findings.violations.length > 0) return;
  for (const [number, entry] of xref.entries) {
    if (entry.kind === 'packed') findings.add('6.1.4', 'has an object stream');
    if (entry.kind === 'plain') checkObject(document, number, entry.offset, findings);
  }
}

/** The keyword, an end of line, and subsections whose header has one space (6.1.4). */
function checkTables({ bytes, xref }: PdfDocument, findings: Findings): void {
  const places = [...latin1(bytes, 0, bytes.length).matchAll(/(?:^|[\r\n])(xref)\s/g)].map(
    ({ index }) => index,
  );
  const known = xref.offset;
  findings.expect(known !== undefined && places.length > 0, '6.1.4', 'has no cross-reference table');
  for (const place of places) {
    const start = bytes.indexOf('xref', place);
    const head = latin1(bytes, start, start + 40);
    if (start === known && !/^xref(?:\r\n|\r|\n)\d+ \d+\s*[\r\n]/.test(head))
      findings.add('6.1.4', 'has a cross-reference table whose header is not as it must be');
  }
}

function checkObject(document: PdfDocument, number: number, offset: number, findings: Findings): void {
  const { bytes } = document;
  if (offset === 0) return;
  const before = bytes[offset - 1];
  findings.expect(
    /^\d+ \d+ obj(?:\r\n|\r|\n)/.test(latin1(bytes, offset, offset + 32)) && (before === 10 || before === 13),
    '6.1.8',
    `has an object (${number}) whose number stands not as it must`,
  );
  const value = resolve(document.ref(number));
  if (value instanceof PdfStream) checkStream(bytes, number, value, findings);
  const end = value instanceof PdfStream ? value.raw.byteOffset - bytes.byteOffset : endOf(bytes, offset);
  const odd = findOddString(bytes, offset, end);
  if (odd) findings.add('6.1.6', `has a hexadecimal string with ${odd} (in object ${number})`);
}

function endOf(bytes: Buffer, offset: number): number {
  const end = bytes.indexOf('endobj', offset);
  return end < 0 ? bytes.length : end;
}

function checkStream(bytes: Buffer, number: number, { dict, raw }: PdfStream, findings: Findings): void {
  const start = raw.byteOffset - bytes.byteOffset;
  const opening = latin1(bytes, start - 8, start);
  const closing = latin1(bytes, start + raw.length, start + raw.length + 11);
  findings.expect(
    dict.number('Length') === raw.length,
    '6.1.7',
    `has a stream (${number}) of another length than it says`,
  );
  findings.expect(
    /stream\r?\n$/.test(opening),
    '6.1.7',
    `has a stream (${number}) whose keyword ends no line`,
  );
  findings.expect(
    /^(?:\r\n|\r|\n)endstream/.test(closing),
    '6.1.7',
    `has a stream (${number}) that does not end in a line of its own`,
  );
}

function latin1(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', Math.max(0, start), end);
}
