import { makeZip, predictLength } from 'client-zip';
import { TimeSlice } from './time-slice.ts';

export interface ArchiveEntry {
  name: string;
  content: Uint8Array;
}

/** The earliest date of the format. It is fixed so that equal files give equal archives. */
const MODIFIED_AT = new Date(1980, 0, 1);
/** The size of a piece, whose checksum takes less than a millisecond. */
const PIECE_BYTES = 262_144;

/**
 * Creates the stream of a zip archive without compression, because PDFs are compressed already. `sizeBytes`
 * is its exact size.
 */
export function streamArchive(entries: readonly ArchiveEntry[]): {
  stream: ReadableStream<Uint8Array>;
  sizeBytes: number;
} {
  const stream = makeZip(
    entries.map(({ name, content }) => ({ name, lastModified: MODIFIED_AT, input: inPieces(content) })),
  );
  const sizes = entries.map(({ name, content }) => ({ name, size: content.length }));
  return { stream, sizeBytes: Number(predictLength(sizes)) };
}

/** Yields the content in pieces, between which other requests get a turn. */
async function* inPieces(content: Uint8Array): AsyncGenerator<Uint8Array> {
  const slice = new TimeSlice();
  for (let start = 0; start < content.length; start += PIECE_BYTES) {
    if (slice.isOver) await slice.next();
    yield content.subarray(start, start + PIECE_BYTES);
  }
}
