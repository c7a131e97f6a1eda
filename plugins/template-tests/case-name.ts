import { invalid, notFound, type AppError } from '../../src/plugin.ts';

/** Printable in a path, a file name and a test report. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 _-]{0,63}$/;

/**
 * Checks the name of a new case.
 * @throws {AppError} VALIDATION_ERROR
 */
export function requireCaseName(name: string): void {
  if (!NAME.test(name) || name.endsWith(' '))
    throw invalid(
      'name',
      'must have 1 to 64 letters (A to Z, a to z), digits, spaces, - and _, begin with a letter or digit, and not end with a space',
    );
}

const MAX_SHOWN_CHARACTERS = 64;

/** Creates the error for a case that the template does not have. */
export function caseNotFound(name: string): AppError {
  return notFound(`case ${JSON.stringify(name.slice(0, MAX_SHOWN_CHARACTERS))}`);
}
