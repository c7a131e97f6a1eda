import { ASSET_ORIGIN, ASSET_SCHEME, decodeAssetName, encodeAssetName } from './asset-urls.ts';
import type { PageAssets } from './page-assets.ts';
import type { PageSession } from '../browser/page-session.ts';

/**
 * A browser page that has received more bytes than this is not used again, because Blink may keep the assets
 * in memory.
 */
const MAX_KEPT_BYTES = 64_000_000;

const NOT_FOUND = 404;
const UNAVAILABLE = 503;

/**
 * Answers the requests of a browser page for assets. Only the document that is being printed has assets, and
 * only those of its account.
 */
export class AssetRequests {
  #assets: PageAssets | undefined;
  readonly #answered = { fonts: 0, others: 0 };
  #bytes = 0;
  /** The URLs of the fonts that a plain page has received. */
  readonly #fonts = new Set<string>();

  readonly #session: PageSession;

  constructor(session: PageSession) {
    this.#session = session;
  }

  /** The patterns of the requests to intercept. */
  static readonly patterns = [{ urlPattern: `${ASSET_ORIGIN}/*` }, { urlPattern: `${ASSET_SCHEME}*` }];

  /** Tells whether a request is for an asset. The page may intercept others too, to add credentials. */
  static isAsset(url: string): boolean {
    return url.startsWith(`${ASSET_ORIGIN}/`) || url.startsWith(ASSET_SCHEME);
  }

  /** Sets the assets of the next document. */
  use(assets: PageAssets | undefined): void {
    this.#assets = assets;
  }

  /** How many fonts and other assets a plain page has requested since it was opened. */
  get answered(): { fonts: number; others: number } {
    return { ...this.#answered };
  }

  /** Returns the indexes of the fonts that earlier documents on this plain page have used. */
  findAnswered(fontUrls: readonly string[] = []): number[] {
    return [...fontUrls.keys()].filter((index) => this.#fonts.has(fontUrls[index] ?? ''));
  }

  /** True when the page received so many bytes that it should be closed. */
  get isFull(): boolean {
    return this.#bytes > MAX_KEPT_BYTES;
  }

  /** Tells whether a URL is below the base of the document's assets. */
  isAssetOfDocument(url: string): boolean {
    return this.#assets !== undefined && url.startsWith(this.#assets.base);
  }

  /** Answers a request of a plain page. Returns false, and answers nothing, when the asset does not exist. */
  async answerKnown(requestId: string, url: string, resourceType: string): Promise<boolean> {
    this.#answered[resourceType === 'Font' ? 'fonts' : 'others'] += 1;
    const content = await this.#assets?.readUrl(url, this.#assets.base).catch(() => null);
    if (!content) return false;
    if (resourceType === 'Font') this.#fonts.add(url);
    await this.#fulfill(requestId, content);
    return true;
  }

  /**
   * Answers a request of an active page, with an error if the asset does not exist. Only the main frame may
   * use the scheme `asset:`, because another frame may show a web page, which could guess the names of
   * assets.
   */
  async answer({
    requestId,
    url,
    isMainFrame,
  }: {
    requestId: string;
    url: string;
    isMainFrame: boolean;
  }): Promise<void> {
    if (url.startsWith(ASSET_SCHEME) && !isMainFrame) {
      await this.#respond(requestId, NOT_FOUND);
      return;
    }
    if (url.startsWith(ASSET_SCHEME)) {
      // Redirect, so that relative URLs in a style sheet work, and so that Blink does not keep content that
      // may be replaced.
      const [path = ''] = url.slice(ASSET_SCHEME.length).split(/[?#]/, 1);
      const base = this.#assets?.activeBase ?? `${ASSET_ORIGIN}/none/`;
      await this.#respond(requestId, 302, { Location: base + encodeAssetName(decodeAssetName(path)) });
      return;
    }
    try {
      const content = (await this.#assets?.readUrl(url, this.#assets.activeBase)) ?? null;
      if (content) await this.#fulfill(requestId, content);
      else await this.#respond(requestId, NOT_FOUND);
    } catch {
      await this.#respond(requestId, UNAVAILABLE);
    }
  }

  async #fulfill(
    requestId: string,
    { mediaType, base64, sizeBytes }: { mediaType: string; base64: string; sizeBytes: number },
  ): Promise<void> {
    this.#bytes += sizeBytes;
    await this.#respond(requestId, 200, { 'Content-Type': mediaType }, base64);
  }

  async #respond(
    requestId: string,
    responseCode: number,
    headers: Readonly<Record<string, string>> = {},
    body = '',
  ): Promise<void> {
    // Fonts are requested with CORS.
    const all = { 'Access-Control-Allow-Origin': '*', ...headers };
    const responseHeaders = Object.entries(all).map(([name, value]) => ({ name, value }));
    await this.#session
      .send('Fetch.fulfillRequest', { requestId, responseCode, responseHeaders, body })
      .catch(() => {
        // The page may be closed, or the request canceled.
      });
  }
}
