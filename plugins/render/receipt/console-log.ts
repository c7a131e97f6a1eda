import { addBounded, emptyList, type Bounded, type ConsoleEntry, type UncaughtException } from './receipt.ts';
import type { PageSession } from '../browser/page-session.ts';

const MAX_ENTRIES = 30;
const MAX_TEXT_CHARACTERS = 300;

/** After this many events of a document, its further events are ignored. */
const MAX_EVENTS = 1_000;

const LEVELS: Readonly<Record<string, ConsoleEntry['level']>> = {
  error: 'error',
  assert: 'error',
  warning: 'warning',
};

/** Records the console warnings, console errors and uncaught exceptions of a browser page. */
export class ConsoleLog {
  #console: Bounded<ConsoleEntry> = emptyList();
  #exceptions: Bounded<UncaughtException> = emptyList();
  #events = 0;

  readonly #session: PageSession;

  constructor(session: PageSession) {
    this.#session = session;
  }

  async start(): Promise<void> {
    this.#session.on('Runtime.consoleAPICalled', ({ type, args }) => {
      this.#countEvent();
      const level = LEVELS[type];
      if (level)
        addBounded(this.#console, { level, text: truncate(args.map(textOf).join(' ')) }, MAX_ENTRIES);
    });
    this.#session.on('Runtime.exceptionThrown', ({ exceptionDetails }) => {
      this.#countEvent();
      const { text, exception, lineNumber, columnNumber } = exceptionDetails;
      // The first line of the description is the message; the others are the stack, which includes the
      // service's own scripts.
      const firstLine = exception ? textOf(exception).split('\n')[0] : undefined;
      const message = truncate(firstLine ? `${text} ${firstLine}` : text);
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

  /** Forgets the records of the last document, and resumes recording. */
  async reset(): Promise<void> {
    this.#console = emptyList();
    this.#exceptions = emptyList();
    const isPaused = this.#events >= MAX_EVENTS;
    this.#events = 0;
    if (isPaused) await this.#session.send('Runtime.enable');
  }

  #countEvent(): void {
    this.#events += 1;
    // The page may be closed.
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

function truncate(text: string): string {
  return text.length > MAX_TEXT_CHARACTERS ? `${text.slice(0, MAX_TEXT_CHARACTERS)}…` : text;
}
