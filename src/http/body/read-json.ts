import type { TSchema } from '@sinclair/typebox';
import { AppError } from '../../errors.ts';
import { collectBody, type CollectOptions } from './collect-body.ts';
import { yieldToEventLoop } from '../../time-slice.ts';
import { JsonReader } from './json-reader.ts';
import { planLifts, type LiftPlan } from './lift-plan.ts';

const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** How a body is read. */
export interface ReadOptions {
  /** 32 MiB when absent. */
  maxBytes?: number | undefined;
  /** What is not parsed. */
  plan?: LiftPlan | undefined;
  /** The memory that the body takes. */
  memory?: CollectOptions['memory'];
}

/**
 * Reads a JSON body in slices of a few milliseconds, between which the service does other work.
 * @throws {AppError} VALIDATION_ERROR for another content type, a larger body, or what is not JSON.
 */
export async function readJson(request: Request, options: ReadOptions = {}): Promise<unknown> {
  const { maxBytes = DEFAULT_MAX_BODY_BYTES, plan, memory } = options;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new AppError(
      'VALIDATION_ERROR',
      `the body must be JSON with the header Content-Type: application/json`,
    );
  }
  const body = await collectBody(request, { maxBytes, memory }).catch((error: unknown) => {
    throw error instanceof AppError
      ? error
      : new AppError('VALIDATION_ERROR', 'the body was cut off', { cause: error });
  });
  return parsePlanned(body, plan);
}

/**
 * Parses JSON in slices of a few milliseconds. By the schema, long strings stay bytes (`LongText`) and objects text (`RawObject`); the
 * value is not checked by it.
 * @throws {AppError} VALIDATION_ERROR for what is not JSON, is nested deeper than 100 levels, or is too much.
 */
export function parseJson(json: Buffer, schema?: TSchema): Promise<unknown> {
  return parsePlanned(json, schema && planLifts(schema));
}

/** Parses JSON in slices by a plan. @throws {AppError} VALIDATION_ERROR as {@link parseJson}. */
export async function parsePlanned(body: Buffer, plan?: LiftPlan): Promise<unknown> {
  const json = withoutByteOrderMark(body);
  if (json.length === 0) throw new AppError('VALIDATION_ERROR', 'the body is missing: send a JSON object');
  const reader = new JsonReader(json, plan);
  let isLong = false;
  for (; reader.advance(); isLong = true) await yieldToEventLoop();
  const { value } = reader;
  // The work on a long value begins in a turn of its own.
  if (isLong) await yieldToEventLoop();
  return value;
}

/** Leaves out the mark that some programs begin a file with, and that decoders of text leave out. The bytes are not copied. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}
