import { EventEmitter } from 'node:events';
import type { CDPSession } from 'playwright-core';
import type { Message } from './browser-message.ts';

/** Sends commands to a browser page and reports its events. Playwright's `CDPSession` also does. */
export type PageSession = Pick<CDPSession, 'send' | 'on' | 'once' | 'off'>;

/** A command without the fields that route it. */
export type Command = Required<Pick<Message, 'method'>> & Pick<Message, 'params'>;

interface Waiting {
  method: string;
  resolve: (result: never) => void;
  reject: (error: Error) => void;
}

/**
 * A session whose messages do not pass through Playwright. Playwright validates each of them, notes its stack
 * and takes two turns of the event loop for it, which costs more than the rest of a short command.
 */
export class DirectSession implements PageSession {
  readonly #events = new EventEmitter();
  readonly #write: (command: Command) => number;
  readonly #waiting = new Map<number, Waiting>();
  #hasEnded = false;

  /** @param write sends a command of the session to the browser, and returns its id */
  constructor(write: (command: Command) => number) {
    this.#write = write;
    this.#events.setMaxListeners(0);
  }

  on: PageSession['on'] = this.#listenerChange('on');
  once: PageSession['once'] = this.#listenerChange('once');
  off: PageSession['off'] = this.#listenerChange('off');

  /** @throws {Error} for an error of the browser, and when the session ends first */
  send: PageSession['send'] = (method, params) =>
    new Promise((resolve, reject) => {
      if (this.#hasEnded) return reject(failure(method, 'the session of the page has ended'));
      const id = this.#write({ method, ...(params && { params }) });
      this.#waiting.set(id, { method, resolve, reject });
    });

  /** Takes a message of the session: a response or an event. */
  receive({ id, method, params, result, error }: Message): void {
    if (id === undefined) {
      if (method !== undefined) this.#events.emit(method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(failure(waiting.method, error.message));
    else waiting?.resolve(result as never);
  }

  /** Rejects the commands without a response, and all later ones. */
  end(): void {
    this.#hasEnded = true;
    for (const { method, reject } of this.#waiting.values())
      reject(failure(method, 'the session of the page has ended'));
    this.#waiting.clear();
  }

  #listenerChange(way: 'on' | 'once' | 'off') {
    return (event: string | symbol, listener: (payload: never) => unknown): never => {
      this.#events[way](event, listener as () => void);
      // Playwright's types return a whole `CDPSession`.
      return this as never;
    };
  }
}

function failure(method: string, message: string): Error {
  return new Error(`Protocol error (${method}): ${message}`);
}
