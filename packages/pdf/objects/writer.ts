import { deflateSync } from 'node:zlib';
import { Dict, name, PdfStream, PdfString, Ref, type Direct, type PdfObject } from './objects.ts';
import { withoutCryptFilter } from './encryption.ts';
import { repairPageTree } from './page-tree.ts';
import { packObjects, type PackedObject } from './object-packs.ts';
import type { Encryption } from './protection.ts';
import { differences, UP_PARAMETERS } from './rows.ts';
import { serialize } from './serialize.ts';
import { requireReadable } from './written.ts';

/** Replacements for objects when writing: another value, or another object (a `Ref`). */
export type Substitutes = Pick<ReadonlyMap<Ref, PdfObject>, 'get'>;

/** The document that {@link writePdf} writes. */
export interface WrittenDocument {
  root: Ref;
  info?: Ref | undefined;
  version: string;
  /**
   * Whether to use object streams (PDF 1.5), which make the file smaller. Set it for a file that already has
   * them.
   */
  compact: boolean;
  /**
   * The elements of the structure tree and other objects that refer to many of them, which object streams can
   * hold in less space.
   */
  structure?: ReadonlySet<Ref> | undefined;
  substitutes?: Substitutes;
  /** Encrypts the strings and streams of the file. */
  encryption?: Encryption | undefined;
}

const EMPTY: Substitutes = new Map<Ref, PdfObject>();
/**
 * The size of an entry of a cross-reference stream: 1 byte for the type, 4 for the offset, 2 for the index.
 */
const ENTRY_BYTES = 7;

/**
 * Follows substitutes to the object to write. Returns `undefined` if it is null. A reference whose substitute
 * is a direct value keeps its identity.
 */
export function substituted(ref: Ref, substitutes: Substitutes): { ref: Ref; value: Direct } | undefined {
  let current = ref;
  for (let hops = 0; hops < 32; hops++) {
    const value = substitutes.get(current);
    const target = value === undefined ? current.value : value;
    if (target === null) return undefined;
    if (!(target instanceof Ref)) return { ref: current, value: target };
    current = target;
  }
  return undefined;
}

/** Finds all objects reachable from an object. */
export function reach(from: PdfObject, substitutes: Substitutes = EMPTY): Set<Ref> {
  const found = new Set<Ref>();
  const waiting: PdfObject[] = [from];
  const visit = (object: PdfObject): void => {
    if (object instanceof Ref) {
      const target = substituted(object, substitutes);
      if (!target || found.has(target.ref)) return;
      found.add(target.ref);
      waiting.push(target.value);
    } else if (Array.isArray(object)) for (const item of object) visit(item);
    else if (object instanceof Dict) for (const value of object.map.values()) visit(value);
    else if (object instanceof PdfStream) for (const value of object.dict.map.values()) visit(value);
  };
  for (let object = waiting.pop(); object !== undefined; object = waiting.pop()) visit(object);
  return found;
}

/**
 * Writes a complete file with the objects reachable from the root and the information dictionary, numbered in
 * the order in which they are found. Gives the root a new page tree if readers would find different pages in
 * its own.
 * @throws {PdfError} `damaged` if readers would not open the file.
 */
export function writePdf(written: WrittenDocument): Buffer {
  const { root, info, version, compact, structure, substitutes = EMPTY, encryption } = written;
  // The pages that substitutes replace are in a new tree already.
  if (root.value instanceof Dict && substitutes === EMPTY) repairPageTree(root.value);
  const numbers = new Map<Ref, number>();
  const queue: Direct[] = [];
  const structureNumbers = new Set<number>();
  const numberOf = (ref: Ref): number => {
    const known = numbers.get(ref);
    if (known !== undefined) return known;
    const target = substituted(ref, substitutes);
    // Number 0 makes the serializer write null.
    if (!target) numbers.set(ref, 0);
    else if (target.ref !== ref) numbers.set(ref, numberOf(target.ref));
    else {
      numbers.set(ref, queue.push(target.value));
      if (structure?.has(ref)) structureNumbers.add(queue.length);
    }
    return numbers.get(ref) ?? 0;
  };
  const out = new Output(version, encryption);
  numberOf(root);
  if (info) numberOf(info);
  for (let index = 0; index < queue.length; index++) {
    const value = queue[index] ?? null;
    const number = index + 1;
    // Release the value for garbage collection.
    queue[index] = null;
    if (value instanceof PdfStream) out.stream(number, value, numberOf);
    else if (compact)
      out.packed({ number, text: serialize(value, numberOf), isStructure: structureNumbers.has(number) });
    else out.object(number, value, numberOf);
  }
  const id = new PdfString(crypto.getRandomValues(new Uint8Array(16)));
  const trailer = Dict.of({ Root: root, Info: info, ID: [id, id] });
  let count = queue.length;
  if (encryption) {
    // Readers must find the dictionary before they can decrypt object streams, so it is never in one.
    const dict = Ref.to(encryption.dict);
    numbers.set(dict, ++count);
    out.plainObject(count, serialize(encryption.dict, numberOf));
    trailer.set('Encrypt', dict);
  }
  return requireReadable(out.end(trailer, numberOf, count), encryption?.userPassword);
}

