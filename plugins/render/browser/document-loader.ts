import type { CDPSession } from 'playwright-core';
import type { AssetRequests } from '../assets/asset-requests.ts';
import { needsOwnPage, needsPreparation, type PageOptions } from '../page/page-options.ts';
import { PageVisit } from '../page/page-visit.ts';
import type { DecisionOf, MissingAsset, ResourceLog } from '../receipt/resource-log.ts';
import type { DocumentClass } from '../source/classify.ts';
import { styleScript, UrlNavigation } from '../url/load-url.ts';
import type { PageScripts } from './page-scripts.ts';
import type { PageSession } from './page-session.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { SlotJob } from './slot-job.ts';
import { WaitingDocument, type UnmetCondition } from './wait-conditions.ts';

/** The parts of a browser page that {@link DocumentLoader} uses. */
export interface DocumentLoaderParts {
  documentClass: DocumentClass;
  session: PageSession;
  frameId: string;
  requests: PendingRequests;
  scripts: PageScripts;
  resources: ResourceLog;
  decisionOf: DecisionOf;
  /** Opens another session of the page. */
  readonly openSession: () => Promise<CDPSession>;
  /** Marks the page to be closed after this document. */
  readonly retire: () => void;
}

/** Loads documents into a browser page, and waits until they are complete. */
export class DocumentLoader {
  #missing: MissingAsset[] = [];
  #hasUnloadedFonts = false;
  #navigation: UrlNavigation | undefined;
  #visit: PageVisit | undefined;

  readonly #documentClass: DocumentClass;
  readonly #session: PageSession;
  readonly #frameId: string;
  readonly #requests: PendingRequests;
  readonly #scripts: PageScripts;
  readonly #resources: ResourceLog;
  readonly #decisionOf: DecisionOf;
  readonly #openSession: () => Promise<CDPSession>;
  readonly #retire: () => void;
  readonly #waiting: WaitingDocument;

  constructor(parts: DocumentLoaderParts) {
    this.#documentClass = parts.documentClass;
    this.#session = parts.session;
    this.#frameId = parts.frameId;
    this.#requests = parts.requests;
    this.#scripts = parts.scripts;
    this.#resources = parts.resources;
    this.#decisionOf = parts.decisionOf;
    this.#openSession = parts.openSession;
    this.#retire = parts.retire;
    this.#waiting = new WaitingDocument(parts);
  }

  /** The assets that the document refers to but could not load. */
  get missing(): readonly MissingAsset[] {
    return this.#missing;
  }

  /** True while the document waits for one of its conditions without working much. */
  get isPatient(): boolean {
    return this.#waiting.isPatient;
  }

  /** The condition that the document has not met yet. */
  get unmetCondition(): UnmetCondition | undefined {
    return this.#waiting.unmet;
  }

  /** Tells whether a loader belongs to the navigation that loads a web page as the document. */
  isLoading(loaderId: string): boolean {
    return this.#navigation?.is(loaderId) === true;
  }

  /** Forgets the missing assets of the last document. */
  reset(): void {
    this.#missing = [];
  }

  /** Removes the data that the last document left in its origin, once the page has left the document. */
  async clearOrigin(): Promise<void> {
    const visit = this.#visit;
    this.#visit = undefined;
    await visit?.end();
  }

