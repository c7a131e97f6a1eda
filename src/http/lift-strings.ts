import { setImmediate } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import { withoutByteOrderMark } from './byte-order-mark.ts';
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COMMA,
  LINE_FEED,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
  SPACE,
  TAB,
} from './json-bytes.ts';
import { requireSaneCounts } from './json-shape.ts';

/** Shorter strings are decoded: there, parsing costs nothing that anybody would notice. */
const LONG_BYTES = 32_768;
/** What is looked at before others have their turn, in a millisecond or two. */
const STRIDE_BYTES = 1_000_000;
/** Each value costs the parser more than its bytes. */
const MAX_VALUES = 100_000;
/** What is parsed at once: 500 files that are just too short to be lifted, and a little more. */
const MAX_REST_BYTES = 17_000_000;
const MAX_TOKEN_BYTES = 64;

/** JSON whose long strings were taken out; `restore` puts them, as bytes, in the place of what stands for them. */
export interface LiftedJson {
  text: string;
  restore: (value: unknown) => unknown;
}

/**
 * Takes long strings out of JSON, and white space together. The bytes of long strings are searched by the machine's fastest means, and
 * not copied; after each stride the service does other work, whatever the text is made of.
 * @throws {AppError} VALIDATION_ERROR for what is too deep, has too many values, or is too long without its long strings.
 */
export async function liftLongStrings(body: Buffer): Promise<LiftedJson> {
  const lifter = new Lifter(withoutByteOrderMark(body));
  while (lifter.advance()) await setImmediate();
  return lifter.end();
}

class Lifter {
  readonly #body: Buffer;
  readonly #rest: Buffer;
  readonly #lifted: Uint8Array[] = [];
  // What stands for a string cannot be guessed, so a caller cannot send it.
  readonly #token = crypto.randomUUID();
  #at = 0;
  #size = 0;
  #depth = 0;
  #values = 0;
  #blank = 0;
  /** Where the long string begins that `at` is in. */
  #longFrom: number | undefined;

  constructor(body: Buffer) {
    this.#body = body;
    this.#rest = Buffer.allocUnsafe(Math.min(body.length, MAX_REST_BYTES + LONG_BYTES) + MAX_TOKEN_BYTES);
  }

  /** Goes on for a stride, and tells whether there is more. */
  advance(): boolean {
    const body = this.#body;
    const until = Math.min(this.#at + STRIDE_BYTES, body.length);
    while (this.#at < until) {
      if (this.#longFrom !== undefined) this.#seekEnd(this.#longFrom);
      else if (body[this.#at] === QUOTE) this.#string();
      else if (isBlank(body[this.#at])) this.#blanks(until);
      else this.#plain(body[this.#at] ?? 0);
      if (this.#size + this.#blank > MAX_REST_BYTES)
        throw new AppError(
          'VALIDATION_ERROR',
          `the body holds more than ${MAX_REST_BYTES} bytes beside its files`,
        );
    }
    return this.#at < body.length;
  }

  end(): LiftedJson {
    // One that does not end is no JSON, and what stands here is none either.
    if (this.#longFrom !== undefined) this.#rest[this.#size++] = QUOTE;
    const [token, lifted] = [this.#token, this.#lifted];
    const restore = (value: unknown): unknown =>
      typeof value === 'string' && value.startsWith(token)
        ? lifted[Number(value.slice(token.length))]
        : value;
    return { text: this.#rest.toString('utf8', 0, this.#size), restore };
  }

  /** One stands for all of them: what they part stays apart. */
  #blanks(until: number): void {
    const body = this.#body;
    let at = this.#at;
    while (at < until && isBlank(body[at])) at += 1;
    this.#blank += at - this.#at;
    this.#at = at;
    if (this.#size === 0 || this.#rest[this.#size - 1] !== SPACE) this.#rest[this.#size++] = SPACE;
  }

  #plain(byte: number): void {
    this.#at += 1;
    this.#rest[this.#size++] = byte;
    if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth -= 1;
    else if (byte !== COMMA) return;
    if (byte !== CLOSE_LIST && byte !== CLOSE_OBJECT) this.#values += 1;
    requireSaneCounts({ depth: this.#depth, values: this.#values }, MAX_VALUES);
  }

  /** Copies a string as it looks for its end; when it is a long one, what was copied is given up. */
  #string(): void {
    const [body, rest] = [this.#body, this.#rest];
    const last = Math.min(this.#at + LONG_BYTES, body.length - 1);
    let { at, size } = { at: this.#at, size: this.#size };
    rest[size++] = QUOTE;
    for (at += 1; at <= last; at += 1) {
      const byte = body[at] ?? 0;
      rest[size++] = byte;
      if (byte === BACKSLASH) rest[size++] = body[++at] ?? 0;
      else if (byte === QUOTE) {
        [this.#at, this.#size] = [at + 1, size];
        return;
      }
    }
    this.#longFrom = this.#at;
    this.#at = at;
  }

  /** Looks for the end of a long string in one stride of it; `at` is behind no backslash. */
  #seekEnd(from: number): void {
    const body = this.#body;
    const stride = body.subarray(this.#at, this.#at + STRIDE_BYTES);
    const quote = stride.indexOf(QUOTE);
    const backslash = stride.subarray(0, quote < 0 ? undefined : quote).indexOf(BACKSLASH);
    if (backslash < 0) {
      this.#at += quote < 0 ? stride.length : quote;
    } else {
      // A loop, as a search would stop at each of millions of escaped quotes.
      const end = this.#at + stride.length;
      let at = this.#at + backslash;
      while (at < end && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
      this.#at = at;
    }
    if (this.#at >= body.length || body[this.#at] !== QUOTE) return;
    const token = `"${this.#token}${this.#lifted.length}"`;
    this.#size += this.#rest.write(token, this.#size, 'latin1');
    this.#lifted.push(body.subarray(from + 1, this.#at));
    this.#longFrom = undefined;
    this.#at += 1;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}
