import { FairQueue, messageOf, workContext, type Log, type Metrics, type Urgency } from '../../src/plugin.ts';
import type { Browsers } from './browsers.ts';
import type { BrowserLease } from './chromium.ts';
import { classify, type ClassifiedDocument, type DocumentClass } from './classify.ts';
import { Deadline, DeadlineError } from './deadline.ts';
import { countPages, removeUnsafeLinks } from './pdf-scan.ts';
import type { PageSlot } from './page-slot.ts';
import { LargePdfMemory } from './large-pdf.ts';
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
  /** To be called when the PDF is no longer held: a large one keeps others waiting. */
  release: () => void;
}

/** How many times a job is tried when its page is lost: the second time apart from other accounts. */
const PAGE_ATTEMPTS = 2;
/** How many times a job is tried when the browser is lost: another document may have brought it down, even twice. */
const BROWSER_ATTEMPTS = 3;

/** A document that spends more time on its own work, not on waiting for the network, is followed by others of its account elsewhere. */
const SLOW_MS = 500;

/** What the renderer works with. */
export interface RendererOptions {
  browsers: Browsers;
  react: ReactRenderer;
  /** How many documents are printed at once, how many callers may wait, and for how long. */
  queue: { concurrency: number; queueLimit: number; maxWaitMs: number };
  timeoutMs: number;
  /** How long a component may be compiled and rendered, within the deadline of its document. */
  reactTimeoutMs: number;
  metrics: Metrics;
  log: Log;
}

/** A job that is being printed. */
interface RunningJob extends PrintJob {
  memory: LargePdfMemory;
}

/** How a page is used for a document. */
interface SlotUse {
  key: PageSlot['key'];
  accountId: string;
  deadline: Deadline;
  /** Called with the page at the end, whatever came of it. */
  see: (slot: PageSlot) => void;
}

/** Prints documents: queue, class, page, deadline, retry. */
export class Renderer {
  readonly #queue: FairQueue;
  readonly #largePdfs: FairQueue;
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
    this.#largePdfs = new FairQueue({
      ...options.queue,
      concurrency: 1,
      busyMessage: 'the service is busy: too many large PDFs are waiting',
    });
    metrics.gauge('render_queue_depth', 'Documents whose callers wait for a place.', () => this.#queue.depth);
    metrics.gauge('renders_running', 'Documents that are being printed.', () => this.#queue.running);
  }

  /**
   * Prints a document within the deadline.
   * @throws {RenderError} when that cannot be done. @throws {AppError} RATE_LIMITED when too many wait; VALIDATION_ERROR for a
   * header or footer that leaves no room. @throws the reason of the work's signal when its caller leaves.
   */
  async print(job: PrintJob): Promise<Printed> {
    const signal = workContext.getStore()?.signal;
    const share = { account: job.accountId, urgency: job.urgency, signal };
    return this.#queue.run(share, async () => {
      const document = this.#classify(job);
      const startedAt = performance.now();
      const memory = new LargePdfMemory(this.#largePdfs, share);
      using deadline = new Deadline({
        timeoutMs: this.#options.timeoutMs,
        clock: job.receipt?.clock,
        signal,
      });
      try {
        const printed = await this.#printWithRetry({ ...job, memory }, document, deadline);
        this.#renders.inc({ class: printed.documentClass, outcome: 'completed' });
        this.#seconds.observe({ class: printed.documentClass }, (performance.now() - startedAt) / 1000);
        return printed;
      } catch (error) {
        memory.release();
        if (signal?.aborted) throw signal.reason;
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
    job: RunningJob,
    document: ClassifiedDocument | undefined,
    deadline: Deadline,
  ): Promise<Printed> {
    for (let attempt = 1; ; attempt += 1) {
      const lease = await this.#leaseInTime(job.accountId, deadline);
      try {
        const html = await this.#toHtml(lease, job, deadline);
        return await this.#printOn(lease, { ...job, html }, document ?? classify(html), deadline);
      } catch (error) {
        const pageLost = error instanceof PageLostError && !lease.crashed;
        if (pageLost) this.#options.browsers.isolate(job.accountId, 'page lost');
        const attempts = pageLost ? PAGE_ATTEMPTS : lease.crashed ? BROWSER_ATTEMPTS : 1;
        if (error instanceof DeadlineError || deadline.passed || attempt >= attempts) throw error;
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
    return this.#onSlot(lease, { key, accountId, deadline, see }, async (slot) => {
      using limit = new Deadline({ timeoutMs: reactTimeoutMs, phase: 'react' });
      return await limit.race(slot.use((session) => react.render(session, document)));
    });
  }

  async #printOn(
    lease: BrowserLease,
    job: RunningJob & { html: string },
    document: ClassifiedDocument,
    deadline: Deadline,
  ): Promise<Printed> {
    const { documentClass, html } = document;
    const key = { documentClass, accountId: documentClass === 'plain' ? '' : job.accountId };
    const { receipt } = job;
    const see = (slot: PageSlot) => receipt?.observe('document', slot.observe());
    if (receipt) receipt.documentClass = documentClass;
    const { accountId } = job;
    const result = await this.#onSlot(lease, { key, accountId, deadline, see }, async (slot) => {
      const printed = await slot.print({ html, setup: job.setup, deadline, memory: job.memory });
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
    const { pdf } = result;
    await removeUnsafeLinks(pdf);
    return { pdf, pages: countPages(pdf), documentClass, release: () => job.memory.release() };
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
    { key, accountId, deadline, see }: SlotUse,
    work: (slot: PageSlot) => Promise<T>,
  ): Promise<T> {
    const slot = await takeInTime(lease, key, deadline);
    const slow = setInterval(() => {
      if (slot.pendingUrls.length > 0) return;
      slot.retire();
      this.#options.browsers.isolate(accountId, 'slow');
      // The browser may be gone.
      lease.yieldToOthers().catch(() => {});
    }, SLOW_MS);
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
      if (error instanceof RenderError) throw error;
      throw lost ? new PageLostError(messageOf(error), { cause: error }) : error;
    } finally {
      clearInterval(slow);
      if (slot.excessive) this.#options.browsers.isolate(accountId, 'flood');
      see(slot);
      void lease.slots.giveBack(slot);
    }
  }

  /** A browser that comes after the deadline is given back at once. */
  async #leaseInTime(accountId: string, deadline: Deadline): Promise<BrowserLease> {
    const leasing = this.#options.browsers.lease(accountId);
    try {
      return await deadline.race(leasing);
    } catch (error) {
      leasing.then(
        (lease) => lease.release(),
        () => {},
      );
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
    if (deadline.passed) {
      if (error instanceof DeadlineError) lease.condemn();
      taking.then(
        (slot) => slot.close(),
        () => {},
      );
    }
    throw error;
  }
}
