import type { Writable } from 'node:stream';
import { TimeSlice } from '../../../src/plugin.ts';
import type { Message } from './browser-message.ts';

/** Longer parameters, such as the HTML of a document, are written in pieces. */
const LONG_CHARACTERS = 262_144;
/** The size of a piece, which takes about half a millisecond to encode. */
const PIECE_CHARACTERS = 131_072;

/**
 * Writes commands to a browser's pipe: JSON messages that end in a null byte. A command with a long parameter
 * is encoded in pieces, so that a document of many megabytes does not block the service. Commands that follow
 * it wait until it is written.
 */
export class CommandWriter {
  readonly #output: Writable;
  /** The commands that wait for a long command; `undefined` when no long command is being written. */
  #waiting: Message[] | undefined;

  constructor(output: Writable) {
    this.#output = output;
  }

  /** Writes a command after all earlier ones. */
  write(message: Message): void {
    if (this.#waiting) {
      this.#waiting.push(message);
      return;
    }
    const name = longParameter(message);
    if (name === undefined) this.#output.write(`${JSON.stringify(message)}\0`);
    else void this.#writeLong(message, name);
  }

  async #writeLong(message: Message, name: string): Promise<void> {
    const waiting: Message[] = [];
    this.#waiting = waiting;
    const slice = new TimeSlice();
    for (const piece of piecesOf(message, name)) {
      const hasRoom = this.#output.write(piece);
      // The browser has ended.
      if (this.#output.destroyed) return;
      if (!hasRoom) await drained(this.#output);
      if (slice.isOver) await slice.next();
    }
    this.#waiting = undefined;
    for (const next of waiting) this.write(next);
  }
}

function longParameter({ params }: Message): string | undefined {
  for (const name in params) {
    const value = params[name];
    if (typeof value === 'string' && value.length > LONG_CHARACTERS) return name;
  }
  return undefined;
}

/** Yields the JSON of a command, with the long parameter last. */
function* piecesOf({ params, ...message }: Message, name: string): Generator<string> {
  const { [name]: long, ...others } = params ?? {};
  const text = String(long);
  yield `${withoutEnd(message)},"params":${withoutEnd({ ...others, [name]: '' }).slice(0, -1)}`;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + PIECE_CHARACTERS, text.length);
    // Do not split a surrogate pair.
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield JSON.stringify(text.slice(start, end)).slice(1, -1);
  }
  yield '"}}\0';
}

function withoutEnd(value: object): string {
  return JSON.stringify(value).slice(0, -1);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

async function drained(output: Writable): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  output.once('drain', end).once('close', end).once('error', end);
  await promise;
  output.off('drain', end).off('close', end).off('error', end);
}
