import { GoSyntaxError } from './go-syntax.ts';

/**
 * The fault is looked for in this many characters. Reading a character takes longer than in `JSON.parse`, and
 * other requests wait meanwhile.
 */
const MAX_SCANNED_CHARACTERS = 20_000;
/** Go's limit of nested arrays and objects. */
const MAX_DEPTH = 10_000;

const UNEXPECTED_END = 'unexpected end of JSON input';

const SPACE = /[ \t\r\n]*/y;
const NUMBER_START = /[-\d]/;
const LITERALS: ReadonlyMap<string, string> = new Map([
  ['t', 'true'],
  ['f', 'false'],
  ['n', 'null'],
]);

/**
 * Parses JSON as Go's `encoding/json`, with its messages, such as `invalid character 'o' in literal false
 * (expecting 'a')`.
 * @throws {GoSyntaxError}
 */
export function parseGoJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new GoSyntaxError(findFault(text) ?? 'invalid JSON');
  }
}

function findFault(text: string): string | undefined {
  const start = text.slice(0, MAX_SCANNED_CHARACTERS);
  const fault = new Scanner(start).findFault();
  // The end of the part that was read is not that of the text.
  return fault === UNEXPECTED_END && start.length < text.length ? undefined : fault;
}

/** Finds the first fault of a text that is not JSON. */
class Scanner {
  readonly #text: string;
  #at = 0;
  /** The closing characters of the open arrays and objects. */
  readonly #open: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  findFault(): string | undefined {
    try {
      this.#readDocument();
    } catch (error) {
      if (error instanceof GoSyntaxError) return error.message;
      throw error;
    }
    return undefined;
  }

  #readDocument(): void {
    this.#readValue('looking for beginning of value');
    for (;;) {
      this.#skipSpace();
      const closing = this.#open.at(-1);
      if (closing === undefined) {
        if (this.#at < this.#text.length) this.#fail('after top-level value');
        return;
      }
      const next = this.#peek();
      if (next === closing) {
        this.#at += 1;
        this.#open.pop();
      } else if (next === ',') {
        this.#at += 1;
        if (closing === '}') this.#readKey('looking for beginning of object key string');
        this.#readValue('looking for beginning of value');
      } else this.#fail(closing === '}' ? 'after object key:value pair' : 'after array element');
    }
  }

  /** Reads a value, or the beginning of an array or object up to its first value. */
  #readValue(place: string): void {
    for (;;) {
      this.#skipSpace();
      const first = this.#peek();
      if (first !== '[' && first !== '{') return this.#readScalar(first, place);
      this.#at += 1;
      const closing = first === '[' ? ']' : '}';
      this.#open.push(closing);
      if (this.#open.length > MAX_DEPTH) throw new GoSyntaxError('exceeded max depth');
      this.#skipSpace();
      if (this.#peek() === closing) return;
      if (closing === '}') this.#readKey('looking for beginning of object key string');
    }
  }

  #readKey(place: string): void {
    this.#skipSpace();
    if (this.#peek() !== '"') this.#fail(place);
    this.#readString();
    this.#skipSpace();
    if (this.#peek() !== ':') this.#fail('after object key');
    this.#at += 1;
  }

  #readScalar(first: string, place: string): void {
    const literal = LITERALS.get(first);
    if (first === '"') this.#readString();
    else if (literal !== undefined) this.#readLiteral(literal);
    else if (NUMBER_START.test(first)) this.#readNumber();
    else this.#fail(place);
  }

  #readLiteral(literal: string): void {
    this.#at += 1;
    for (const expected of literal.slice(1)) {
      if (this.#peek() !== expected) this.#fail(`in literal ${literal} (expecting '${expected}')`);
      this.#at += 1;
    }
  }

  #readNumber(): void {
    if (this.#peek() === '-') {
      this.#at += 1;
      if (!/\d/.test(this.#peek())) this.#fail('in numeric literal');
    }
    if (this.#peek() === '0') this.#at += 1;
    else this.#skipDigits();
    if (this.#peekOrEnd() === '.') {
      this.#at += 1;
      if (!/\d/.test(this.#peek())) this.#fail('after decimal point in numeric literal');
      this.#skipDigits();
    }
    if (/[eE]/.test(this.#peekOrEnd())) {
      this.#at += 1;
      if (/[+-]/.test(this.#peek())) this.#at += 1;
      if (!/\d/.test(this.#peek())) this.#fail('in exponent of numeric literal');
      this.#skipDigits();
    }
  }

  #readString(): void {
    this.#at += 1;
    for (;;) {
      const character = this.#peek();
      if (character < ' ') this.#fail('in string literal');
      this.#at += 1;
      if (character === '"') return;
      if (character === '\\') this.#readEscape();
    }
  }

  #readEscape(): void {
    const kind = this.#peek();
    if (!/["\\/bfnrtu]/.test(kind)) this.#fail('in string escape code');
    this.#at += 1;
    if (kind !== 'u') return;
    for (let digits = 0; digits < 4; digits += 1) {
      if (!/[\da-fA-F]/.test(this.#peek())) this.#fail('in \\u hexadecimal character escape');
      this.#at += 1;
    }
  }

  #skipDigits(): void {
    while (/\d/.test(this.#peekOrEnd())) this.#at += 1;
  }

  #skipSpace(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #peekOrEnd(): string {
    return this.#text.charAt(this.#at);
  }

  #peek(): string {
    if (this.#at >= this.#text.length) throw new GoSyntaxError(UNEXPECTED_END);
    return this.#text.charAt(this.#at);
  }

  #fail(place: string): never {
    const character = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
    const shown =
      character === "'" ? String.raw`'\''` : character === '"' ? `'"'` : `'${printable(character)}'`;
    throw new GoSyntaxError(`invalid character ${shown} ${place}`);
  }
}

function printable(character: string): string {
  return JSON.stringify(character).slice(1, -1);
}
