import type { Readable, Writable } from 'node:stream';
import type { ConnectOverCDPTransport } from 'playwright-core';
import { IncomingMessage, type Message, type MessageLimits } from './browser-message.ts';
import { CommandWriter } from './command-writer.ts';

/** How much of what a browser sends reaches the service. A page decides the size and number of most messages. */
export interface PipeLimits extends MessageLimits {
  /** Console messages and exceptions of one document; further ones are dropped unread. */
  consoleEvents: number;
  /** All events of one document, dropped ones included. */
  events: number;
}

/** More than any document needs that is meant to be printed; together they keep the service's memory small. */
export const PIPE_LIMITS: PipeLimits = {
  eventBytes: 256 * 1024,
  // The markup of a component is the longest response besides PDFs; escaping may double it.
  responseBytes: 48 * 1024 * 1024,
  // A larger PDF is fetched in pieces, when there is memory for it: see `large-pdf.ts`.
  pdfBytes: 8 * 1024 * 1024,
  consoleEvents: 2_000,
  events: 50_000,
};

/** Told when a page sends more than its limits: one message that is too long, or too many events. */
export type OnExcess = (excess: 'long message' | 'too many events') => void;

/**
 * Playwright subscribes each page to all of these. The renderer reads them on a session of its own, so each event would be sent and
 * parsed twice.
 */
const UNUSED_SUBSCRIPTIONS = [
  { method: 'Runtime.disable' },
  { method: 'Log.disable' },
  { method: 'Network.disable' },
  { method: 'Page.setLifecycleEventsEnabled', params: { enabled: false } },
  // Workers and frames of other origins: their events would come unasked, and their scripts wait for Playwright.
  {
    method: 'Target.setAutoAttach',
    params: { autoAttach: false, waitForDebuggerOnStart: false, flatten: true },
  },
];

/** How long messages are read before other work of the service has its turn. */
const TURN_MS = 5;

/** How much is read until garbage is collected. */
const COLLECT_BYTES = 32 * 1024 * 1024;

/** Commands after which a session counts from zero. */
const BEGINS_DOCUMENT = new Set(['Page.setDocumentContent', 'Runtime.enable']);

/** How many events a session has sent for its present document. */
interface Counts {
  console: number;
  all: number;
}

/**
 * Connects Playwright to a browser that was started with `--remote-debugging-pipe`: JSON messages that end in a null byte.
 *
 * Every message is limited in bytes while it arrives, before it is held or parsed, and so is the number of messages of a document: a
 * page decides both. PDFs are decoded from base64 as they arrive; `Page.printToPDF` gives a `Buffer` as `data`.
 * Source of the framing: `content/browser/devtools/devtools_pipe_handler.cc` of Chromium.
 */
export class BrowserPipe implements ConnectOverCDPTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #input: Readable;
  readonly #writer: CommandWriter;
  readonly #limits: PipeLimits;
  readonly #onClose: () => void;
  #incoming: IncomingMessage | undefined;
  #closed = false;
  #turnMs = 0;
  #garbageBytes = 0;
  #lastOwnId = 0;
  readonly #printIds = new Set<number>();
  readonly #counts = new Map<string, Counts>();
  /** Sessions of which console messages, or all events, are dropped. */
  readonly #muted = new Map<string, 'console' | 'all'>();
  readonly #watchers = new Map<string, OnExcess>();
  /** The target of each session. */
  readonly #targets = new Map<string, string>();
  /** Playwright's own session of each page, by the page's target. */
  readonly #pageSessions = new Map<string, string>();

  /** @param parts.onClose is called when Playwright closes the connection. */
  constructor(parts: { input: Readable; output: Writable; limits?: PipeLimits; onClose: () => void }) {
    this.#input = parts.input;
    this.#writer = new CommandWriter(parts.output);
    this.#limits = parts.limits ?? PIPE_LIMITS;
    this.#onClose = parts.onClose;
    // A browser that died cannot be written to; its end is told by the end of the input.
    parts.output.on('error', () => {});
    parts.input.on('error', () => this.#end());
    parts.input.on('close', () => this.#end());
    parts.input.on('data', (chunk: Buffer) => this.#receiveInTurn(chunk));
  }

  send(message: object): void {
    const { id, method, params, sessionId } = message as Message;
    if (method === 'Page.printToPDF' && id !== undefined) this.#printIds.add(id);
    else if (sessionId && method !== undefined && BEGINS_DOCUMENT.has(method)) this.#restartCounts(sessionId);
    else if (method === 'Target.attachToTarget') this.#endSubscriptions(String(params?.['targetId']));
    this.#write(message);
  }

  close(): void {
    this.#onClose();
  }

  /** Watches a page for messages beyond the limits, until the returned function is called. */
  watch(targetId: string, onExcess: OnExcess): () => void {
    this.#watchers.set(targetId, onExcess);
    return () => this.#watchers.delete(targetId);
  }

  /** Asks the browser to end in good order. */
  closeBrowser(): void {
    this.#writeOwn({ method: 'Browser.close' });
  }

  #write(message: object): void {
    if (!this.#closed) this.#writer.write(message);
  }

  /** Sends a command whose response is for nobody. */
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
    this.onclose?.();
  }

  /** Reads for some milliseconds at a time: a page that floods the pipe must not keep the service from other work. */
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

  /** Chunks that were read are garbage. The collector counts what objects hold, and sees their memory late. */
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
    this.#incoming ??= new IncomingMessage(this.#limits, (id) => this.#printIds.has(id));
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
    if (id !== undefined && id < 0) return;
    if (id !== undefined) this.#printIds.delete(id);
    if (method === 'Target.attachedToTarget') this.#noteSession(params, sessionId === undefined);
    else if (method === 'Target.detachedFromTarget') this.#noteEnd(String(params?.['sessionId']));
    this.onmessage?.(message);
    if (method !== undefined && sessionId !== undefined) this.#count(sessionId, method);
  }

  #noteSession(params: Message['params'], isOwnOfPlaywright: boolean): void {
    const { targetId } = (params?.['targetInfo'] ?? {}) as { targetId?: string };
    if (targetId === undefined) return;
    const sessionId = String(params?.['sessionId']);
    this.#targets.set(sessionId, targetId);
    if (isOwnOfPlaywright) this.#pageSessions.set(targetId, sessionId);
  }

  #noteEnd(sessionId: string): void {
    const targetId = this.#targets.get(sessionId);
    if (targetId !== undefined && this.#pageSessions.get(targetId) === sessionId)
      this.#pageSessions.delete(targetId);
    this.#targets.delete(sessionId);
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
