import { messageOf } from '../../../src/plugin.ts';
import { RenderError } from '../render-error.ts';
import type { PageScripts } from './page-scripts.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { PageSession } from './page-session.ts';

/** The conditions that a document must meet before it is printed; see `options.waitFor`. */
export interface WaitConditions {
  selector?: string;
  /** Whether the element that matches the selector must also have a box. */
  visible?: boolean;
  expression?: string;
  /** Whether an expression that throws, or has a value other than a boolean or null, fails the document. */
  strictExpression?: boolean;
  delayMs?: number;
  networkIdle?: boolean;
  /** At most two requests may have been pending for the same time. */
  networkAlmostIdle?: boolean;
}

/** The network is idle when no request has been pending for this time. */
const NETWORK_IDLE_MS = 500;

/** The time between two checks of a condition. It grows, because most conditions are met soon. */
const CHECK_EVERY_MS = { first: 10, last: 100 };

/** How long a document may work in total while it waits; see `SLOW_MS` in `attempt.ts`. */
const WORK_LIMIT_MS = 500;

/** How often the work of the document is measured. */
const MEASURE_EVERY_MS = 250;

/** Errors of commands that were sent while the document navigated. */
const NAVIGATED = /context was destroyed|cannot find context|cannot find object|target navigated/i;

const MAX_QUOTED_CHARACTERS = 200;

/** A condition that is not met yet. */
export interface UnmetCondition {
  /** The field of the request. */
  path: string;
  message: string;
}

/**
 * Waits until a document meets its conditions: first the selector, then the expression, then the network,
 * then the delay.
 */
export class WaitingDocument {
  /** The condition that the document has not met yet. */
  unmet: UnmetCondition | undefined;
  #patientUntil = 0;
  #measuredAt = 0;
  #isOverworked = false;

  readonly #session: PageSession;
  readonly #scripts: PageScripts;
  readonly #requests: PendingRequests;

  constructor(parts: { session: PageSession; scripts: PageScripts; requests: PendingRequests }) {
    this.#session = parts.session;
    this.#scripts = parts.scripts;
    this.#requests = parts.requests;
  }

  /**
   * True while the document responds and computes little, so that waiting for it does not slow other
   * documents.
   */
  get isPatient(): boolean {
    return performance.now() < this.#patientUntil;
  }

  /**
   * Waits until all conditions are met.
   * @throws {RenderError} for a selector or expression with a syntax error.
   */
  async meet(conditions: WaitConditions): Promise<void> {
    const { selector, visible = false, expression, strictExpression = false, delayMs } = conditions;
    const { networkIdle = false, networkAlmostIdle = false } = conditions;
    this.#isOverworked = false;
    this.#noteResponse();
    await this.#session.send('Performance.enable');
    this.#measuredAt = performance.now();
    if (selector !== undefined) await this.#waitForSelector(selector, { visible });
    if (expression !== undefined) await this.#waitForExpression(expression, { strict: strictExpression });
    if (networkIdle) await this.#waitForNetwork(() => this.#requests.idleMs());
    if (networkAlmostIdle) await this.#waitForNetwork(() => this.#requests.almostIdleMs());
    if (delayMs !== undefined) await this.#waitForDelay(delayMs);
    this.unmet = undefined;
    await this.#session.send('Performance.disable');
    this.#noteResponse();
  }

