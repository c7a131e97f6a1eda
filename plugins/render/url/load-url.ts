import { redactUrl } from '../browser/redact-url.ts';
import { explain, type LoadingFailure, type ResponseHead } from '../receipt/failure-reason.ts';
import { fromServer, readHead, type DecisionOf } from '../receipt/resource-log.ts';
import { RenderError } from '../render-error.ts';
import { addCredentials, type UrlPage } from './credentials.ts';
import type { UrlSource } from './url-source.ts';
import type { PageSession } from '../browser/page-session.ts';

const HTML = new Set(['text/html', 'application/xhtml+xml']);

/** Navigates a browser page to the URL of its document, and explains why the web page cannot be printed. */
export class UrlNavigation {
  #loaderId: string | undefined;
  #href: string;
  #response: ResponseHead | null = null;
  #failure: LoadingFailure | null = null;

  readonly #source: UrlSource;
  readonly #session: PageSession;
  readonly #frameId: string;
  readonly #decisionOf: DecisionOf;
  readonly #accepts: 'html' | 'any';

  /** @param options.accepts `any` for whatever the browser shows, also the page of an error status. */
  constructor(
    source: UrlSource,
    page: UrlPage & { decisionOf: DecisionOf },
    { accepts = 'html' }: { accepts?: 'html' | 'any' } = {},
  ) {
    this.#accepts = accepts;
    this.#source = source;
    this.#href = source.url;
    this.#session = page.session;
    this.#frameId = page.frameId;
    this.#decisionOf = page.decisionOf;
    this.#watch();
  }

  /** Tells whether a navigation is this one. Navigations by scripts of the web page have other ids. */
  is(loaderId: string): boolean {
    return loaderId === this.#loaderId;
  }

  /** Loads the web page up to its load event. @throws {RenderError} when the response cannot be printed. */
  async load(): Promise<void> {
    // A plugin may pass any text. Chromium would open local files.
    if (!/^https?:/i.test(this.#source.url))
      throw this.#fault('NAVIGATION_BLOCKED', 'the URL is neither http nor https', true);
    await addCredentials({ session: this.#session, frameId: this.#frameId }, this.#source);
    const loaded = new Promise<void>((resolve) => this.#session.once('Page.loadEventFired', () => resolve()));
    const { errorText } = await this.#session.send('Page.navigate', { url: this.#source.url });
    const fault = this.#findFault(errorText);
    if (fault) throw fault;
    await loaded;
  }

  #watch(): void {
    const isNavigation = (requestId: string) => requestId === this.#loaderId;
    this.#session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, request }) => {
      if (this.#loaderId === undefined && requestId === loaderId && frameId === this.#frameId)
        this.#loaderId = loaderId;
      if (isNavigation(requestId)) this.#href = request.url;
    });
    this.#session.on('Network.responseReceived', ({ requestId, response }) => {
      if (!isNavigation(requestId)) return;
      const head = { ...readHead(response), mimeType: response.mimeType || null };
      this.#response = fromServer(this.#href, head);
    });
    this.#session.on('Network.loadingFailed', ({ requestId, ...failure }) => {
      if (isNavigation(requestId)) this.#failure = failure;
    });
  }

  #findFault(errorText: string | undefined): RenderError | undefined {
    const response = this.#response;
    const failure = this.#failure ?? (errorText === undefined ? null : { errorText });
    const isFromServer = response !== null && response.egressFailure === null;
    if (this.#accepts === 'any' && isFromServer && errorText === undefined) return undefined;
    if (isFromServer && response.status >= 200 && response.status < 300) {
      if (!HTML.has(response.mimeType ?? ''))
        return this.#fault(
          'ASSET_FAILED',
          `the response is ${response.mimeType ?? 'empty'}, not an HTML page`,
        );
      // Chromium does not open an attachment.
      return errorText === undefined
        ? undefined
        : this.#fault('ASSET_FAILED', 'the server sends the page as a download, or without content');
    }
    if (isFromServer && response.status < 400)
      return this.#fault('ASSET_FAILED', `the server responded with ${response.status}`);
    if (!isFromServer && failure?.canceled) return this.#fault('ASSET_FAILED', 'the server sends no page');
    const request = { href: this.#href, type: 'Document', documentUrl: this.#href, response, failure };
    const { outcome, reason } = explain(request, this.#decisionOf);
    const code = isFromServer ? 'ASSET_FAILED' : 'NAVIGATION_BLOCKED';
    return this.#fault(code, reason ?? 'the page cannot be loaded', outcome === 'refused');
  }

  #fault(code: 'ASSET_FAILED' | 'NAVIGATION_BLOCKED', reason: string, isRefused = false): RenderError {
    const url = redactUrl(this.#source.url);
    // Chromium reports URLs without their fragments.
    const isRedirected = this.#href !== this.#source.url.replace(/#.*/s, '');
    const address = isRedirected ? `${url} redirects to ${redactUrl(this.#href)}` : url;
    const refusal = `${isRedirected ? ', which' : ''} is refused`;
    return new RenderError(code, `${address}${isRefused ? refusal : ''}: ${reason}`);
  }
}

/**
 * Returns the script that adds CSS to a web page after its own style sheets. The CSS is adopted, so that the
 * page's Content-Security-Policy does not apply to it. CSS with `@import` needs an element, to which the
 * policy applies; a page that forbids it gets the CSS without imports.
 */
export function styleScript(styles: string): string {
  return `(() => {
    const read = (name) => Object.getOwnPropertyDescriptor(Document.prototype, name).get.call(document);
    const css = ${JSON.stringify(styles)};
    if (/@import/i.test(css)) {
      const element = Document.prototype.createElement.call(document, 'style');
      element.textContent = css;
      (read('head') ?? read('documentElement')).append(element);
      if (element.sheet) return;
      element.remove();
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    read('adoptedStyleSheets').push(sheet);
  })()`;
}
