import { invalid } from '../errors.ts';

const HEADER = 'Idempotency-Key';
const MAX_CHARACTERS = 255;

/**
 * Reads the header `Idempotency-Key`. Returns `null` if the request does not have it.
 * @throws {AppError} VALIDATION_ERROR that names the header
 */
export function readIdempotencyKey(headers: Headers): string | null {
  const key = headers.get(HEADER);
  if (key === null) return null;
  if (key.length > MAX_CHARACTERS || !/^[\x20-\x7e]+$/.test(key))
    throw invalid(HEADER, `must be 1 to ${MAX_CHARACTERS} printable ASCII characters`);
  return key;
}
