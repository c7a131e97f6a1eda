import { invalid } from '../../src/plugin.ts';

/** How long a key identifies the batch that was accepted with it. */
export const KEY_LIFETIME_MS = 24 * 60 * 60_000;

const NAME = 'Idempotency-Key';
const MAX_CHARACTERS = 255;

/**
 * Reads the key of a request. Returns `null` if the header is missing. The keys of test keys are separate, so
 * that a repeated request never returns a test batch in place of a batch, or the reverse.
 * @throws {AppError} VALIDATION_ERROR that names the header
 */
export function readIdempotencyKey(headers: Headers, { isTest }: { isTest: boolean }): string | null {
  const header = headers.get(NAME);
  if (header === null) return null;
  const key = decode(header);
  // oxlint-disable-next-line no-control-regex -- rejects control characters
  if (key.length === 0 || key.length > MAX_CHARACTERS || /[\u0000-\u001f\u007f-\u009f]/.test(key))
    throw invalid(NAME, `must be 1 to ${MAX_CHARACTERS} characters without control characters`);
  // The key of a caller has no line break.
  return isTest ? `test\n${key}` : key;
}

/** Decodes a header, which has one character per byte, as UTF-8. Other encodings stay as they are. */
function decode(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    return header;
  }
}
