import { withoutByteOrderMark } from './byte-order-mark.ts';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.ts';
import { requireSaneCounts } from './json-shape.ts';

/** From this size on a body is parsed in pieces: a smaller one holds nobody up. */
export const LARGE_JSON_BYTES = 2 * 1024 * 1024;

/** Smaller values stay where they are. */
const PIECE_BYTES = 64 * 1024;
/** How much is done before others have their turn: some milliseconds of work. */
const STRIDE_BYTES = 1024 * 1024;
/** Pieces are the values of this depth, such as the items of `{"items": [...]}`, if they are objects or arrays. */
const PIECE_DEPTH = 2;

type Span = readonly [start: number, end: number];

/**
 * Parses JSON of many megabytes as `JSON.parse` does, but lets other requests have their turn in between.
 * @throws {SyntaxError} for what is not JSON. @throws {AppError} VALIDATION_ERROR for what is too deep or has too many values.
 */
export async function parseLargeJson(bytes: Buffer): Promise<unknown> {
  const body = withoutByteOrderMark(bytes);
  const spans = await findPieces(body);
  // What stands for a piece is a number that no caller can guess, between blanks, so that what is not JSON does not become it.
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const [firstMark, marks] = [2 ** 52 + random * 2 ** 20, spans.length];
  const kept: string[] = [];
  const pieces: unknown[] = [];
  let keptFrom = 0;
  for (const [start, end] of spans) {
    kept.push(body.toString('utf8', keptFrom, start), ` ${firstMark + pieces.length} `);
    pieces.push(JSON.parse(body.toString('utf8', start, end)));
    keptFrom = end;
    await Bun.sleep(0);
  }
  kept.push(body.toString('utf8', keptFrom));
  const whole: unknown = JSON.parse(kept.join(''));
  const isMark = (value: unknown) =>
    typeof value === 'number' && value >= firstMark && value < firstMark + marks;
  for (const member of membersOf(whole)) {
    for (const [key, value] of Object.entries(member))
      if (isMark(value)) (member as Record<string, unknown>)[key] = pieces[Number(value) - firstMark];
  }
  return whole;
}

function membersOf(whole: unknown): object[] {
  if (typeof whole !== 'object' || whole === null) return [];
  return Object.values(whole).filter((member) => typeof member === 'object' && member !== null);
}

/** Finds the large values at {@link PIECE_DEPTH}. It looks for strings and brackets only: whether it is JSON, `JSON.parse` tells. */
async function findPieces(body: Buffer): Promise<Span[]> {
  const spans: Span[] = [];
  let depth = 0;
  let values = 0;
  let pieceFrom = 0;
  for (let [at, pauseAt] = [0, STRIDE_BYTES]; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = endOfString(body, at + 1);
    else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      if (depth === PIECE_DEPTH) pieceFrom = at;
      depth += 1;
      values += 1;
      requireSaneCounts({ depth, values });
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      depth -= 1;
      if (depth === PIECE_DEPTH && at - pieceFrom > PIECE_BYTES) spans.push([pieceFrom, at + 1]);
    } else if (byte === COMMA) {
      values += 1;
      requireSaneCounts({ depth, values });
    }
    if (at < pauseAt) continue;
    pauseAt = at + STRIDE_BYTES;
    await Bun.sleep(0);
  }
  return spans;
}

/** A loop, as a search for the next quote stops at each of the thousands that HTML has, all of them escaped. */
function endOfString(body: Buffer, start: number): number {
  let at = start;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return at;
}
