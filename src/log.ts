import pino from 'pino';
import { workContext } from './work-context.ts';

/** A structured logger. It writes one JSON object per line to standard error, because standard output belongs to the CLI. */
export type Log = pino.Logger;

/** The levels of `LOG_LEVEL`, from the most verbose to none. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/**
 * Creates the service's logger. Never pass callers' documents, data or keys to it. The redaction is a second line of defence against headers
 * and keys that a dependency attaches to an error.
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
