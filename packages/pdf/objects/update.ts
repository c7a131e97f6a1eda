import type { PdfDocument } from './document.ts';
import { PdfError } from './errors.ts';
import {
  Dict,
  name,
  PdfStream,
  PdfString,
  Ref,
  ReservedString,
  resolve,
  type Direct,
  type PdfObject,
} from './objects.ts';
import { readPages } from './page-tree.ts';
import { serialize, type Numbering } from './serialize.ts';
import { requireReadable } from './written.ts';
import { MAX_OBJECTS } from './xref.ts';

interface WrittenObject {
  number: number;
  generation: number;
  offset: number;
}

/** The bit of `SigFlags` for a file that must only be appended to (ISO 32000-1 table 219). */
const APPEND_ONLY = 1 << 1;

/**
 * Tells whether an incremental update can be appended to a file. Repaired files are excluded: their defects
 * would remain, and the update needs the offset of a valid cross-reference section. A page tree in which
 * readers find different pages is repaired too, unless the file is signed or encrypted.
 */
export function canAppend(document: PdfDocument): boolean {
  const { repaired, xref, catalog, encrypted } = document;
  if (repaired || xref.offset === undefined || !(xref.trailer.raw('Root') instanceof Ref)) return false;
  const flags = catalog.dict('AcroForm')?.number('SigFlags') ?? 0;
  return encrypted || (flags & APPEND_ONLY) !== 0 || readPages(document).isRegular;
}

/**
 * Writes a file followed by an incremental update (ISO 32000-1 7.5.6). The original bytes are unchanged, so
 * existing signatures stay valid. The update contains the objects in `changed` with their new values, and all
 * new objects that they reference. It is encrypted if the file is. References to other objects of the file
 * are kept; objects of other files are copied as new objects.
 * @throws {PdfError} if the file does not support updates ({@link canAppend}), or if readers would not open
 * the result.
 */
export function appendUpdate(document: PdfDocument, changed: ReadonlyMap<Ref, Direct>): Buffer {
  if (!canAppend(document)) throw new PdfError('damaged', 'is damaged: an update cannot be appended to it');
  requireCommonFilter(document);
  return requireReadable(new Update(document).write(changed), document.password);
}

/**
 * PDFium opens no file whose strings and streams have different crypt filters, and an update keeps the
 * filters.
 */
function requireCommonFilter({ encrypted, trailer }: PdfDocument): void {
  const dict = encrypted ? trailer.dict('Encrypt') : undefined;
  if (!dict || (dict.number('V') ?? 0) < 4 || dict.name('StmF') === dict.name('StrF')) return;
  throw new PdfError(
    'encrypted',
    'is encrypted with different filters for strings and streams, which not all readers open: remove the encryption with POST /v1/pdf/unlock first',
  );
}

class Update {
  readonly #document: PdfDocument;
  readonly #numbers = new Map<Ref, number>();
  readonly #written: WrittenObject[] = [];
  readonly #queue: Ref[] = [];
  readonly #chunks: Uint8Array[] = [];
  /** Relative to the header, like the offsets in the file. */
  #size: number;
  #next: number;

  constructor(document: PdfDocument) {
    this.#document = document;
    const { xref, bytes, file } = document;
    this.#chunks.push(file);
    this.#size = bytes.length;
    let last = 0;
    for (const number of xref.entries.keys()) last = Math.max(last, number);
    const declared = xref.trailer.number('Size') ?? 0;
    this.#next = Math.max(last + 1, declared <= 8 * MAX_OBJECTS ? declared : 0);
  }

  write(changed: ReadonlyMap<Ref, Direct>): Buffer {
    this.#text('\n');
    for (const [ref, value] of changed) this.#object(ref.number, this.#generation(ref.number), value);
    const { trailer } = this.#document.xref;
    // The information dictionary can be new.
    const info = trailer.raw('Info');
    if (info instanceof Ref) this.#numberOf(info);
    for (let ref = this.#queue.shift(); ref; ref = this.#queue.shift())
      this.#object(this.#numbers.get(ref) ?? 0, 0, ref.value);
    const entries = Dict.of({
      Root: trailer.raw('Root'),
      Info: trailer.raw('Info'),
      Encrypt: trailer.raw('Encrypt'),
      ID: this.#identity(),
      Prev: this.#document.xref.offset,
    });
    // A reader of PDF 1.4 cannot follow `Prev` from a table to a stream, so the update uses the file's
    // format.
    if (trailer.name('Type') === 'XRef') this.#endWithStream(entries);
    else this.#endWithTable(entries);
    return Buffer.concat(this.#chunks);
  }

  readonly #numberOf: Numbering = (ref) => {
    if (this.#document.owns(ref)) {
      const generation = this.#generation(ref.number);
      return generation === 0 ? ref.number : { number: ref.number, generation };
    }
    const known = this.#numbers.get(ref);
    if (known !== undefined) return known;
    const number = ref.value === null ? 0 : this.#next++;
    this.#numbers.set(ref, number);
    if (number !== 0) this.#queue.push(ref);
    return number;
  };

  #generation(number: number): number {
    const entry = this.#document.xref.entries.get(number);
    return entry?.kind === 'in-use' ? entry.generation : 0;
  }

