import { isDigit, isRegular, isWhitespace } from './characters.ts';
import { Dict, PdfStream, Ref, type Direct } from './objects.ts';
import { Parser, type ParserHooks } from './parser.ts';
import { Xref } from './xref.ts';

/** The parts of a document needed to repair it. */
interface RepairReader {
  bytes: Buffer;
  hooks: ParserHooks;
  /** Reads the indirect object at an offset, and finds its end. */
  objectAt: (offset: number) => { value: Direct; end: number } | undefined;
}

/** The result of searching the whole file. */
interface Recovered {
  xref: Xref;
  /**
   * Numbers of object streams in file order. They are read later, because the file may have to be decrypted
   * first.
   */
  objectStreams: number[];
}

/**
 * Rebuilds wrong cross-reference information by searching the file for `n g obj`. The last object with a
 * number wins. The trailer combines all trailers and cross-reference streams; if they have no root, the last
 * catalog becomes the root.
 */
export function recover({ bytes, hooks, objectAt }: RepairReader): Recovered {
  const xref = new Xref();
  const objectStreams = new Set<number>();
  let catalog: Ref | undefined;
  for (let at = bytes.indexOf('obj'); at >= 0; at = bytes.indexOf('obj', at)) {
    const header = headerBefore(bytes, at);
    at += 3;
    if (!header) continue;
    const object = objectAt(header.offset);
    if (!object) continue;
    xref.replace(header.number, { kind: 'in-use', offset: header.offset, generation: header.generation });
    const { value } = object;
    objectStreams.delete(header.number);
    if (value instanceof PdfStream) {
      // Do not search stream data.
      at = Math.max(at, object.end);
      const type = value.dict.name('Type');
      if (type === 'ObjStm') objectStreams.add(header.number);
      if (type === 'XRef') adopt(xref, value.dict);
    } else if (value instanceof Dict && value.name('Type') === 'Catalog')
      catalog = hooks.ref(header.number, header.generation);
  }
  for (let at = bytes.indexOf('trailer'); at >= 0; at = bytes.indexOf('trailer', at + 7)) {
    try {
      const trailer = new Parser(bytes, at + 7, hooks).object();
      if (trailer instanceof Dict) adopt(xref, trailer);
    } catch {
      // Ignore a damaged trailer; another may be intact.
    }
  }
  if (!(xref.trailer.raw('Root') instanceof Ref) && catalog) xref.trailer.set('Root', catalog);
  xref.hasStreams = objectStreams.size > 0;
  return { xref, objectStreams: [...objectStreams] };
}

function adopt(xref: Xref, trailer: Dict): void {
  for (const key of ['Root', 'Info', 'Encrypt', 'ID']) {
    const value = trailer.raw(key);
    if (value !== undefined) xref.trailer.set(key, value);
  }
}

function headerBefore(
  bytes: Buffer,
  obj: number,
): { number: number; generation: number; offset: number } | undefined {
  const generation = integerBefore(bytes, obj);
  // `endobj` also contains `obj`.
  if (!generation || generation.from === obj) return undefined;
  const number = integerBefore(bytes, generation.from);
  if (!number || !isWhitespace(bytes[generation.from - 1]) || isRegular(bytes[number.from - 1])) {
    // In `endobj5 0 obj` the number directly follows a keyword.
    if (!number || bytes.toString('latin1', number.from - 6, number.from) !== 'endobj') return undefined;
  }
  return { number: number.value, generation: generation.value, offset: number.from };
}

function integerBefore(bytes: Buffer, position: number): { value: number; from: number } | undefined {
  let at = position;
  while (at > 0 && isWhitespace(bytes[at - 1])) at--;
  const end = at;
  while (at > 0 && end - at < 10 && isDigit(bytes[at - 1])) at--;
  return at === end ? undefined : { value: Number(bytes.toString('latin1', at, end)), from: at };
}
