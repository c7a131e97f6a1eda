import { AppError } from '../../errors.ts';
import { TimeSlice, yieldToEventLoop } from '../../time-slice.ts';
import type { BodyReservation } from './body-memory.ts';

/** How fast a large body must come: what comes in each such time, in bytes. */
export interface Pace {
  ms: number;
  bytes: number;
}

/** A caller on a very slow line has ten times as much. */
const SLOWEST: Pace = { ms: 10_000, bytes: 100_000 };

/** Smaller bodies may take their time: they hold nothing that others need. */
const UNHURRIED_BYTES = 1_000_000;

/** Copied at a time. */
const COPIED_BYTES = 1_000_000;

/** How a body is collected. */
export interface CollectOptions {
  maxBytes: number;
  /** The memory that the body takes; without a bound when absent. */
  memory?: Pick<BodyReservation, 'reserve' | 'requireRoom'> | undefined;
  pace?: Pace | undefined;
}

/**
 * Reads the bytes of a body as they come, so that it takes the room of what has come and not of what was announced.
 * @throws {AppError} VALIDATION_ERROR for a larger body, and for a large one that comes so slowly that it would keep its room from others.
 */
export async function collectBody(
  request: Request,
  { maxBytes, memory, pace = SLOWEST }: CollectOptions,
): Promise<Buffer> {
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  memory?.requireRoom(announced);
  // Memory that nothing was written to yet is none; without a copy at the end nobody waits for one.
  let whole = Buffer.allocUnsafeSlow(announced);
  let size = 0;
  let sizeBefore = 0;
  const reader = request.body?.getReader();
  if (!reader) return whole.subarray(0, 0);
  let isLate = false;
  const timer = setInterval(() => {
    isLate ||= Math.max(size, announced) > UNHURRIED_BYTES && size - sizeBefore < pace.bytes;
    sizeBefore = size;
    // Ends the read that waits.
    if (isLate) void reader.cancel().catch(() => {});
  }, pace.ms);
  const slice = new TimeSlice();
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (isLate) throw tooSlow(pace);
      if (done) return whole.subarray(0, size);
      const end = size + value.byteLength;
      if (end > maxBytes) throw tooLarge(maxBytes);
      memory?.reserve(end);
      if (end > whole.length)
        whole = await grown(whole.subarray(0, size), Math.min(maxBytes, Math.max(2 * whole.length, end)));
      whole.set(value, size);
      size = end;
      // A body may come in chunks of a byte, thousands of which are there at once.
      if (slice.isOver) await slice.next();
    }
  } catch (error) {
    void reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Copies bytes to larger memory, and lets other work go on after each megabyte. */
async function grown(bytes: Buffer, length: number): Promise<Buffer<ArrayBuffer>> {
  const larger = Buffer.allocUnsafeSlow(length);
  for (let start = 0; start < bytes.length; start += COPIED_BYTES) {
    if (start > 0) await yieldToEventLoop();
    larger.set(bytes.subarray(start, start + COPIED_BYTES), start);
  }
  return larger;
}

function tooSlow({ bytes, ms }: Pace): AppError {
  return new AppError('VALIDATION_ERROR', `the body came too slowly: under ${bytes} bytes in ${ms} ms`);
}

function tooLarge(maxBytes: number): AppError {
  return new AppError(
    'VALIDATION_ERROR',
    `the body is larger than the limit of ${maxBytes} bytes of this endpoint`,
  );
}
