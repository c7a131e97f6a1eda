/** What the service sends to a sandbox process. It is answered by one {@link Reply}, in order. */
export interface Call {
  /** The URL of the module whose function is called; `undefined` for what the process does itself: `ping`, `collectGarbage`. */
  module: string | undefined;
  name: string;
  input: unknown;
}

/** What a sandbox process answers: the task's value, or what it threw. */
export type Reply = { ok: true; value: unknown } | { ok: false; message: string; stack: string | undefined };

/**
 * Checks that a message is a reply. A process that worked on hostile content is not trusted to keep to the protocol.
 * @throws {TypeError}
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
