import { afterAll, afterEach, describe, expect, test } from 'bun:test';
import { Deployment } from '../../bench/neighbours/deployment.ts';
import { startHostileSite } from '../support/sites/hostile-site.ts';
import { largePdf, memoryBombs } from '../support/service/memory-bombs.ts';
import { waitToRetry } from '../support/service/retry-after.ts';

/** Limit on the memory of the service process, without the browser and the sandbox processes. */
const SERVICE_LIMIT_MB = 600;
/** Deadline of documents that flood the service. A longer deadline gives them more time to do harm. */
const FLOOD_TIMEOUT_MS = 20_000;
const LARGE_PDF_MEGABYTES = 400;
/** A large PDF takes longer before it is refused. */
const PDF_TIMEOUT_MS = 30_000;
const PATIENCE_MS = 100_000;
const TEST_TIMEOUT_MS = 150_000;

const site = startHostileSite();

interface ApiResponse {
  pages?: number;
  error?: { code: string; details?: { code?: string; message: string }[] };
}

/**
 * A service for many documents. It is replaced after it dies or exceeds its limit, so that one failure does
 * not spread to the next test.
 */
class Suite {
  #starting: Promise<Deployment> | undefined;
  readonly #timeoutMs: number;

  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Prints documents concurrently with a new account, and retries after a 429. */
  async print(documents: readonly string[]): Promise<{ status: number; body: ApiResponse }[]> {
    const deployment = await this.#deployment();
    const key = await deployment.createKey('pro');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const print = async (html: string): Promise<{ status: number; body: ApiResponse }> => {
      const response = await fetch(`${deployment.url}/v1/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ html }),
        keepalive: false,
        signal,
      });
      const body = (await response.json()) as ApiResponse;
      if (response.status !== 429) return { status: response.status, body };
      await waitToRetry(response.headers);
      return print(html);
    };
    return Promise.all(documents.map(print));
  }

  /** Sends equal batches of five items at once with a new account. Returns the statuses of the responses. */
  async sendBatches(count: number, item: object): Promise<number[]> {
    const deployment = await this.#deployment();
    const key = await deployment.createKey('pro');
    const body = JSON.stringify({ items: Array.from({ length: 5 }, () => item) });
    const send = async (): Promise<number> => {
      const response = await fetch(`${deployment.url}/v1/generate/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
        keepalive: false,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await response.arrayBuffer();
      return response.status;
    };
    return Promise.all(Array.from({ length: count }, send));
  }

  /** Expects the service to be alive, within its limit, and able to print another document. */
  async expectHealth(): Promise<void> {
    expect(await this.#peakMegabytes()).toBeLessThan(SERVICE_LIMIT_MB);
    const [next] = await this.print(['<p>plain</p>']);
    expect([next?.status, next?.body.pages]).toEqual([200, 1]);
  }

  /** Stops the service if it died or exceeded its limit. */
  async stopIfBroken(): Promise<void> {
    if (this.#starting && (await this.#peakMegabytes()) >= SERVICE_LIMIT_MB) await this.stop();
  }

  async stop(): Promise<void> {
    const deployment = await this.#starting?.catch(() => undefined);
    this.#starting = undefined;
    await deployment?.[Symbol.asyncDispose]();
  }

  /** Returns the peak memory of the service, or infinity if it died. */
  async #peakMegabytes(): Promise<number> {
    const deployment = await this.#deployment();
    return deployment.alive ? deployment.memory.peaks.service : Number.POSITIVE_INFINITY;
  }

  #deployment(): Promise<Deployment> {
    return (this.#starting ??= Deployment.start({
      RENDER_TIMEOUT_MS: String(this.#timeoutMs),
      EGRESS_ALLOW: `${site.heads},${site.sockets}`,
    }));
  }
}

const floods = new Suite(FLOOD_TIMEOUT_MS);
const pdfs = new Suite(PDF_TIMEOUT_MS);

afterEach(async () => {
  await floods.stopIfBroken();
  await pdfs.stopIfBroken();
}, 60_000);

afterAll(async () => {
  await floods.stop();
  await pdfs.stop();
  site[Symbol.dispose]();
}, 60_000);

describe('a document cannot exhaust the memory of the service:', () => {
  test.each(Object.entries(memoryBombs(site)))(
    '%s',
    async (_name, documents) => {
      const answers = await floods.print(Object.values(documents));
      for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
        // Pages may starve while several fight for the processors.
        expect([400, 500, 503]).toContain(status);
        expect(body.error?.details?.[0]?.code).toMatch(/^[A-Z]+_[A-Z_]+$/);
      }
      await floods.expectHealth();
    },
    TEST_TIMEOUT_MS,
  );

  test(
    `a PDF of ${LARGE_PDF_MEGABYTES} MB`,
    async () => {
      const [answer] = await pdfs.print([largePdf(LARGE_PDF_MEGABYTES)]);
      if (answer?.status !== 200) expect(answer?.body.error?.details?.[0]?.code).toMatch(/^[A-Z]+_[A-Z_]+$/);
      await pdfs.expectHealth();
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'PDFs of 120 MB from three accounts at once',
    async () => {
      const documents = [1, 2, 3].map((number) => `<p>${number}</p>${largePdf(120)}`);
      const answers = await Promise.all([1, 2, 3].map(() => pdfs.print(documents)));
      for (const { status, body } of answers.flat())
        if (status !== 200) expect(body.error?.details?.[0]?.code).toMatch(/^[A-Z]+_[A-Z_]+$/);
      await pdfs.expectHealth();
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'batches of 57 MB from one account, three at once',
    async () => {
      for (let round = 0; round < 2; round += 1)
        expect(await floods.sendBatches(3, { html: 'word '.repeat(2_280_000) })).toEqual([202, 202, 202]);
      await floods.expectHealth();
    },
    TEST_TIMEOUT_MS,
  );

  test(
    'a PDF of 2 GB, which is refused with a reason',
    async () => {
      const [answer] = await pdfs.print([largePdf(2_000)]);
      // The page may starve while other tests use the processors.
      expect([400, 500, 503]).toContain(answer?.status ?? 0);
      expect(answer?.body.error?.details?.[0]?.code).toMatch(/^RENDER_[A-Z]+$/);
      await pdfs.expectHealth();
    },
    TEST_TIMEOUT_MS,
  );
});
