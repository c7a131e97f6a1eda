import { decodeStream, PdfStream, Ref, type Dict, type PdfDocument } from '@platen/pdf/objects';
import { StrictFault, StrictScanner } from './strict-syntax.ts';
import { checkStructuralStream } from './structural-stream.ts';
import { isSameEntry, readObject, readSection, type StrictObject, type XrefEntry } from './xref-section.ts';

const MAX_SPACE_BYTES = 4;

/** The end of a signed revision, and what its cross-reference information says. */
export interface SignedEnd {
  /** The end of the signed bytes. */
  end: number;
  /** The offset of the newest cross-reference section before the end. */
  offset: number;
  entries: ReadonlyMap<number, XrefEntry>;
  trailer: Dict;
  /** Receives the ends of the updates that were read, with and without the line end. */
  ends: Set<number>;
}

/**
 * Accounts for each byte after a signed revision. There may be only whole incremental updates (ISO 32000-1
 * 7.5.6): objects that the cross-reference section of the same update names at their offset, this section,
 * its trailer and a pointer to it. Then all readers read the same objects, even readers that search the file
 * for objects.
 * @returns the first fault as the end of a sentence: "the bytes after the signature have …", or `undefined`
 */
export function findUpdateFault(document: PdfDocument, signed: SignedEnd): string | undefined {
  try {
    return new UpdateReader(document, signed).run();
  } catch (error) {
    if (error instanceof StrictFault) return error.message;
    throw error;
  }
}

interface ReadUpdate {
  objects: Map<number, StrictObject>;
  /** The object that is the cross-reference stream. */
  xrefStream: StrictObject | undefined;
  sectionAt: number;
}

class UpdateReader {
  readonly #document: PdfDocument;
  readonly #scanner: StrictScanner;
  readonly #signed: ReadonlyMap<number, XrefEntry>;
  readonly #entries: Map<number, XrefEntry>;
  readonly #root: number | undefined;
  readonly #encrypt: Dict | undefined;
  /** The references in the object streams of the update that is being read. */
  #packedReferences: [number, number][] = [];
  /** The offset of the newest cross-reference section so far. */
  #previous: number;
  readonly #ends: Set<number>;

  constructor(document: PdfDocument, { end, offset, entries, trailer, ends }: SignedEnd) {
    this.#ends = ends;
    this.#document = document;
    this.#scanner = new StrictScanner(document.bytes, end);
    this.#signed = entries;
    this.#entries = new Map(entries);
    this.#root = numberOf(trailer.raw('Root'));
    this.#encrypt = trailer.dict('Encrypt');
    this.#previous = offset;
  }

