import { AppError } from '../errors.ts';
import {
  BACKSLASH,
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  isBlank,
  isDigit,
  LOWER_U,
  MINUS,
  OPEN_LIST,
  OPEN_OBJECT,
  POINT,
  QUOTE,
  SPACE,
  ZERO,
} from './json-bytes.ts';
import type { LiftPlan } from './lift-plan.ts';
import { LongString, notJson, type Keep } from './long-string.ts';
import { RawJson } from './raw-json.ts';

/** The deepest nesting. Other parsers of the value recurse and could overflow their stack. */
const MAX_DEPTH = 100;
/** The maximum number of values in the whole body. */
const MAX_VALUES = 1_000_000;
/** The maximum number of values outside objects that stay text. */
const MAX_PARSED_VALUES = 100_000;
/**
 * The maximum number of bytes outside long strings and objects that stay text: enough for 500 files that are
 * just short of being long.
 */
const MAX_PARSED_BYTES = 17_000_000;
/** Longer strings are read in pieces. */
const LONG_BYTES = 32_768;
/** JSON.parse takes a third of a second for a number of 17 million digits. */
const MAX_NUMBER_CHARACTERS = 1_000;

/** The duration of a slice, after which other requests are served. */
const SLICE_MS = 3;
const STRIDE_BYTES = 32_768;

// The states of the reader: what it expects next.
const VALUE = 0;
const VALUE_OR_END = 1;
const NAME = 2;
const NAME_OR_END = 3;
const MEMBER_VALUE = 4;
const COMMA_OR_END = 5;
const END = 6;

const SIMPLE_ESCAPES = new Set(Buffer.from('"\\/bfnrt'));
const LITERALS: ReadonlyMap<number, readonly [Buffer, unknown]> = new Map(
  [true, false, null].map((value) => {
    const text = Buffer.from(String(value));
    return [text[0] ?? 0, [text, value]];
  }),
);

/** An array or object that is being read. */
interface Frame {
  list: unknown[] | undefined;
  object: Record<string, unknown>;
  /** The name of the member whose value comes next. */
  name: string;
  plan: LiftPlan | undefined;
}

/**
 * Reads any JSON as `JSON.parse` does, in slices of a few milliseconds. Where the plan says so, long strings
 * stay bytes and objects stay text; both are validated.
 */
export class JsonReader {
  readonly #body: Buffer;
  readonly #plan: LiftPlan | undefined;
  /**
   * The arrays (`true`) and objects (`false`) around the current position, including those in an object that
   * stays text.
   */
  readonly #nesting: boolean[] = [];
  readonly #frames: Frame[] = [];
  #root: unknown;
  #expects: number = VALUE;
  #at = 0;
  #long: LongString | undefined;
  /** The start and the depth of the object that stays text. */
  #raw: { from: number; depth: number } | undefined;
  #values = 0;
  #parsedValues = 0;
  /** The bytes of long strings and of objects that stay text. */
  #liftedBytes = 0;
  #keepsBody = false;

  constructor(body: Buffer, plan: LiftPlan | undefined) {
    this.#body = body;
    this.#plan = plan;
  }

