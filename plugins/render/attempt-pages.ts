import { everyRunning, untilAborted } from '@platen/runtime';
import { messageOf } from '../../src/plugin.ts';
import type { Browsers } from './browser/browsers.ts';
import type { BrowserLease } from './browser/chromium.ts';
import { ProcessorWatch } from './browser/page-process.ts';
import type { PageSlot, SlotKey } from './browser/page-slot.ts';
import { BrowserTimeoutError, DeadlineError, StarvedPageError, type Deadline } from './deadline.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { PageCrashedError, PageLostError, RenderError } from './render-error.ts';

interface AttemptPagesParts {
  browsers: Pick<Browsers, 'isolate' | 'isIsolated'>;
  lease: BrowserLease;
  accountId: string;
  deadline: Deadline;
  receipt: ReceiptDraft | undefined;
}

/**
 * A document whose own work, without waiting for the network, takes longer than this isolates its account.
 */
const SLOW_MS = 500;

/** Lends the browser pages of an attempt, and explains why work on a page failed. */
export class AttemptPages {
  readonly #parts: AttemptPagesParts;

  constructor(parts: AttemptPagesParts) {
    this.#parts = parts;
  }

  /**
   * Takes a browser page, works on it until the deadline, and gives it back. Isolates the account when the
   * document is slow or sends too many messages. `stage` is the part of the receipt that gets the events of
   * the page.
   */
  async use<T>(
    key: SlotKey,
    stage: 'component' | 'document' | undefined,
    work: (page: PageSlot) => Promise<T>,
  ): Promise<T> {
    const { browsers, lease, accountId, deadline, receipt } = this.#parts;
    const isFirstPage = deadline.phase === 'start';
    const page = await this.#takePage(key);
    const lateMs = isFirstPage ? deadline.passedMs : 0;
    using watch = new ProcessorWatch({ read: () => page.processorUse(), lateMs });
    const stopWatching = everyRunning(SLOW_MS, () => void this.#isolateIfSlow(page, watch));
    try {
      const result = await deadline.race(work(page));
      if (stage) receipt?.observe(stage, page.observe());
      return result;
    } catch (error) {
      // Closing the page cancels its requests.
      if (stage) receipt?.observe(stage, page.observe());
      throw await this.#abandonPage(page, error, watch);
    } finally {
      stopWatching();
      if (page.excessive) browsers.isolate(accountId, 'flood');
      void lease.slots.giveBack(page);
    }
  }

  /**
   * Isolates the account of a document that works for longer than {@link SLOW_MS}, unless its page has had
   * too little processor time. Isolated accounts get no such excuse, because their browser has a low
   * priority.
   */
  async #isolateIfSlow(page: PageSlot, watch: ProcessorWatch): Promise<void> {
    const { browsers, lease, accountId } = this.#parts;
    if (page.pendingUrls.length > 0 || page.isPatient) return;
    if (!browsers.isIsolated(accountId) && (await watch.isStarved())) return;
    page.retire();
    browsers.isolate(accountId, 'slow');
    // The browser may be gone.
    lease.yieldToOthers().catch(() => {});
  }

  async #takePage(key: SlotKey): Promise<PageSlot> {
    const { lease, deadline } = this.#parts;
    try {
      // Commands to a browser that is gone may never be answered.
      const taking = untilAborted(lease.slots.take(key), lease.lost);
      return await deadline.race(taking, (late) => late.close());
    } catch (error) {
      // A browser that cannot open a page within the deadline hangs.
      if (!(error instanceof DeadlineError)) throw error;
      lease.condemn();
      throw deadline.blameBrowser(error, 'the browser provided no page');
    }
  }

  /** Closes the browser page of a failed document. Returns the error to report. */
  async #abandonPage(page: PageSlot, error: unknown, watch: ProcessorWatch): Promise<unknown> {
    const { lease, deadline } = this.#parts;
    const { pendingUrls: pending, unmetCondition: unmet } = page;
    const isLost = page.broken;
    // A plain document cannot wait, except while another process writes its PDF.
    const { phase, passed: isOver } = deadline;
    const isInert = page.key.documentClass === 'plain' && phase !== 'print';
    const isStarved =
      error instanceof DeadlineError && pending.length === 0 && (await watch.wasStarved({ isInert, isOver }));
    const closed = await page.closeInTime();
    if (!closed) lease.condemn();
    if (isStarved && closed)
      return new StarvedPageError(`${error.message}: the page got too little processor time`, {
        cause: error,
      });
    if (error instanceof DeadlineError) {
      // A browser closes the page of an endless script at once, unless the browser itself hangs. Such a
      // browser may be killed meanwhile because of another document.
      if (!closed || lease.crashed)
        return new BrowserTimeoutError(`${error.message}: the browser did not respond`, { cause: error });
      if (unmet)
        return new RenderError('RENDER_TIMEOUT', `${unmet.message}: ${withPending(error, pending)}`, {
          path: unmet.path,
          cause: error,
        });
      return new DeadlineError(withPending(error, pending), { cause: error });
    }
    if (!isLost || error instanceof RenderError) return error;
    // Once the page is closed, it is known whether the browser is lost too.
    const hasCrashed = error instanceof PageCrashedError && !lease.crashed;
    return new (hasCrashed ? PageCrashedError : PageLostError)(messageOf(error), { cause: error });
  }
}

function withPending({ message }: DeadlineError, urls: readonly string[]): string {
  return urls.length === 0 ? message : `${message}; still pending: ${urls.slice(0, 10).join(', ')}`;
}