class Output {
  readonly #chunks: Uint8Array[] = [];
  #pending = '';
  #size = 0;
  readonly #locations: { type: 1 | 2; where: number; index: number }[] = [];
  readonly #packed: PackedObject[] = [];
  readonly #encryption: Encryption | undefined;

  constructor(version: string, encryption: Encryption | undefined) {
    this.#encryption = encryption;
    // Four bytes above 127 mark the file as binary for transfer programs.
    this.#text(`%PDF-${version}\n%\u00e2\u00e3\u00cf\u00d3\n`);
  }

  object(number: number, value: Direct, numberOf: (ref: Ref) => number): void {
    this.plainObject(number, serialize(value, numberOf, this.#encryption?.encrypt));
  }

  /** Writes an object without encrypting it. */
  plainObject(number: number, text: string): void {
    this.#begin(number);
    this.#text(`${number} 0 obj\n${text}\nendobj\n`);
  }

  stream(number: number, stream: PdfStream, numberOf: (ref: Ref) => number): void {
    const encrypt = this.#encryption?.encrypt;
    const data = encrypt ? encrypt(stream.raw) : stream.raw;
    // A Crypt filter could exempt the stream from encryption.
    const dict = encrypt ? withoutCryptFilter(stream) : stream.dict;
    this.#stream(number, data, serializeHead(dict, data, numberOf, encrypt));
  }

  #stream(number: number, data: Uint8Array, head: string): void {
    this.#begin(number);
    this.#text(`${number} 0 obj\n${head}\nstream\n`);
    this.#bytes(data);
    this.#text('\nendstream\nendobj\n');
  }

  packed(object: PackedObject): void {
    this.#packed.push(object);
  }

  end(trailer: Dict, numberOf: (ref: Ref) => number, count: number): Buffer {
    if (this.#packed.length > 0) this.#endCompact(trailer, numberOf, count);
    else this.#endPlain(trailer, numberOf, count);
    this.#flush();
    return Buffer.concat(this.#chunks, this.#size);
  }

  #endCompact(trailer: Dict, numberOf: (ref: Ref) => number, count: number): void {
    let number = count;
    for (const { objects, stream } of packObjects(this.#packed)) {
      number++;
      for (const [index, object] of objects.entries())
        this.#locations[object.number] = { type: 2, where: number, index };
      this.stream(number, stream, numberOf);
    }
    const start = this.#size + this.#pending.length;
    this.#begin(++number);
    const entries = Buffer.alloc(ENTRY_BYTES * (number + 1));
    for (let index = 1; index <= number; index++) {
      const location = this.#locations[index];
      if (!location) continue;
      const at = index * ENTRY_BYTES;
      entries[at] = location.type;
      entries.writeUInt32BE(location.where, at + 1);
      entries.writeUInt16BE(location.index, at + 5);
    }
    entries.writeUInt16BE(65_535, 5);
    const parameters = Dict.of({ ...UP_PARAMETERS, Columns: ENTRY_BYTES });
    const dict = Dict.of({ Type: name('XRef'), Size: number + 1, W: [1, 4, 2], DecodeParms: parameters });
    for (const [key, value] of trailer.map) dict.set(key, value);
    // A cross-reference stream is never encrypted (ISO 32000-2 7.5.8.2).
    const { dict: head, raw } = deflated(dict, differences(entries, ENTRY_BYTES));
    this.#stream(number, raw, serializeHead(head, raw, numberOf));
    this.#text(`startxref\n${start}\n%%EOF\n`);
  }

  #endPlain(trailer: Dict, numberOf: (ref: Ref) => number, count: number): void {
    const start = this.#size + this.#pending.length;
    const table = this.#locations
      .slice(1)
      .map(({ where }) => `${String(where).padStart(10, '0')} 00000 n \n`);
    this.#text(`xref\n0 ${count + 1}\n0000000000 65535 f \n${table.join('')}`);
    trailer.set('Size', count + 1);
    this.#text(`trailer\n${serialize(trailer, numberOf)}\nstartxref\n${start}\n%%EOF\n`);
  }

  #begin(number: number): void {
    this.#locations[number] = { type: 1, where: this.#size + this.#pending.length, index: 0 };
  }

  #text(text: string): void {
    this.#pending += text;
    if (this.#pending.length > 65_536) this.#flush();
  }

  #bytes(bytes: Uint8Array): void {
    this.#flush();
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }

  #flush(): void {
    if (this.#pending === '') return;
    const bytes = Buffer.from(this.#pending, 'latin1');
    this.#pending = '';
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }
}

function serializeHead(
  dict: Dict,
  data: Uint8Array,
  numberOf: (ref: Ref) => number,
  encrypt?: Encryption['encrypt'],
): string {
  return serialize(dict.copy().set('Length', data.length), numberOf, encrypt);
}

function deflated(dict: Dict, data: Uint8Array): PdfStream {
  return new PdfStream(dict.set('Filter', name('FlateDecode')), deflateSync(data));
}