  /**
   * Reads for one slice. Returns true if the body continues.
   * @throws {AppError} VALIDATION_ERROR for malformed JSON, nesting that is too deep, or too many values.
   */
  advance(): boolean {
    const deadline = performance.now() + SLICE_MS;
    do this.#stride();
    while (this.#at < this.#body.length && performance.now() < deadline);
    if (this.#at < this.#body.length) return true;
    if (this.#expects !== END) throw notJson();
    return false;
  }

  /** The index of the token that is read next, or that `advance` rejected. */
  get position(): number {
    return this.#at;
  }

  /** True when the result contains parts of the body, as bytes or as text that is not parsed. */
  get keepsBody(): boolean {
    return this.#keepsBody;
  }

  /** The result, once `advance` has returned false. */
  get value(): unknown {
    return this.#root;
  }

  #stride(): void {
    const body = this.#body;
    const until = Math.min(this.#at + STRIDE_BYTES, body.length);
    while (this.#at < until) {
      if (this.#long) this.#advanceLong(this.#long);
      else this.#token(body[this.#at] ?? 0, until);
    }
    const parsedBytes = this.#at - this.#liftedBytes - (this.#raw ? this.#at - this.#raw.from : 0);
    if (!this.#long && parsedBytes > MAX_PARSED_BYTES)
      throw tooMuch(`${MAX_PARSED_BYTES} bytes outside its ${this.#lifted ?? 'long strings'}`);
  }

  #token(byte: number, until: number): void {
    switch (byte) {
      case QUOTE:
        return this.#string();
      case COMMA:
        this.#count();
        return this.#pass(COMMA_OR_END, this.#nesting.at(-1) ? VALUE : NAME);
      case COLON:
        return this.#pass(MEMBER_VALUE, VALUE);
      case OPEN_OBJECT:
      case OPEN_LIST:
        return this.#enter(byte === OPEN_LIST);
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        return this.#leave(byte === CLOSE_LIST);
      default:
        if (isBlank(byte)) return this.#blanks(until);
        this.#requireValue();
        return byte === MINUS || isDigit(byte) ? this.#number() : this.#literal(byte);
    }
  }

  #blanks(until: number): void {
    let at = this.#at;
    while (at < until && isBlank(this.#body[at])) at += 1;
    this.#at = at;
  }

  /** Consumes one byte. @throws {AppError} VALIDATION_ERROR unless it is expected here. */
  #pass(where: number, next: number): void {
    if (this.#expects !== where) throw notJson();
    this.#at += 1;
    this.#expects = next;
  }

  #requireValue(): void {
    if (this.#expects !== VALUE && this.#expects !== VALUE_OR_END) throw notJson();
  }

  #count(): void {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw tooMuch(`${MAX_VALUES} values`);
    if (this.#raw) return;
    this.#parsedValues += 1;
    if (this.#parsedValues > MAX_PARSED_VALUES)
      throw tooMuch(`${MAX_PARSED_VALUES} values${this.#lifted === 'data' ? ' outside its data' : ''}`);
  }

  #enter(isList: boolean): void {
    this.#requireValue();
    this.#count();
    const plan = this.#raw ? undefined : this.#planHere();
    if (!isList && plan?.kind === 'raw') this.#raw = { from: this.#at, depth: this.#nesting.length };
    this.#nesting.push(isList);
    if (this.#nesting.length > MAX_DEPTH)
      throw new AppError('VALIDATION_ERROR', `the body is nested deeper than ${MAX_DEPTH} levels`);
    if (!this.#raw) this.#frames.push({ list: isList ? [] : undefined, object: {}, name: '', plan });
    this.#at += 1;
    this.#expects = isList ? VALUE_OR_END : NAME_OR_END;
  }

  #leave(isList: boolean): void {
    const isEmpty = this.#expects === (isList ? VALUE_OR_END : NAME_OR_END);
    if (this.#nesting.at(-1) !== isList || !(isEmpty || this.#expects === COMMA_OR_END)) throw notJson();
    this.#nesting.pop();
    this.#at += 1;
    const raw = this.#raw;
    if (!raw) {
      const frame = this.#frames.pop();
      return this.#put(frame?.list ?? frame?.object);
    }
    if (this.#nesting.length > raw.depth) return this.#put(undefined);
    this.#raw = undefined;
    this.#liftedBytes += this.#at - raw.from;
    this.#keepsBody = true;
    return this.#put(new RawJson(this.#body.subarray(raw.from, this.#at)));
  }

  #number(): void {
    const body = this.#body;
    const start = this.#at;
    let at = body[start] === MINUS ? start + 1 : start;
    const digits = () => {
      if (!isDigit(body[at])) throw notJson();
      while (isDigit(body[at])) if (++at - start > MAX_NUMBER_CHARACTERS) throw longNumber();
    };
    if (body[at] === ZERO) at += 1;
    else digits();
    if (body[at] === POINT) {
      at += 1;
      digits();
    }
    if (isExponent(body[at])) {
      at += 1;
      if (isSign(body[at])) at += 1;
      digits();
    }
    this.#at = at;
    this.#put(this.#raw ? undefined : Number(body.toString('latin1', start, at)));
  }

  #literal(first: number): void {
    const [text, value] = LITERALS.get(first) ?? [];
    if (!text?.equals(this.#body.subarray(this.#at, this.#at + text.length))) throw notJson();
    this.#at += text.length;
    this.#put(value);
  }

  #string(): void {
    const isName = this.#expects === NAME || this.#expects === NAME_OR_END;
    if (!isName) this.#requireValue();
    const body = this.#body;
    const start = this.#at + 1;
    const last = Math.min(start + LONG_BYTES, body.length);
    let escaped = false;
    for (let at = start; at < last; at += 1) {
      const byte = body[at] ?? 0;
      if (byte === QUOTE) {
        this.#at = at + 1;
        return this.#putString(this.#raw ? '' : this.#decode(start, at, escaped), isName);
      }
      if (byte === BACKSLASH) {
        escaped = true;
        at += this.#escapeLength(at) - 1;
      } else if (byte < SPACE) throw notJson();
    }
    if (last === body.length) throw notJson();
    if (isName && !this.#raw)
      throw new AppError('VALIDATION_ERROR', `the name of a field has more than ${LONG_BYTES} bytes`);
    this.#at = start;
    this.#long = new LongString(body, start, this.#keep);
  }

  get #keep(): Keep {
    if (this.#raw) return 'nothing';
    return this.#planHere()?.kind === 'bytes' ? 'bytes' : 'text';
  }

  #escapeLength(at: number): number {
    const body = this.#body;
    const kind = body[at + 1] ?? 0;
    if (SIMPLE_ESCAPES.has(kind)) return 2;
    if (kind !== LOWER_U) throw notJson();
    for (let digit = at + 2; digit < at + 6; digit += 1) if (!isHexDigit(body[digit])) throw notJson();
    return 6;
  }

  #decode(start: number, end: number, escaped: boolean): string {
    const text = this.#body.toString('utf8', start, end);
    return escaped ? String(JSON.parse(`"${text}"`)) : text;
  }

  #advanceLong(long: LongString): void {
    const from = this.#at;
    const end = long.advance();
    this.#at = end === undefined ? long.at : end + 1;
    if (!this.#raw) this.#liftedBytes += this.#at - from;
    if (end === undefined) return;
    this.#long = undefined;
    const isName = this.#expects === NAME || this.#expects === NAME_OR_END;
    this.#putString(this.#raw ? '' : long.value, isName);
  }

  #putString(value: string | Uint8Array, isName: boolean): void {
    if (typeof value !== 'string') this.#keepsBody = true;
    if (!isName) return this.#put(value);
    const frame = this.#frames.at(-1);
    if (frame && !this.#raw) frame.name = String(value);
    this.#expects = MEMBER_VALUE;
  }

  /** Adds a value to its array or object, unless that stays text. */
  #put(value: unknown): void {
    this.#expects = this.#nesting.length === 0 ? END : COMMA_OR_END;
    if (this.#raw) return;
    const frame = this.#frames.at(-1);
    if (!frame) this.#root = value;
    else if (frame.list) frame.list.push(value);
    else if (frame.name !== '__proto__') frame.object[frame.name] = value;
    else
      Object.defineProperty(frame.object, frame.name, {
        value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }

  #planHere(): LiftPlan | undefined {
    const frame = this.#frames.at(-1);
    if (!frame) return this.#plan;
    const { plan } = frame;
    if (frame.list) return plan?.kind === 'items' ? plan.items : undefined;
    return plan?.kind === 'members' ? plan.members.get(frame.name) : undefined;
  }

  /** Names the values that are not parsed here, for messages. */
  get #lifted(): 'files' | 'data' | undefined {
    const kinds = new Set(leavesOf(this.#plan));
    return kinds.has('bytes') ? 'files' : kinds.has('raw') ? 'data' : undefined;
  }
}

function leavesOf(plan: LiftPlan | undefined): LiftPlan['kind'][] {
  if (plan?.kind === 'members') return [...plan.members.values()].flatMap(leavesOf);
  if (plan?.kind === 'items') return leavesOf(plan.items);
  return plan ? [plan.kind] : [];
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  const lowerCase = byte | 0x20;
  return isDigit(byte) || (lowerCase >= 0x61 && lowerCase <= 0x66);
}

function isExponent(byte: number | undefined): boolean {
  return byte === 0x65 || byte === 0x45;
}

function isSign(byte: number | undefined): boolean {
  return byte === 0x2b || byte === MINUS;
}

function tooMuch(limit: string): AppError {
  return new AppError('VALIDATION_ERROR', `the body holds more than ${limit}`);
}

function longNumber(): AppError {
  return new AppError('VALIDATION_ERROR', `a number has more than ${MAX_NUMBER_CHARACTERS} characters`);
}
