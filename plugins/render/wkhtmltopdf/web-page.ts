import { readFileSync } from 'node:fs';
import type { BrowserContext, CDPSession } from 'playwright-core';
import { styleScript } from '../url/load-url.ts';
import { PAGE_GUARD } from '../browser/page-guard.ts';
import { PageScripts } from '../browser/page-scripts.ts';
import { PdfPrinter } from '../browser/pdf-printer.ts';
import type { LaunchedBrowser } from '../browser/launch.ts';
import type { LargePdfMemory } from '../large-pdf.ts';
import type { PrintSetup } from '../print/print-options.ts';
import type { JarCookie } from './cookie-jar.ts';
import { LoadError } from './load-error.ts';
import { pathOfUrl, type LocalFiles } from './local-files.ts';
import { multipartOf } from './post-body.ts';
import type { PageSettings } from './settings.ts';
import { decodeUndeclared } from './sources.ts';

/** The part of {@link PageSettings} that decides how a page is loaded. */
export interface PageRequest {
  /** A `file:`, `http:` or `https:` URL. */
  url: string;
  settings: PageSettings;
  files: LocalFiles;
  /** The window in which the page is laid out before it is printed. */
  window: { width: number; height: number };
  /** Cookies in addition to those of the settings. */
  jar: readonly JarCookie[];
  warn: (message: string) => void;
}

/** The default wait after loading a page with scripts. */
const SCRIPT_DELAY_MS = 200;
const CHECK_EVERY_MS = 20;

const TOO_MANY_EVENTS = 'the page caused too many events, such as console messages and requests';

/** A page of the browser, with its own cookies and cache, that loads one document. */
export class WebPage {
  readonly #context: BrowserContext;
  readonly #session: CDPSession;
  readonly #frameId: string;
  readonly #scripts: PageScripts;
  readonly #request: PageRequest;
  /** Rejects when the page or the browser is gone. */
  readonly #lost = Promise.withResolvers<never>();
  /** The first file that failed, when that ends the conversion. */
  #mediaError: Error | undefined;
  #status: number | undefined;
  #isRequested = false;
  /** The URLs to which credentials were sent. */
  readonly #logins = new Set<string>();

  private constructor(context: BrowserContext, session: CDPSession, frameId: string, request: PageRequest) {
    this.#context = context;
    this.#session = session;
    this.#frameId = frameId;
    this.#request = request;
    this.#scripts = new PageScripts(session, frameId, { isolated: request.settings.runsScripts });
    this.#lost.promise.catch(() => {});
  }

