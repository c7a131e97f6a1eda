import { hexValue, isDigit, isRegular, isWhitespace } from './characters.ts';
import { bounded, readReal, unescapeLiteral } from './literals.ts';
import { Dict, Name, name, PdfString, type PdfObject, type Ref } from './objects.ts';

/** The maximum nesting of arrays and dictionaries, which are processed recursively. */
const MAX_DEPTH = 200;

/** A token that is not an object, such as `obj`, `stream`, `endobj` or an operator. */
export class Keyword {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Thrown for a malformed object. The document reads such an object as null. */
export class SyntaxFault extends Error {
  override name = 'SyntaxFault';
}

const END = Symbol('end');
const ARRAY_END = Symbol('array end');
const DICT_END = Symbol('dictionary end');
type Token = PdfObject | Keyword | typeof END | typeof ARRAY_END | typeof DICT_END;

/** Creates the values that depend on the file: references, and strings of encrypted files. */
export interface ParserHooks {
  ref(number: number, generation: number): Ref;
  decrypt?: ((bytes: Uint8Array) => Uint8Array) | undefined;
}

/**
 * Reads objects from bytes. Like readers, tolerates missing closing brackets, stray keywords and malformed
 * numbers.
 */
export class Parser {
  readonly bytes: Buffer;
  position: number;
  readonly #hooks: ParserHooks;
  #depth = 0;

  constructor(bytes: Buffer, position: number, hooks: ParserHooks) {
    this.bytes = bytes;
    this.position = position;
    this.#hooks = hooks;
  }

  /** Reads the next object. @throws {SyntaxFault} at the end, at a keyword, or if nesting is too deep. */
  object(): PdfObject {
    const token = this.#token();
    if (token instanceof Keyword || typeof token === 'symbol') throw new SyntaxFault('expected an object');
    return token;
  }

  /** Reads the next object or keyword. Returns `undefined` at the end. */
  next(): PdfObject | Keyword | undefined {
    const token = this.#token();
    if (token === ARRAY_END || token === DICT_END) return new Keyword('');
    return token === END ? undefined : token;
  }

