import { AppError } from '../../errors.ts';
import type { BodyStream, StreamedPart } from './body-kind.ts';
import {
  MAX_HEADER_BYTES,
  MAX_PADDING_BYTES,
  quote,
  readBoundary,
  readDisposition,
  readHeader,
} from './multipart.ts';

/** A routed body has a few fields and one file. */
const MAX_PARTS = 50;
const DASHES = Buffer.from('--');
const CRLF = Buffer.from('\r\n');

type MultipartStream = Pick<BodyStream, 'headers' | 'pieces' | 'hash'>;

/**
 * Reads the parts of a multipart/form-data body (RFC 7578) while it arrives, in order. Holds only the bytes
 * in which a boundary could begin. The boundary, which a client chooses anew for each body, is not part of
 * the hash. As strict as `parseMultipart`.
 * @throws {AppError} VALIDATION_ERROR, which names the invalid part if there is one
 */
export async function* readMultipartStream(body: MultipartStream): AsyncGenerator<StreamedPart> {
  const pieces = body.pieces[Symbol.asyncIterator]();
  try {
    yield* readParts(body, new Window(pieces));
  } finally {
    // Ends the body also after a fault or when the reader of the parts stops.
    await pieces.return?.();
  }
}

async function* readParts(body: MultipartStream, input: Window): AsyncGenerator<StreamedPart> {
  const boundary = readBoundary(body.headers.get('content-type') ?? '');
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const first = delimiter.subarray(CRLF.length);
  await input.fill(first.length);
  if (!input.take(first)) throw malformed('the body must begin with its boundary');
  for (let count = 1; ; count += 1) {
    // At most so many bytes belong to the line of the boundary and the headers.
    await input.fill(MAX_PADDING_BYTES + MAX_HEADER_BYTES);
    if (input.take(DASHES)) break;
    const partName = `part ${count}`;
    if (count > MAX_PARTS) throw malformed(`${partName}: a body can have at most ${MAX_PARTS} parts`);
    const header = readHeader(input.bytes, 0, partName);
    body.hash(Buffer.from(`\n${JSON.stringify(header.lines)}\n`));
    const disposition = readDisposition(header.lines, { partName, isTolerant: false });
    input.dropBytes(header.end);
    let isRead = false;
    const content = async function* () {
      let sizeBytes = 0;
      for await (const piece of input.until(delimiter)) {
        if (piece === undefined)
          throw malformed(`${quote(disposition.name)} is truncated: its closing boundary is missing`);
        sizeBytes += piece.length;
        body.hash(piece);
        yield piece;
      }
      body.hash(Buffer.from(`\n${sizeBytes}`));
      isRead = true;
    };
    yield { ...disposition, content: content() };
    if (!isRead) throw new Error('a part was not read to its end');
  }
  await input.fill(CRLF.length + 1);
  if (input.bytes.length > 0 && !input.bytes.equals(CRLF))
    throw malformed('the body continues after its last boundary');
}

/** The bytes of a stream that have arrived and are not yet consumed. */
class Window {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #bytes: Buffer = Buffer.alloc(0);
  #isOver = false;

  constructor(pieces: AsyncIterator<Uint8Array>) {
    this.#pieces = pieces;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Waits until so many bytes are there, or all that the stream has. */
  async fill(length: number): Promise<void> {
    const pieces = [this.#bytes];
    let size = this.#bytes.length;
    while (size < length && !this.#isOver) {
      const piece = await this.#next();
      if (piece) pieces.push(piece);
      size += piece?.length ?? 0;
    }
    this.#bytes = pieces.length === 1 ? this.#bytes : Buffer.concat(pieces);
  }

  /** Consumes the bytes if they come next. */
  take(bytes: Buffer): boolean {
    if (!this.#bytes.subarray(0, bytes.length).equals(bytes)) return false;
    this.dropBytes(bytes.length);
    return true;
  }

  /** Consumes the next bytes without returning them. */
  dropBytes(length: number): void {
    this.#bytes = this.#bytes.subarray(length);
  }

  /**
   * Yields the bytes before a delimiter and consumes it; yields `undefined` if the stream ends without it.
   * Each piece is searched once, together with the end of the piece before.
   */
  async *until(delimiter: Buffer): AsyncGenerator<Buffer | undefined> {
    for (;;) {
      const index = this.#bytes.indexOf(delimiter);
      if (index >= 0) {
        const before = this.#bytes.subarray(0, index);
        this.dropBytes(index + delimiter.length);
        if (before.length > 0) yield before;
        return;
      }
      // The delimiter may begin in the last bytes.
      const known = Math.max(0, this.#bytes.length - delimiter.length + 1);
      const before = this.#bytes.subarray(0, known);
      this.dropBytes(known);
      if (before.length > 0) yield before;
      if (this.#isOver) {
        yield undefined;
        return;
      }
      await this.fill(this.#bytes.length + 1);
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const { done, value } = await this.#pieces.next();
    if (done) {
      this.#isOver = true;
      return undefined;
    }
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}

function malformed(message: string): AppError {
  return new AppError('VALIDATION_ERROR', message);
}
