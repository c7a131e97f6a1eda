import { PdfError } from './errors.ts';
import { decodeStream, type UnpackBudget } from './filters.ts';
import { Dict, PdfStream, type Direct } from './objects.ts';
import { Parser, type ParserHooks } from './parser.ts';

/** The location of an object: at an offset in the file, in an object stream, or free. */
type XrefEntry =
  | { kind: 'in-use'; offset: number; generation: number }
  | { kind: 'compressed'; stream: number; index: number }
  | { kind: 'free'; generation: number };

/** The maximum number of objects in a file. */
export const MAX_OBJECTS = 1_000_000;
const MAX_SECTIONS = 10_000;

/** The cross-reference information of a file: the newest entry of each object, and the newest trailer. */
export class Xref {
  readonly entries = new Map<number, XrefEntry>();
  trailer = new Dict();
  /** The offset of the newest section, or `undefined` after a repair. */
  offset: number | undefined;
  /** Whether any section is a cross-reference stream. */
  hasStreams = false;

  /** Adds an entry unless a newer section has one. @throws {PdfError} if the file has too many objects. */
  add(number: number, entry: XrefEntry): void {
    if (!this.entries.has(number)) this.replace(number, entry);
  }

  replace(number: number, entry: XrefEntry): void {
    this.entries.set(number, entry);
    if (this.entries.size > MAX_OBJECTS)
      throw new PdfError('too-complex', `has more than ${MAX_OBJECTS} objects`);
  }
}

/** The parts of a document needed to read its cross-reference sections. */
interface XrefReader {
  bytes: Buffer;
  hooks: ParserHooks;
  budget: UnpackBudget;
  /** Reads the indirect object at an offset. */
  objectAt(offset: number): Direct | undefined;
}

/**
 * Reads the sections that `startxref` leads to and their predecessors: tables, streams, or both in hybrid
 * files. Returns `undefined` if a section is missing; the file must then be repaired.
 */
export function readXref(reader: XrefReader): Xref | undefined {
  const { bytes } = reader;
  const mark = bytes.lastIndexOf('startxref');
  if (mark < 0) return undefined;
  const first = new Parser(bytes, mark + 9, reader.hooks).integer();
  if (first === undefined) return undefined;
  const xref = new Xref();
  xref.offset = first;
  const visited = new Set<number>();
  const waiting = [first];
  for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
    // A cycle ends the chain.
    if (visited.has(offset)) continue;
    if (visited.size >= MAX_SECTIONS || offset < 0 || offset >= bytes.length) return undefined;
    visited.add(offset);
    const freed: Freed[] = [];
    const trailer = readSection(reader, offset, xref, freed);
    if (!trailer) return undefined;
    if (visited.size === 1) xref.trailer = trailer;
    const streamOffset = trailer.number('XRefStm');
    if (streamOffset !== undefined && !visited.has(streamOffset)) {
      visited.add(streamOffset);
      if (streamOffset < 0 || streamOffset >= bytes.length || !readSection(reader, streamOffset, xref, []))
        return undefined;
    }
    for (const { number, generation } of freed) xref.add(number, { kind: 'free', generation });
    const previous = trailer.number('Prev');
    if (previous !== undefined) waiting.push(previous);
  }
  return xref;
}

/**
 * An object that a table marks as free. In a hybrid file (ISO 32000-1 7.5.8.4) the accompanying stream may
 * define it.
 */
interface Freed {
  number: number;
  generation: number;
}

function readSection(reader: XrefReader, offset: number, xref: Xref, freed: Freed[]): Dict | undefined {
  const parser = new Parser(reader.bytes, offset, reader.hooks);
  if (parser.keyword('xref')) return readTable(parser, xref, freed);
  const stream = reader.objectAt(offset);
  if (!(stream instanceof PdfStream) || stream.dict.name('Type') !== 'XRef') return undefined;
  xref.hasStreams = true;
  return readStream(stream, reader.budget, xref) ? stream.dict : undefined;
}

function readTable(parser: Parser, xref: Xref, freed: Freed[]): Dict | undefined {
  while (!parser.keyword('trailer')) {
    const start = parser.integer();
    const count = parser.integer();
    if (start === undefined || count === undefined) return undefined;
    for (let index = 0; index < count; index++) {
      const offset = parser.integer();
      if (offset === undefined) break;
      const generation = parser.integer();
      if (generation === undefined) return undefined;
      if (parser.keyword('n')) xref.add(start + index, { kind: 'in-use', offset, generation });
      else if (parser.keyword('f')) freed.push({ number: start + index, generation });
      else return undefined;
    }
  }
  try {
    const trailer = parser.object();
    return trailer instanceof Dict ? trailer : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a cross-reference stream (ISO 32000-1 7.5.8). A stream without `Size` must be repaired, because qpdf
 * does not read it.
 */
function readStream(stream: PdfStream, budget: UnpackBudget, xref: Xref): boolean {
  const widths = stream.dict.array('W');
  const [typeWidth, secondWidth, thirdWidth] = [0, 1, 2].map((index) => widths?.[index]);
  if (!isWidth(typeWidth) || !isWidth(secondWidth) || !isWidth(thirdWidth)) return false;
  const entryBytes = typeWidth + secondWidth + thirdWidth;
  const data = decodeStream(stream, budget);
  const size = stream.dict.number('Size');
  if (!data || entryBytes === 0 || size === undefined) return false;
  const ranges = stream.dict.array('Index') ?? [0, size];
  let at = 0;
  const field = (width: number) => {
    let value = 0;
    for (let index = 0; index < width; index++) value = value * 256 + (data[at++] ?? 0);
    return value;
  };
  for (let range = 0; range + 1 < ranges.length; range += 2) {
    const [start, count] = [ranges[range], ranges[range + 1]];
    if (typeof start !== 'number' || typeof count !== 'number') return false;
    for (let index = 0; index < count && at + entryBytes <= data.length; index++) {
      const type = typeWidth === 0 ? 1 : field(typeWidth);
      const second = field(secondWidth);
      const third = field(thirdWidth);
      if (type === 1) xref.add(start + index, { kind: 'in-use', offset: second, generation: third });
      else if (type === 2) xref.add(start + index, { kind: 'compressed', stream: second, index: third });
      else xref.add(start + index, { kind: 'free', generation: third });
    }
  }
  return true;
}

function isWidth(width: unknown): width is number {
  return typeof width === 'number' && Number.isInteger(width) && width >= 0 && width <= 8;
}
