import {
  decodeStream,
  Dict,
  Parser,
  PdfDocument,
  PdfError,
  PdfStream,
  Ref,
  type PdfObject,
} from '@platen/pdf/objects';
import { SyntaxFault } from '@platen/pdf/objects';
import { StrictFault, StrictScanner } from './strict-syntax.ts';
import { isSameEntry, readSection, type XrefEntry } from './xref-section.ts';

const TAIL_BYTES = 64;
const MAX_SECTIONS = 10_000;

/**
 * Finds out whether readers can disagree about the objects of a revision: a reader that finds a fault in its
 * cross-reference information searches the file for objects, and then finds others.
 * @returns the first fault as the end of a sentence: "the signed revision has …", or `undefined`
 */
export function findStructureFault(revision: PdfDocument): string | undefined {
  if (revision.bytes.length !== revision.file.length) return 'bytes before its header';
  try {
    checkTail(revision);
    checkLinearization(revision);
    checkSections(revision);
    return findWrongOffset(revision) ?? findHiddenObject(revision);
  } catch (error) {
    if (error instanceof StrictFault) return error.message;
    throw error;
  }
}

function checkTail({ bytes, xref }: PdfDocument): void {
  const tail = bytes.toString('latin1', Math.max(0, bytes.length - TAIL_BYTES));
  const pointer = /startxref\s{1,4}(\d{1,10})\s{1,4}%%EOF\s{0,4}$/.exec(tail)?.[1];
  if (pointer === undefined || Number(pointer) !== xref.offset)
    throw new StrictFault('no pointer to its cross-reference section at its end');
}

/**
 * Checks that readers do not take the file, now or after an update, for a linearized file with other
 * cross-reference sections. If the first object states the length of the file, readers begin with the section
 * after this object, and not with the last one (ISO 32000-1 annex F).
 */
function checkLinearization(revision: PdfDocument): void {
  const { bytes, xref } = revision;
  const parser = new Parser(bytes, 0, { ref: (number) => revision.ref(number) });
  let first: unknown;
  let body = 0;
  try {
    parser.integer();
    parser.integer();
    if (!parser.keyword('obj')) return;
    body = parser.position;
    first = parser.object();
  } catch (error) {
    if (error instanceof SyntaxFault) return;
    throw error;
  }
  if (!(first instanceof Dict) || !first.map.has('Linearized')) return;
  const scanner = new StrictScanner(bytes, body);
  scanner.space();
  scanner.object();
  const length = first.raw('L');
  if (typeof length !== 'number' || !Number.isInteger(length) || length > bytes.length)
    throw new StrictFault('a linearization dictionary with a wrong length');
  if (length < bytes.length) return;
  scanner.space();
  scanner.word('endobj');
  scanner.space();
  if (scanner.position !== xref.offset)
    throw new StrictFault('a linearization dictionary without its cross-reference section');
}

/** Reads all cross-reference sections strictly, and compares the result with the entries in use. */
function checkSections(revision: PdfDocument): void {
  const entries = new Map<number, XrefEntry>();
  const add = (section: ReadonlyMap<number, XrefEntry>) => {
    for (const [number, entry] of section) if (!entries.has(number)) entries.set(number, entry);
  };
  const visited = new Set<number>();
  for (let offset = revision.xref.offset; offset !== undefined;) {
    if (visited.has(offset) || visited.size >= MAX_SECTIONS)
      throw new StrictFault('cross-reference sections that form a cycle');
    visited.add(offset);
    const { entries: own, trailer } = readSection(revision, offset);
    const stream = trailer.raw('XRefStm');
    if (stream !== undefined) {
      if (typeof stream !== 'number') throw new StrictFault('a malformed trailer');
      addHybrid(own, readSection(revision, stream).entries);
    }
    add(own);
    const previous = trailer.raw('Prev');
    if (
      previous !== undefined &&
      (typeof previous !== 'number' || !Number.isSafeInteger(previous) || previous < 0)
    )
      throw new StrictFault('a malformed trailer');
    offset = previous;
  }
  for (const number of new Set([...entries.keys(), ...revision.xref.entries.keys()]))
    if (!isSameEntry(entries.get(number), revision.xref.entries.get(number)))
      throw new StrictFault('cross-reference sections that can be read in two ways');
  const size = revision.trailer.raw('Size');
  let last = 0;
  for (const [number, { kind }] of entries) if (kind !== 'free') last = Math.max(last, number);
  if (typeof size !== 'number' || size <= last) throw new StrictFault('a trailer with a wrong /Size');
}

/**
 * Adds the entries of the stream in a hybrid file, which may not contradict the table (ISO 32000-1 7.5.8.4).
 */
