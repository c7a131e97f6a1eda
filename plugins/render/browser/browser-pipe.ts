import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';
import { FILE_LIMITS, IncomingMessage, type Message, type MessageLimits } from './browser-message.ts';
import { CommandWriter } from './command-writer.ts';
import { DirectSession } from './page-session.ts';

/** The limits of the messages from a browser. Documents determine the size and number of most messages. */
export interface PipeLimits extends MessageLimits {
  /** Console messages and exceptions per document. Further ones are dropped unread. */
  consoleEvents: number;
  /** Events per document, including dropped ones. */
  events: number;
}

/** More than a document to print needs. Together, the limits keep the service's memory small. */
export const PIPE_LIMITS: PipeLimits = {
  eventBytes: 256 * 1024,
  // Apart from PDFs, the longest response is the markup of a component. Escaping can double its length.
  responseBytes: 48 * 1024 * 1024,
  // A larger PDF is read as a stream: see `large-pdf.ts`.
  pdfBytes: 8 * 1024 * 1024,
  imageBytes: 32 * 1024 * 1024,
  consoleEvents: 2_000,
  events: 50_000,
};

/** Called when a browser page exceeds a limit. */
export type OnExcess = (excess: 'long message' | 'too many events') => void;

/**
 * Ends subscriptions that Playwright makes for each page. The renderer subscribes on a separate session, so
 * the browser would send each event twice.
 */
const UNUSED_SUBSCRIPTIONS = [
  { method: 'Runtime.disable' },
  { method: 'Log.disable' },
  { method: 'Network.disable' },
  { method: 'Page.setLifecycleEventsEnabled', params: { enabled: false } },
  // Otherwise workers and frames of other origins would send events, and their scripts would wait for
  // Playwright.
  {
    method: 'Target.setAutoAttach',
    params: { autoAttach: false, waitForDebuggerOnStart: false, flatten: true },
  },
];

/** How long messages are read before other work gets a turn. */
const TURN_MS = 5;

/** Garbage is collected each time this many bytes have been read. */
const COLLECT_BYTES = 32 * 1024 * 1024;

/** Commands that reset the counts of a session. */
const BEGINS_DOCUMENT = new Set(['Page.setDocumentContent', 'Page.navigate', 'Runtime.enable']);

/** The number of events that a session has sent for its current document. */
interface Counts {
  console: number;
  all: number;
}

/**
 * Connects Playwright to a browser that was started with `--remote-debugging-pipe`. Each message is JSON that
 * ends in a null byte.
 *
 * Each message is limited in bytes while it arrives, before it is stored or parsed. The number of messages
 * per document is limited too. PDFs and images are decoded from base64 as they arrive: `Page.printToPDF` and
 * `Page.captureScreenshot` return their `data` as a `Buffer`. Source of the framing:
 * `content/browser/devtools/devtools_pipe_handler.cc` of Chromium.
 */
