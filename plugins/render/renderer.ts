import type { Urgency } from '@platen/runtime';
import { FairQueue, workContext, type Metrics } from '../../src/plugin.ts';
import { ActiveAccounts } from './active-accounts.ts';
import {
  Attempt,
  classifyFor,
  type AttemptParts,
  type CapturedImage,
  type PrintedPdf,
  type PrintRequest,
  type RunningPrint,
} from './attempt.ts';
import type { BrowserLease } from './browser/chromium.ts';
import type { ImageSetup } from './image/image-setup.ts';
import type { ClassifiedDocument, DocumentClass } from './source/classify.ts';
import { Deadline, DeadlineError } from './deadline.ts';
import { LargePdfMemory } from './large-pdf.ts';
import { PageLostError, toRenderError } from './render-error.ts';

/** A document to print, in the queue of callers or of batches. */
export interface PrintJob extends PrintRequest {
  urgency: Urgency;
}

/** The result of a job. */
export interface Printed extends PrintedPdf {
  /** Call it when the PDF is no longer needed: other large PDFs wait for its memory. */
  release: () => void;
}

/**
 * How many times a document is printed when its browser page is lost. The second attempt is isolated from
 * other accounts.
 */
const PAGE_ATTEMPTS = 2;
/**
 * How many times a document is printed when the browser is lost. Another document may have crashed it, even
 * twice.
 */
const BROWSER_ATTEMPTS = 3;
/** Longer documents are isolated from other accounts. */
const LARGE_CHARACTERS = 4_000_000;

export interface RendererOptions extends AttemptParts {
  /** How many documents are printed at once, how many callers may wait, and how long. */
  queue: { concurrency: number; queueLimit: number; maxWaitMs: number };
  /** The deadline of a document, which includes all attempts. */
  timeoutMs: number;
  metrics: Metrics;
}

/**
 * Prints documents from a queue, each with a deadline and retries. An {@link Attempt} is one try in one
 * browser.
 */
export class Renderer {
  readonly #queue: FairQueue;
  readonly #largePdfs: FairQueue;
  readonly #renders;
  readonly #seconds;

  readonly #options: RendererOptions;
  readonly #active = new ActiveAccounts();

