import {
  AppError,
  FileNotFoundError,
  LINK_LIFETIME_MS,
  newId,
  notFound,
  workContext,
  type Quota,
  type Webhooks,
} from '../../src/plugin.ts';
import { createBackground, type BackgroundParts } from './background.ts';
import type { GenerateRequest, Generation, RenderService } from './contract.ts';
import { findPage } from './deep-page.ts';
import { generationQuery } from './generation-query.ts';
import { blankGeneration, planGeneration } from './generation.ts';
import { presentEvent } from './present.ts';
import { snippetPage, snippetSetup } from './snippet.ts';
import { toPrintSetup, type PrintSetup } from './print-options.ts';
import { createProducer } from './produce.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { RenderError } from './render-error.ts';
import type { Printed, PrintJob } from './renderer.ts';

/** Longer than any request may wait and render: a generation that is not recorded by then never will be. */
const UNRECORDED_LIMIT_MS = 30 * 60_000;

/** What the service works with. */
export interface RenderParts extends BackgroundParts {
  quota: Quota;
  webhooks: Webhooks;
}

/** Makes the one way from a request to a stored PDF. */
export function createRenderService(parts: RenderParts): RenderService {
  const { generations, receipts, files, quota, events, webhooks, log } = parts;
  const produce = createProducer(parts);

  quota.registerReconciler({
    prefix: 'gen_',
    graceMs: UNRECORDED_LIMIT_MS,
    async unitsSpent(workId) {
      const generation = await generations.get(workId);
      return generation?.status === 'completed' ? 1 : 0;
    },
  });

  async function generate(request: GenerateRequest): Promise<Generation> {
    if (request.webhook !== undefined) webhooks.check('webhook', request.webhook);
    const setup = toPrintSetup(request.options);
    const queued = newGeneration(request, Date.now());
    const reservation = await quota.reserve(request.account, queued.id);
    // What is not settled, because the store or this process is away, a sweep settles.
    const settle = (spent: number) =>
      quota
        .settle(reservation, spent)
        .catch((cause: unknown) => log.error({ err: cause }, 'a unit of quota was not settled'));
    const receipt = receipts.begin();
    const generation = await forCaller(request, () => print(queued, request, { setup, receipt })).catch(
      async (error: unknown) => {
        if (!(error instanceof RenderError)) {
          await settle(0);
          throw error;
        }
        const [failure] = await Promise.all([recordFailure(queued, request, { error, receipt }), settle(0)]);
        throw failure;
      },
    );
    // Of a write that the store did not answer nobody knows whether it will take place: its unit stays held, for the sweep to settle.
    await Promise.all([generations.insert(generation), receipts.save(generation.id, receipt)]);
    void settle(1);
    await announce('generation.completed', generation, request);
    return generation;
  }

  async function print(
    queued: Generation,
    request: GenerateRequest,
    how: { setup: PrintSetup; receipt: ReceiptDraft | undefined },
  ): Promise<Generation> {
    const work = { accountId: queued.accountId, urgency: 'caller', fileId: newId('file_'), ...how } as const;
    const made = await produce(request, work);
    return { ...queued, status: 'completed', ...made, generationTimeMs: Date.now() - queued.createdAt };
  }

  /** Tells of a generation that has ended; what must be sent is stored when this resolves. */
  async function announce(
    type: 'generation.completed' | 'generation.failed',
    generation: Generation,
    { webhook: url }: GenerateRequest,
  ): Promise<void> {
    await events.emit(type, { generation });
    if (url === undefined) return;
    const { id, accountId } = generation;
    const data = presentEvent(generation, await link(generation));
    await webhooks.send({ id: `${type}:${id}`, accountId, url, type, data, timestamp: Date.now() });
  }

  async function link({ fileId, status }: Generation): Promise<string | null> {
    if (fileId === null || status !== 'completed') return null;
    return files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS });
  }

  async function recordFailure(
    queued: Generation,
    request: GenerateRequest,
    { error, receipt }: { error: RenderError; receipt: ReceiptDraft | undefined },
  ): Promise<AppError> {
    const reason = `${error.code}: ${error.message}`;
    const generation: Generation = {
      ...queued,
      status: 'failed',
      error: reason,
      generationTimeMs: Date.now() - queued.createdAt,
    };
    log.warn({ generation: generation.id, reason, err: error.cause }, 'render failed');
    await Promise.all([generations.insert(generation), receipts.save(generation.id, receipt)]);
    await announce('generation.failed', generation, request);
    return new AppError(
      'INTERNAL_ERROR',
      `the document could not be rendered (${generation.id}): ${reason}`,
      {
        details: [{ path: '', message: reason }],
        cause: error,
      },
    );
  }

  async function printUnrecorded(job: Omit<PrintJob, 'urgency'>, failed: string): Promise<Printed> {
    try {
      const printed = await parts.renderer.print({ ...job, urgency: 'caller' });
      printed.release();
      return printed;
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      const reason = `${error.code}: ${error.message}`;
      log.warn({ reason, err: error.cause }, failed);
      throw new AppError('INTERNAL_ERROR', failed, {
        details: [{ path: '', message: reason }],
        cause: error,
      });
    }
  }

  return {
    generate,
    background: createBackground(parts, produce),
    async drawSnippets(accountId, boxes) {
      const job = { accountId, document: snippetPage(boxes), setup: snippetSetup(boxes), snippet: true };
      const { pdf, pages } = await printUnrecorded(job, 'the text could not be drawn');
      if (pages !== boxes.length) throw new Error(`${boxes.length} boxes were drawn on ${pages} pages`);
      return pdf;
    },
    async tryPrint({ accountId, html }) {
      const job = { document: html, setup: toPrintSetup(undefined), offline: true };
      const { pages } = await printUnrecorded({ ...job, accountId }, 'the document could not be printed');
      return { pages };
    },
    async get(accountId, id) {
      const generation = await generations.get(id);
      if (generation?.accountId !== accountId) throw notFound('generation');
      return generation;
    },
    receipt: ({ id }) => receipts.read(id),
    async list(accountId, query) {
      const found = await findPage(generations, generationQuery(accountId, query));
      return found.filter((generation) => generation.accountId === accountId);
    },
    link,
    async readPdf({ fileId, status }) {
      if (fileId === null || status !== 'completed') throw new Error('the generation has no file');
      const { stream } = await files.get(fileId).catch((error: unknown) => {
        throw error instanceof FileNotFoundError ? notFound('file') : error;
      });
      return new Response(stream).bytes();
    },
  };
}

/** Runs work that ends when its caller leaves, unless its end is told to a webhook as well. */
function forCaller<T>({ webhook }: GenerateRequest, work: () => Promise<T>): Promise<T> {
  const context = workContext.getStore();
  return webhook === undefined || !context
    ? work()
    : workContext.run({ ...context, signal: undefined }, work);
}

function newGeneration({ account, ...request }: GenerateRequest, createdAt: number): Generation {
  return {
    ...blankGeneration(planGeneration(request)),
    accountId: account.id,
    status: 'processing',
    createdAt,
  };
}
