import type { CDPSession } from 'playwright-core';
import { redactUrl } from './redact-url.ts';

/** Streams that never end by themselves; a document is not waited for because of them. */
const ENDLESS = new Set(['EventSource', 'WebSocket', 'Ping', 'Media']);

/** Knows what a page has asked the network for and not yet got. */
export class PendingRequests {
  readonly #urls = new Map<string, string>();
  #changed = Promise.withResolvers<void>();
  #sawFrame = false;
  #refusedAny = false;

  readonly #session: CDPSession;

  constructor(session: CDPSession) {
    this.#session = session;
  }

  /** Refuses every request before it leaves the page; data: URIs are no requests. */
  async refuseAll(): Promise<void> {
    this.#session.on('Fetch.requestPaused', ({ requestId }) => {
      this.#refusedAny = true;
      // The page may be gone by now.
      this.#session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {});
    });
    await this.#session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  /** Follows requests from their start to their end. */
  async follow(): Promise<void> {
    this.#session.on('Network.requestWillBeSent', ({ requestId, request, type }) => {
      if (request.url.startsWith('data:') || request.url.startsWith('blob:')) return;
      if (type === 'Document') this.#sawFrame = true;
      if (!ENDLESS.has(type ?? '')) this.#urls.set(requestId, redactUrl(request.url));
    });
    this.#session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId));
    this.#session.on('Network.loadingFailed', ({ requestId }) => this.#end(requestId));
    await this.#session.send('Network.enable');
  }

  /** True when the page tried to reach the network although it has none. */
  get refusedAny(): boolean {
    return this.#refusedAny;
  }

  /** True when a frame was loaded from the network: its origin may have left something in the context's storage. */
  get sawFrame(): boolean {
    return this.#sawFrame;
  }

  get urls(): string[] {
    return [...this.#urls.values()];
  }

  /** Waits until nothing is under way. True when there was something to wait for, so that the page may have changed since. */
  async wait(): Promise<boolean> {
    if (this.#urls.size === 0) return false;
    while (this.#urls.size > 0) await this.#changed.promise;
    return true;
  }

  /** Forgets what the last document did. */
  reset(): void {
    this.#urls.clear();
    this.#sawFrame = false;
    this.#refusedAny = false;
  }

  #end(requestId: string): void {
    if (!this.#urls.delete(requestId)) return;
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