  async #waitForSelector(selector: string, { visible }: { visible: boolean }): Promise<void> {
    const path = 'options.waitFor.selector';
    this.unmet = { path, message: `no element matched the selector ${quote(selector)}` };
    const search = `(() => {
      let element;
      try { element = Document.prototype.querySelector.call(document, ${JSON.stringify(selector)}) }
      catch { return 'invalid' }
      return element !== null && (${!visible} || Element.prototype.getClientRects.call(element).length > 0);
    })()`;
    await this.#repeat(async () => {
      const found = await this.#scripts.evaluate(search);
      if (found === 'invalid')
        throw new RenderError('RENDER_FAILED', `${quote(selector)} is not a valid CSS selector`, { path });
      return found === true;
    });
  }

  /**
   * The expression may return a promise. While it is pending, the page is free and only the state of the
   * promise is checked.
   */
  async #waitForExpression(expression: string, { strict }: { strict: boolean }): Promise<void> {
    const path = 'options.waitFor.expression';
    const message = `the expression ${quote(expression)} did not become true`;
    this.unmet = { path, message };
    const evaluation = `(() => {
      const state = { pending: true, value: false, error: '' };
      const end = (value, error) => { state.pending = false; state.value = value; state.error = error };
      (async () => await (\n${expression}\n))().then(
        (value) => end(!!value, ${strict} && typeof value !== 'boolean' && value !== null ? 'its value is not a boolean' : ''),
        (error) => end(false, String(error).slice(0, ${MAX_QUOTED_CHARACTERS})),
      );
      return state;
    })()`;
    await this.#requireSyntax(evaluation, path);
    let objectId: string | undefined;
    await this.#repeat(async () => {
      objectId ??= (await this.#session.send('Runtime.evaluate', { expression: evaluation })).result.objectId;
      if (objectId === undefined) return false;
      const { result } = await this.#session
        .send('Runtime.callFunctionOn', {
          objectId,
          functionDeclaration: 'function () { return [this.pending, this.value, this.error] }',
          returnByValue: true,
        })
        .catch((error: unknown) => {
          objectId = undefined;
          throw error;
        });
      const [isPending, isTrue, error] = Array.isArray(result.value) ? result.value : [];
      if (isPending === true) return false;
      objectId = undefined;
      if (strict && error)
        throw new RenderError('SCRIPT_ERROR', `${quote(expression)} has no result: ${String(error)}`, {
          path,
        });
      this.unmet = { path, message: error ? `${message} (${String(error)})` : message };
      return isTrue === true;
    });
  }

  async #requireSyntax(expression: string, path: string): Promise<void> {
    const { exceptionDetails } = await this.#session.send('Runtime.compileScript', {
      expression,
      sourceURL: '',
      persistScript: false,
    });
    if (!exceptionDetails) return;
    const { description = exceptionDetails.text } = exceptionDetails.exception ?? {};
    const [message = ''] = description.split('\n', 1);
    throw new RenderError('SCRIPT_ERROR', `is not a valid expression: ${message}`, { path });
  }

  async #waitForNetwork(idleMs: () => number): Promise<void> {
    const path = 'options.waitFor.networkIdle';
    this.unmet = { path, message: `the network was not idle for ${NETWORK_IDLE_MS} ms` };
    await this.#repeat(async () => {
      await this.#scripts.evaluate('0');
      return idleMs() >= NETWORK_IDLE_MS;
    });
  }

  async #waitForDelay(delayMs: number): Promise<void> {
    this.unmet = { path: 'options.waitFor.delayMs', message: `the delay of ${delayMs} ms did not end` };
    const until = performance.now() + delayMs;
    await this.#repeat(
      async () => {
        await this.#scripts.evaluate('0');
        return performance.now() >= until;
      },
      () => until - performance.now(),
    );
    // Timers run in the order in which they are due, so all timers of the document that were due by now have
    // run before this one.
    await this.#scripts.evaluate('new Promise((resolve) => setTimeout(resolve, 0))');
  }

  /** Checks a condition until it is met, and measures the work of the document in between. */
  async #repeat(check: () => Promise<boolean>, leftMs = () => Number.POSITIVE_INFINITY): Promise<void> {
    for (let pauseMs = CHECK_EVERY_MS.first; ; pauseMs = Math.min(pauseMs * 2, CHECK_EVERY_MS.last)) {
      const isMet = await check().catch((error: unknown) => {
        if (!NAVIGATED.test(messageOf(error))) throw error;
        return false;
      });
      await this.#measure();
      this.#noteResponse();
      if (isMet) return;
      await Bun.sleep(Math.max(0, Math.min(pauseMs, leftMs())));
    }
  }

  #noteResponse(): void {
    if (!this.#isOverworked) this.#patientUntil = performance.now() + WORK_LIMIT_MS;
  }

  async #measure(): Promise<void> {
    const now = performance.now();
    if (this.#isOverworked || now - this.#measuredAt < MEASURE_EVERY_MS) return;
    this.#measuredAt = now;
    const { metrics } = await this.#session.send('Performance.getMetrics');
    const worked = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    this.#isOverworked = worked * 1000 > WORK_LIMIT_MS;
  }
}

function quote(text: string): string {
  const isLong = text.length > MAX_QUOTED_CHARACTERS;
  return `"${isLong ? `${text.slice(0, MAX_QUOTED_CHARACTERS)}…` : text}"`;
}
