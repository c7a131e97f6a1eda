import { invalid, type RawJson } from '../../src/plugin.ts';

/** The largest JSON that a tool returns; more would fill the context of an agent and delay other callers. */
const MAX_RESULT_BYTES = 500_000;

/**
 * Parses the result that a service has read from a PDF.
 * @throws {AppError} VALIDATION_ERROR for the argument `field`, with advice, if it is too long
 */
export function parseResult({ text, sizeBytes }: RawJson, field: string, advice: string): object {
  if (sizeBytes > MAX_RESULT_BYTES)
    throw invalid(field, `has a result of more than ${MAX_RESULT_BYTES} bytes: ${advice}`);
  return JSON.parse(text) as object;
}
