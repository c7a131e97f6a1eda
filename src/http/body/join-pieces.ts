/** Readers keep pieces until a line or part is complete, and each one takes memory beside its bytes. */
export const MIN_PIECE_BYTES = 16_384;

/**
 * Joins small pieces of a body, so that every piece but the last has at least {@link MIN_PIECE_BYTES}. A body
 * may arrive as millions of chunks of one byte. Larger pieces are not copied.
 */
export async function* joinPieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let joined = Buffer.alloc(0);
  let size = 0;
  for await (const piece of pieces) {
    let rest = piece;
    if (size > 0 || piece.length < MIN_PIECE_BYTES) {
      if (size === 0) joined = Buffer.allocUnsafeSlow(MIN_PIECE_BYTES);
      const added = piece.subarray(0, MIN_PIECE_BYTES - size);
      joined.set(added, size);
      size += added.length;
      if (size < MIN_PIECE_BYTES) continue;
      yield joined;
      size = 0;
      rest = piece.subarray(added.length);
    }
    if (rest.length >= MIN_PIECE_BYTES) yield rest;
    else if (rest.length > 0) {
      joined = Buffer.allocUnsafeSlow(MIN_PIECE_BYTES);
      joined.set(rest);
      size = rest.length;
    }
  }
  if (size > 0) yield joined.subarray(0, size);
}
