import { messageOf } from '../errors.ts';

/** The exit statuses of the commands that work with documents. `docs/command-line.md` explains them. */
export const EXIT_STATUS = {
  done: 0,
  /** The work is done, and it found differences, failed cases or a broken claim. */
  findings: 1,
  /** The command was used wrongly, or a file that it reads is missing or invalid. */
  usage: 2,
  /** The service cannot be reached, refuses the key, or failed. */
  service: 3,
  /** The document or its template has a fault. */
  document: 4,
  /** The command has a fault. */
  unexpected: 5,
} as const;

/** Signals that end a command, and the status with which a shell reports each. */
export const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Ends a command. The message is one sentence that says what to do; only the message is printed. */
export class CommandError extends Error {
  override name = 'CommandError';
  readonly exitStatus: number;
  /** The code of the service's error catalogue, or a code of the command line. */
  readonly code: string;
  readonly details: readonly unknown[];

  constructor(
    message: string,
    { exitStatus, code, details = [] }: { exitStatus: number; code: string; details?: readonly unknown[] },
  ) {
    super(message);
    this.exitStatus = exitStatus;
    this.code = code;
    this.details = details;
  }
}

/** An error in how the command was used, or in a file that it reads. */
export class UsageError extends CommandError {
  override name = 'UsageError';

  constructor(message: string) {
    super(message, { exitStatus: EXIT_STATUS.usage, code: 'USAGE' });
  }
}

/** The service cannot be reached, refuses the key, or failed. */
export class ServiceError extends CommandError {
  override name = 'ServiceError';

  constructor(message: string, code = 'UNAVAILABLE') {
    super(message, { exitStatus: EXIT_STATUS.service, code });
  }
}

/** The service refused a request because of its content: the document, the template or the options. */
export class DocumentError extends CommandError {
  override name = 'DocumentError';
  /** The status of the response, such as 404. */
  readonly httpStatus: number;

  constructor(
    message: string,
    { httpStatus, ...options }: { code: string; details: readonly unknown[]; httpStatus: number },
  ) {
    super(message, { exitStatus: EXIT_STATUS.document, ...options });
    this.httpStatus = httpStatus;
  }
}

/** Returns a failure as `--json` prints it. */
export function presentFailure({ code, message, details }: CommandError): object {
  return { error: { code, message, ...(details.length > 0 && { details }) } };
}

/** Describes an error that no part of a command expects, in one line. */
export function unexpectedFailure(error: unknown): CommandError {
  const message = `unexpected failure: ${messageOf(error).replaceAll(/\s+/g, ' ')}`;
  return new CommandError(message, { exitStatus: EXIT_STATUS.unexpected, code: 'UNEXPECTED' });
}
