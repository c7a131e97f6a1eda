import {
  AppError,
  DELETION_DELAY_MS,
  findPage,
  newFileId,
  notFound,
  workContext,
  type Administration,
  type Collection,
  type Deletions,
  type EventBus,
  type Log,
  type Quota,
  type Sealer,
  type Webhooks,
  mapListed,
} from '../../src/plugin.ts';
import type { ProtectionSetting } from '../documents/contract.ts';
import type { FilesService } from '../files/contract.ts';
import type { GenerateRequest, Generation, MadeGeneration, RenderService } from './contract.ts';
import {
  createBatchErasure,
  createGenerationDeletion,
  GENERATION,
  generationData,
  hasExpired,
  isUnfinished,
  requireEnded,
} from './generations/delete-generations.ts';
import { cacheData, type CacheEntry } from './cache/print-cache.ts';
import { createDelivery } from './generations/delivery.ts';
import { findEarlierAttempts, insertFailed, insertOnce } from './generations/attempts.ts';
import { generationsWhere } from './generations/generation-query.ts';
import { blankGeneration, contentTypeOf, outcomeOf, planGeneration } from './generations/generation.ts';
import { createReconciler } from './generations/reconcile-quota.ts';
import { toImageSetup, toPageSetup } from './image/image-setup.ts';
import { openSigner } from './finish/open-signer.ts';
import { makePdf, type PdfParts } from './make-pdf.ts';
import { createMarkupReader } from './markup-reader.ts';
import { withPageOptions } from './page/page-setup.ts';
import { eventOf, presentEvent } from './generations/present.ts';
import { checkOptions } from './print/check-options.ts';
import { toPrintSetup } from './print/print-options.ts';
import { printUnrecorded } from './preview/preview.ts';
import { requestData } from './queued/account-data.ts';
import { createAsyncRequests, type AsyncParts } from './queued/async-requests.ts';
import type { GenerationInput } from './queued/collections.ts';
import { createLongRequests, createQueuedGenerations } from './queued/queued-generations.ts';
import { createQueuedRendering } from './queued/rendering.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import type { Receipts } from './receipt/receipts.ts';
import { explainRenderError, RenderError, toServiceFailure } from './render-error.ts';
import type { Printed, PrintJob } from './renderer.ts';
import { snippetPage, snippetSetup } from './generations/snippet.ts';
import { checkFormat, type FormatParts } from './office/check-request.ts';
import { checkSource, pinTemplate, withTemplateId } from './source/source.ts';
import type { ReadUrlPatterns } from './url-patterns/url-patterns.ts';

/** The parts of the service that this one needs. */
export interface RenderParts
  extends PdfParts, FormatParts, Pick<AsyncParts, 'jobs' | 'maxQueued' | 'maxQueuedRequests'> {
  generations: Collection<Generation>;
  generationInputs: Collection<GenerationInput>;
  receipts: Receipts;
  cacheEntries: Collection<CacheEntry>;
  accounts: Pick<Administration['accounts'], 'get'>;
  deletions: Deletions;
  events: EventBus;
  quota: Quota;
  readProperties: FilesService['readProperties'];
  readUrlPatterns: ReadUrlPatterns;
  webhooks: Webhooks;
  /** Encrypts URLs and passwords in the stored requests of queued generations. */
  sealer: Sealer;
  log: Log;
  browserVersion: RenderService['browserVersion'];
  hasEarlierBrowser: boolean;
  /** The number of documents that are printed at once. */
  concurrency: number;
  /** The deadline of a document. */
  timeoutMs: number;
  protection: ProtectionSetting;
  /** True once the browsers are being stopped. */
  stopping: () => boolean;
}