export class BrowserPipe implements ConnectOverCDPTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #input: Readable;
  readonly #writer: CommandWriter;
  readonly #limits: PipeLimits;
  readonly #onClose: () => void;
  readonly #onEnd: () => void;
  #incoming: IncomingMessage | undefined;
  #closed = false;
  #turnMs = 0;
  #garbageBytes = 0;
  /** The pipe's own commands, and those of direct sessions, have negative ids. */
  #lastOwnId = 0;
  /** The limits of the files that commands return, by the ids of the commands. */
  readonly #fileLimits = new Map<number, number>();
  readonly #counts = new Map<string, Counts>();
  /** Sessions whose console messages, or all of whose events, are dropped. */
  readonly #muted = new Map<string, 'console' | 'all'>();
  readonly #watchers = new Map<string, OnExcess>();
  /** The target by session. */
  readonly #targets = new Map<string, string>();
  /** Playwright's session of each page, by the page's target. */
  readonly #pageSessions = new Map<string, string>();
  /** The sessions whose messages do not pass through Playwright, by their ids. */
  readonly #direct = new Map<string, DirectSession>();

  /**
   * @param parts.onClose is called when Playwright closes the connection
   * @param parts.onEnd is called when the browser has ended, before its sessions end
   */
  constructor(parts: {
    input: Readable;
    output: Writable;
    limits?: PipeLimits;
    onClose: () => void;
    onEnd?: () => void;
  }) {
    this.#input = parts.input;
    this.#writer = new CommandWriter(parts.output);
    this.#limits = parts.limits ?? PIPE_LIMITS;
    this.#onClose = parts.onClose;
    this.#onEnd = parts.onEnd ?? (() => {});
    // A write to a browser that has ended fails. The end of the input reports that the browser has ended.
    parts.output.on('error', () => {});
    parts.input.on('error', () => this.#end());
    parts.input.on('close', () => this.#end());
    parts.input.on('data', (chunk: Buffer) => this.#receiveInTurn(chunk));
  }

  send(message: object): void {
    const { id, method, params, sessionId } = message as Message;
    const limit = method === undefined ? undefined : FILE_LIMITS[method];
    if (limit !== undefined && id !== undefined) this.#fileLimits.set(id, this.#limits[limit]);
    else if (sessionId && method !== undefined && BEGINS_DOCUMENT.has(method)) this.#restartCounts(sessionId);
    else if (method === 'Target.attachToTarget') this.#endSubscriptions(String(params?.['targetId']));
    this.#write(message);
  }

  close(): void {
    this.#onClose();
  }

  /** Calls `onExcess` when a browser page exceeds a limit, until the returned function is called. */
  watch(targetId: string, onExcess: OnExcess): () => void {
    this.#watchers.set(targetId, onExcess);
    return () => this.#watchers.delete(targetId);
  }

  /**
   * Takes over the session of a page that Playwright opened last. No command of the session may be running.
   * From now on, its messages do not pass through Playwright, which gets no events of the page either: the
   * caller closes its dialogs and blocks its service workers.
   */
  takeOver(targetId: string): DirectSession {
    const sessions = [...this.#targets].flatMap(([id, target]) => (target === targetId ? [id] : []));
    const sessionId = sessions.findLast((id) => id !== this.#pageSessions.get(targetId));
    if (sessionId === undefined) throw new Error(`the page ${targetId} has no session`);
    const session = new DirectSession((command) => {
      this.#lastOwnId -= 1;
      this.send({ id: this.#lastOwnId, ...command, sessionId });
      return this.#lastOwnId;
    });
    this.#direct.set(sessionId, session);
    const unused = this.#pageSessions.get(targetId);
    if (unused !== undefined) this.#writeOwn({ method: 'Page.disable', sessionId: unused });
    return session;
  }

  closeBrowser(): void {
    this.#writeOwn({ method: 'Browser.close' });
  }

  #write(message: object): void {
    if (!this.#closed) this.#writer.write(message);
  }

  /** Sends a command whose response is dropped. */
  #writeOwn(message: Message): void {
    this.#lastOwnId -= 1;
    this.#write({ ...message, id: this.#lastOwnId });
  }

  #endSubscriptions(targetId: string): void {
    const sessionId = this.#pageSessions.get(targetId);
    if (sessionId === undefined) return;
    this.#counts.delete(sessionId);
    for (const command of UNUSED_SUBSCRIPTIONS) this.#writeOwn({ ...command, sessionId });
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onEnd();
    for (const session of this.#direct.values()) session.end();
    this.#direct.clear();
    this.onclose?.();
  }

  /**
   * Reads for a few milliseconds at a time, so that a page that floods the pipe does not block other work.
   */
  #receiveInTurn(chunk: Buffer): void {
    const startedAt = performance.now();
    this.#receive(chunk);
    this.#collectGarbage(chunk.length);
    this.#turnMs += performance.now() - startedAt;
    if (this.#turnMs < TURN_MS) return;
    this.#turnMs = 0;
    this.#input.pause();
    setTimeout(() => this.#input.resume(), 1);
  }

  /**
   * Collects the chunks that have been read. The collector does not count their memory and would run too
   * late.
   */
  #collectGarbage(bytes: number): void {
    this.#garbageBytes += bytes;
    if (this.#garbageBytes < COLLECT_BYTES) return;
    this.#garbageBytes = 0;
    Bun.gc(false);
  }

  #receive(chunk: Buffer): void {
    for (let start = 0; ;) {
      const end = chunk.indexOf(0, start);
      const piece = chunk.subarray(start, end < 0 ? undefined : end);
      if (piece.length > 0) this.#take(piece);
      if (end < 0) return;
      this.#finish();
      start = end + 1;
    }
  }

  #take(piece: Buffer): void {
    this.#incoming ??= new IncomingMessage(this.#limits, (id) => this.#fileLimits.get(id));
    this.#incoming.take(piece);
  }

  #finish(): void {
    const incoming = this.#incoming;
    this.#incoming = undefined;
    if (!incoming) return;
    if (this.#isMuted(incoming)) return this.#count(incoming.sessionId ?? '', incoming.method ?? '');
    if (incoming.isTooLong && incoming.id === undefined) this.#tell(incoming.sessionId ?? '', 'long message');
    const message = incoming.read();
    if (message) this.#deliver(message);
  }

  #tell(sessionId: string, excess: Parameters<OnExcess>[0]): void {
    this.#watchers.get(this.#targets.get(sessionId) ?? '')?.(excess);
  }

  #isMuted({ method, sessionId = '' }: IncomingMessage): boolean {
    if (this.#muted.size === 0 || method === undefined) return false;
    const muted = this.#muted.get(sessionId);
    return muted === 'all' || (muted === 'console' && isConsole(method));
  }

  #deliver(message: Message): void {
    const { id, method, params, sessionId } = message;
    if (id !== undefined) this.#fileLimits.delete(id);
    if (method === 'Target.attachedToTarget') this.#noteSession(params, sessionId === undefined);
    else if (method === 'Target.detachedFromTarget') this.#noteEnd(String(params?.['sessionId']));
    const direct = sessionId === undefined ? undefined : this.#direct.get(sessionId);
    if (direct) direct.receive(message);
    else if (id === undefined || id >= 0) this.onmessage?.(message);
    if (method !== undefined && sessionId !== undefined) this.#count(sessionId, method);
  }

  #noteSession(params: Message['params'], isPlaywrights: boolean): void {
    const { targetId } = (params?.['targetInfo'] ?? {}) as { targetId?: string };
    if (targetId === undefined) return;
    const sessionId = String(params?.['sessionId']);
    this.#targets.set(sessionId, targetId);
    if (isPlaywrights) this.#pageSessions.set(targetId, sessionId);
  }

  #noteEnd(sessionId: string): void {
    const targetId = this.#targets.get(sessionId);
    if (targetId !== undefined && this.#pageSessions.get(targetId) === sessionId)
      this.#pageSessions.delete(targetId);
    this.#targets.delete(sessionId);
    this.#direct.get(sessionId)?.end();
    this.#direct.delete(sessionId);
    this.#counts.delete(sessionId);
    this.#muted.delete(sessionId);
  }

  #restartCounts(sessionId: string): void {
    this.#counts.set(sessionId, { console: 0, all: 0 });
    this.#muted.delete(sessionId);
  }

  #count(sessionId: string, method: string): void {
    const counts = this.#counts.get(sessionId);
    if (!counts) return;
    counts.all += 1;
    if (isConsole(method)) counts.console += 1;
    if (counts.console > this.#limits.consoleEvents && counts.all <= this.#limits.events)
      this.#muted.set(sessionId, 'console');
    if (counts.all !== this.#limits.events + 1) return;
    this.#muted.set(sessionId, 'all');
    this.#tell(sessionId, 'too many events');
  }
}

function isConsole(method: string | undefined): boolean {
  return method === 'Runtime.consoleAPICalled' || method === 'Runtime.exceptionThrown';
}
