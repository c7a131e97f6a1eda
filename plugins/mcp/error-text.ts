import type { AppError } from '../../src/plugin.ts';

/** The largest number of faults that a text lists. */
const MAX_FAULTS = 20;

/** The ends of texts that say what to do, for errors whose message does not. */
const ADVICE: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'send the header Authorization: Bearer <API key>',
  NOT_FOUND: 'check the id, which find_documents and list_templates return',
  RATE_LIMITED: 'wait a few seconds and try again',
  UNAVAILABLE: 'try again later',
  INTERNAL_ERROR: 'try again, and ask the operator of the service if it fails again',
  USAGE_LIMIT_EXCEEDED: 'ask the owner of the account for a larger plan',
};

/**
 * Writes an error as one sentence that names all faults and says what to do. Never contains a stack.
 */
export function errorText({ code, message, details }: AppError): string {
  const advice = details.some((detail) => detail.code === 'MISSING_SCOPE')
    ? 'use a key that has it'
    : ADVICE[code];
  const end = advice === undefined || message.includes(advice) ? '' : `; ${advice}`;
  if (details.length < 2) return message + end;
  const listed = details.slice(0, MAX_FAULTS).map(({ path, message: fault }) => named(path, fault));
  const omitted = details.length - listed.length;
  const rest = omitted > 0 ? `; and ${omitted} more` : '';
  return `${details.length} faults: ${[...new Set(listed)].join('; ')}${rest}${end}`;
}

function named(path: string, message: string): string {
  return path === '' || message.includes(path) ? message : `${path}: ${message}`;
}
