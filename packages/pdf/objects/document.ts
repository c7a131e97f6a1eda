import { rejectTruncated } from './truncation.ts';
import { Decryption, withoutCryptFilter, type ObjectCipher } from './encryption.ts';
import { PdfError } from './errors.ts';
import { UnpackBudget } from './filters.ts';
import { Dict, PdfStream, PdfString, Ref, resolve, type Direct, type ObjectSource } from './objects.ts';
import { ObjectStreams } from './object-streams.ts';
import { Parser, SyntaxFault, type ParserHooks } from './parser.ts';
import { recover } from './repair.ts';
import { streamLength } from './stream-length.ts';
import { readXref, Xref } from './xref.ts';

/** What all streams of a file together may unpack to, as far as they are looked into: images and fonts are not. */
const MAX_UNPACKED_BYTES = 400_000_000;
const HEADER_SEARCH_BYTES = 1024;
/** How many objects may each be needed to read the one before: references to references, lengths, object streams. */
const MAX_NESTED_LOADS = 64;

/**
 * A PDF that was opened for reading: its trailer and, through it, its objects, each read when it is asked for.
 * A file whose cross-reference information is wrong is repaired by searching it; that may happen at any read.
 */
export class PdfDocument implements ObjectSource {
  /** The file from its header on. */
  readonly bytes: Buffer;
  /** The whole file. */
  readonly file: Buffer;
  /** The whole file's. */
  readonly sizeBytes: number;
  readonly budget = new UnpackBudget(MAX_UNPACKED_BYTES);
  /** The version in the header, such as `1.7`; `1.4` when it is malformed. */
  readonly headerVersion: string;
  readonly #refs = new Map<number, Ref>();
  readonly #hooks: ParserHooks = { ref: (number) => this.ref(number) };
  readonly #objectStreams = new ObjectStreams(this, this.#hooks);
  #xref = new Xref();
  #repaired = false;
  #nestedLoads = 0;
  #decryption: Decryption | undefined;

