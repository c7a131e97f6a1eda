import type { CDPSession } from 'playwright-core';
import { addBounded, emptyList, type Bounded, type ConsoleEntry, type UncaughtException } from './receipt.ts';

const MAX_ENTRIES = 30;
const MAX_TEXT_CHARACTERS = 300;

/** A page that says more than this is not listened to until its next document. */
const MAX_EVENTS = 1_000;

const LEVELS: Readonly<Record<string, ConsoleEntry['level']>> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
};

/** Notes what the scripts of a page write to the console as warnings and errors, and what they throw and nobody catches. */
export class ConsoleLog {
  #console: Bounded<ConsoleEntry> = emptyList();
  #exceptions: Bounded<UncaughtException> = emptyList();
  #events = 0;

  readonly #session: CDPSession;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Begins to listen. */
  async follow(): Promise<void> {
    this.#session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      this.#bound();
      const level = LEVELS[type];
      if (level) addBounded(this.#console, { level, text: cut(args.map(textOf).join(' ')) }, MAX_ENTRIES);
    });
    this.#session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      this.#bound();
      const { text, exception, lineNumber, columnNumber } = exceptionDetails;
      // The description is the error with its stack, whose lines below the first name what is the service's own.
      const said = exception ? textOf(exception).split('\n')[0] : undefined;
      const message = cut(said ? `${text} ${said}` : text);
      addBounded(this.#exceptions, { message, line: lineNumber + 1, column: columnNumber + 1 }, MAX_ENTRIES);
    });
    await this.#session.send('Runtime.enable');
  }

  get console(): Bounded<ConsoleEntry> {
    return this.#console;
  }

  get exceptions(): Bounded<UncaughtException> {
    return this.#exceptions;
  }

  /** Forgets what the last document said, and listens again. */
  async reset(): Promise<void> {
    this.#console = emptyList();
    this.#exceptions = emptyList();
    const deaf = this.#events >= MAX_EVENTS;
    this.#events = 0;
    if (deaf) await this.#session.send('Runtime.enable');
  }

  #bound(): void {
    this.#events += 1;
    // The page may be gone by now.
    if (this.#events === MAX_EVENTS) this.#session.send('Runtime.disable').catch(() => {});
  }
}

function textOf(value: {
  value?: unknown;
  unserializableValue?: string;
  description?: string;
  type: string;
}): string {
  if (typeof value.value === 'string') return value.value;
  return value.description ?? value.unserializableValue ?? JSON.stringify(value.value) ?? value.type;
}

function cut(text: string): string {
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text;
}
