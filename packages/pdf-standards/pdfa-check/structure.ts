import { decodeStream, Parser, PdfStream, PdfString, resolve, type PdfDocument } from '@platen/pdf/objects';
import type { Findings } from './findings.ts';
import { findMalformedHexString } from './hex-strings.ts';
import { checkSubsections, checkTables, readObject } from './xref-tables.ts';

/** Longer first lines are malformed. */
const MAX_HEADER_BYTES = 256;

/** Tells whether the trailer has an ID. ISO 19005-1 requires the entry, and ISO 19005-2 its value. */
function hasId({ trailer }: PdfDocument, { rules }: Findings): boolean {
  const id = trailer.array('ID')?.map((part) => resolve(part));
  if (!id || rules.part === 1) return id !== undefined;
  return id.some((part) => part instanceof PdfString && part.bytes.length > 0);
}

/**
 * Checks the file syntax: header, trailer, cross-reference tables, and the delimiters of objects and streams
 * (6.1.2 to 6.1.8).
 */
export function checkStructure(document: PdfDocument, findings: Findings): void {
  const { file, xref, trailer } = document;
  const { objectStreams } = findings.rules;
  checkHeader(file, findings);
  findings.expect(
    /%%EOF(?:\r\n|\r|\n)?$/.test(latin1(file, file.length - 8, file.length)),
    'trailer',
    'the file does not end with an end-of-file marker',
  );
  findings.expect(hasId(document, findings), 'trailer', 'the trailer has no ID');
  findings.expect(!trailer.map.has('Encrypt'), 'trailer', 'the file is encrypted');
  findings.expect(
    !document.repaired,
    'crossReferences',
    'the cross-reference table does not match the positions of the objects',
  );
  if (xref.hasStreams)
    findings.expect(objectStreams, 'crossReferences', 'the file has a cross-reference stream');
  else {
    checkTables(document, findings);
    checkSubsections(document, findings);
  }
  if (findings.violations.length > 0) return;
  for (const [number, entry] of xref.entries) {
    if (entry.kind === 'compressed')
      findings.expect(objectStreams, 'crossReferences', 'the file has an object stream');
    if (entry.kind === 'in-use') checkObject(document, number, entry.offset, findings);
  }
}

/** Checks the first two lines. Part 1 allows text after the version. */
function checkHeader(file: Buffer, findings: Findings): void {
  const [header = '', comment = ''] = latin1(file, 0, MAX_HEADER_BYTES).split(/\r\n|\r|\n/, 2);
  findings.expect(
    (findings.rules.part === 1 ? /^%PDF-\d\.\d/ : /^%PDF-1\.[0-7]$/).test(header),
    'header',
    'the file does not begin with a header of an allowed PDF version',
  );
  findings.expect(
    /^%[\u0080-\u00ff]{4}/.test(comment),
    'header',
    'the header is not followed by a comment of four bytes above 127',
  );
}

function checkObject(document: PdfDocument, number: number, offset: number, findings: Findings): void {
  const { bytes } = document;
  if (offset === 0) return;
  const before = bytes[offset - 1];
  findings.expect(
    /^\d+\s\d+\sobj(?:\r\n|\r|\n)/.test(latin1(bytes, offset, offset + 32)) &&
      (before === 10 || before === 13),
    'objects',
    `object ${number} has a malformed object header`,
  );
  const value = resolve(document.ref(number));
  const isStream = value instanceof PdfStream;
  if (isStream) checkStream(bytes, number, value, findings);
  const end = isStream ? value.raw.byteOffset - bytes.byteOffset : endOfObject(document, offset);
  const fault = findMalformedHexString(bytes, offset, end);
  if (fault) findings.add('strings', `object ${number} has a hexadecimal string with ${fault}`);
  const after = isStream ? bytes.indexOf('endstream', end + value.raw.length) + 'endstream'.length : end;
  findings.expect(
    /^[\0\t\f\r\n ]{0,100}[\r\n]endobj[\r\n]/.test(latin1(bytes, after, after + 110)),
    'objects',
    `object ${number} does not have the keyword endobj on its own line`,
  );
  if (isStream && value.dict.name('Type') === 'ObjStm') checkObjectStream(document, number, value, findings);
}

/** Returns the position after an object that is not a stream. */
function endOfObject(document: PdfDocument, offset: number): number {
  const start = document.bytes.indexOf('obj', offset) + 3;
  const parser = new Parser(document.bytes, start, { ref: (number) => document.ref(number) });
  readObject(parser);
  return parser.position;
}

function checkObjectStream(
  { budget }: PdfDocument,
  number: number,
  stream: PdfStream,
  findings: Findings,
): void {
  const data = decodeStream(stream, budget);
  const fault = data && findMalformedHexString(data, stream.dict.number('First') ?? 0, data.length);
  if (fault) findings.add('strings', `object stream ${number} has a hexadecimal string with ${fault}`);
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
