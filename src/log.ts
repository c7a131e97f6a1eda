import pino from 'pino';
import { escapeUnsafe, formatForTerminal } from './log-format.ts';
import { workContext } from './work-context.ts';

/** A structured logger. It writes to standard error, because standard output belongs to the CLI. */
export type Log = pino.Logger;

/** The levels of `LOG_LEVEL`, from the most verbose to none. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** The values of `LOG_FORMAT`: lines for people, or one JSON object per line. */
export const LOG_FORMATS = ['pretty', 'json'] as const;

/** The length of the lines that wait while standard error cannot be written. */
const MAX_WAITING_CHARACTERS = 1_000_000;

export interface LogOptions {
  level: (typeof LOG_LEVELS)[number];
  format?: (typeof LOG_FORMATS)[number];
}

/**
 * Creates the service's logger. Never pass callers' documents, data or keys to it. The redaction is a second
 * line of defence against headers and keys that a dependency attaches to an error.
 */
export function createLog({ level, format = 'json' }: LogOptions): Log {
  const destination = pino.destination({ fd: 2, sync: true, maxLength: MAX_WAITING_CHARACTERS });
  // A log on a full disk must not end the service. Lines wait up to the limit, and further ones are lost.
  destination.on('error', () => {});
  const colors = format === 'pretty' && process.stderr.isTTY && process.stderr.hasColors();
  const render = (line: string) =>
    format === 'pretty' ? formatForTerminal(line, { colors }) : `${escapeUnsafe(line.trimEnd())}\n`;
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
    { write: (line: string) => destination.write(render(line)) },
  );
}
