import { AppError } from '../../src/plugin.ts';

/**
 * Renames the fields in an error of a service to the arguments of a tool. `rename` gets a path, or a message
 * that begins with one.
 */
export function renameFields(error: unknown, rename: (text: string) => string): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, message, cause, retryAfterSeconds } = error;
  return new AppError(code, rename(message), {
    details: error.details.map((detail) => ({ ...detail, path: rename(detail.path) })),
    cause,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}