  /** Lets HTML load the assets of its account. A web page must not load them. */
  async openAssets(document: SlotJob['document'], assets: SlotJob['assets']): Promise<void> {
    const isHtml = typeof document === 'string';
    this.#requests.assets.use(isHtml ? assets : undefined);
    if (assets && isHtml && this.#documentClass === 'active')
      await this.#requests.interceptAssets(this.#frameId);
  }

  /** Loads a document with its assets, and waits for its conditions. */
  async load({
    document,
    hasNoAssets = false,
    setup,
    deadline,
    assets,
  }: Pick<SlotJob, 'document' | 'hasNoAssets' | 'setup' | 'deadline' | 'assets'>): Promise<
    'loaded' | 'needs network'
  > {
    const visit = await this.#begin(document, setup.page);
    if (setup.waitFor) {
      deadline.phase = 'wait';
      await this.#waiting.meet(setup.waitFor);
      deadline.phase = 'load';
    }
    do {
      if (hasNoAssets) this.#noteAssets(assets);
      else await this.#waitForAssets(assets);
      if (this.#requests.blockedAny) return 'needs network';
    } while (await this.#requests.wait(setup.page?.patienceMs));
    if (visit) {
      await this.#resources.explained();
      visit.judge({ isComplete: true });
    }
    return 'loaded';
  }

  /**
   * Waits for the fonts that the document requested while it was printed. Returns false when it requested
   * no fonts.
   */
  async waitForLateFonts(
    document: SlotJob['document'],
    assets: SlotJob['assets'],
    before: AssetRequests['answered'],
  ): Promise<boolean> {
    if (!this.#mayLoadFontsLate(document, assets)) return false;
    // A font is loaded only after the service has answered its request, or from memory before the document is
    // laid out.
    if (this.#requests.assets.answered.fonts === before.fonts && !(await this.#scripts.isLoadingFonts()))
      return false;
    await this.#waitForAssets(assets);
    return true;
  }

  /**
   * Replaces the document and waits for its load event. `document.readyState` is not reliable: in a document
   * that is written into a loaded frame, Chromium sets it to `complete` while images still delay the event.
   */
  async setContent(html: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#session.once('Page.loadEventFired', () => resolve()));
    await this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html });
    await loaded;
  }

  /** Loads a document until its load event. */
  async #begin(
    document: SlotJob['document'],
    given: PageOptions | undefined,
  ): Promise<PageVisit | undefined> {
    // A plain page has nothing to prepare: it requests nothing.
    const options = this.#documentClass === 'active' ? given : undefined;
    const isWebPage = typeof document === 'object' && 'url' in document;
    // From now on the browser page sends credentials and keeps data of other origins.
    if (isWebPage || (options && needsOwnPage(options))) this.#retire();
    const page = {
      session: this.#session,
      frameId: this.#frameId,
      decisionOf: options?.decisionOf ?? this.#decisionOf,
    };
    const visit =
      options && needsPreparation(options)
        ? await PageVisit.begin({ ...page, session: await this.#openSession(), document, options })
        : undefined;
    this.#visit = visit;
    if (typeof document === 'string') await this.setContent(document);
    else {
      this.#navigation = visit?.navigation ?? (isWebPage ? new UrlNavigation(document, page) : undefined);
      await (visit?.load() ?? this.#navigation?.load());
      if ('styles' in document && document.styles) await this.#scripts.evaluate(styleScript(document.styles));
    }
    return visit;
  }

  /**
   * Tells whether a plain page may request fonts only while it prints the document: the fonts of print
   * styles, and all fonts of a document that is hidden on the screen. Fonts that the page has kept from an
   * earlier document are loaded at once.
   */
  #mayLoadFontsLate(document: SlotJob['document'], assets: SlotJob['assets']): boolean {
    if (this.#documentClass !== 'plain' || typeof document !== 'string' || !assets) return false;
    return this.#hasUnloadedFonts || document.replace(assets.fontStyles, '').includes(assets.base);
  }

  async #waitForAssets(assets: SlotJob['assets']): Promise<void> {
    // Fonts that an earlier document used are still in Blink's memory. Once they are loaded, printing cannot
    // request any.
    const { missing, hasUnloadedFonts } = await this.#scripts.waitForAssets(
      this.#documentClass === 'plain' ? this.#requests.assets.findAnswered(assets?.fontUrls) : [],
    );
    this.#noteAssets(assets, missing, hasUnloadedFonts);
  }

  #noteAssets(
    assets: SlotJob['assets'],
    missing: readonly MissingAsset[] = [],
    hasUnloadedFonts = false,
  ): void {
    this.#missing = [...(assets?.missing ?? []), ...missing];
    this.#hasUnloadedFonts = hasUnloadedFonts;
  }
}
