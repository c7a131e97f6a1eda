import { FairQueue, messageOf, type Log, type Metrics, type Urgency } from '../../src/plugin.ts';
import type { BrowserLease, Chromium } from './chromium.ts';
import { classify, type ClassifiedDocument, type DocumentClass } from './classify.ts';
import { Deadline, DeadlineError } from './deadline.ts';
import { countPages, removeUnsafeLinks } from './pdf-scan.ts';
import type { PageSlot } from './page-slot.ts';
import type { PrintSetup } from './print-options.ts';
import { PageLostError, RenderError, toRenderError } from './render-error.ts';
import type { ReactDocument, ReactRenderer } from './react/react-renderer.ts';
import { findMissingGlyphs, mayMissGlyphs, type MissingGlyphs } from './receipt/missing-glyphs.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { findFault } from './receipt/strict.ts';

/** A document to print, and for whom: HTML, or a component that becomes HTML first. */
export interface PrintJob {
  accountId: string;
  document: string | ReactDocument;
  setup: PrintSetup;
  urgency: Urgency;
  /** The service's own markup with a caller's text in it: plain without a look, and never active. */
  snippet?: boolean;
  /** Fails instead of being printed with a network, where a plain page finds that it asks for one. */
  offline?: boolean;
  /** Fails when an asset does not come, or a script throws. */
  strict?: boolean | undefined;
  /** Where to note what happens. */
  receipt?: ReceiptDraft | undefined;
}

/** What came of a job. */
export interface Printed {
  pdf: Buffer;
  pages: number;
  documentClass: DocumentClass;
}

/** How many times a job is tried: once more when the browser or the page was lost under it. */
const ATTEMPTS = 2;

/** What the renderer works with. */
export interface RendererOptions {
  chromium: Chromium;
  react: ReactRenderer;
  /** How many documents are printed at once, how many callers may wait, and for how long. */
  queue: { concurrency: number; queueLimit: number; maxWaitMs: number };
  timeoutMs: number;
  /** How long a component may be compiled and rendered, within the deadline of its document. */
  reactTimeoutMs: number;
  metrics: Metrics;
  log: Log;
}

/** Prints documents: queue, class, page, deadline, retry. */
export class Renderer {
  readonly #queue: FairQueue;
  readonly #renders;
  readonly #seconds;

  readonly #options: RendererOptions;

