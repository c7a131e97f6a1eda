import type { UnreadBody } from './body-kind.ts';
import { parseMultipart, readBoundary, type Part } from './multipart.ts';

/**
 * Reads a multipart/form-data body (RFC 7578) as the list of its parts, for kinds of bodies whose fields have
 * any name and may be repeated. Accepts what clients of other services send: text before the first boundary
 * and after the last, every charset, and transfer encodings that change no byte.
 * @throws {AppError} VALIDATION_ERROR for a body that is malformed or has more than 1,000 parts
 */
export async function readFormParts(body: UnreadBody): Promise<Part[]> {
  const boundary = readBoundary(body.headers.get('content-type') ?? '');
  return parseMultipart(await body.bytes(), boundary, { isTolerant: true });
}
