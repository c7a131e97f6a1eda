import { PdfStream, resolve, type PdfDocument } from '../../objects/index.ts';
import { findMalformedHexString } from './hex-strings.ts';
import type { Findings } from './findings.ts';

/** Checks the file syntax: header, trailer, cross-reference table, and the delimiters of objects and streams (6.1.2 to 6.1.8). */
export function checkStructure(document: PdfDocument, findings: Findings): void {
  const { file, xref, trailer } = document;
  const { objectStreams } = findings.rules;
  findings.expect(
    /^%PDF-1\.\d[\r\n]/.test(latin1(file, 0, 9)),
    'header',
    'the file does not begin with a PDF 1.x header',
  );
  findings.expect(
    /^%PDF-1\.\d(?:\r\n|\r|\n)%[\u0080-\u00ff]{4}/.test(latin1(file, 0, 16)),
    'header',
    'the header is not followed by a comment of four bytes above 127',
  );
  findings.expect(
    /%%EOF(?:\r\n|\r|\n)?$/.test(latin1(file, file.length - 8, file.length)),
    'trailer',
    'the file does not end with an end-of-file marker',
  );
  findings.expect(trailer.array('ID')?.length === 2, 'trailer', 'the trailer has no ID');
  findings.expect(!trailer.map.has('Encrypt'), 'trailer', 'the file is encrypted');
  findings.expect(
    !document.repaired,
    'crossReferences',
    'the cross-reference table does not match the positions of the objects',
  );
  if (xref.hasStreams)
    findings.expect(objectStreams, 'crossReferences', 'the file has a cross-reference stream');
  else checkTables(document, findings);
  if (findings.violations.length > 0) return;
  for (const [number, entry] of xref.entries) {
    if (entry.kind === 'compressed')
      findings.expect(objectStreams, 'crossReferences', 'the file has an object stream');
    if (entry.kind === 'in-use') checkObject(document, number, entry.offset, findings);
  }
}

/** Checks that the keyword is on its own line and that subsection headers contain a single space (6.1.4). */
function checkTables({ bytes, xref }: PdfDocument, findings: Findings): void {
  const offsets = [...latin1(bytes, 0, bytes.length).matchAll(/(?:^|[\r\n])(xref)\s/g)].map(
    ({ index }) => index,
  );
  const known = xref.offset;
  findings.expect(
    known !== undefined && offsets.length > 0,
    'crossReferences',
    'the file has no cross-reference table',
  );
  for (const offset of offsets) {
    const start = bytes.indexOf('xref', offset);
    const head = latin1(bytes, start, start + 40);
    if (start === known && !/^xref(?:\r\n|\r|\n)\d+ \d+\s*[\r\n]/.test(head))
      findings.add('crossReferences', 'the cross-reference table has a malformed header');
  }
}

function checkObject(document: PdfDocument, number: number, offset: number, findings: Findings): void {
  const { bytes } = document;
  if (offset === 0) return;
  const before = bytes[offset - 1];
  findings.expect(
    /^\d+ \d+ obj(?:\r\n|\r|\n)/.test(latin1(bytes, offset, offset + 32)) && (before === 10 || before === 13),
    'objects',
    `object ${number} has a malformed object header`,
  );
  const value = resolve(document.ref(number));
  if (value instanceof PdfStream) checkStream(bytes, number, value, findings);
  const end = value instanceof PdfStream ? value.raw.byteOffset - bytes.byteOffset : endOf(bytes, offset);
  const fault = findMalformedHexString(bytes, offset, end);
  if (fault) findings.add('strings', `object ${number} has a hexadecimal string with ${fault}`);
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
    'streams',
    `stream ${number} has a Length that differs from the length of its data`,
  );
  findings.expect(
    /stream\r?\n$/.test(opening),
    'streams',
    `stream ${number} has no end-of-line marker after the keyword stream`,
  );
  findings.expect(
    /^(?:\r\n|\r|\n)endstream/.test(closing),
    'streams',
    `stream ${number} has no end-of-line marker before the keyword endstream`,
  );
}

function latin1(bytes: Buffer, start: number, end: number): string {
  return bytes.toString('latin1', Math.max(0, start), end);
}
