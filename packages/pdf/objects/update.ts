import type { PdfDocument } from './document.ts';
import { PdfError } from './errors.ts';
import { Dict, name, PdfStream, PdfString, Ref, type Direct, type PdfObject } from './objects.ts';
import { serialize, type Numbering } from './serialize.ts';
import { MAX_OBJECTS } from './xref.ts';

interface Place {
  number: number;
  generation: number;
  offset: number;
}

/**
 * Tells whether an update can be appended to a file: what is wrong in it would stay wrong, and what was found by searching it has no
 * object that an update could refer to.
 */
export function canAppend({ repaired, xref }: PdfDocument): boolean {
  return !repaired && xref.offset !== undefined && xref.trailer.raw('Root') instanceof Ref;
}

/**
 * Writes a file followed by an incremental update (ISO 32000-1 7.5.6): every byte stays, so that signatures do. The objects in
 * `changed` are written with their new values, and so is every new object that they reach. In an encrypted file the update is too.
 * Other objects of the file are referred to; objects of other files become new ones.
 * @throws {PdfError} when the file cannot be appended to ({@link canAppend}).
 */
export function appendUpdate(document: PdfDocument, changed: ReadonlyMap<Ref, Direct>): Buffer {
  if (!canAppend(document))
    throw new PdfError('damaged', 'is damaged, so that nothing can be appended to it');
  return new Update(document).write(changed);
}

class Update {
  readonly #document: PdfDocument;
  readonly #numbers = new Map<Ref, number>();
  readonly #written: Place[] = [];
  readonly #queue: Ref[] = [];
  readonly #chunks: Uint8Array[] = [];
  /** Offsets count from the header, as in the rest of the file. */
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
    for (let ref = this.#queue.shift(); ref; ref = this.#queue.shift())
      this.#object(this.#numbers.get(ref) ?? 0, 0, ref.value);
    const { trailer } = this.#document.xref;
    const entries = Dict.of({
      Root: trailer.raw('Root'),
      Info: trailer.raw('Info'),
      Encrypt: trailer.raw('Encrypt'),
      ID: this.#identity(),
      Prev: this.#document.xref.offset,
    });
    // A reader that knows only tables cannot follow a table to a stream.
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
    return entry?.kind === 'plain' ? entry.generation : 0;
  }

  /** The first half of the identity stays, the second is the update's own. */
  #identity(): PdfObject {
    const fresh = new PdfString(crypto.getRandomValues(new Uint8Array(16)));
    const [first] = this.#document.xref.trailer.array('ID') ?? [];
    return [first ?? fresh, fresh];
  }

  #object(number: number, generation: number, value: Direct): void {
    this.#written.push({ number, generation, offset: this.#size });
    const seal = this.#document.sealFor(number, generation);
    const sealed = seal ? sealStrings(value, seal.string) : value;
    this.#text(`${number} ${generation} obj\n`);
    if (sealed instanceof PdfStream) {
      const data = seal ? seal.stream(sealed.dict, sealed.raw) : sealed.raw;
      const dict = sealed.dict.copy().set('Length', data.length);
      this.#text(`${serialize(dict, this.#numberOf)}\nstream\n`);
      this.#bytes(data);
      this.#text('\nendstream');
    } else this.#text(serialize(sealed, this.#numberOf));
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

  /** The places in runs of numbers that follow each other. */
  #runs(): Place[][] {
    const runs: Place[][] = [];
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

function sealStrings(value: Direct, seal: (bytes: Uint8Array) => Uint8Array): Direct {
  const each = (object: PdfObject): PdfObject => {
    if (object instanceof PdfString) return new PdfString(seal(object.bytes));
    if (Array.isArray(object)) return object.map(each);
    if (object instanceof Dict) return new Dict([...object.map].map(([key, entry]) => [key, each(entry)]));
    return object;
  };
  if (value instanceof PdfStream) return new PdfStream(each(value.dict) as Dict, () => value.raw);
  return each(value) as Direct;
}