function addHybrid(table: Map<number, XrefEntry>, stream: ReadonlyMap<number, XrefEntry>): void {
  for (const [number, entry] of stream) {
    const known = table.get(number);
    if (known !== undefined && known.kind !== 'free' && !isSameEntry(known, entry))
      throw new StrictFault('a cross-reference table that contradicts its cross-reference stream');
    if (entry.kind !== 'free') table.set(number, entry);
  }
}

/** Finds an entry that names an offset where its object is not. */
function findWrongOffset(revision: PdfDocument): string | undefined {
  const scanner = new StrictScanner(revision.bytes, 0);
  const packed = new Map<number, number[]>();
  const numbersIn = (stream: number) => {
    const numbers = packed.get(stream) ?? readNumbers(revision, stream);
    packed.set(stream, numbers);
    return numbers;
  };
  for (const [number, entry] of revision.xref.entries) {
    let isRight = true;
    if (entry.kind === 'compressed') isRight = numbersIn(entry.stream)[entry.index] === number;
    else if (entry.kind === 'in-use' && entry.offset > 0)
      isRight = isObjectAt(scanner, entry.offset, [number, entry.generation]);
    if (!isRight) return `a cross-reference section with a wrong place of an object (${number})`;
  }
  return undefined;
}

function isObjectAt(scanner: StrictScanner, offset: number, expected: readonly [number, number]): boolean {
  scanner.position = offset;
  try {
    for (const each of expected) {
      scanner.space();
      if (scanner.integer() !== each) return false;
    }
    scanner.space();
    return scanner.bytes.toString('latin1', scanner.position, scanner.position + 3) === 'obj';
  } catch (error) {
    if (error instanceof StrictFault) return false;
    throw error;
  }
}

/** Reads the numbers of the objects in an object stream (ISO 32000-1 7.5.7). */
function readNumbers(revision: PdfDocument, number: number): number[] {
  const { value } = revision.ref(number);
  const data = value instanceof PdfStream ? decodeStream(value, revision.budget) : undefined;
  if (!(value instanceof PdfStream) || !data) return [];
  const scanner = new StrictScanner(Buffer.from(data.buffer, data.byteOffset, data.length), 0);
  return Array.from({ length: Math.min(value.dict.number('N') ?? 0, data.length) }, () => {
    scanner.space();
    const packed = scanner.integer();
    scanner.space();
    scanner.integer();
    return packed;
  });
}

/** Finds an object that only readers that search the file for objects would use. */
function findHiddenObject(revision: PdfDocument): string | undefined {
  let searched: PdfDocument;
  try {
    searched = PdfDocument.openBySearch(revision.file);
  } catch (error) {
    if (error instanceof PdfError) return 'no objects that a search of the file finds';
    throw error;
  }
  const [root, other] = [revision.trailer.raw('Root'), searched.trailer.raw('Root')];
  if (!(root instanceof Ref && other instanceof Ref) || root.number !== other.number)
    return 'two document catalogs';
  const { entries } = revision.xref;
  for (const [number, entry] of entries)
    if (isUsed(entry) && !isSameOffset(entry, searched.xref.entries.get(number), revision))
      return `an object that its cross-reference sections do not name (${number})`;
  const deleted = [...searched.xref.entries.keys()].filter((number) => !isUsed(entries.get(number)));
  const found = findOnPages(revision, new Set(deleted));
  return found === undefined ? undefined : `a page with an object that was deleted (${found})`;
}

/**
 * Tells whether an entry names an object. Readers treat an entry that names the start of the file as free.
 */
function isUsed(entry: XrefEntry | undefined): boolean {
  return entry?.kind === 'compressed' || (entry?.kind === 'in-use' && entry.offset > 0);
}

/** Finds an object among those that the pages and the fields reach. Returns its number. */
function findOnPages(revision: PdfDocument, wanted: ReadonlySet<number>): number | undefined {
  if (wanted.size === 0) return undefined;
  const visited = new Set<number>();
  const left: (PdfObject | undefined)[] = ['Pages', 'AcroForm'].map((key) => revision.catalog.raw(key));
  while (left.length > 0) {
    const next = left.pop();
    if (next instanceof Ref) {
      if (wanted.has(next.number)) return next.number;
      if (!visited.has(next.number)) left.push(next.value);
      visited.add(next.number);
    } else if (Array.isArray(next)) left.push(...next);
    else if (next instanceof PdfStream) left.push(next.dict);
    else if (next instanceof Dict) left.push(...next.map.values());
  }
  return undefined;
}

/** Compares the offset of an object in the file. An entry may name the white space before it. */
function isSameOffset(entry: XrefEntry, found: XrefEntry | undefined, { bytes }: PdfDocument): boolean {
  if (entry.kind !== 'in-use' || found?.kind !== 'in-use') return isSameEntry(entry, found);
  const scanner = new StrictScanner(bytes, entry.offset);
  scanner.space();
  return scanner.position === found.offset;
}
