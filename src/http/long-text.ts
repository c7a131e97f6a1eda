import { setImmediate } from 'node:timers/promises';
import { Kind, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';
import { endOfString, withoutByteOrderMark } from './json-text.ts';

const KIND = 'LongText';

TypeRegistry.Set(KIND, (_, value) => typeof value === 'string' || value instanceof Uint8Array);

/**
 * Makes the schema of a string that may be megabytes long, such as a file in base64. A long one reaches the handler as its bytes as
 * they stand in the JSON, escapes not undone: a view of the request's body that nobody has decoded, meant for the tool process.
 */
export function LongText(options: { expected: string; description: string }): TUnsafe<string | Uint8Array> {
  const schema: TSchema = { ...options, type: 'string', [Kind]: KIND } as never;
  return schema as TUnsafe<string | Uint8Array>;
}

/** Tells whether a schema has a {@link LongText} in it. */
export function hasLongText(schema: TSchema): boolean {
  if (schema[Kind] === KIND) return true;
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  return Object.values(properties ?? {}).some(hasLongText) || (items !== undefined && hasLongText(items));
}

/** Shorter strings are decoded: there, parsing costs nothing that anybody would notice. */
const LONG_BYTES = 32_768;
const QUOTE = 34;
/** What is searched at a time, in a millisecond or less. */
const PIECE_BYTES = 4_000_000;

/** JSON whose long strings were taken out; `restore` puts them, as bytes, in the place of what stands for them. */
export interface LiftedJson {
  text: string;
  restore: (value: unknown) => unknown;
}

/**
 * Takes long strings out of JSON. The bytes are searched by the machine's fastest means, and not copied; between pieces of them the
 * service does other work.
 */
export async function liftLongStrings(bytes: Buffer): Promise<LiftedJson> {
  const body = withoutByteOrderMark(bytes);
  const lifted: Uint8Array[] = [];
  // What stands for a string cannot be guessed, so a caller cannot send it.
  const token = crypto.randomUUID();
  const kept: string[] = [];
  let keptFrom = 0;
  for (let start = body.indexOf(QUOTE); start >= 0;) {
    let end = body.length;
    for (let piece = start + 1; piece < body.length; piece += PIECE_BYTES) {
      const last = Math.min(piece + PIECE_BYTES, body.length);
      end = endOfString(body.subarray(0, last), piece);
      if (end < last) break;
      await setImmediate();
    }
    if (end - start > LONG_BYTES) {
      kept.push(body.toString('utf8', keptFrom, start), `"${token}${lifted.length}"`);
      lifted.push(body.subarray(start + 1, end));
      keptFrom = end + 1;
    }
    start = body.indexOf(QUOTE, end + 1);
  }
  kept.push(body.toString('utf8', keptFrom));
  const restore = (value: unknown): unknown =>
    typeof value === 'string' && value.startsWith(token) ? lifted[Number(value.slice(token.length))] : value;
  return { text: kept.join(''), restore };
}
