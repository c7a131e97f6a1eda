import { AppError } from '../errors.ts';
import { reportGarbage } from '@platen/runtime';
import { startOfCharacter } from '../sliced-text.ts';
import { BACKSLASH, LOWER_U, QUOTE } from './json-bytes.ts';

/** The bytes that are read at a time, in about a millisecond even if every character is escaped. */
const PIECE_BYTES = 131_072;

/**
 * The result of reading a long string: its bytes with escapes, its text, or nothing if it is only checked.
 */
export type Keep = 'bytes' | 'text' | 'nothing';

/** Reads one long JSON string, a piece at a time. */
export class LongString {
  readonly #body: Buffer;
  readonly #from: number;
  readonly #keep: Keep;
  readonly #texts: string[] = [];
  #garbageBytes = 0;
  #at: number;

  /** @param from the index after the opening quote */
  constructor(body: Buffer, from: number, keep: Keep) {
    this.#body = body;
    this.#from = from;
    this.#at = from;
    this.#keep = keep;
  }

  /**
   * Reads the next piece. Returns the index of the closing quote when it is reached.
   * @throws {AppError} VALIDATION_ERROR for an invalid string. A string that is kept as bytes is not checked,
   * except for its end.
   */
  advance(): number | undefined {
    const body = this.#body;
    const end = this.#findEnd();
    if (end >= body.length) throw notJson();
    const closed = body[end] === QUOTE;
    if (this.#keep !== 'bytes') this.#read(this.#at, end);
    this.#at = end;
    if (!closed) return undefined;
    reportGarbage(this.#garbageBytes);
    return end;
  }

  /** The index up to which the string has been read. */
  get at(): number {
    return this.#at;
  }

  /** The string. Valid after its end has been reached. */
  get value(): string | Uint8Array {
    return this.#keep === 'bytes' ? this.#body.subarray(this.#from, this.#at) : this.#texts.join('');
  }

  /** Finds the closing quote or the end of the piece, which is never inside an escape or a character. */
  #findEnd(): number {
    const body = this.#body;
    const limit = Math.min(this.#at + PIECE_BYTES, body.length);
    const piece = body.subarray(this.#at, limit);
    const quote = piece.indexOf(QUOTE);
    const backslash = piece.subarray(0, quote < 0 ? undefined : quote).indexOf(BACKSLASH);
    if (backslash < 0) return quote < 0 ? startOfCharacter(body, limit) : this.#at + quote;
    // `indexOf` would stop at each of possibly thousands of escaped quotes.
    let at = this.#at + backslash;
    while (at < limit && body[at] !== QUOTE) at += body[at] === BACKSLASH ? this.#escapeLength(at) : 1;
    return body[at] === QUOTE ? at : startOfCharacter(body, at);
  }

  #escapeLength(at: number): number {
    return this.#body[at + 1] === LOWER_U && this.#keep !== 'bytes' ? 6 : 2;
  }

  #read(from: number, to: number): void {
    const written = this.#body.toString(this.#keep === 'text' ? 'utf8' : 'latin1', from, to);
    const text = needsParsing(written) ? parse(written) : written;
    // The pieces are garbage once they are joined, and a parsed piece was copied twice.
    this.#garbageBytes += (text === written ? 1 : 3) * (to - from);
    if (this.#keep === 'text') this.#texts.push(text);
  }
}

/** Tells whether the inside of a JSON string has escapes, or control characters, which are not allowed. */
function needsParsing(text: string): boolean {
  return /[\\\p{Cc}]/u.test(text);
}

function parse(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch (cause) {
    throw notJson(cause);
  }
}

/** Creates the error for malformed JSON. */
export function notJson(cause?: unknown): AppError {
  return new AppError('VALIDATION_ERROR', 'the body is not valid JSON', { cause });
}