  run(): string | undefined {
    const { bytes } = this.#scanner;
    while (!this.#scanner.atEnd) {
      const before = bytes[this.#scanner.position - 1];
      if (before !== 10 && before !== 13 && !this.#scanner.lineEnd()) return 'no line end before an update';
      if (this.#scanner.atEnd) break;
      this.#readUpdate();
    }
    const { entries } = this.#document.xref;
    for (const number of new Set([...entries.keys(), ...this.#entries.keys()]))
      if (!isSameEntry(entries.get(number), this.#entries.get(number)))
        return 'cross-reference sections that can be read in two ways';
    return undefined;
  }

  #readUpdate(): void {
    const scanner = this.#scanner;
    const update = this.#readObjects();
    const section = readSection(this.#document, update.sectionAt);
    const { xrefStream } = update;
    const limitBytes = this.#document.budget.left;
    if (section.isOdd) throw new StrictFault('a malformed cross-reference table');
    if (xrefStream)
      checkStructuralStream(xrefStream, { data: xrefStream.stream?.raw ?? new Uint8Array(), limitBytes });
    scanner.position = section.end;
    this.#checkTrailer(section.trailer, section.isTable);
    const packed = this.#readPacked(update, section.entries);
    for (const [number, entry] of section.entries) this.#checkEntry(number, entry, { update, packed });
    for (const { number } of update.objects.values())
      if (section.entries.get(number)?.kind !== 'in-use')
        throw new StrictFault(`an object that no cross-reference section names (${number})`);
    if (xrefStream && !section.entries.has(xrefStream.number) && this.#entries.has(xrefStream.number))
      throw new StrictFault('a cross-reference stream with the number of another object');
    for (const [number, entry] of section.entries) this.#entries.set(number, entry);
    this.#checkReferences(update);
    const size = section.trailer.raw('Size');
    if (typeof size !== 'number' || !Number.isInteger(size) || size <= maximum(this.#entries.keys()))
      throw new StrictFault('a trailer with a wrong /Size');
    this.#previous = update.sectionAt;
    scanner.spaceAndComments();
    scanner.word('startxref');
    this.#shortSpace();
    if (scanner.integer() !== update.sectionAt)
      throw new StrictFault('a pointer to another place than its cross-reference section');
    this.#shortSpace();
    if (scanner.bytes.toString('latin1', scanner.position, scanner.position + 5) !== '%%EOF')
      throw new StrictFault('no end of the update');
    scanner.position += 5;
    this.#ends.add(scanner.position);
    if (!scanner.lineEnd() && !scanner.atEnd) throw new StrictFault('bytes after the end of an update');
    this.#ends.add(scanner.position);
    if (scanner.atEnd) return;
    // White space may separate updates.
    const { position } = scanner;
    scanner.space();
    if (scanner.atEnd) throw new StrictFault('bytes after the end of the last update');
    scanner.position = position;
  }

  /** Skips white space around the pointer, which some readers look for only in the last bytes of the file. */
  #shortSpace(): void {
    const { position } = this.#scanner;
    this.#scanner.space();
    if (this.#scanner.position > position + MAX_SPACE_BYTES)
      throw new StrictFault('a pointer that some readers cannot find');
  }

  #readObjects(): ReadUpdate {
    const scanner = this.#scanner;
    const objects = new Map<number, StrictObject>();
    for (;;) {
      scanner.spaceAndComments();
      const sectionAt = scanner.position;
      if (scanner.isAt('xref')) return { objects, xrefStream: undefined, sectionAt };
      if (scanner.atEnd) throw new StrictFault('objects that belong to no update');
      const object = readObject(scanner, this.#document);
      if (objects.has(object.number)) throw new StrictFault(`an object twice (${object.number})`);
      if (object.stream?.dict.name('Type') === 'XRef') return { objects, xrefStream: object, sectionAt };
      objects.set(object.number, object);
    }
  }

  #checkTrailer(trailer: Dict, isTable: boolean): void {
    if (trailer.raw('Prev') !== this.#previous) throw new StrictFault('a trailer with a wrong /Prev');
    if (trailer.map.has('XRefStm'))
      throw new StrictFault('a cross-reference table and a cross-reference stream at once');
    if (this.#root === undefined || numberOf(trailer.raw('Root')) !== this.#root)
      throw new StrictFault('a trailer that names another document catalog');
    // Readers that read only the newest trailer need the entry.
    if ((trailer.dict('Encrypt') === undefined) !== (this.#encrypt === undefined))
      throw new StrictFault('a trailer with another encryption');
    if (isTable && trailer.name('Type') !== undefined) throw new StrictFault('a malformed trailer');
  }

  /** Reads which objects the object streams of an update contain. The key is the number of the stream. */
  #readPacked({ objects }: ReadUpdate, entries: ReadonlyMap<number, XrefEntry>): Map<number, number[]> {
    const packed = new Map<number, number[]>();
    for (const object of objects.values()) {
      const { number, stream } = object;
      if (stream?.dict.name('Type') !== 'ObjStm') continue;
      // The document decrypts the stream, if it is the newest object with its number.
      const isNewest = isSameEntry(this.#document.xref.entries.get(number), entries.get(number));
      const newest = isNewest ? this.#document.ref(number).value : undefined;
      const decrypted = newest instanceof PdfStream ? newest : stream;
      checkStructuralStream(object, { data: decrypted.raw, limitBytes: this.#document.budget.left });
      const data = decodeStream(decrypted, this.#document.budget);
      const [count, first] = [stream.dict.raw('N'), stream.dict.raw('First')];
      if (!data || typeof count !== 'number' || typeof first !== 'number' || stream.dict.map.has('Extends'))
        throw new StrictFault('a malformed object stream');
      const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
      packed.set(number, this.#readPackedObjects(bytes, { count, first }));
      for (const [index, each] of (packed.get(number) ?? []).entries()) {
        const entry = entries.get(each);
        if (entry?.kind !== 'compressed' || entry.stream !== number || entry.index !== index)
          throw new StrictFault(`an object that no cross-reference section names (${each})`);
      }
    }
    return packed;
  }

  #readPackedObjects(bytes: Buffer, { count, first }: { count: number; first: number }): number[] {
    const header = new StrictScanner(bytes, 0);
    const numbers: number[] = [];
    let last = first;
    for (let index = 0; index < count; index += 1) {
      header.space();
      numbers.push(header.integer());
      header.space();
      const at = first + header.integer();
      const object = new StrictScanner(bytes, at);
      object.space();
      object.object();
      if (at < last || header.position > first) throw new StrictFault('a malformed object stream');
      last = object.position;
      this.#packedReferences.push(...object.references);
    }
    if (new Set(numbers).size !== numbers.length)
      throw new StrictFault('an object twice in an object stream');
    return numbers;
  }

  #checkEntry(
    number: number,
    entry: XrefEntry,
    { update, packed }: { update: ReadUpdate; packed: ReadonlyMap<number, number[]> },
  ): void {
    // Some writers repeat entries that have not changed.
    if (isSameEntry(entry, this.#entries.get(number)) && !update.objects.has(number)) return;
    if (entry.kind === 'free') return;
    if (entry.kind === 'compressed') {
      if (packed.get(entry.stream)?.[entry.index] === number) return;
    } else {
      const { xrefStream } = update;
      const object = xrefStream?.number === number ? xrefStream : update.objects.get(number);
      if (
        object?.start === entry.offset &&
        object.generation === entry.generation &&
        this.#keepsGeneration(number, entry.generation)
      )
        return;
    }
    throw new StrictFault(`a cross-reference section with a wrong place of an object (${number})`);
  }

  /**
   * Tells whether the references to an object, which can be in the signed revision, still have its
   * generation.
   */
  #keepsGeneration(number: number, generation: number): boolean {
    return [this.#signed.get(number), this.#entries.get(number)].every(
      (known) => known === undefined || known.kind === 'free' || generationOf(known) === generation,
    );
  }

  /** Checks the generations of references, because only some readers compare them. */
  #checkReferences({ objects }: ReadUpdate): void {
    const all = [...objects.values()].flatMap(({ references }) => references);
    for (const [number, generation] of [...all, ...this.#packedReferences]) {
      const entry = this.#entries.get(number);
      if (entry === undefined || entry.kind === 'free') continue;
      if (generationOf(entry) !== generation)
        throw new StrictFault(`a reference with a wrong generation (${number})`);
    }
    this.#packedReferences = [];
  }
}

/** Returns the generation of an object in use. Objects in object streams have the generation 0. */
function generationOf(entry: XrefEntry): number {
  return entry.kind === 'in-use' ? entry.generation : 0;
}

function numberOf(object: unknown): number | undefined {
  return object instanceof Ref ? object.number : undefined;
}

function maximum(numbers: Iterable<number>): number {
  let found = 0;
  for (const each of numbers) found = Math.max(found, each);
  return found;
}
