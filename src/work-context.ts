import { AsyncLocalStorage } from 'node:async_hooks';

/** Describes the request or job on whose behalf code runs. */
export interface WorkContext {
  /** The fields that identify the work on each of its log lines: `request_id`, or `job` and `record`. */
  log: Readonly<Record<string, string>>;
  /**
   * The account's id. For a caller without an account, the client's address; empty for work that belongs to
   * no account.
   */
  account: string;
  /** Whether the work was requested with a test key; absent for other work. */
  isTest?: boolean | undefined;
  /** Whether a caller waits for the result, or the work runs in the background. */
  urgency: 'caller' | 'batch';
  /**
   * The origin at which the caller reached the service, see `requestOrigin`; absent for work without a
   * request.
   */
  origin?: string | undefined;
  /** Aborts when the result is no longer wanted, such as when the caller disconnects. */
  signal: AbortSignal | undefined;
}

/**
 * Carries the {@link WorkContext} to everything that runs for a request or job; `undefined` outside of both.
 */
export const workContext = new AsyncLocalStorage<WorkContext>();
