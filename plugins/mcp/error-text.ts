import type { AppError, ErrorDetail } from '../../src/plugin.ts';

/** The largest number of faults that a text lists. */
const MAX_FAULTS = 10;

/** The ends of texts that say what to do, for errors whose message does not. */
const ADVICE: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'send the header Authorization: Bearer <API key>',
  RATE_LIMITED: 'wait a few seconds and try again',
  UNAVAILABLE: 'try again later',
  INTERNAL_ERROR: 'try again, and ask the operator of the service if it fails again',
  USAGE_LIMIT_EXCEEDED: 'ask the owner of the account for a larger plan',
};

/**
 * Writes an error as one sentence that names all faults and says what to do. Never contains a stack.
 */
export function errorText({ code, message, details }: AppError): string {
  const advice = adviceOn(code, message, details);
  const end = advice === undefined || message.includes(advice) ? '' : `; ${advice}`;
  const faults = distinct(details);
  if (faults.length < 2) return message + end;
  const omitted = faults.length - MAX_FAULTS;
  const rest = omitted > 0 ? `; and ${omitted} more` : '';
  return `${faults.length} faults: ${describeFaults(faults.slice(0, MAX_FAULTS))}${rest}${end}`;
}

function adviceOn(code: string, message: string, details: readonly ErrorDetail[]): string | undefined {
  if (details.some((detail) => detail.code === 'MISSING_SCOPE')) return 'use a key that has it';
  if (code !== 'NOT_FOUND') return ADVICE[code];
  return message.startsWith('template') || message.includes('tmpl_')
    ? 'list_templates lists the ids of templates'
    : 'find_documents lists the ids of documents';
}

/** Describes faults in the order of their messages. Fields with the same fault share one description. */
function describeFaults(faults: readonly ErrorDetail[]): string {
  return [...Map.groupBy(faults, ({ message }) => message)]
    .map(([message, same]) => {
      const paths = same.filter((fault) => !isNamed(fault)).map(({ path }) => path);
      return paths.length === 0 ? message : `${paths.join(', ')}: ${message}`;
    })
    .join('; ');
}

/** Tells whether the message has the place. A fault of the document has a code, and names its variable. */
function isNamed({ path, code, message }: ErrorDetail): boolean {
  return path === '' || (code !== undefined && message.includes(path));
}

function distinct(faults: readonly ErrorDetail[]): ErrorDetail[] {
  const keyOf = (fault: ErrorDetail) => (isNamed(fault) ? '' : `${fault.path}: `) + fault.message;
  return [...new Map(faults.map((fault) => [keyOf(fault), fault])).values()];
}
