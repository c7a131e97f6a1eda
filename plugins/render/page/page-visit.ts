import type { PendingRequests } from '../browser/pending-requests.ts';
import type { DecisionOf } from '../receipt/resource-log.ts';
import { RenderError } from '../render-error.ts';
import type { UrlPage } from '../url/credentials.ts';
import { UrlNavigation } from '../url/load-url.ts';
import type { UrlDocument } from '../url/url-source.ts';
import { FactsLog, type PageFacts } from './page-facts.ts';
import type { PageOptions } from './page-options.ts';
import { preparePage } from './prepare-page.ts';
import { Site, type SiteDocument } from './site.ts';

/** Loads a document on a browser page of its own, and judges the result. */
export class PageVisit {
  /** The navigation to a web page, or to HTML with files; `undefined` for other HTML. */
  readonly navigation: UrlNavigation | undefined;
  readonly #page: UrlPage;
  readonly #options: PageOptions;
  readonly #site: Site | undefined;
  readonly #facts: FactsLog;

  constructor(
    page: UrlPage & { decisionOf: DecisionOf },
    document: string | UrlDocument | SiteDocument,
    options: PageOptions,
  ) {
    this.#page = page;
    this.#options = options;
    const site = typeof document === 'object' && 'files' in document ? new Site(document) : undefined;
    this.#site = site;
    const source = site ?? (typeof document === 'object' && 'url' in document ? document : undefined);
    const accepts = options.judge ? 'any' : 'html';
    this.navigation = source && new UrlNavigation(source, page, { accepts });
    this.#facts = new FactsLog({
      session: page.session,
      decisionOf: page.decisionOf,
      isNavigation: (requestId) => this.navigation?.is(requestId) === true,
      isOwnFile: (url) => site?.has(url) === true,
    });
  }

  /** Prepares the browser page for the document. */
  async prepare(requests: PendingRequests): Promise<void> {
    // Otherwise requests for assets would not be answered.
    await requests.interceptAssets(this.#page.frameId);
    await preparePage(this.#page.session, this.#options, this.#site);
  }

  /**
   * Navigates to the document.
   * @throws {RenderError} when it cannot be loaded, or the judge finds a fault.
   */
  async load(): Promise<void> {
    try {
      await this.navigation?.load();
    } catch (error) {
      this.judge({ isComplete: false });
      throw error;
    }
    this.judge({ isComplete: false });
  }

  /** @throws {RenderError} when the judge finds a fault. */
  judge(progress: Pick<PageFacts, 'isComplete'>): void {
    const fault = this.#options.judge?.(this.#facts.read(progress));
    if (fault) throw new RenderError(fault.code, fault.message);
  }
}