  /** Opens a page and loads its document. @throws {LoadError} */
  static async open({ browser, watch }: LaunchedBrowser, request: PageRequest): Promise<WebPage> {
    const { settings } = request;
    const context = await browser.newContext({
      javaScriptEnabled: settings.runsScripts,
      serviceWorkers: 'block',
      acceptDownloads: false,
      viewport: settings.viewport ?? request.window,
    });
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const { frameTree } = await session.send('Page.getFrameTree');
    const page = new WebPage(context, session, frameTree.frame.id, request);
    const fail = (message: string) => page.#lost.reject(new Error(message));
    tab.on('crash', () => fail('the page crashed'));
    browser.on('disconnected', () => fail('the browser crashed'));
    watch(frameTree.frame.id, (excess) => {
      if (excess === 'too many events') fail(TOO_MANY_EVENTS);
    });
    try {
      await page.#load();
      return page;
    } catch (error) {
      await page.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#context.close().catch(() => {});
  }

  /** Runs a script of the command in the page. */
  async evaluate(expression: string): Promise<unknown> {
    return this.#unlessLost(this.#scripts.evaluate(expression));
  }

  /** Prints the page. */
  async print(setup: PrintSetup, memory: LargePdfMemory): Promise<Buffer> {
    await this.#session.send('Emulation.setEmulatedMedia', { media: setup.media });
    const printed = await this.#unlessLost(new PdfPrinter(this.#session).print(setup, memory));
    // A large PDF is in memory that the next one uses.
    return Buffer.from(printed);
  }

  async #load(): Promise<void> {
    const { url, settings } = this.#request;
    this.#watchResponses();
    await Promise.all([
      this.#session.send('Page.enable'),
      this.#session.send('Network.enable'),
      this.#session.send('Emulation.setEmulatedMedia', { media: settings.media }),
      // Pages for printing call both, which would close the page or wait for a dialog.
      this.#session.send('Page.addScriptToEvaluateOnNewDocument', {
        source: `${PAGE_GUARD} window.close = window.print = () => {};`,
      }),
      this.#intercept(),
      ...settings.cookies.map(([name, value]) => this.#setCookie({ name, value })),
      ...this.#request.jar.map(({ isHttpOnly: httpOnly, ...cookie }) =>
        this.#setCookie({ ...cookie, httpOnly }),
      ),
    ]);
    const loaded = new Promise<void>((resolve) => this.#session.once('Page.loadEventFired', () => resolve()));
    const { errorText } = await this.#unlessLost(this.#session.send('Page.navigate', { url }));
    if (errorText !== undefined && this.#status === undefined)
      throw new LoadError(url, { netError: errorText });
    await this.#unlessLost(loaded);
    if (this.#status !== undefined && this.#status >= 400 && settings.pageErrors !== 'ignore')
      throw new LoadError(url, { status: this.#status });
    await this.#addStyles();
    await this.#runScripts();
    await this.#unlessLost(this.#scripts.waitForAssets());
    if (this.#mediaError) throw this.#mediaError;
  }

  /** Reports files that cannot be loaded. */
  #watchResponses(): void {
    const urls = new Map<string, string>();
    this.#session.on('Network.requestWillBeSent', ({ requestId, request }) =>
      urls.set(requestId, request.url),
    );
    this.#session.on('Network.responseReceived', ({ type, frameId, response }) => {
      if (type === 'Document' && frameId === this.#frameId) {
        // The status of a local file is 0.
        if (response.status > 0) this.#status = response.status;
      } else if (response.status >= 400) this.#reportMedia(new LoadError(response.url, response));
    });
    this.#session.on('Network.loadingFailed', ({ requestId, type, errorText, canceled, blockedReason }) => {
      const url = urls.get(requestId) ?? '';
      if (type === 'Document' || canceled || blockedReason !== undefined || url.startsWith('data:')) return;
      this.#reportMedia(new LoadError(url, { netError: errorText }));
    });
  }

  #reportMedia(error: LoadError): void {
    const { settings, warn } = this.#request;
    if (settings.mediaErrors === 'abort') this.#mediaError ??= new Error(error.message, { cause: error });
    else warn(`${error.message} (${settings.mediaErrors})`);
  }

  /** Refuses local files, and adds headers, the body of a form and credentials to requests. */
  async #intercept(): Promise<void> {
    const { settings } = this.#request;
    this.#session.on('Fetch.requestPaused', (paused) => {
      const answer = this.#answer(paused);
      // The page may be closed, or the request canceled.
      answer.catch(() => {});
    });
    this.#session.on('Fetch.authRequired', ({ requestId, request, authChallenge }) => {
      const credentials =
        authChallenge.source === 'Proxy' ? proxyCredentials(settings.proxy) : this.#loginFor(request.url);
      const authChallengeResponse = credentials
        ? { response: 'ProvideCredentials' as const, ...credentials }
        : { response: 'CancelAuth' as const };
      this.#session.send('Fetch.continueWithAuth', { requestId, authChallengeResponse }).catch(() => {});
    });
    const handlesAuth = settings.username !== undefined || settings.proxy !== undefined;
    const seesAll =
      handlesAuth ||
      settings.headers.length > 0 ||
      settings.postFields.length + settings.postFiles.length > 0;
    await this.#session.send('Fetch.enable', {
      handleAuthRequests: handlesAuth,
      patterns: seesAll
        ? [{ urlPattern: '*' }]
        : [
            { urlPattern: 'file://*' },
            ...(settings.hasImages ? [] : [{ urlPattern: '*', resourceType: 'Image' as const }]),
          ],
    });
  }

  /** Returns the credentials for a server, once for each URL: refused credentials are not sent again. */
  #loginFor(url: string): { username: string; password: string } | undefined {
    const { settings, url: page } = this.#request;
    const isOwn = URL.parse(url)?.origin === URL.parse(page)?.origin;
    if (settings.username === undefined || !isOwn || this.#logins.has(url)) return undefined;
    this.#logins.add(url);
    return { username: settings.username, password: settings.password ?? '' };
  }

  async #answer({ requestId, request, resourceType, frameId }: PausedRequest): Promise<unknown> {
    const { settings, files, warn } = this.#request;
    const { url } = request;
    const send = this.#session.send.bind(this.#session);
    if (/^file:/i.test(url) && !files.allows(url)) {
      warn(
        `Blocked access to file ${url.replace(/^file:\/\//i, '')} (see --enable-local-file-access, --allow)`,
      );
      return send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    }
    if (resourceType === 'Image' && !settings.hasImages)
      return send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    const isPage = !this.#isRequested && resourceType === 'Document' && frameId === this.#frameId;
    if (isPage) this.#isRequested = true;
    const decoded = isPage ? readLocalPage(url, settings.encoding) : undefined;
    if (decoded) {
      const responseHeaders = [{ name: 'Content-Type', value: 'text/html; charset=utf-8' }];
      const body = decoded.toString('base64');
      return send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body });
    }
    if (!isPage && !settings.repeatsHeaders) return send('Fetch.continueRequest', { requestId });
    const body = isPage ? multipartOf(settings) : undefined;
    const added = [...settings.headers, ...(body ? [['Content-Type', body.contentType] as const] : [])];
    const names = new Set(added.map(([name]) => name.toLowerCase()));
    const kept = Object.entries(request.headers).filter(([name]) => !names.has(name.toLowerCase()));
    return send('Fetch.continueRequest', {
      requestId,
      headers: [...kept, ...added].map(([name, value]) => ({ name, value })),
      ...(body && { method: 'POST', postData: body.data.toString('base64') }),
    });
  }

  async #setCookie({ domain, ...cookie }: CookieToSet): Promise<void> {
    const { url, warn } = this.#request;
    if (!/^https?:/i.test(url)) return;
    const { protocol, port } = new URL(url);
    const isSecure = protocol === 'https:';
    // The browser binds cookies to their scheme and port; see `chromium-flags.ts`.
    const { success } = await this.#session.send('Network.setCookie', {
      ...cookie,
      ...(domain === undefined ? { url } : { domain }),
      sourceScheme: isSecure ? 'Secure' : 'NonSecure',
      sourcePort: Number(port) || (isSecure ? 443 : 80),
    });
    if (!success) warn(`the browser does not accept the cookie ${cookie.name}`);
  }

  async #addStyles(): Promise<void> {
    const { styleSheet } = this.#request.settings;
    if (styleSheet === undefined) return;
    const path = pathOfUrl(styleSheet);
    // Web pages may not load local files.
    if (path !== undefined && !/^file:/i.test(this.#request.url)) {
      await this.evaluate(styleScript(readFileSync(path, 'utf8')));
      return;
    }
    await this.evaluate(styleScript(`@import url(${JSON.stringify(styleSheet)});`));
    // The style sheet loads with the other assets, which are waited for; its import needs the load event.
    await this.evaluate(`Promise.all([...document.querySelectorAll('style')].filter(({ textContent }) => textContent.startsWith('@import'))
      .map((style) => style.sheet?.cssRules[0]?.styleSheet || new Promise((resolve) => { style.onload = style.onerror = resolve }))).then(() => 0)`);
  }

  /** Runs the scripts of the command line, and waits for those of the page. */
  async #runScripts(): Promise<void> {
    const { settings, warn } = this.#request;
    if (!settings.runsScripts) return;
    for (const expression of settings.scripts) {
      const { exceptionDetails } = await this.#unlessLost(
        this.#session.send('Runtime.evaluate', { expression, awaitPromise: true }),
      );
      if (exceptionDetails)
        warn(`--run-script: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    if (settings.windowStatus !== undefined) return this.#waitForStatus(settings.windowStatus);
    const hasScripts = async () => (await this.evaluate('document.scripts.length > 0')) === true;
    const delayMs = settings.scriptDelayMs ?? ((await hasScripts()) ? SCRIPT_DELAY_MS : 0);
    if (delayMs > 0) await this.#unlessLost(Bun.sleep(delayMs));
  }

  async #waitForStatus(status: string): Promise<void> {
    const expression = `window.status === ${JSON.stringify(status)}`;
    for (;;) {
      const { result } = await this.#unlessLost(
        this.#session.send('Runtime.evaluate', { expression, returnByValue: true }),
      );
      if (result.value === true) return;
      await Bun.sleep(CHECK_EVERY_MS);
    }
  }

  async #unlessLost<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#lost.promise]);
  }
}

/** A cookie for the page, or for a domain. */
interface CookieToSet {
  name: string;
  value: string;
  domain?: string | undefined;
  path?: string;
  httpOnly?: boolean;
}

/** The part of `Fetch.requestPaused` that decides the answer. */
interface PausedRequest {
  requestId: string;
  request: { url: string; headers: Record<string, string> };
  resourceType: string;
  frameId: string;
}

/** Reads a local page whose encoding the browser does not know. */
function readLocalPage(url: string, encoding: string | undefined): Buffer | undefined {
  const path = pathOfUrl(url);
  if (path === undefined || !/\.x?html?$/i.test(path)) return undefined;
  try {
    return decodeUndeclared(readFileSync(path), encoding);
  } catch {
    // The browser reports why the file cannot be read.
    return undefined;
  }
}

function proxyCredentials(proxy: string | undefined): { username: string; password: string } | undefined {
  const url = proxy === undefined ? null : URL.parse(proxy.includes('://') ? proxy : `http://${proxy}`);
  if (!url?.username) return undefined;
  return { username: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
}
