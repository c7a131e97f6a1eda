import { decodeStream, type UnpackBudget } from './filters.ts';
import { PdfStream, resolve, type Direct, type ObjectSource } from './objects.ts';
import { Parser, SyntaxFault, type ParserHooks } from './parser.ts';
import { MAX_OBJECTS } from './xref.ts';

interface Unpacked {
  bytes: Buffer;
  numbers: number[];
  offsets: number[];
}

/** Reads objects from object streams (ISO 32000-1 7.5.7). Decodes each stream once. */
export class ObjectStreams {
  readonly #source: ObjectSource & { budget: UnpackBudget };
  readonly #hooks: ParserHooks;
  readonly #unpacked = new Map<number, Unpacked | undefined>();

  constructor(source: ObjectSource & { budget: UnpackBudget }, hooks: ParserHooks) {
    this.#source = source;
    this.#hooks = hooks;
  }

  /** Returns the object at an index. If the index is wrong, finds the object by its number. */
  read(stream: number, index: number, number: number): Direct {
    const unpacked = this.#unpack(stream);
    if (!unpacked) return null;
    const found = unpacked.numbers[index] === number ? index : unpacked.numbers.indexOf(number);
    const offset = unpacked.offsets[found];
    if (offset === undefined) return null;
    try {
      return resolve(new Parser(unpacked.bytes, offset, this.#hooks).object()) ?? null;
    } catch (error) {
      if (error instanceof SyntaxFault) return null;
      throw error;
    }
  }

  /** Returns the object numbers in a stream, by index. */
  numbers(stream: number): readonly number[] {
    return this.#unpack(stream)?.numbers ?? [];
  }

  forget(): void {
    this.#unpacked.clear();
  }

  #unpack(stream: number): Unpacked | undefined {
    if (this.#unpacked.has(stream)) return this.#unpacked.get(stream);
    // A stream that depends on itself is treated as empty.
    this.#unpacked.set(stream, undefined);
    const unpacked = this.#open(stream);
    this.#unpacked.set(stream, unpacked);
    return unpacked;
  }

  #open(stream: number): Unpacked | undefined {
    const object = this.#source.load(stream);
    if (!(object instanceof PdfStream)) return undefined;
    const data = decodeStream(object, this.#source.budget);
    const first = object.dict.number('First');
    const count = Math.min(object.dict.number('N') ?? 0, MAX_OBJECTS);
    if (!data || first === undefined) return undefined;
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
    const header = new Parser(bytes, 0, this.#hooks);
    const unpacked: Unpacked = { bytes, numbers: [], offsets: [] };
    for (let index = 0; index < count; index++) {
      const number = header.integer();
      const offset = header.integer();
      if (number === undefined || offset === undefined) break;
      unpacked.numbers.push(number);
      unpacked.offsets.push(first + offset);
    }
    return unpacked;
  }
}
