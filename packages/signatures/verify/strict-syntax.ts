import { isRegular, isWhitespace } from '@platen/pdf/objects';

/** The maximum nesting of arrays and dictionaries. */
const MAX_DEPTH = 100;
const MAX_COMMENT_BYTES = 120;
/** Words by which readers find objects and cross-reference sections in a damaged file. */
const STRUCTURE = /obj|stream|xref|trailer|%PDF|%EOF/;
const NUMBER = /^[+-]?(?:\d{1,20}(?:\.\d{0,20})?|\.\d{1,20})$/;
const UNSIGNED = /^\d{1,10}$/;

/** Thrown at the first byte that is not what the syntax requires. */
export class StrictFault extends Error {
  override name = 'StrictFault';
}

/**
 * Scans PDF syntax that all readers understand alike. Where readers differ in what they tolerate, such as
 * comments within objects, repeated keys of a dictionary or stray keywords, it throws a {@link StrictFault}.
 */
export class StrictScanner {
  readonly bytes: Buffer;
  position: number;
  /** The references in the scanned objects: pairs of an object number and a generation. */
  readonly references: [number, number][] = [];
  /** The number of scanned numbers with a decimal point. */
  reals = 0;

  constructor(bytes: Buffer, position: number) {
    this.bytes = bytes;
    this.position = position;
  }

  get atEnd(): boolean {
    return this.position >= this.bytes.length;
  }

  /** Skips white space. */
  space(): void {
    while (isWhitespace(this.bytes[this.position])) this.position += 1;
  }

  /** Skips white space and short comments. Some writers put their name into each update. */
  spaceAndComments(): void {
    for (this.space(); this.bytes[this.position] === 37; this.space()) {
      const start = this.position;
      while (!this.atEnd && !isLineEnd(this.bytes[this.position])) this.position += 1;
      const text = this.bytes.toString(
        'latin1',
        start,
        Math.min(this.position, start + MAX_COMMENT_BYTES + 1),
      );
      if (text.length > MAX_COMMENT_BYTES || STRUCTURE.test(text)) throw new StrictFault('a comment');
    }
  }

  /** Skips one line end: CR, LF or both. Returns whether there is one. */
  lineEnd(): boolean {
    const { bytes } = this;
    const start = this.position;
    if (bytes[this.position] === 13) this.position += 1;
    if (bytes[this.position] === 10) this.position += 1;
    return this.position > start;
  }

  /** Tells whether a word is next. Regular characters may not follow it. */
  isAt(word: string): boolean {
    const { bytes, position } = this;
    const end = position + word.length;
    return bytes.toString('latin1', position, end) === word && !isRegular(bytes[end]);
  }

  word(word: string): void {
    if (!this.isAt(word)) throw new StrictFault(`no "${word}" at its place`);
    this.position += word.length;
  }

  /** Reads an unsigned integer. */
  integer(): number {
    const text = this.#regular();
    if (!UNSIGNED.test(text)) throw new StrictFault('a malformed number');
    return Number(text);
  }

  /** Skips an object. */
  object(depth = 0): void {
    if (depth > MAX_DEPTH) throw new StrictFault('an object that is nested too deeply');
    const { bytes } = this;
    switch (bytes[this.position]) {
      case undefined:
        throw new StrictFault('an unfinished object');
      case 47: // /
        this.#name();
        return;
      case 40: // (
        return this.#literal();
      case 91: // [
        this.position += 1;
        for (this.space(); bytes[this.position] !== 93; this.space()) this.object(depth + 1);
        this.position += 1;
        return;
      case 60: // <
        if (bytes[this.position + 1] === 60) return this.#dictionary(depth);
        return this.#hexadecimal();
      default:
        return this.#scalar();
    }
  }

  #regular(): string {
    const start = this.position;
    while (isRegular(this.bytes[this.position])) this.position += 1;
    return this.bytes.toString('latin1', start, this.position);
  }

  #name(): string {
    this.position += 1;
    return this.#regular().replaceAll(/#([0-9a-f]{2})/gi, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  }

  #dictionary(depth: number): void {
    const { bytes } = this;
    const keys = new Set<string>();
    this.position += 2;
    for (this.space(); bytes[this.position] !== 62; this.space()) {
      if (bytes[this.position] !== 47) throw new StrictFault('a malformed dictionary');
      const key = this.#name();
      if (keys.has(key)) throw new StrictFault('a dictionary that repeats a key');
      keys.add(key);
      this.space();
      this.object(depth + 1);
    }
    if (bytes[this.position + 1] !== 62) throw new StrictFault('a malformed dictionary');
    this.position += 2;
  }

  #literal(): void {
    const { bytes } = this;
    let depth = 0;
    for (; !this.atEnd; this.position += 1) {
      const byte = bytes[this.position];
      if (byte === 92) this.position += 1;
      else if (byte === 40) depth += 1;
      else if (byte === 41) {
        depth -= 1;
        if (depth > 0) continue;
        this.position += 1;
        return;
      }
    }
    throw new StrictFault('an unfinished string');
  }

  #hexadecimal(): void {
    const end = this.bytes.indexOf(62, this.position);
    if (end < 0 || !/^<[0-9a-f\s\0]*$/i.test(this.bytes.toString('latin1', this.position, end)))
      throw new StrictFault('a malformed string');
    this.position = end + 1;
  }

  /** Skips a number, a reference, a truth value or null. */
  #scalar(): void {
    const text = this.#regular();
    if (text === 'true' || text === 'false' || text === 'null') return;
    if (!NUMBER.test(text)) throw new StrictFault('a malformed object');
    if (text.includes('.')) this.reals += 1;
    if (!UNSIGNED.test(text)) return;
    const after = this.position;
    this.space();
    const generation = this.#regular();
    if (UNSIGNED.test(generation)) {
      this.space();
      if (this.isAt('R')) {
        this.position += 1;
        this.references.push([Number(text), Number(generation)]);
        return;
      }
    }
    this.position = after;
  }
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 10 || byte === 13;
}
