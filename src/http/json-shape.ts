import { AppError } from '../errors.ts';

/** Deeper values cannot be handed to the sandbox, and no document needs them. */
const MAX_DEPTH = 100;
const MAX_VALUES = 1_000_000;

/**
 * Refuses JSON that would hold up the service although it is small: nested too deeply to be handed to the sandbox, or made of
 * millions of values. Call it with what was seen so far. @throws {AppError} VALIDATION_ERROR
 */
export function requireSaneCounts(
  { depth, values }: { depth: number; values: number },
  maxValues = MAX_VALUES,
): void {
  if (depth > MAX_DEPTH)
    throw new AppError('VALIDATION_ERROR', `the body is nested deeper than ${MAX_DEPTH} levels`);
  if (values > maxValues)
    throw new AppError('VALIDATION_ERROR', `the body holds more than ${maxValues} values`);
}
