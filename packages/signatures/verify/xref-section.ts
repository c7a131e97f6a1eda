import { Dict, Parser, PdfStream, decodeStream, type PdfDocument } from '@platen/pdf/objects';
import type { Xref } from '@platen/pdf/objects';
import { StrictFault, StrictScanner } from './strict-syntax.ts';

/** The location of an object. */
export type XrefEntry = Xref['entries'] extends ReadonlyMap<number, infer Entry> ? Entry : never;

/** A cross-reference section: a table with its trailer, or a stream. */
export interface XrefSection {
  entries: Map<number, XrefEntry>;
  trailer: Dict;
  /** The end of the trailer or of the stream object. */
  end: number;
  isTable: boolean;
  /**
   * Whether only some readers can read the table: its headings are not on one line, or its trailer has a real
   * number.
   */
  isOdd: boolean;
}

/** An indirect object in a file. */
export interface StrictObject {
  number: number;
  generation: number;
  start: number;
  end: number;
  /** The object, if it is a stream. */
  stream: PdfStream | undefined;
  references: readonly [number, number][];
  /** Whether the object has a number with a decimal point. */
  hasReals: boolean;
}

const ENTRY_BYTES = 20;
const HEADING = /^\d+ \d+$/;
const ENTRY = /^(\d{10}) (\d{5}) ([nf])(?: \r| \n|\r\n)$/;
/**
 * The first entry of a table that starts at 0. Some readers shift a table that starts at another number with
 * this entry.
 */
const HEAD_GENERATION = 65_535;
/** The largest object number that common readers support. */
const MAX_NUMBER = 8_388_607;
/** The maximum bytes of a field in a cross-reference stream. Only the last six can differ from 0. */
const MAX_WIDTH = 8;
const NUMBER_BYTES = 6;

/**
 * Reads the indirect object at the position of a scanner: `n g obj`, the object and `endobj`. A stream has
 * exactly its stated length.
 * @throws {StrictFault}
 */
export function readObject(scanner: StrictScanner, document: PdfDocument): StrictObject {
  const { bytes, position: start } = scanner;
  const first = scanner.references.length;
  const { reals } = scanner;
  const number = scanner.integer();
  scanner.space();
  const generation = scanner.integer();
  scanner.space();
  scanner.word('obj');
  if (number === 0 || number > MAX_NUMBER) throw new StrictFault('an object with an impossible number');
  scanner.space();
  const body = scanner.position;
  scanner.object();
  scanner.space();
  let stream: PdfStream | undefined;
  if (scanner.isAt('stream')) {
    const dict = new Parser(bytes, body, { ref: (each) => document.ref(each) }).object();
    scanner.word('stream');
    if (bytes[scanner.position] === 13 && bytes[scanner.position + 1] !== 10)
      throw new StrictFault('a malformed stream');
    if (!(dict instanceof Dict) || !scanner.lineEnd()) throw new StrictFault('a malformed stream');
    const length = dict.number('Length');
    if (length === undefined || !Number.isSafeInteger(length) || length < 0 || dict.map.has('F'))
      throw new StrictFault('a stream without a length');
    const at = scanner.position;
    stream = new PdfStream(dict, bytes.subarray(at, at + length));
    scanner.position = at + length;
    scanner.lineEnd();
    scanner.word('endstream');
    scanner.space();
  }
  scanner.word('endobj');
  const references = scanner.references.slice(first);
  const hasReals = scanner.reals > reals;
  return { number, generation, start, end: scanner.position, stream, references, hasReals };
}

/**
 * Reads the cross-reference section at an offset.
 * @throws {StrictFault} if its syntax leaves room for interpretation
 */
export function readSection(document: PdfDocument, offset: number): XrefSection {
  const scanner = new StrictScanner(document.bytes, offset);
  // In a signed revision, the offset may name the white space before the section.
  scanner.space();
  if (scanner.isAt('xref')) return readTable(scanner, document);
  const { stream, end } = readObject(scanner, document);
  if (stream?.dict.name('Type') !== 'XRef') throw new StrictFault('no cross-reference section at its place');
  return readStream(stream, { document, end });
}

