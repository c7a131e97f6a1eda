/**
 * The objects of a PDF (ISO 32000-1 7.3) as JavaScript values. Null, booleans, numbers and arrays map
 * directly. Indirect objects are {@link Ref}s that load on demand. Objects of several files can therefore be
 * combined into one graph and written as one file without renumbering them first.
 * @module
 */

/** Any object that an array or a dictionary can contain. */
export type PdfObject = null | boolean | number | Name | PdfString | PdfObject[] | Dict | PdfStream | Ref;

/** Any object except a reference. */
export type Direct = Exclude<PdfObject, Ref>;

const MAX_REF_CHAIN = 32;
const names = new Map<string, Name>();
const MAX_INTERNED = 20_000;

/**
 * A name. `value` contains its bytes as Latin-1 characters with escapes resolved. Create names with
 * {@link name}.
 */
export class Name {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

/** Returns a name, shared if it is common. Compare names by `value`. */
export function name(value: string): Name {
  const known = names.get(value);
  if (known) return known;
  const made = new Name(value);
  if (names.size < MAX_INTERNED) names.set(value, made);
  return made;
}

/** A string of bytes, interpreted according to context. */
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

/**
 * A string whose bytes are replaced after the file is written, such as the `Contents` of a signature (ISO
 * 32000-2 12.8.1). It is written in hexadecimal and is never encrypted, so its place in the file has a known
 * length.
 */
export class ReservedString extends PdfString {}

/** Loads the values of references. Like readers, returns `null` for missing or unreadable objects. */
export interface ObjectSource {
  load(number: number): Direct;
}

/** An indirect object, in a file or new. Each object number of a document has exactly one `Ref`. */
export class Ref {
  /** The object number in its file, or 0 for a new object. */
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

  /**
   * The object, loaded on first access. It is `null` while it is being loaded, which ends circular
   * dependencies.
   */
  get value(): Direct {
    if (this.#value !== undefined) return this.#value;
    const source = this.#source;
    if (!source) return null;
    this.#source = undefined;
    try {
      this.#value = source.load(this.number);
    } catch (error) {
      // Allow another attempt.
      this.#source = source;
      throw error;
    }
    return this.#value;
  }

  set value(value: Direct) {
    this.#source = undefined;
    this.#value = value;
  }

  /** Allows a missing object to be loaded again. */
  retry(source: ObjectSource): void {
    if (this.#value !== undefined && this.#value !== null) return;
    this.#value = undefined;
    this.#source = source;
  }
}

/** Resolves a reference. */
export function resolve(object: PdfObject | undefined): Direct | undefined {
  let value: PdfObject | undefined = object;
  for (let hops = 0; value instanceof Ref; hops++) {
    if (hops === MAX_REF_CHAIN) return null;
    value = value.value;
  }
  return value;
}

/** Returns a dictionary, or the dictionary of a stream. */
export function asDict(object: PdfObject | undefined): Dict | undefined {
  const value = resolve(object);
  if (value instanceof Dict) return value;
  return value instanceof PdfStream ? value.dict : undefined;
}

/**
 * A dictionary. The typed getters resolve references and return `undefined` for absent entries and other
 * types.
 */
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

  /** Returns the entry with references unresolved. */
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

  /** Makes a shallow copy. */
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

/** A stream: a dictionary and its encoded bytes. `raw` decrypts them but does not apply filters. */
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
