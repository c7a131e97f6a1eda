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

/**
 * The limit for all decoded streams of a file. Images and fonts do not count, because they are not decoded.
 */
const MAX_UNPACKED_BYTES = 400_000_000;
const HEADER_SEARCH_BYTES = 1024;
/**
 * The limit for loads within loads, which happen for references to references, stream lengths and object
 * streams.
 */
const MAX_NESTED_LOADS = 64;

/**
 * A PDF opened for reading. Objects are loaded on demand. If the cross-reference information turns out to be
 * wrong, which can happen at any read, the document is repaired by searching the file for objects.
 */
export class PdfDocument implements ObjectSource {
  /** The file, starting at its header. */
  readonly bytes: Buffer;
  /** The whole file, including bytes before the header. */
  readonly file: Buffer;
  /** The size of the whole file. */
  readonly sizeBytes: number;
  readonly budget = new UnpackBudget(MAX_UNPACKED_BYTES);
  /** The version in the header, such as `1.7`, or `1.4` if the header is malformed. */
  readonly headerVersion: string;
  readonly #refs = new Map<number, Ref>();
  readonly #hooks: ParserHooks = { ref: (number) => this.ref(number) };
  readonly #objectStreams = new ObjectStreams(this, this.#hooks);
  #xref = new Xref();
  #repaired = false;
  #nestedLoads = 0;
  #decryption: Decryption | undefined;
  /** The password with which the file was opened. */
  readonly password: string | undefined;

  private constructor(file: Buffer, password: string | undefined, isSearched = false) {
    this.password = password;
    this.sizeBytes = file.length;
    this.file = file;
    const header = file.subarray(0, HEADER_SEARCH_BYTES).indexOf('%PDF-');
    if (
      header < 0 &&
      file.indexOf('startxref') < 0 &&
      !/\d\s+\d+\s+obj\b/.test(file.toString('latin1', 0, 4096))
    )
      throw new PdfError('not-a-pdf', 'is not a PDF');
    // Offsets are relative to the header. If a writer counted differently, the repair finds the objects.
    this.bytes = header > 0 ? file.subarray(header) : file;
    this.headerVersion = /^%PDF-(\d\.\d)/.exec(this.bytes.toString('latin1', 0, 16))?.[1] ?? '1.4';
    const xref = isSearched ? undefined : readXref(this.#xrefReader());
    if (xref) this.#xref = xref;
    else this.#xref = this.#search();
    this.#decrypt();
    if (!this.#hasPages()) this.#repair();
    if (!this.#hasPages()) throw new PdfError('damaged', 'is damaged beyond repair: it has no page tree');
  }

  /**
   * Opens a file. The bytes must not change while the document is in use. `password` can be the user or the
   * owner password of an encrypted file; a file with an empty user password opens without one.
   * @throws {PdfError} if the file is not a PDF, cannot be repaired, needs another password or is too
   * complex.
   */
  static open(bytes: Uint8Array, password?: string): PdfDocument {
    const document = new PdfDocument(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), password);
    const { catalog, xref } = document;
    if (document.repaired)
      rejectTruncated({ bytes: document.bytes, catalog, has: (number) => xref.entries.has(number) });
    return document;
  }

  /**
   * Opens a file without a password as a reader does that cannot use its cross-reference information: by
   * searching it for objects.
   * @throws {PdfError} like {@link open}
   */
  static openBySearch(bytes: Uint8Array): PdfDocument {
    return new PdfDocument(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), undefined, true);
  }

  get trailer(): Dict {
    return this.#xref.trailer;
  }

  get catalog(): Dict {
    return this.trailer.dict('Root') ?? new Dict();
  }

  /** The PDF version: the higher of the versions in the header and the catalog. */
  get version(): string {
    const version = this.catalog.name('Version');
    const isHigher = version !== undefined && /^\d\.\d$/.test(version) && version > this.headerVersion;
    return isHigher ? version : this.headerVersion;
  }

  /** Whether the file is encrypted. */
  get encrypted(): boolean {
    return this.#decryption !== undefined;
  }

  /**
   * The first file identifier from which the key of an encrypted file is derived. It differs from `ID` in the
   * trailer if that entry is missing or malformed.
   */
  get encryptionId(): Uint8Array | undefined {
    return this.#decryption?.id;
  }

  /** The cross-reference information, rebuilt if the file was repaired. */
  get xref(): Xref {
    return this.#xref;
  }

  /** Whether the file has been repaired because its cross-reference information is wrong. */
  get repaired(): boolean {
    return this.#repaired;
  }

  /** Returns the cipher for an object added under a number, or `undefined` if the file is not encrypted. */
  encrypterFor(number: number, generation: number): ObjectCipher | undefined {
    return this.#decryption?.encrypterFor(number, generation);
  }

  /** Whether the file uses object streams (PDF 1.5). */
  get compact(): boolean {
    return this.#xref.hasStreams;
  }

  /** Returns the reference to an object. The same number always gives the same `Ref`. */
  ref(number: number): Ref {
    const known = this.#refs.get(number);
    if (known) return known;
    const made = Ref.from(this, number);
    this.#refs.set(number, made);
    return made;
  }

  /** Tells whether a reference belongs to this file, and is not a new object or from another file. */
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
    if (entry.kind === 'compressed') return this.#objectStreams.read(entry.stream, entry.index, number);
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
        const container = xref.entries.get(number);
        const found = xref.entries.get(packed);
        const isNewer =
          container?.kind === 'in-use' && found?.kind === 'in-use' && found.offset > container.offset;
        if (!isNewer) xref.replace(packed, { kind: 'compressed', stream: number, index });
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

  /** Removes objects that the search found although an update had deleted them. */
  #deleteAgain(entries: Xref['entries']): void {
    for (const [number, entry] of entries)
      // The first entry of a table is always free. If a table starts at the wrong number, that entry falls on
      // a real object.
      if (entry.kind === 'free' && entry.generation > 0 && entry.generation < 65_535)
        this.#xref.entries.delete(number);
  }

  #decrypt(): void {
    const encrypt = this.trailer.dict('Encrypt');
    if (!encrypt || this.#decryption) return;
    const id = resolve(this.trailer.array('ID')?.[0]);
    this.#decryption = Decryption.open(
      encrypt,
      id instanceof PdfString ? id.bytes : new Uint8Array(),
      this.password,
    );
  }

  /**
   * Reads the indirect object `n g obj` at an offset. Returns `undefined` if the offset has no object, or
   * if its number differs from `wanted`.
   */
  #objectAt(offset: number, wanted?: number): { value: Direct; end: number } | undefined {
    const header = new Parser(this.bytes, offset, this.#hooks);
    const number = header.integer();
    const generation = header.integer();
    if (number === undefined || generation === undefined || !header.keyword('obj')) return undefined;
    if (wanted !== undefined && number !== wanted) return undefined;
    const encryption = this.trailer.raw('Encrypt');
    const isEncryptDictionary = encryption instanceof Ref && encryption.number === number;
    const cipher = isEncryptDictionary ? undefined : this.#decryption?.decrypterFor(number, generation);
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
    // A stream that cannot be decrypted is null.
    if (!cipher.canDecrypt(dict)) return { value: null, end };
    const decrypted = withoutCryptFilter(new PdfStream(dict, data));
    return { value: new PdfStream(decrypted, () => cipher.stream(dict, data)), end };
  }
}
