import { AppError } from '../../../src/plugin.ts';
import type { Session } from '../collections.ts';

/**
 * How long after a sign-in or a confirmation a session may take actions that outlast it, such as adding a
 * passkey.
 */
const CONFIRMED_MS = 5 * 60_000;

/**
 * Requires that the person of a session signed in or confirmed their identity within the last five minutes.
 * @throws {AppError} FORBIDDEN, with `CONFIRMATION_REQUIRED` in the details
 */
export function requireConfirmed({ createdAt, confirmedAt = createdAt }: Session): void {
  if (Date.now() - confirmedAt < CONFIRMED_MS) return;
  const message = 'must be confirmed again with the password or a passkey';
  throw new AppError('FORBIDDEN', `the session ${message}`, {
    details: [{ path: 'session', code: 'CONFIRMATION_REQUIRED', message }],
  });
}
