import { isUtf8 } from 'node:buffer';
import { AppError, parseJson, RawJson, RawObject } from '../../../../src/plugin.ts';
import { MAX_ITEM_BYTES, type ItemWriter } from './received-items.ts';

/** A longer line of white space is a fault. */
const MAX_BLANK_BYTES = 1_000;
const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const Data = RawObject({ description: 'The data of an item.' });

/** Reads NDJSON: the data of an item per line. Blank lines are skipped. */
export async function readNdjson(pieces: AsyncIterable<Uint8Array>, writer: ItemWriter): Promise<void> {
  let line = 0;
  let blankLines = 0;
  for await (const bytes of linesOf(pieces, writer)) {
    line += 1;
    const content = line === 1 ? withoutByteOrderMark(bytes) : bytes;
    if (content !== undefined && isBlank(content)) {
      blankLines += 1;
      await writer.proceed(blankLines);
      continue;
    }
    const read = content === undefined ? tooLong() : await readLine(content);
    if (typeof read === 'string') await writer.addFault({ line, message: read });
    else await writer.add(read);
  }
}

/** Yields the lines without their line feeds; `undefined` for a line that is too long. */
async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
  writer: Pick<ItemWriter, 'proceed'>,
): AsyncGenerator<Buffer | undefined> {
  let open: Buffer[] = [];
  let size = 0;
  const close = (end: Buffer) => {
    const line = size + end.length > MAX_ITEM_BYTES ? undefined : Buffer.concat([...open, end]);
    [open, size] = [[], 0];
    return line;
  };
  for await (const piece of pieces) {
    await writer.proceed();
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
      yield close(bytes.subarray(start, end));
      start = end + 1;
    }
    const rest = bytes.subarray(start);
    size += rest.length;
    // The content of a line that is too long is not kept.
    if (size > MAX_ITEM_BYTES) open = [];
    else if (rest.length > 0) open.push(rest);
  }
  if (size > 0) yield close(Buffer.alloc(0));
}

function withoutByteOrderMark(bytes: Buffer | undefined): Buffer | undefined {
  return bytes?.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

function isBlank(line: Buffer): boolean {
  // White space in JSON, which does not include line feeds here.
  return (
    line.length <= MAX_BLANK_BYTES && line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
  );
}

/** Returns the JSON text of a line, or the fault of the line. */
async function readLine(line: Buffer): Promise<Uint8Array | string> {
  if (!isUtf8(line)) return 'is not valid UTF-8';
  try {
    const value = await parseJson(line, Data);
    return value instanceof RawJson ? value.bytes : 'must be a JSON object, such as {"number": 1}';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return `is not JSON: ${error.message}`;
  }
}

function tooLong(): string {
  return `must have at most ${MAX_ITEM_BYTES} bytes`;
}
