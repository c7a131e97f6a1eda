import pino from 'pino';
import { workContext } from './work-context.ts';

/** A structured logger: one JSON object a line on standard error, so that standard output stays the CLI's. */
export type Log = pino.Logger;

/** The levels of `LOG_LEVEL`, from the loudest to none. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * Makes the service's logger. Callers' documents, data and keys are never passed to it;
 * the redaction below is the second line, for a header or key that a dependency attaches to an error.
 */
export function createLog(level: (typeof LOG_LEVELS)[number]): Log {
  return pino(
    {
      level,
      base: null,
      mixin: () => ({ ...workContext.getStore()?.log }),
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: ['*.authorization', '*.headers', '*.key', '*.secret', '*.password'],
        censor: '[redacted]',
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