  skipSpace(): void {
    const { bytes } = this;
    let at = this.position;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === 37) while (at + 1 < bytes.length && bytes[at + 1] !== 10 && bytes[at + 1] !== 13) at++;
      else if (!isWhitespace(byte)) break;
    }
    this.position = at;
  }

  /** Reads an unsigned integer if it is next; otherwise leaves the position unchanged. */
  integer(): number | undefined {
    const start = this.position;
    this.skipSpace();
    const from = this.position;
    let value = 0;
    while (isDigit(this.bytes[this.position])) value = value * 10 + (this.bytes[this.position++] ?? 0) - 48;
    if (this.position > from && !isRegular(this.bytes[this.position])) return value;
    this.position = start;
    return undefined;
  }

  /** Skips a keyword if it is next. Letters may follow it: `endobj5 0 obj` occurs. */
  keyword(text: string): boolean {
    this.skipSpace();
    const { bytes, position } = this;
    for (let index = 0; index < text.length; index++)
      if (bytes[position + index] !== text.charCodeAt(index)) return false;
    this.position += text.length;
    return true;
  }

  #token(): Token {
    this.skipSpace();
    const { bytes } = this;
    const byte = bytes[this.position];
    switch (byte) {
      case undefined:
        return END;
      case 47: // /
        this.position++;
        return this.#name();
      case 40: // (
        return this.#string(this.#literal());
      case 60: // <
        if (bytes[this.position + 1] !== 60) return this.#string(this.#hexadecimal());
        this.position += 2;
        return this.#nested(() => this.#dictionary());
      case 62: // >
        this.position += bytes[this.position + 1] === 62 ? 2 : 1;
        return DICT_END;
      case 91: // [
        this.position++;
        return this.#nested(() => this.#array());
      case 93: // ]
        this.position++;
        return ARRAY_END;
      case 41: // )
      case 123: // {
      case 125: // }
        this.position++;
        return new Keyword(String.fromCharCode(byte));
      default:
        return isDigit(byte) || byte === 43 || byte === 45 || byte === 46 ? this.#number() : this.#word();
    }
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw new SyntaxFault(`nested deeper than ${MAX_DEPTH} levels`);
    const value = read();
    this.#depth--;
    return value;
  }

  #string(bytes: Uint8Array): PdfString {
    return new PdfString(this.#hooks.decrypt ? this.#hooks.decrypt(bytes) : bytes);
  }

  #word(): Token {
    const start = this.position;
    while (isRegular(this.bytes[this.position])) this.position++;
    const text = this.bytes.toString('latin1', start, this.position);
    if (text === 'true') return true;
    if (text === 'false') return false;
    return text === 'null' ? null : new Keyword(text);
  }

  #name(): Name {
    const { bytes } = this;
    const start = this.position;
    let escaped = false;
    while (isRegular(bytes[this.position])) {
      if (bytes[this.position] === 35) escaped = true;
      this.position++;
    }
    const text = bytes.toString('latin1', start, this.position);
    if (!escaped) return name(text);
    return name(
      text.replaceAll(/#([0-9a-f]{2})/gi, (_: string, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      ),
    );
  }

  /** Reads a number, or a reference if two integers and `R` are next. */
  #number(): PdfObject | Keyword {
    const { bytes } = this;
    const start = this.position;
    let integer = true;
    let at = start;
    for (; isRegular(bytes[at]); at++) if (!isDigit(bytes[at])) integer = false;
    this.position = at;
    if (!integer) return this.#real(start, at);
    const value =
      at - start > 15 ? bounded(Number(bytes.toString('latin1', start, at))) : this.#digits(start, at);
    return isWhitespace(bytes[at]) ? (this.#reference(value) ?? value) : value;
  }

  #real(from: number, to: number): number | Keyword {
    const text = this.bytes.toString('latin1', from, to);
    return readReal(text) ?? new Keyword(text);
  }

  #digits(from: number, to: number): number {
    let value = 0;
    for (let at = from; at < to; at++) value = value * 10 + (this.bytes[at] ?? 0) - 48;
    return value;
  }

  #reference(number: number): Ref | undefined {
    const { bytes } = this;
    let at = this.position;
    while (isWhitespace(bytes[at])) at++;
    const from = at;
    while (isDigit(bytes[at])) at++;
    if (at === from || at - from > 5) return undefined;
    const generation = this.#digits(from, at);
    if (!isWhitespace(bytes[at])) return undefined;
    while (isWhitespace(bytes[at])) at++;
    if (bytes[at] !== 82 || isRegular(bytes[at + 1])) return undefined;
    this.position = at + 1;
    return this.#hooks.ref(number, generation);
  }

  #array(): PdfObject[] {
    const items: PdfObject[] = [];
    for (;;) {
      const token = this.#token();
      if (token === ARRAY_END || token === END) return items;
      if (token instanceof Keyword && /^(endobj|endstream|stream)$/.test(token.text))
        throw new SyntaxFault('unterminated array');
      // Replace a keyword with null so that the positions of other items do not change.
      if (token !== DICT_END) items.push(token instanceof Keyword ? null : token);
    }
  }

  #dictionary(): Dict {
    const dict = new Dict();
    for (;;) {
      const start = this.position;
      const key = this.#token();
      if (key === DICT_END || key === END) return dict;
      if (key instanceof Keyword && /^(endobj|endstream|stream)$/.test(key.text)) {
        this.position = start;
        return dict;
      }
      if (!isName(key)) continue;
      const before = this.position;
      const value = this.#token();
      if (value === DICT_END || value === END) return dict;
      if (value instanceof Keyword) {
        if (/^(endobj|endstream|stream)$/.test(value.text)) this.position = before;
      } else if (value !== ARRAY_END && value !== null) dict.map.set(key.value, value);
    }
  }

  #literal(): Uint8Array {
    const { bytes } = this;
    const start = ++this.position;
    let depth = 1;
    let plain = true;
    let at = start;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === 92) {
        plain = false;
        at++;
      } else if (byte === 13) plain = false;
      else if (byte === 40) depth++;
      else if (byte === 41 && --depth === 0) break;
    }
    this.position = at + 1;
    const text = bytes.subarray(start, at);
    return plain ? text : unescapeLiteral(text);
  }

  #hexadecimal(): Uint8Array {
    const { bytes } = this;
    const start = ++this.position;
    let end = bytes.indexOf(62, start);
    if (end < 0) end = bytes.length;
    this.position = end + 1;
    const out = new Uint8Array(Math.ceil((end - start) / 2));
    let digits = 0;
    for (let at = start; at < end; at++) {
      const value = hexValue(bytes[at]);
      if (value < 0) continue;
      out[digits >> 1] = (out[digits >> 1] ?? 0) | (digits % 2 === 0 ? value << 4 : value);
      digits++;
    }
    return out.subarray(0, (digits + 1) >> 1);
  }
}

function isName(token: Token): token is Name {
  return token instanceof Name;
}