export function createRenderService(parts: RenderParts): RenderService {
  const { generations, receipts, files, deletions, quota, events, webhooks, log } = parts;
  const { link, deliver, readPdf } = createDelivery(files);

  let onItemsDeleted: (batchId: string) => Promise<void> = async () => {};
  deletions.register(
    GENERATION,
    createGenerationDeletion({ ...parts, onItemsDeleted: (batchId) => onItemsDeleted(batchId) }),
  );

  const outbox = webhooks.outbox({
    name: 'generations',
    collection: generations,
    toEvent(generation) {
      const { id, accountId, unreportedAt } = generation;
      const type = eventOf(generation);
      // A link would let everybody who can read the database read the document.
      const data = presentEvent({ generation, url: null });
      return { id: `${type}:${id}`, accountId, type, data, timestamp: unreportedAt ?? Date.now() };
    },
    async complete(data) {
      const { id } = data as { id: string };
      const generation = await generations.get(id);
      return generation ? { ...(data as object), url: (await link(generation)).url } : data;
    },
  });

  const rendering = createQueuedRendering({ ...parts, makePdf: (job) => makePdf(parts, job) });
  const longRequests = createLongRequests();
  const openQueued = (sealer: Sealer) => {
    const report = (generation: Generation) => outbox.report(generation);
    return createQueuedGenerations({ ...parts, link, rendering, longRequests, sealer, report });
  };
  const queued = openQueued(parts.sealer);
  quota.registerReconciler(createReconciler(generations, queued));
  const requests = createAsyncRequests({ ...parts, queued, sendWebhook });

  async function generate(given: GenerateRequest): Promise<MadeGeneration> {
    const { properties = parts.readProperties({}, given.account) } = given;
    const request = await withTemplateId(given.account.id, { ...given, properties }, parts);
    if (request.webhook !== undefined) webhooks.check('webhook', request.webhook);
    const image = request.image && toImageSetup(request.image);
    const options = request.image ? toPageSetup(request.image, parts) : toPrintSetup(request.options, parts);
    const setup = withPageOptions(options, request.page, parts);
    checkSource(request, parts);
    await checkFormat(request.account.id, { ...request, isTest: properties.test }, parts);
    const earlier = await findEarlierAttempts(generations, request);
    if (earlier.completed) {
      // The process may have died before the delivery of the webhook was stored.
      await publish(earlier.completed, request);
      return deliver(earlier.completed);
    }
    const draft = newGeneration(request, earlier.id);
    const isTest = draft.test === true;
    const reservation = isTest ? undefined : await quota.reserve(request.account, draft.id);
    // If this write fails, the quota's sweep settles the reservation.
    const logUnsettled = (cause: unknown): void =>
      log.error({ err: cause }, 'a unit of quota was not settled');
    const settle = async (status?: Generation['status']) =>
      reservation && quota.settle(reservation, outcomeOf(status ? { status } : null)).catch(logUnsettled);
    const receipt = receipts.begin();
    const { accountId } = draft;
    const { finish } = request;
    const job = { request, accountId, urgency: 'caller', setup, image, isTest, receipt, finish } as const;
    const making = forCaller(request, () =>
      makePdf(parts, { ...job, generationId: draft.id, fileId: newFileId(contentTypeOf(draft)) }),
    );
    const pdf = await making.catch(async (thrown: unknown) => {
      const error = recordableFailure(thrown, request);
      if (!error) {
        await settle();
        throw thrown;
      }
      const [failure] = await Promise.all([
        recordFailure(draft, request, { error, receipt }),
        settle('failed'),
      ]);
      throw failure;
    });
    const generationTimeMs = Date.now() - draft.createdAt;
    const unreportedAt = Date.now();
    const generation: Generation = { ...draft, status: 'completed', ...pdf, generationTimeMs, unreportedAt };
    await scheduleDeletion(generation);
    // If the insert times out, the record may exist or not. The unit then stays reserved until the quota's
    // sweep.
    const [stored] = await Promise.all([
      insertOnce(generations, generation),
      receipts.save(generation.id, receipt),
    ]);
    if (stored !== generation && generation.fileId !== null) await files.delete(generation.fileId);
    if (reservation) quota.settleSoon(reservation, outcomeOf(stored)).catch(logUnsettled);
    outbox.report(stored);
    await publish(stored, request);
    return { ...(await deliver(stored)), cache: receipt.cache };
  }

  /**
   * Schedules the deletion of a generation with a lifetime. Call this before storing the record, so that no
   * record outlives its lifetime.
   */
  async function scheduleDeletion({ id, expiresAt }: Generation): Promise<void> {
    // A deletion that is due before the record is stored would find nothing.
    if (typeof expiresAt === 'number')
      await deletions.schedule(GENERATION, [{ id, at: Math.max(expiresAt, Date.now() + DELETION_DELAY_MS) }]);
  }

  /** Emits the event of an ended generation. The delivery of its webhook is stored when this resolves. */
  async function publish(generation: Generation, { webhook: url }: GenerateRequest): Promise<void> {
    await events.emit(eventOf(generation), { generation });
    if (url !== undefined) await sendWebhook(generation, url);
  }

  /** Stores the delivery of the webhook of an ended generation. A second call does nothing. */
  async function sendWebhook(generation: Generation, url: string): Promise<void> {
    const { id, accountId } = generation;
    const type = eventOf(generation);
    const data = presentEvent(await link(generation));
    await webhooks.send({ id: `${type}:${id}`, accountId, url, type, data, timestamp: Date.now() });
  }

  async function recordFailure(
    draft: Generation,
    request: GenerateRequest,
    { error, receipt }: { error: RenderError; receipt: ReceiptDraft | undefined },
  ): Promise<AppError> {
    const { id, createdAt, inputType } = draft;
    const { reason } = error;
    const generationTimeMs = Date.now() - createdAt;
    const unreportedAt = Date.now();
    const generation: Generation = {
      ...draft,
      status: 'failed',
      error: reason,
      generationTimeMs,
      unreportedAt,
    };
    const level = error.owner === 'document' ? 'warn' : 'error';
    // The message is only in the record, because it may quote the document.
    log[level]({ generation: id, reason: error.code, err: error.cause }, 'render failed');
    await scheduleDeletion(generation);
    const [isStored] = await Promise.all([insertFailed(generations, generation), receipts.save(id, receipt)]);
    if (isStored) outbox.report(generation);
    await publish(generation, request);
    const message = `the document could not be rendered (${id})`;
    return explainRenderError(error, { message, source: inputType });
  }

  /** @throws {AppError} NOT_FOUND */
  async function find(accountId: string, id: string): Promise<Generation> {
    const generation = await generations.get(id);
    if (generation?.accountId !== accountId || hasExpired(generation)) throw notFound('generation');
    return generation;
  }

  /** Prints HTML without quota and without a record. `failure` is the message of the error. */
  async function printHtml(job: Omit<PrintJob, 'urgency'>, failure: string): Promise<Printed> {
    try {
      const printed = await parts.renderer.print({ ...job, urgency: 'caller' });
      printed.release();
      return printed;
    } catch (error) {
      if (!(error instanceof RenderError)) throw error;
      const { code, message, cause } = error;
      log.warn({ reason: code, err: cause }, failure);
      // The service itself wrote the markup of a snippet, which takes long only on an overloaded machine.
      const owner = code === 'RENDER_TIMEOUT' ? 'dependency' : 'service';
      const isOwn = job.snippet === true && error.owner !== 'dependency';
      const blamed = isOwn ? new RenderError(code, message, { owner, cause }) : error;
      throw explainRenderError(blamed, { message: failure, source: job.snippet ? '' : 'html' });
    }
  }

  return {
    generate,
    submit: (request) => requests.submit(request),
    batch: {
      concurrency: parts.concurrency,
      openItems: openQueued,
      eraseBatch: createBatchErasure(parts),
      useItemDeletion(deletion) {
        onItemsDeleted = deletion;
      },
      async pin(accountId, request) {
        const pinned = await pinTemplate(accountId, request, parts);
        await openSigner(parts, { accountId, request: pinned });
        return pinned;
      },
    },
    accountData: [requestData(generations, queued), generationData(parts), cacheData(parts.cacheEntries)],
    async filesInUse(fileIds) {
      const found = await generations.find({ where: { fileId: { in: fileIds } } });
      return found.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]));
    },
    async isFileOwner(accountId, fileId) {
      const [generation] = await generations.find({ where: { fileId }, limit: 1 });
      return generation?.accountId === accountId && !hasExpired(generation);
    },
    async drawSnippets(accountId, boxes) {
      const job = { accountId, document: snippetPage(boxes), setup: snippetSetup(boxes), snippet: true };
      const { pdf, pages } = await printHtml(job, 'the text could not be drawn');
      if (pages !== boxes.length) throw new Error(`${boxes.length} boxes were drawn on ${pages} pages`);
      return pdf;
    },
    readMarkup: createMarkupReader(parts),
    readUrlPatterns: parts.readUrlPatterns,
    renderMarkdown: async (markdown) =>
      parts.convertMarkdown(markdown, { isFragment: true }).catch((error: unknown) => {
        if (!(error instanceof RenderError)) throw error;
        throw explainRenderError(error, {
          message: 'the Markdown could not be converted',
          source: 'markdown',
        });
      }),
    printUnrecorded: (request) => printUnrecorded(parts, request),
    hasEarlierBrowser: parts.hasEarlierBrowser,
    browserVersion: (options) => parts.browserVersion(options),
    async tryPrint({ accountId, html }) {
      const job = { accountId, document: html, setup: toPrintSetup(undefined), offline: true };
      const { pages } = await printHtml(job, 'the document could not be printed');
      return { pages };
    },
    async get(accountId, id, reserveMemory) {
      return deliver(await find(accountId, id), reserveMemory);
    },
    async delete(accountId, id) {
      const found = await find(accountId, id);
      if (isUnfinished(found) && (await requests.cancel(found))) return;
      // A generation that was not canceled may have ended in the meantime.
      const generation = isUnfinished(found) ? await find(accountId, id) : found;
      requireEnded(generation);
      await requests.finish(generation);
      // From here on the deletion will be completed, even after a crash. The delay gives this call time to
      // delete the record itself.
      await deletions.schedule(GENERATION, [{ id, at: Date.now() + DELETION_DELAY_MS }]);
      const { expiresAt } = generation;
      // One of several concurrent calls ends the lifetime of the record; the others do not find it.
      if (!(await generations.update({ id, accountId, expiresAt }, { expiresAt: 0 })))
        throw notFound('generation');
      await deletions.delete(GENERATION, [id]);
    },
    async findPdf(accountId, id) {
      const generation = await generations.get(id);
      if (generation?.accountId !== accountId || hasExpired(generation)) return undefined;
      const { status, fileId, sizeBytes } = generation;
      if (status !== 'completed' || fileId === null || sizeBytes === null)
        throw new AppError('NOT_FOUND', `the generation ${id} has no PDF: its status is ${status}`);
      return { fileId, sizeBytes };
    },
    async findPages(accountId, id) {
      const generation = await find(accountId, id);
      const { status, fileId, pages } = generation;
      if (isUnfinished(generation))
        throw new AppError('CONFLICT', `the generation has not ended: its status is ${status}`);
      if (status !== 'completed' || fileId === null)
        throw new AppError('NOT_FOUND', `the generation ${id} has no PDF: its status is ${status}`);
      const contentType = contentTypeOf(generation);
      if (contentType !== 'application/pdf')
        throw new AppError(
          'VALIDATION_ERROR',
          `the generation ${id} is an image (${contentType}), not a PDF`,
        );
      return { fileId, pages };
    },
    readPdf,
    allowProtection() {
      parts.protection.isAllowed = true;
    },
    checkOptions,
    useSigner(signer) {
      parts.signing.signer = signer;
    },
    proof: async (accountId, id) => (await find(accountId, id)).proof ?? undefined,
    receipt: ({ id }) => receipts.read(id),
    async list(accountId, query) {
      const { templateId } = query;
      const resolved = templateId && (await parts.templates?.resolveAlias?.(accountId, templateId));
      const where = generationsWhere(accountId, { ...query, templateId: resolved ?? templateId });
      if (!where) return { records: [], hasMore: false, ...(query.includeTotal && { total: 0 }) };
      const at = (id: string) => ({ accountId, id });
      return mapListed(await findPage(generations, { where, at, page: query }), link);
    },
  };
}

/**
 * Returns the failure to record; `undefined` for an error that ends the request without a record, such as a
 * caller that disconnected.
 */
function recordableFailure(thrown: unknown, { webhook }: GenerateRequest): RenderError | undefined {
  const isAborted = webhook === undefined && workContext.getStore()?.signal?.aborted === true;
  const failure = isAborted ? thrown : toServiceFailure(thrown);
  return failure instanceof RenderError ? failure : undefined;
}

/** Runs work that is cancelled when its caller disconnects, unless the result also goes to a webhook. */
function forCaller<T>({ webhook }: GenerateRequest, work: () => Promise<T>): Promise<T> {
  const context = workContext.getStore();
  return webhook === undefined || !context
    ? work()
    : workContext.run({ ...context, signal: undefined }, work);
}

function newGeneration({ account, ...request }: GenerateRequest, id?: string): Generation {
  const planned = planGeneration(request);
  return {
    ...blankGeneration({ ...planned, id: id ?? planned.id }),
    accountId: account.id,
    status: 'processing',
    createdAt: Date.now(),
  };
}
