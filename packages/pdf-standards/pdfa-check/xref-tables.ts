import { Dict, Parser, resolve, type PdfDocument, type PdfObject, type PdfString } from '@platen/pdf/objects';
import type { Findings } from './findings.ts';
import { findMalformedHexString } from './hex-strings.ts';

/** A section of cross-reference information in a table, and its trailer. */
interface Section {
  /** The text from the keyword `xref` to the first entry of the first subsection. */
  head: string;
  trailer: Dict;
  /** Where the trailer begins and ends. */
  start: number;
  end: number;
}

const MAX_SECTIONS = 10_000;
/** Longer white space in a table is malformed. */
const MAX_HEAD_BYTES = 64;
/** A subsection header, and a count of entries of 20 bytes. */
const SUBSECTION = /^(\d{1,10})[ \t]{1,10}(\d{1,10})\s{1,10}/;
const ENTRY_BYTES = 20;

/**
 * Checks the cross-reference tables and trailers of all updates of a file (ISO 19005-1 6.1.3, 6.1.4, 6.1.6).
 */
export function checkTables(document: PdfDocument, findings: Findings): void {
  const sections = readSections(document);
  findings.expect(
    sections !== undefined,
    'crossReferences',
    'the file has no readable cross-reference table',
  );
  for (const { head, start, end } of sections ?? []) {
    findings.expect(
      /^xref(?:\r\n|\r|\n)\d/.test(head),
      'crossReferences',
      'the keyword xref and the header of its table are not separated by one end-of-line marker',
    );
    const fault = findMalformedHexString(document.bytes, start, end);
    if (fault) findings.add('strings', `a trailer has a hexadecimal string with ${fault}`);
  }
  checkLinearization(document, sections ?? [], findings);
}

/** Reads the sections from the newest to the oldest. Returns `undefined` if one is not a table. */
function readSections(document: PdfDocument): Section[] | undefined {
  const sections: Section[] = [];
  const visited = new Set<number>();
  let offset: number | undefined = document.xref.offset;
  while (offset !== undefined && !visited.has(offset) && sections.length < MAX_SECTIONS) {
    visited.add(offset);
    const section = readSection(document, offset);
    if (!section) return undefined;
    sections.push(section);
    offset = section.trailer.number('Prev');
  }
  return sections;
}

function readSection(document: PdfDocument, offset: number): Section | undefined {
  const { bytes } = document;
  const start = bytes.indexOf('trailer', offset);
  const head = bytes.toString('latin1', offset, offset + MAX_HEAD_BYTES);
  if (!head.startsWith('xref') || start < 0) return undefined;
  const parser = new Parser(bytes, start + 7, { ref: (number) => document.ref(number) });
  const trailer = readObject(parser);
  return trailer instanceof Dict ? { head, trailer, start, end: parser.position } : undefined;
}

/** Reads an object; `undefined` if it is malformed. */
export function readObject(parser: Parser): PdfObject | undefined {
  try {
    return parser.object();
  } catch {
    return undefined;
  }
}

/** Checks that the headers of all subsections of a table have a single space, which part 1 requires. */
export function checkSubsections({ bytes, xref }: PdfDocument, findings: Findings): void {
  if (findings.rules.part > 1 || xref.offset === undefined) return;
  const end = bytes.indexOf('trailer', xref.offset);
  const text = bytes.toString('latin1', xref.offset, end);
  const keyword = /^xref\s+/.exec(text)?.[0] ?? '';
  for (let at = keyword.length; at < text.length;) {
    const header = SUBSECTION.exec(text.slice(at, at + MAX_HEAD_BYTES));
    if (!header) return;
    findings.expect(
      header[0].startsWith(`${header[1]} ${header[2]}`),
      'crossReferences',
      'the cross-reference table has a malformed header',
    );
    at += header[0].length + Number(header[2]) * ENTRY_BYTES;
  }
}

/**
 * Checks that the first and the last trailer of a linearized file have the same ID, which part 1 requires.
 */
function checkLinearization(document: PdfDocument, sections: readonly Section[], findings: Findings): void {
  if (findings.rules.part > 1 || sections.length < 2 || !isLinearized(document)) return;
  const [first, last] = [sections[0], sections.at(-1)].map((section) => idOf(section?.trailer));
  findings.expect(
    last === undefined || first === last,
    'trailer',
    'the first and the last trailer of the linearized file have a different ID',
  );
}

function isLinearized({ bytes, file }: PdfDocument): boolean {
  const start = bytes.subarray(0, 1024).indexOf(' obj');
  if (start < 0) return false;
  const parser = new Parser(bytes, start + 4, {
    ref: (): never => {
      throw new Error('unexpected reference');
    },
  });
  const dict = readObject(parser);
  return dict instanceof Dict && dict.map.has('Linearized') && dict.number('L') === file.length;
}

function idOf(trailer: Dict | undefined): string | undefined {
  const id = trailer?.array('ID')?.map((part) => (resolve(part) as PdfString | undefined)?.key ?? '');
  return id && id.join('\u0000');
}