  constructor(options: RendererOptions) {
    this.#options = options;
    const { metrics } = options;
    const waited = metrics.histogram(
      'render_wait_seconds',
      'The time that a document waits in the queue. High values mean that printing needs more processors.',
      ['urgency'],
    );
    this.#renders = metrics.counter(
      'renders_total',
      'The documents that were printed, with the outcome `completed`, `failed` or `timeout`. A `plain` document runs no scripts; an `active` one may.',
      ['class', 'outcome'],
    );
    this.#seconds = metrics.histogram(
      'render_seconds',
      'The time to print a document, without the time in the queue.',
      ['class'],
    );
    this.#queue = new FairQueue({
      ...options.queue,
      busyMessage: 'the service is busy: too many documents are waiting',
      onWaited: (seconds, urgency) => waited.observe({ urgency }, seconds),
    });
    this.#largePdfs = new FairQueue({
      ...options.queue,
      concurrency: 1,
      busyMessage: 'the service is busy: too many large PDFs and images are waiting',
    });
    metrics.gauge(
      'render_queue_depth',
      'The documents in the queue whose callers wait for the response. Documents of batches do not count.',
      () => this.#queue.depth,
    );
    metrics.gauge('renders_running', 'The documents that are being printed.', () => this.#queue.running);
  }

  /**
   * Prints a document within the deadline.
   * @throws {RenderError} when printing fails. @throws {AppError} RATE_LIMITED when the queue is full.
   * @throws the reason of the work context's signal when the caller disconnects.
   */
  async print(job: PrintJob): Promise<Printed> {
    return this.#run(job, (attempt) => attempt.run());
  }

  /** Captures a document as an image within the deadline. @throws like {@link print}. */
  async capture(job: PrintJob & { image: ImageSetup }): Promise<CapturedImage> {
    const { release, ...captured } = await this.#run(job, (attempt) => attempt.capture(job.image));
    release();
    return captured;
  }

  /** Loads a document within the deadline, and reads its markup. @throws like {@link print}. */
  async readMarkup(job: PrintJob): Promise<string> {
    const { release, markup } = await this.#run(job, (attempt) => attempt.readMarkup());
    release();
    return markup;
  }

  async #run<T extends { documentClass: DocumentClass }>(
    job: PrintJob,
    work: (attempt: Attempt) => Promise<T>,
  ): Promise<T & { release: () => void }> {
    const signal = workContext.getStore()?.signal;
    const { accountId, urgency } = job;
    const isIsolated = isLarge(job) || this.#options.browsers.isIsolated(accountId);
    const limits = this.#active.arrive(accountId, isIsolated, performance.now());
    const share = { account: accountId, urgency, signal, ...limits };
    return this.#queue.run(share, async () => {
      const classified = classifyEarly(job);
      const startedAt = performance.now();
      const memory = new LargePdfMemory(this.#largePdfs, share);
      const { timeoutMs } = this.#options;
      using deadline = new Deadline({ timeoutMs, clock: job.receipt?.clock, signal });
      try {
        const printed = await this.#workWithRetries({ ...job, classified, deadline, memory }, work);
        this.#renders.inc({ class: printed.documentClass, outcome: 'completed' });
        this.#seconds.observe({ class: printed.documentClass }, (performance.now() - startedAt) / 1000);
        return { ...printed, release: () => memory.release() };
      } catch (error) {
        memory.release();
        if (signal?.aborted) throw signal.reason;
        const outcome = error instanceof DeadlineError ? 'timeout' : 'failed';
        this.#renders.inc({ class: classified?.documentClass ?? 'active', outcome });
        throw toRenderError(error);
      } finally {
        const now = performance.now();
        this.#active.use(accountId, now - startedAt, now);
      }
    });
  }

  async #workWithRetries<T>(print: RunningPrint, work: (attempt: Attempt) => Promise<T>): Promise<T> {
    const { browsers, log } = this.#options;
    const { accountId, deadline } = print;
    for (let attempt = 1; ; attempt += 1) {
      const lease = await deadline
        .race(browsers.lease(accountId, { isLarge: isLarge(print), browser: print.setup.browser }), (late) =>
          late.release(),
        )
        .catch((error: unknown) => {
          throw error instanceof DeadlineError
            ? deadline.blameBrowser(error, 'no browser was available')
            : error;
        });
      try {
        return await work(new Attempt(this.#options, print, lease));
      } catch (error) {
        if (error instanceof PageLostError && !lease.crashed) browsers.isolate(accountId, 'page lost');
        if (deadline.passed || attempt >= maxAttempts(error, lease)) throw error;
        log.warn({ err: error }, 'the page was lost; the document is printed again');
      } finally {
        lease.release();
      }
    }
  }
}

/**
 * Tells whether a document is so large that it occupies the main process of a browser for tenths of a second.
 */
function isLarge({ document }: PrintRequest): boolean {
  const html = typeof document === 'object' && 'files' in document ? document.html : document;
  return typeof html === 'string' && html.length > LARGE_CHARACTERS;
}

function maxAttempts(error: unknown, lease: BrowserLease): number {
  if (error instanceof DeadlineError) return 1;
  if (lease.crashed) return BROWSER_ATTEMPTS;
  return error instanceof PageLostError ? PAGE_ATTEMPTS : 1;
}

/**
 * Classifies a document before its deadline begins; `undefined` for a component, which must become HTML
 * first, and for an image.
 */
function classifyEarly({
  document,
  snippet,
  setup,
  image,
  assets,
}: PrintJob): ClassifiedDocument | undefined {
  if (typeof document !== 'string' || image) return undefined;
  return snippet ? { documentClass: 'plain', html: document } : classifyFor(document, setup, assets);
}
