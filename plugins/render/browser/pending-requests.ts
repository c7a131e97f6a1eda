import { withTimeout } from '@platen/runtime';
import { AssetRequests } from '../assets/asset-requests.ts';
import { isSiteUrl } from '../page/site.ts';
import { redactUrl } from './redact-url.ts';
import type { PageSession } from './page-session.ts';

/** Requests that may never end. Printing does not wait for them. */
const ENDLESS = new Set(['EventSource', 'WebSocket', 'Ping', 'Media']);

/** With at most this many pending requests, the network is almost idle. */
const ALMOST_IDLE = 2;

/** Tracks the pending network requests of a browser page. */
export class PendingRequests {
  readonly #urls = new Map<string, string>();
  /** The loader of the document that sent each request, by the id of the request. */
  readonly #loaders = new Map<string, string>();
  /** The loader of the current document of each frame, by the id of the frame. */
  readonly #current = new Map<string, string>();
  #changed = Promise.withResolvers<void>();
  #begun = 0;
  #sawFrame = false;
  #blockedAny = false;
  /** When a request last began or ended. */
  #changedAt = performance.now();
  /** When more requests than {@link ALMOST_IDLE} were last pending. */
  #busyAt = performance.now();

  readonly #session: PageSession;
  /** The requests for assets of the document's account. */
  readonly assets: AssetRequests;
  #interceptsAssets = false;

  constructor(session: PageSession) {
    this.#session = session;
    this.assets = new AssetRequests(session);
  }

  /** Blocks every request before it leaves the page, except those for assets. data: URIs are not requests. */
  async blockAll(): Promise<void> {
    const block = (requestId: string): void => {
      this.#blockedAny = true;
      // The page may be closed.
      this.#session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' }).catch(() => {});
    };
    const answerAsset = async (requestId: string, url: string, type: string): Promise<void> => {
      if (!(await this.assets.answerKnown(requestId, url, type))) block(requestId);
    };
    this.#session.on('Fetch.requestPaused', ({ requestId, request: { url }, resourceType }) => {
      if (this.assets.isAssetOfDocument(url)) void answerAsset(requestId, url, resourceType);
      else block(requestId);
    });
    await this.#session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  }

  /**
   * Answers the requests of an active page for assets. Other requests are not intercepted. `mainFrame` is the
   * id of the document's frame.
   */
  async interceptAssets(mainFrame: string): Promise<void> {
    if (this.#interceptsAssets) return;
    this.#interceptsAssets = true;
    this.#session.on('Fetch.requestPaused', ({ requestId, request, frameId }) => {
      if (!AssetRequests.isAsset(request.url)) return;
      void this.assets.answer({ requestId, url: request.url, isMainFrame: frameId === mainFrame });
    });
    await this.#session.send('Fetch.enable', { patterns: AssetRequests.patterns });
  }

  /** Tracks requests from start to end. */
  async track(): Promise<void> {
    this.#session.on('Network.requestWillBeSent', ({ requestId, loaderId, request, type }) => {
      if (request.url.startsWith('data:') || request.url.startsWith('blob:')) return;
      if (type === 'Document' && !isSiteUrl(request.url)) this.#sawFrame = true;
      this.#changedAt = performance.now();
      // Without a loader, the request is for the script of a worker, whose end Chromium reports only to the
      // worker.
      if (ENDLESS.has(type ?? '') || loaderId === '') return;
      this.#urls.set(requestId, redactUrl(request.url));
      this.#loaders.set(requestId, loaderId);
      this.#begun += 1;
    });
    this.#session.on('Page.frameNavigated', ({ frame: { id, loaderId } }) => {
      const previous = this.#current.get(id);
      this.#current.set(id, loaderId);
      if (previous !== loaderId) this.#endLoader(previous);
    });
    this.#session.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId));
    this.#session.on('Network.loadingFailed', ({ requestId }) => this.#end(requestId));
    await this.#session.send('Network.enable');
  }

  /** True when a request was blocked. */
  get blockedAny(): boolean {
    return this.#blockedAny;
  }

  /**
   * True when a frame was loaded from the network. Its origin may have left data in the context's storage.
   * The data of the origin of a document with files is removed separately.
   */
  get sawFrame(): boolean {
    return this.#sawFrame;
  }

  /** The number of requests that have begun. */
  get begun(): number {
    return this.#begun;
  }

  get urls(): string[] {
    return [...this.#urls.values()];
  }

  /**
   * Waits until no request is pending, or for at most `limitMs`. Returns true when it waited; then the
   * document may have changed.
   */
  async wait(limitMs?: number): Promise<boolean> {
    if (this.#urls.size === 0) return false;
    const until = limitMs === undefined ? undefined : performance.now() + limitMs;
    while (this.#urls.size > 0) {
      if (until === undefined) await this.#changed.promise;
      else if (until <= performance.now()) return false;
      else {
        const left = { limitMs: until - performance.now(), onTimeout: () => undefined };
        await withTimeout(this.#changed.promise, left);
      }
    }
    return true;
  }

  /** Returns for how long no request has been pending. */
  idleMs(): number {
    return this.#urls.size > 0 ? 0 : performance.now() - this.#changedAt;
  }

  /** Returns for how long at most two requests have been pending. */
  almostIdleMs(): number {
    return this.#urls.size > ALMOST_IDLE ? 0 : performance.now() - this.#busyAt;
  }

  /** Forgets the requests of the last document. */
  reset(): void {
    this.#urls.clear();
    this.#loaders.clear();
    this.#changedAt = performance.now();
    this.#busyAt = performance.now();
    this.#sawFrame = false;
    this.#blockedAny = false;
  }

  /**
   * Ends the requests of a document that another one has replaced. Chromium does not report the end of all of
   * them.
   */
  #endLoader(loaderId: string | undefined): void {
    for (const [requestId, sender] of this.#loaders) if (sender === loaderId) this.#end(requestId);
  }

  #end(requestId: string): void {
    this.#loaders.delete(requestId);
    if (this.#urls.size > ALMOST_IDLE) this.#busyAt = performance.now();
    if (!this.#urls.delete(requestId)) return;
    this.#changedAt = performance.now();
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