  constructor(options: RendererOptions) {
    this.#options = options;
    const { metrics } = options;
    const waited = metrics.histogram('render_wait_seconds', 'Time that documents wait for their turn.', [
      'urgency',
    ]);
    this.#renders = metrics.counter('renders_total', 'Documents printed, by class and outcome.', [
      'class',
      'outcome',
    ]);
    this.#seconds = metrics.histogram('render_seconds', 'Time to print a document, by class.', ['class']);
    this.#queue = new FairQueue({
      ...options.queue,
      busyMessage: 'the service is busy: too many documents are waiting',
      onWaited: (seconds, urgency) => waited.observe({ urgency }, seconds),
    });
    metrics.gauge('render_queue_depth', 'Documents whose callers wait for a place.', () => this.#queue.depth);
    metrics.gauge('renders_running', 'Documents that are being printed.', () => this.#queue.running);
  }

  /**
   * Prints a document within the deadline.
   * @throws {RenderError} when that cannot be done. @throws {AppError} RATE_LIMITED when too many wait; VALIDATION_ERROR for a
   * header or footer that leaves no room.
   */
  async print(job: PrintJob): Promise<Printed> {
    return this.#queue.run({ account: job.accountId, urgency: job.urgency }, async () => {
      const document = this.#classify(job);
      const startedAt = performance.now();
      using deadline = new Deadline(this.#options.timeoutMs, job.receipt?.clock);
      try {
        const printed = await this.#printWithRetry(job, document, deadline);
        this.#renders.inc({ class: printed.documentClass, outcome: 'completed' });
        this.#seconds.observe({ class: printed.documentClass }, (performance.now() - startedAt) / 1000);
        return printed;
      } catch (error) {
        const outcome = error instanceof DeadlineError ? 'timeout' : 'failed';
        this.#renders.inc({ class: document?.documentClass ?? 'active', outcome });
        throw toRenderError(error);
      }
    });
  }

  /** Tells how a document is printed; of a component that is known only when it has become HTML. */
  #classify({ document, snippet }: PrintJob): ClassifiedDocument | undefined {
    if (typeof document !== 'string') return undefined;
    return snippet ? { documentClass: 'plain', html: document } : classify(document);
  }

  async #printWithRetry(
    job: PrintJob,
    document: ClassifiedDocument | undefined,
    deadline: Deadline,
  ): Promise<Printed> {
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.#leaseInTime(deadline);
      try {
        const html = await this.#toHtml(lease, job, deadline);
        return await this.#printOn(lease, { ...job, html }, document ?? classify(html), deadline);
      } catch (error) {
        const lost = error instanceof PageLostError || lease.crashed;
        if (!lost || error instanceof DeadlineError || deadline.passed || attempt === ATTEMPTS) throw error;
        this.#options.log.warn({ err: error }, 'the page was lost; the document is printed again');
      } finally {
        lease.release();
      }
    }
  }

  /** Renders a component on a page of its account, which it then leaves: what it left there does not reach the document. */
  async #toHtml(
    lease: BrowserLease,
    { accountId, document, receipt }: PrintJob,
    deadline: Deadline,
  ): Promise<string> {
    if (typeof document === 'string') return document;
    deadline.phase = 'react';
    const { react, reactTimeoutMs } = this.#options;
    const key = { documentClass: 'active' as const, accountId, prelude: await react.prelude() };
    const see = (slot: PageSlot) => receipt?.observe('component', slot.observe());
    return this.#onSlot(lease, { key, deadline, see }, async (slot) => {
      using limit = new Deadline(reactTimeoutMs, undefined, 'react');
      return await limit.race(slot.use((session) => react.render(session, document)));
    });
  }

  async #printOn(
    lease: BrowserLease,
    job: PrintJob & { html: string },
    document: ClassifiedDocument,
    deadline: Deadline,
  ): Promise<Printed> {
    const { documentClass, html } = document;
    const key = { documentClass, accountId: documentClass === 'plain' ? '' : job.accountId };
    const { receipt } = job;
    const see = (slot: PageSlot) => receipt?.observe('document', slot.observe());
    if (receipt) receipt.documentClass = documentClass;
    const result = await this.#onSlot(lease, { key, deadline, see }, async (slot) => {
      const printed = await slot.print(html, job.setup, deadline);
      if (printed === 'needs network') return printed;
      if (job.strict) requireSound(slot);
      const { header = '', footer = '' } = job.setup;
      const readCharacters = async () => `${await slot.characters()}${header}${footer}`;
      if (receipt)
        receipt.missingGlyphs =
          documentClass === 'plain' && !mayMissGlyphs(html + header + footer)
            ? { count: 0, characters: [] }
            : await this.#findMissingGlyphs(printed.pdf, readCharacters);
      return printed;
    });
    if (result === 'needs network' && (job.snippet || job.offline))
      throw new Error('a document that may have no network asked for it');
    if (result === 'needs network')
      return this.#printOn(lease, job, { documentClass: 'active', html: job.html }, deadline);
    removeUnsafeLinks(result.pdf);
    return { pdf: result.pdf, pages: countPages(result.pdf), documentClass };
  }

  /** A document is not lost for want of this. */
  async #findMissingGlyphs(pdf: Buffer, read: () => Promise<string>): Promise<MissingGlyphs | null> {
    return findMissingGlyphs(pdf, read).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'missing glyphs were not looked for');
      return null;
    });
  }

  async #onSlot<T>(
    lease: BrowserLease,
    { key, deadline, see }: { key: PageSlot['key']; deadline: Deadline; see: (slot: PageSlot) => void },
    work: (slot: PageSlot) => Promise<T>,
  ): Promise<T> {
    const slot = await takeInTime(lease, key, deadline);
    try {
      return await deadline.race(work(slot));
    } catch (error) {
      const pending = slot.pendingUrls;
      const lost = slot.broken;
      const closing = slot.closeInTime().then((closed) => closed || lease.condemn());
      if (error instanceof DeadlineError) {
        // Nothing is waited for any more: a browser that hangs would keep the answer for ever.
        if (pending.length === 0) throw error;
        throw new DeadlineError(`${error.message}; still pending: ${pending.slice(0, 10).join(', ')}`, {
          cause: error,
        });
      }
      // By then it is known whether the browser is gone too.
      await closing;
      throw lost ? new PageLostError(messageOf(error), { cause: error }) : error;
    } finally {
      see(slot);
      void lease.slots.giveBack(slot);
    }
  }

  /** A browser that comes after the deadline is given back at once. */
  async #leaseInTime(deadline: Deadline): Promise<BrowserLease> {
    const leasing = this.#options.chromium.lease();
    try {
      return await deadline.race(leasing);
    } catch (error) {
      if (error instanceof DeadlineError) {
        leasing.then(
          (lease) => lease.release(),
          () => {},
        );
      }
      throw error;
    }
  }
}

/** @throws {RenderError} when a document is not as a strict one has to be. */
function requireSound(slot: PageSlot): void {
  const fault = findFault(slot.observe());
  if (fault) throw new RenderError(fault.code, fault.message);
}

async function takeInTime(lease: BrowserLease, key: PageSlot['key'], deadline: Deadline): Promise<PageSlot> {
  const taking = lease.slots.take(key);
  try {
    return await deadline.race(taking);
  } catch (error) {
    if (error instanceof DeadlineError) {
      lease.condemn();
      taking.then(
        (slot) => slot.close(),
        () => {},
      );
    }
    throw error;
  }
}
