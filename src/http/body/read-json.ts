import type { TSchema } from '@sinclair/typebox';
import { AppError } from '../../errors.ts';
import { yieldToEventLoop } from '../../time-slice.ts';
import type { BodyKind } from './body-kind.ts';
import { JsonReader } from '../../json/json-reader.ts';
import { freeBytes } from './free-bytes.ts';
import { planLifts, type LiftPlan } from '../../json/lift-plan.ts';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** JSON bodies, which are parsed as by {@link parseJson}. */
export const jsonBody: BodyKind = {
  name: 'json',
  label: 'JSON',
  mediaType: 'application/json',
  accepts: (mediaType) => mediaType === 'application/json' || mediaType.endsWith('+json'),
  createReader(schema) {
    const plan = planLifts(schema);
    return async (body) => parsePlannedAndFree(await body.bytes(), plan);
  },
};

/** Parses JSON as {@link parseJson} does, according to a plan. @throws {AppError} VALIDATION_ERROR */
export async function parsePlanned(body: Buffer, plan?: LiftPlan): Promise<unknown> {
  return (await readPlanned(body, plan)).value;
}

/**
 * Parses JSON in slices of a few milliseconds, between which the service does other work. Long strings whose
 * schema is a `LongText` or `FileInput` stay bytes, and objects whose schema is a `RawObject` stay text. The
 * value is not validated.
 *
 * Frees the bytes of the JSON unless the value contains parts of them. Garbage collection would free them
 * only after other large values have been allocated.
 * @throws {AppError} VALIDATION_ERROR for malformed JSON, nesting deeper than 100 levels, or too many values
 */
export function parseJson(json: Buffer, schema: TSchema): Promise<unknown> {
  return parsePlannedAndFree(json, planLifts(schema));
}

async function parsePlannedAndFree(json: Buffer, plan: LiftPlan | undefined): Promise<unknown> {
  const { value, keepsBody } = await readPlanned(json, plan);
  if (!keepsBody) freeBytes(json);
  return value;
}

async function readPlanned(body: Buffer, plan: LiftPlan | undefined): Promise<JsonReader> {
  const json = withoutByteOrderMark(body);
  if (json.length === 0) throw new AppError('VALIDATION_ERROR', 'the body is missing: send a JSON object');
  const reader = new JsonReader(json, plan);
  let isLong = false;
  for (; reader.advance(); isLong = true) await yieldToEventLoop();
  // Processing a long value starts in a new slice.
  if (isLong) await yieldToEventLoop();
  return reader;
}

/** Skips the byte order mark that some programs write. Does not copy the bytes. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}
