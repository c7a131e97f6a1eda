import { expect, test } from 'bun:test';
import { joinPieces, MIN_PIECE_BYTES } from './join-pieces.ts';

/** Joins pieces of these sizes. Returns the sizes of the joined pieces. */
async function joinedSizes(sizes: readonly number[]): Promise<number[]> {
  const sent = sizes.map((size, index) => Buffer.alloc(size, index % 251));
  const joined = await Array.fromAsync(
    joinPieces(
      (async function* () {
        yield* sent;
      })(),
    ),
  );
  expect(Buffer.concat(joined).equals(Buffer.concat(sent))).toBe(true);
  return joined.map(({ length }) => length);
}

test('small pieces are joined, and the bytes keep their order', async () => {
  const full = MIN_PIECE_BYTES;
  expect(await joinedSizes(Array.from({ length: 4_682 }, () => 7))).toEqual([full, full, 6]);
  expect(await joinedSizes([3, full + 1, 0, 2 * full, full - 2, full - 3])).toEqual([
    full, // 3 + 16,381
    full, // 4 + 16,380
    full + 4,
    full, // 16,382 + 2
    full - 5,
  ]);
  expect(await joinedSizes([])).toEqual([]);
  expect(await joinedSizes([7])).toEqual([7]);
});

test('a large piece is not copied', async () => {
  const piece = Buffer.alloc(MIN_PIECE_BYTES);
  const [joined] = await Array.fromAsync(
    joinPieces(
      (async function* () {
        yield piece;
      })(),
    ),
  );
  expect(joined).toBe(piece);
});
