import { untilAborted } from '@platen/runtime';

export interface BodyLimits {
  maxBytes: number;
  /** Ends the reading. */
  signal: AbortSignal;
}

/**
 * Reads the body of a response; `undefined` if it has more than `maxBytes` bytes. A body that is not read to
 * its end is canceled.
 * @throws the reason of the signal when it aborts, and the error of a connection that breaks
 */
export async function readBounded(
  response: Response,
  { maxBytes, signal }: BodyLimits,
): Promise<Buffer | undefined> {
  const reader = response.body?.getReader();
  if (!reader) return Buffer.alloc(0);
  try {
    const chunks: Uint8Array[] = [];
    for (let bytes = 0; ;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return Buffer.concat(chunks, bytes);
      bytes += value.byteLength;
      if (bytes > maxBytes) return undefined;
      chunks.push(value);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
