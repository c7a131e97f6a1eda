import { AppError, bodyTooLarge } from '../../errors.ts';
import { TimeSlice, yieldToEventLoop } from '../../time-slice.ts';
import type { BodyReservation } from './body-memory.ts';
import { freeBytes } from './free-bytes.ts';

/** The minimum speed of a large body: the bytes that must arrive in each interval. */
export interface Pace {
  ms: number;
  bytes: number;
}

/** A tenth of the speed of a very slow connection. */
const SLOWEST: Pace = { ms: 10_000, bytes: 100_000 };

/** Smaller bodies have no minimum speed, but must be complete after {@link MAX_INTERVALS}. */
const UNPACED_BYTES = 1_000_000;
/** Without this limit, unfinished bodies would pile up. */
const MAX_INTERVALS = 12;

/** The bytes that are copied before other requests are served. */
const COPIED_BYTES = 1_000_000;

export interface CollectOptions {
  maxBytes: number;
  /** The reservation for the memory of the body; no limit when absent. */
  memory?: Pick<BodyReservation, 'reserve' | 'requireRoom'> | undefined;
  pace?: Pace | undefined;
}

/**
 * Reads a body. Reserves memory for the bytes that have arrived, not for the announced length.
 * @throws {AppError} VALIDATION_ERROR for a body that exceeds `maxBytes`, and for a body that arrives too
 * slowly, which would block memory
 * @throws {AppError} RATE_LIMITED when the sender may not reserve more memory
 */
export async function collectBody(
  request: Request,
  { maxBytes, memory, pace }: CollectOptions,
): Promise<Buffer> {
  const announced = announcedBytes(request, maxBytes);
  memory?.requireRoom(announced);
  // A buffer of the announced size avoids copying, and the part that is never written takes no memory.
  let whole = Buffer.allocUnsafeSlow(announced);
  let size = 0;
  for await (const value of streamBody(request, { maxBytes, pace })) {
    const end = size + value.byteLength;
    memory?.reserve(end);
    if (end > whole.length)
      whole = await grown(whole.subarray(0, size), Math.min(maxBytes, Math.max(2 * whole.length, end)));
    whole.set(value, size);
    // Without this, a body could take up to twice its size.
    freeBytes(value);
    size = end;
  }
  return whole.subarray(0, size);
}

/**
 * Reads a body while it arrives, in the pieces in which it arrives.
 * @throws {AppError} VALIDATION_ERROR for a body that exceeds `maxBytes`, and for a body that arrives too
 * slowly
 */
export async function* streamBody(
  request: Request,
  { maxBytes, pace = SLOWEST }: Pick<CollectOptions, 'maxBytes' | 'pace'>,
): AsyncGenerator<Uint8Array> {
  const announced = announcedBytes(request, maxBytes);
  const reader = request.body?.getReader();
  if (!reader) return;
  let size = 0;
  let sizeBefore = 0;
  let isLate = false;
  let isOver = false;
  let intervals = 0;
  let isReading = false;
  const slice = new TimeSlice();
  const timer = setInterval(() => {
    // The sender waits while this process is busy with earlier bytes.
    if (!isReading) return;
    intervals += 1;
    const isLarge = Math.max(size, announced) > UNPACED_BYTES;
    isLate ||= isLarge ? size - sizeBefore < pace.bytes : intervals >= MAX_INTERVALS;
    sizeBefore = size;
    // Ends the pending read.
    if (isLate) void reader.cancel().catch(() => {});
  }, pace.ms);
  try {
    for (;;) {
      isReading = true;
      const { value, done } = await reader.read();
      isReading = false;
      if (isLate) throw tooSlow(pace);
      isOver = done;
      if (done) return;
      size += value.byteLength;
      if (size > maxBytes) throw bodyTooLarge(maxBytes);
      yield value;
      // A body may arrive as thousands of chunks of one byte.
      if (slice.isOver) await slice.next();
    }
  } finally {
    clearInterval(timer);
    if (!isOver) void reader.cancel().catch(() => {});
  }
}

/** Returns the length that a request announces. @throws {AppError} VALIDATION_ERROR if it is too large */
function announcedBytes(request: Request, maxBytes: number): number {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > maxBytes) throw bodyTooLarge(maxBytes);
  return announced;
}

/** Copies bytes to a larger buffer and yields to the event loop after each megabyte. */
async function grown(bytes: Buffer, length: number): Promise<Buffer<ArrayBuffer>> {
  const larger = Buffer.allocUnsafeSlow(length);
  for (let start = 0; start < bytes.length; start += COPIED_BYTES) {
    if (start > 0) await yieldToEventLoop();
    larger.set(bytes.subarray(start, start + COPIED_BYTES), start);
  }
  return larger;
}

function tooSlow({ bytes, ms }: Pace): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    `the body arrived too slowly: less than ${bytes} bytes in ${ms} ms, or not complete after ${MAX_INTERVALS * ms} ms`,
  );
}
