import type { CDPSession } from 'playwright-core';
import type { DecisionOf } from '../receipt/resource-log.ts';
import { RenderError } from '../render-error.ts';
import { UrlNavigation } from '../url/load-url.ts';
import type { UrlDocument } from '../url/url-source.ts';
import { FactsLog, type PageFacts } from './page-facts.ts';
import type { PageOptions } from './page-options.ts';
import { preparePage } from './prepare-page.ts';
import { Site, type SiteDocument } from './site.ts';

interface VisitParts {
  /** A session of its own, whose end also ends its listeners and the interception of requests. */
  session: CDPSession;
  frameId: string;
  decisionOf: DecisionOf;
  document: string | UrlDocument | SiteDocument;
  options: PageOptions;
}

/** Loads a document that asks more of its browser page than others, and judges the result. */
export class PageVisit {
  /** The navigation to a web page, or to HTML with files; `undefined` for other HTML. */
  readonly navigation: UrlNavigation | undefined;
  readonly #session: CDPSession;
  readonly #options: PageOptions;
  readonly #site: Site | undefined;
  readonly #facts: FactsLog | undefined;

  private constructor({ session, frameId, decisionOf, document, options }: VisitParts) {
    this.#session = session;
    this.#options = options;
    const site = typeof document === 'object' && 'files' in document ? new Site(document) : undefined;
    this.#site = site;
    const source = site ?? (typeof document === 'object' && 'url' in document ? document : undefined);
    const accepts = options.judge ? 'any' : 'html';
    this.navigation = source && new UrlNavigation(source, { session, frameId, decisionOf }, { accepts });
    this.#facts =
      options.judge &&
      new FactsLog({
        session,
        decisionOf,
        isNavigation: (requestId) => this.navigation?.is(requestId) === true,
        isOwnFile: (url) => site?.has(url) === true,
      });
  }

  /** Prepares the browser page for the document. */
  static async begin(parts: VisitParts): Promise<PageVisit> {
    const visit = new PageVisit(parts);
    const { session, options } = parts;
    await Promise.all([
      session.send('Page.enable'),
      session.send('Network.enable'),
      options.judge && session.send('Runtime.enable'),
      preparePage(session, options, visit.#site),
    ]);
    return visit;
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
    const fault = this.#facts && this.#options.judge?.(this.#facts.read(progress));
    if (fault) throw new RenderError(fault.code, fault.message);
  }

  /** Removes from the browser page what the document left in its origin. */
  async end(): Promise<void> {
    const origin = this.#site?.origin;
    if (origin !== undefined)
      await this.#session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await this.#session.detach();
  }
}