  private constructor(file: Buffer) {
    this.sizeBytes = file.length;
    this.file = file;
    const header = file.subarray(0, HEADER_SEARCH_BYTES).indexOf('%PDF-');
    if (
      header < 0 &&
      file.indexOf('startxref') < 0 &&
      !/\d\s+\d+\s+obj\b/.test(file.toString('latin1', 0, 4096))
    )
      throw new PdfError('not-a-pdf', 'is not a PDF');
    // Offsets count from the header. Where a writer counted otherwise, the repair finds the objects.
    this.bytes = header > 0 ? file.subarray(header) : file;
    this.headerVersion = /^%PDF-(\d\.\d)/.exec(this.bytes.toString('latin1', 0, 16))?.[1] ?? '1.4';
    const xref = readXref(this.#xrefReader());
    if (xref) this.#xref = xref;
    else this.#xref = this.#search();
    this.#decrypt();
    if (!this.#hasPages()) this.#repair();
    if (!this.#hasPages())
      throw new PdfError('damaged', 'is damaged beyond repair: no pages can be found in it');
  }

  /**
   * Opens a file; the bytes must not change while it is in use.
   * @throws {PdfError} for what is no PDF, cannot be repaired, needs a password, or is too complex.
   */
  static open(bytes: Uint8Array): PdfDocument {
    const document = new PdfDocument(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    const { catalog, xref } = document;
    if (document.repaired)
      rejectTruncated({ bytes: document.bytes, catalog, has: (number) => xref.entries.has(number) });
    return document;
  }

  get trailer(): Dict {
    return this.#xref.trailer;
  }

  get catalog(): Dict {
    return this.trailer.dict('Root') ?? new Dict();
  }

  /** The version of PDF that it is written in: the higher of the header's and the catalog's. */
  get version(): string {
    const own = this.catalog.name('Version');
    return own !== undefined && /^\d\.\d$/.test(own) && own > this.headerVersion ? own : this.headerVersion;
  }

  /** Whether it was written encrypted. */
  get encrypted(): boolean {
    return this.#decryption !== undefined;
  }

  /** Where its objects are; after a repair, where the search found them. */
  get xref(): Xref {
    return this.#xref;
  }

  /** Whether its cross-reference information was found to be wrong so far. */
  get repaired(): boolean {
    return this.#repaired;
  }

  /** Encrypts what is added to the file under a number, as the file is; `undefined` when it is not encrypted. */
  sealFor(number: number, generation: number): ObjectCipher | undefined {
    return this.#decryption?.sealObject(number, generation);
  }

  /** Whether it keeps objects in object streams, which readers before PDF 1.5 do not know. */
  get compact(): boolean {
    return this.#xref.hasStreams;
  }

  /** The handle of an object; always the same for a number. */
  ref(number: number): Ref {
    const known = this.#refs.get(number);
    if (known) return known;
    const made = Ref.from(this, number);
    this.#refs.set(number, made);
    return made;
  }

  /** Tells whether a reference is one of this file's, and no new object or another file's. */
  owns(ref: Ref): boolean {
    return ref.number !== 0 && this.#refs.get(ref.number) === ref;
  }

  load(number: number): Direct {
    if (this.#nestedLoads === MAX_NESTED_LOADS) return null;
    this.#nestedLoads++;
    try {
      return this.#read(number);
    } finally {
      this.#nestedLoads--;
    }
  }

  #read(number: number): Direct {
    const entry = this.#xref.entries.get(number);
    if (!entry || entry.kind === 'free') return null;
    if (entry.kind === 'packed') return this.#objectStreams.read(entry.stream, entry.index, number);
    const found = this.#objectAt(entry.offset, number);
    if (found) return found.value;
    if (this.#repaired) return null;
    this.#repair();
    return this.#read(number);
  }

  #hasPages(): boolean {
    return this.catalog.dict('Pages') !== undefined;
  }

  #xrefReader() {
    return {
      bytes: this.bytes,
      hooks: this.#hooks,
      budget: this.budget,
      objectAt: (offset: number) => this.#objectAt(offset)?.value,
    };
  }

  #search(): Xref {
    this.#repaired = true;
    const { xref, objectStreams } = recover({
      bytes: this.bytes,
      hooks: this.#hooks,
      objectAt: (offset) => this.#objectAt(offset),
    });
    this.#xref = xref;
    this.#decrypt();
    for (const number of objectStreams) {
      for (const [index, packed] of this.#objectStreams.numbers(number).entries()) {
        const own = xref.entries.get(number);
        const other = xref.entries.get(packed);
        const newer = own?.kind === 'plain' && other?.kind === 'plain' && other.offset > own.offset;
        if (!newer) xref.replace(packed, { kind: 'packed', stream: number, index });
      }
    }
    const catalog = xref.trailer.dict('Root');
    if (!catalog) {
      const found = [...xref.entries.keys()].find((number) => {
        const value = resolve(this.ref(number));
        return value instanceof Dict && value.name('Type') === 'Catalog';
      });
      if (found !== undefined) xref.trailer.set('Root', this.ref(found));
    }
    return xref;
  }

  #repair(): void {
    if (this.#repaired) return;
    const { trailer, entries } = this.#xref;
    this.#objectStreams.forget();
    for (const ref of this.#refs.values()) ref.retry(this);
    this.#search();
    if (this.#hasPages()) this.#deleteAgain(entries);
    for (const [key, value] of trailer.map) if (!this.trailer.map.has(key)) this.trailer.set(key, value);
  }

  /** What an update deleted is still in the file, and is found by the search. */
  #deleteAgain(entries: Xref['entries']): void {
    for (const [number, entry] of entries)
      // The first entry of a table is free in any case, and a table that begins with the wrong number gives it to an object.
      if (entry.kind === 'free' && entry.generation > 0 && entry.generation < 65_535)
        this.#xref.entries.delete(number);
  }

  #decrypt(): void {
    const encrypt = this.trailer.dict('Encrypt');
    if (!encrypt || this.#decryption) return;
    const id = resolve(this.trailer.array('ID')?.[0]);
    this.#decryption = Decryption.open(encrypt, id instanceof PdfString ? id.bytes : new Uint8Array());
  }

  /** Reads `n g obj` and what follows; `undefined` when it is not there, or another number is. */
  #objectAt(offset: number, wanted?: number): { value: Direct; end: number } | undefined {
    const header = new Parser(this.bytes, offset, this.#hooks);
    const number = header.integer();
    const generation = header.integer();
    if (number === undefined || generation === undefined || !header.keyword('obj')) return undefined;
    if (wanted !== undefined && number !== wanted) return undefined;
    const encryption = this.trailer.raw('Encrypt');
    const inTheClear = encryption instanceof Ref && encryption.number === number;
    const cipher = inTheClear ? undefined : this.#decryption?.forObject(number, generation);
    const parser = new Parser(this.bytes, header.position, { ...this.#hooks, decrypt: cipher?.string });
    try {
      const value = parser.object();
      if (value instanceof Dict && parser.keyword('stream')) return this.#stream(value, parser, cipher);
      return { value: resolve(value) ?? null, end: parser.position };
    } catch (error) {
      if (error instanceof SyntaxFault) return { value: null, end: parser.position };
      throw error;
    }
  }

  #stream(dict: Dict, parser: Parser, cipher: ObjectCipher | undefined): { value: Direct; end: number } {
    const { bytes } = this;
    let start = parser.position;
    if (bytes[start] === 32 && (bytes[start + 1] === 13 || bytes[start + 1] === 10)) start++;
    if (bytes[start] === 13 && bytes[start + 1] === 10) start += 2;
    else if (bytes[start] === 10 || bytes[start] === 13) start++;
    const length = streamLength(bytes, start, dict);
    const data = bytes.subarray(start, start + length);
    const end = start + length;
    if (!cipher) return { value: new PdfStream(dict, data), end };
    // A stream that nobody can read is none.
    if (!cipher.opens(dict)) return { value: null, end };
    const decrypted = withoutCryptFilter(new PdfStream(dict, data));
    return { value: new PdfStream(decrypted, () => cipher.stream(dict, data)), end };
  }
}
