import { crc32 } from 'node:zlib';
import { TimeSlice } from '../time-slice.ts';

/** A file in a zip archive. */
export interface ZipEntry {
  /** ASCII. */
  name: string;
  content: Uint8Array;
}

const LOCAL_HEADER = 0x0403_4b50;
const CENTRAL_HEADER = 0x0201_4b50;
const END_OF_DIRECTORY = 0x0605_4b50;
const VERSION = 20;
/** 1980-01-01, the earliest date of the format, so that equal files make equal archives. */
const DATE = 0x21;
/** The bytes that are hashed and sent at a time, in less than a millisecond. */
const PIECE_BYTES = 262_144;

const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;

/**
 * Creates the stream of a zip archive (PKWARE APPNOTE 6.3.10) without compression: PDFs are compressed already. Sizes and checksums precede
 * the content, so that readers can unpack the archive while it arrives. At most 65,535 entries and 4 GB.
 */
export function streamZip(entries: readonly ZipEntry[]): {
  stream: ReadableStream<Uint8Array>;
  sizeBytes: number;
} {
  const pieces = piecesOf(entries);
  const sizeBytes = entries.reduce(
    (sum, { name, content }) => sum + LOCAL_BYTES + CENTRAL_BYTES + 2 * name.length + content.length,
    END_BYTES,
  );
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, sizeBytes };
}

async function* piecesOf(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array, undefined> {
  const slice = new TimeSlice();
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    let checksum = 0;
    for (const piece of split(content)) {
      checksum = crc32(piece, checksum);
      if (slice.isOver) await slice.next();
    }
    const fields = describe(name, content, checksum);
    const path = Buffer.from(name, 'latin1');
    yield Buffer.concat([uint32(LOCAL_HEADER), fields, path]);
    for (const piece of split(content)) {
      yield piece;
      if (slice.isOver) await slice.next();
    }
    directory.push(centralHeader(fields, path, offset));
    offset += LOCAL_BYTES + path.length + content.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  yield Buffer.concat([...directory, endOfDirectory({ entries: entries.length, size, offset })]);
}

function* split(content: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < content.length; start += PIECE_BYTES)
    yield content.subarray(start, start + PIECE_BYTES);
}

/** Writes the fields that both headers of an entry have. */
function describe(name: string, content: Uint8Array, checksum: number): Buffer {
  const fields = Buffer.alloc(26);
  fields.writeUInt16LE(VERSION, 0);
  // 2: flags, 4: stored without compression, 6: time
  fields.writeUInt16LE(DATE, 8);
  fields.writeUInt32LE(checksum, 10);
  fields.writeUInt32LE(content.length, 14);
  fields.writeUInt32LE(content.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function centralHeader(fields: Buffer, path: Buffer, offset: number): Buffer {
  const start = Buffer.alloc(6);
  start.writeUInt32LE(CENTRAL_HEADER, 0);
  start.writeUInt16LE(VERSION, 4);
  const end = Buffer.alloc(14);
  // Comment, disk and attributes are 0.
  end.writeUInt32LE(offset, 10);
  return Buffer.concat([start, fields, end, path]);
}

function endOfDirectory({
  entries,
  size,
  offset,
}: {
  entries: number;
  size: number;
  offset: number;
}): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(END_OF_DIRECTORY, 0);
  end.writeUInt16LE(entries, 8);
  end.writeUInt16LE(entries, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