function readTable(scanner: StrictScanner, document: PdfDocument): XrefSection {
  const { bytes } = scanner;
  const entries: XrefSection['entries'] = new Map();
  let isOdd = false;
  scanner.word('xref');
  for (scanner.space(); !scanner.isAt('trailer'); scanner.space()) {
    const heading = scanner.position;
    const start = scanner.integer();
    scanner.space();
    const count = scanner.integer();
    isOdd ||= !HEADING.test(bytes.toString('latin1', heading, scanner.position));
    while (bytes[scanner.position] === 32) scanner.position += 1;
    if (!scanner.lineEnd()) throw new StrictFault('a malformed cross-reference table');
    for (let index = 0; index < count; index += 1) {
      const { position } = scanner;
      const match = ENTRY.exec(bytes.toString('latin1', position, position + ENTRY_BYTES));
      if (!match) throw new StrictFault('a cross-reference table whose entries do not have 20 bytes');
      const [, at = '', generation = '', kind] = match;
      addEntry(
        entries,
        start + index,
        kind === 'n'
          ? { kind: 'in-use', offset: Number(at), generation: Number(generation) }
          : { kind: 'free', generation: Number(generation) },
      );
      if (kind === 'f' && index === 0 && start > 0 && Number(generation) === HEAD_GENERATION && count > 1)
        throw new StrictFault('a cross-reference table that starts at a wrong number');
      scanner.position += ENTRY_BYTES;
    }
  }
  scanner.word('trailer');
  scanner.space();
  const body = scanner.position;
  if (bytes[body] !== 60 || bytes[body + 1] !== 60) throw new StrictFault('a malformed trailer');
  const { reals } = scanner;
  scanner.object();
  const trailer = new Parser(bytes, body, { ref: (each) => document.ref(each) }).object();
  if (!(trailer instanceof Dict)) throw new StrictFault('a malformed trailer');
  isOdd ||= scanner.reals > reals;
  return { entries, trailer, end: scanner.position, isTable: true, isOdd };
}

function readStream(
  stream: PdfStream,
  { document, end }: { document: PdfDocument; end: number },
): XrefSection {
  const widths = stream.dict.array('W') ?? [];
  const [type = 0, second = 0, third = 0] = widths.map(Number);
  const entryBytes = type + second + third;
  const isValid = [type, second, third].every(
    (each) => Number.isInteger(each) && each >= 0 && each <= MAX_WIDTH,
  );
  const data =
    isValid && widths.length === 3 && second > 0 ? decodeStream(stream, document.budget) : undefined;
  if (!data) throw new StrictFault('a malformed cross-reference stream');
  const buffer = Buffer.from(data.buffer, data.byteOffset, data.length);
  const ranges = (stream.dict.array('Index') ?? [0, stream.dict.number('Size') ?? 0]).map(Number);
  const count = ranges.reduce((sum, each, index) => (index % 2 === 1 ? sum + each : sum), 0);
  if (
    ranges.length % 2 !== 0 ||
    !ranges.every((each) => Number.isSafeInteger(each) && each >= 0) ||
    count * entryBytes !== data.length
  )
    throw new StrictFault('a cross-reference stream of a wrong size');
  const entries: XrefSection['entries'] = new Map();
  let at = 0;
  const field = (width: number, missing: number) => {
    const size = Math.min(width, NUMBER_BYTES);
    const value = width === 0 ? missing : buffer.readUIntBE(at + width - size, size);
    if (buffer.subarray(at, at + width - size).some((byte) => byte !== 0))
      throw new StrictFault('a cross-reference stream with impossible entries');
    at += width;
    return value;
  };
  for (let range = 0; range < ranges.length; range += 2)
    for (let index = 0; index < (ranges[range + 1] ?? 0); index += 1) {
      const kind = field(type, 1);
      const [a, b] = [field(second, 0), field(third, 0)];
      if (kind > 2) throw new StrictFault('a cross-reference stream with unknown entries');
      addEntry(entries, (ranges[range] ?? 0) + index, entryOf(kind, a, b));
    }
  return { entries, trailer: stream.dict, end, isTable: false, isOdd: false };
}

function entryOf(kind: number, a: number, b: number): XrefEntry {
  if (kind === 1) return { kind: 'in-use', offset: a, generation: b };
  return kind === 2 ? { kind: 'compressed', stream: a, index: b } : { kind: 'free', generation: b };
}

function addEntry(entries: XrefSection['entries'], number: number, entry: XrefEntry): void {
  if (entries.has(number)) throw new StrictFault('a cross-reference section that repeats a number');
  if (number > MAX_NUMBER) throw new StrictFault('a cross-reference section with an impossible number');
  entries.set(number, entry);
}

/** Tells whether two entries name the same place. All free entries are alike. */
export function isSameEntry(a: XrefEntry | undefined, b: XrefEntry | undefined): boolean {
  if (a?.kind === 'in-use' && b?.kind === 'in-use')
    return a.offset === b.offset && a.generation === b.generation;
  if (a?.kind === 'compressed' && b?.kind === 'compressed')
    return a.stream === b.stream && a.index === b.index;
  return (a?.kind ?? 'free') === 'free' && (b?.kind ?? 'free') === 'free';
}
