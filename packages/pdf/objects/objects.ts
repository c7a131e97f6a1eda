/**
 * The objects of a PDF (ISO 32000-1 7.3) as JavaScript values: null, booleans, numbers and arrays are themselves.
 * Indirect objects are {@link Ref}s that load what they stand for when it is asked for, so objects of several files can be
 * put into one graph and written as one file, without renumbering anything before.
 * @module
 */

/** Any object, as it stands in an array or a dictionary. */
export type PdfObject = null | boolean | number | Name | PdfString | PdfObject[] | Dict | PdfStream | Ref;

/** Any object but a reference. */
export type Direct = Exclude<PdfObject, Ref>;

const MAX_REF_CHAIN = 32;
const names = new Map<string, Name>();
const MAX_INTERNED = 20_000;

/** A name; `value` holds its bytes as Latin-1 characters, escapes resolved. Make it with {@link name}. */
export class Name {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

/** Makes a name; common ones are shared. Compare names by `value`. */
export function name(value: string): Name {
  const known = names.get(value);
  if (known) return known;
  const made = new Name(value);
  if (names.size < MAX_INTERNED) names.set(value, made);
  return made;
}

/** A string: bytes, whose meaning depends on where they stand. */
export class PdfString {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The bytes as Latin-1 characters, for keys and comparisons. */
  get key(): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset, this.bytes.length).toString('latin1');
  }
}

/** Where the value of a reference comes from. Returns `null` for what does not exist or cannot be read, as readers do. */
export interface ObjectSource {
  load(number: number): Direct;
}

/** An indirect object: a place in a file, or a new object. Within a document, one number is one `Ref`. */
export class Ref {
  /** The number in the file it was read from; 0 for a new object. */
  readonly number: number;
  #source: ObjectSource | undefined;
  #value: Direct | undefined;

  private constructor(number: number, source: ObjectSource | undefined, value: Direct | undefined) {
    this.number = number;
    this.#source = source;
    this.#value = value;
  }

  static to(value: Direct): Ref {
    return new Ref(0, undefined, value);
  }

  static from(source: ObjectSource, number: number): Ref {
    return new Ref(number, source, undefined);
  }

  /** The object; read from the file the first time. An object that is needed to read itself is `null` meanwhile. */
  get value(): Direct {
    if (this.#value !== undefined) return this.#value;
    const source = this.#source;
    if (!source) return null;
    this.#source = undefined;
    try {
      this.#value = source.load(this.number);
    } catch (error) {
      // What stops the whole work may be asked again.
      this.#source = source;
      throw error;
    }
    return this.#value;
  }

  set value(value: Direct) {
    this.#source = undefined;
    this.#value = value;
  }

  /** Lets an object that could not be found be looked for again. */
  retry(source: ObjectSource): void {
    if (this.#value !== undefined && this.#value !== null) return;
    this.#value = undefined;
    this.#source = source;
  }
}

/** Follows a reference to its object. */
export function resolve(object: PdfObject | undefined): Direct | undefined {
  let value: PdfObject | undefined = object;
  for (let hops = 0; value instanceof Ref; hops++) {
    if (hops === MAX_REF_CHAIN) return null;
    value = value.value;
  }
  return value;
}

/** Reads the dictionary that an object is, or that a stream has. */
export function asDict(object: PdfObject | undefined): Dict | undefined {
  const value = resolve(object);
  if (value instanceof Dict) return value;
  return value instanceof PdfStream ? value.dict : undefined;
}

/** A dictionary. The typed readers follow references, and give `undefined` for what is absent or of another type. */
export class Dict {
  readonly map: Map<string, PdfObject>;

  constructor(entries?: Iterable<readonly [string, PdfObject]> | null) {
    this.map = new Map(entries);
  }

  static of(entries: Readonly<Record<string, PdfObject | undefined>>): Dict {
    const dict = new Dict();
    for (const [key, value] of Object.entries(entries)) if (value !== undefined) dict.map.set(key, value);
    return dict;
  }

  /** The entry as it stands, references unresolved. */
  raw(key: string): PdfObject | undefined {
    return this.map.get(key);
  }

  get(key: string): Direct | undefined {
    return resolve(this.map.get(key));
  }

  set(key: string, value: PdfObject | undefined): this {
    if (value === undefined) this.map.delete(key);
    else this.map.set(key, value);
    return this;
  }

  delete(...keys: string[]): this {
    for (const key of keys) this.map.delete(key);
    return this;
  }

  /** A dictionary with the same entries; what they hold is shared. */
  copy(): Dict {
    return new Dict(this.map);
  }

  dict(key: string): Dict | undefined {
    return asDict(this.map.get(key));
  }

  array(key: string): PdfObject[] | undefined {
    const value = this.get(key);
    return Array.isArray(value) ? value : undefined;
  }

  number(key: string): number | undefined {
    const value = this.get(key);
    return typeof value === 'number' ? value : undefined;
  }

  name(key: string): string | undefined {
    const value = this.get(key);
    return value instanceof Name ? value.value : undefined;
  }

  string(key: string): PdfString | undefined {
    const value = this.get(key);
    return value instanceof PdfString ? value : undefined;
  }
}

/** A stream: a dictionary and its bytes as they stand in the file, filters not undone, encryption undone when they are read. */
export class PdfStream {
  readonly dict: Dict;
  readonly #read: () => Uint8Array;

  constructor(dict: Dict, data: Uint8Array | (() => Uint8Array)) {
    this.dict = dict;
    this.#read = typeof data === 'function' ? data : () => data;
  }

  get raw(): Uint8Array {
    return this.#read();
  }
}
