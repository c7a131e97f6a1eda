/** A request from the service to a sandbox process. The process sends one {@link Reply} to each, in order. */
export interface Call {
  /**
   * The URL of the module that exports the function; `undefined` for the functions of the process itself,
   * `ping` and `collectGarbage`.
   */
  module: string | undefined;
  name: string;
  input: unknown;
}

/** The result of a call: the value that the function returned, or the error that it threw. */
export type Reply = { ok: true; value: unknown } | { ok: false; message: string; stack: string | undefined };

/**
 * Checks that a message is a reply, because a process that reads hostile content is not trusted.
 * @throws {TypeError} if it is not.
 */
export function asReply(message: unknown): Reply {
  if (typeof message === 'object' && message !== null && 'ok' in message) {
    if (message.ok === true && 'value' in message) return { ok: true, value: message.value };
    if (message.ok === false && 'message' in message && typeof message.message === 'string') {
      const stack = 'stack' in message && typeof message.stack === 'string' ? message.stack : undefined;
      return { ok: false, message: message.message, stack };
    }
  }
  throw new TypeError('a sandbox process sent something other than a reply');
}