  /**
   * Keeps the first file identifier and replaces the second (ISO 32000-1 14.4). The key of an encrypted file
   * is derived from the first one, so it stays empty if the file has none. It is written directly, because
   * readers need it before they can decrypt an object.
   */
  #identity(): PdfObject {
    const fresh = new PdfString(crypto.getRandomValues(new Uint8Array(16)));
    const { encryptionId, xref } = this.#document;
    if (encryptionId) return [new PdfString(encryptionId), fresh];
    const first = resolve(xref.trailer.array('ID')?.[0]);
    return [first instanceof PdfString ? first : fresh, fresh];
  }

  #object(number: number, generation: number, value: Direct): void {
    this.#written.push({ number, generation, offset: this.#size });
    const cipher = this.#document.encrypterFor(number, generation);
    const encrypted = cipher ? encryptStrings(value, cipher.string) : value;
    this.#text(`${number} ${generation} obj\n`);
    if (encrypted instanceof PdfStream) {
      const data = cipher ? cipher.stream(encrypted.dict, encrypted.raw) : encrypted.raw;
      const dict = encrypted.dict.copy().set('Length', data.length);
      this.#text(`${serialize(dict, this.#numberOf)}\nstream\n`);
      this.#bytes(data);
      this.#text('\nendstream');
    } else this.#text(serialize(encrypted, this.#numberOf));
    this.#text('\nendobj\n');
  }

  #endWithTable(trailer: Dict): void {
    const start = this.#size;
    let table = 'xref\n';
    for (const run of this.#runs()) {
      table += `${run[0]?.number ?? 0} ${run.length}\n`;
      for (const { offset, generation } of run)
        table += `${digits(offset, 10)} ${digits(generation, 5)} n \n`;
    }
    trailer.set('Size', this.#next);
    this.#text(`${table}trailer\n${serialize(trailer, this.#numberOf)}\nstartxref\n${start}\n%%EOF\n`);
  }

  #endWithStream(trailer: Dict): void {
    const start = this.#size;
    const number = this.#next++;
    this.#written.push({ number, generation: 0, offset: start });
    const runs = this.#runs();
    const data = Buffer.alloc(7 * this.#written.length);
    for (const [index, { offset, generation }] of runs.flat().entries()) {
      data[index * 7] = 1;
      data.writeUInt32BE(offset, index * 7 + 1);
      data.writeUInt16BE(generation, index * 7 + 5);
    }
    const index = runs.flatMap((run) => [run[0]?.number ?? 0, run.length]);
    const dict = Dict.of({ Type: name('XRef'), Size: this.#next, W: [1, 4, 2], Index: index });
    for (const [key, value] of trailer.map) dict.set(key, value);
    dict.set('Length', data.length);
    this.#text(`${number} 0 obj\n${serialize(dict, this.#numberOf)}\nstream\n`);
    this.#bytes(data);
    this.#text(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`);
  }

  /** Groups the written objects into runs of consecutive numbers. */
  #runs(): WrittenObject[][] {
    const runs: WrittenObject[][] = [];
    for (const object of this.#written.toSorted((a, b) => a.number - b.number)) {
      const run = runs.at(-1);
      if (run?.at(-1)?.number === object.number - 1) run.push(object);
      else runs.push([object]);
    }
    return runs;
  }

  #text(text: string): void {
    this.#bytes(Buffer.from(text, 'latin1'));
  }

  #bytes(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#size += bytes.length;
  }
}

function digits(value: number, count: number): string {
  return String(value).padStart(count, '0');
}

function encryptStrings(value: Direct, cipher: (bytes: Uint8Array) => Uint8Array): Direct {
  const each = (object: PdfObject): PdfObject => {
    if (object instanceof ReservedString) return object;
    if (object instanceof PdfString) return new PdfString(cipher(object.bytes));
    if (Array.isArray(object)) return object.map(each);
    if (object instanceof Dict) return new Dict([...object.map].map(([key, entry]) => [key, each(entry)]));
    return object;
  };
  if (value instanceof PdfStream) return new PdfStream(each(value.dict) as Dict, () => value.raw);
  return each(value) as Direct;
}
