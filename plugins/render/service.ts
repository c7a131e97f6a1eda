import {
  AppError,
  FileNotFoundError,
  FilesUnavailableError,
  LINK_LIFETIME_MS,
  newId,
  notFound,
  type Collection,
  type EventBus,
  type FileStore,
  type Handlebars,
  type Log,
  type Quota,
  type Webhooks,
} from '../../src/plugin.ts';
import type { GenerateRequest, Generation, RenderService, TemplateSource } from './contract.ts';
import { Lane } from './lane.ts';
import { presentEvent } from './present.ts';
import { toPrintSetup, type PrintSetup } from './print-options.ts';
import { RenderError, type Renderer } from './renderer.ts';
import { resolveSource } from './source.ts';

/** Longer than any request may wait and render: a generation that is not recorded by then never will be. */
const UNRECORDED_LIMIT_MS = 30 * 60_000;
const TEMPLATE_LANE = { concurrency: 2, queueLimit: 200, maxWaitMs: 30_000 };

/** What the service works with. */
export interface RenderParts {
  generations: Collection<Generation>;
  renderer: Renderer;
  templates: TemplateSource | undefined;
  handlebars: Handlebars;
  files: FileStore;
  quota: Quota;
  events: EventBus;
  webhooks: Webhooks;
  log: Log;
}

/** Makes the one way from a request to a stored PDF. */
export function createRenderService(parts: RenderParts): RenderService {
  const { generations, files, quota, events, webhooks, log } = parts;
  // The tool process takes tasks in the order in which they come; accounts take turns before it.
  const templateLane = new Lane(TEMPLATE_LANE);

  quota.know({
    prefix: 'gen_',
    patienceMs: UNRECORDED_LIMIT_MS,
    async spentBy(workId) {
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
    const generation = await complete(queued, request, setup).catch(async (error: unknown) => {
      await settle(0);
      throw error instanceof RenderError ? await recordFailure(queued, request, error) : error;
    });
    void settle(1);
    await announce('generation.completed', generation, request);
    return generation;
  }

  /** Prints, stores and records; from here on the unit of quota is spent. */
  async function complete(
    queued: Generation,
    request: GenerateRequest,
    setup: PrintSetup,
  ): Promise<Generation> {
    const generation = await print(queued, request, setup);
    await generations.insert(generation);
    return generation;
  }

  async function print(queued: Generation, request: GenerateRequest, setup: PrintSetup): Promise<Generation> {
    const { html, header, footer } = await templateLane.run(request.account.id, () =>
      resolveSource(request, parts),
    );
    const job = { accountId: request.account.id, html, setup: { ...setup, header, footer } };
    const { pdf, pages } = await parts.renderer.print(job);
    const fileId = newId('file_');
    const sizeBytes = await files.put(fileId, pdf).catch((error: unknown) => {
      // A file store that is away is the service's state, not this document's: 503, and nothing to remember.
      if (error instanceof FilesUnavailableError) throw error;
      throw new RenderError('STORAGE_ERROR', 'the PDF could not be stored', error);
    });
    const generationTimeMs = Date.now() - queued.createdAt;
    return { ...queued, status: 'completed', fileId, pages, sizeBytes, generationTimeMs };
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

  async function link({ fileId }: Generation): Promise<string | null> {
    return fileId === null ? null : files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS });
  }

  async function recordFailure(
    queued: Generation,
    request: GenerateRequest,
    error: RenderError,
  ): Promise<AppError> {
    const reason = `${error.code}: ${error.message}`;
    const generation: Generation = {
      ...queued,
      status: 'failed',
      error: reason,
      generationTimeMs: Date.now() - queued.createdAt,
    };
    log.warn({ generation: generation.id, reason, err: error.cause }, 'render failed');
    await generations.insert(generation);
    await announce('generation.failed', generation, request);
    return new AppError('INTERNAL_ERROR', `the document could not be rendered (${generation.id})`, {
      details: [{ path: '', message: reason }],
      cause: error,
    });
  }

  return {
    generate,
    async get(accountId, id) {
      const generation = await generations.get(id);
      if (generation?.accountId !== accountId) throw notFound('generation');
      return generation;
    },
    list: (accountId, { limit, offset }) =>
      generations.find({ where: { accountId }, order: { createdAt: 'desc', id: 'desc' }, limit, offset }),
    link,
    async readBase64({ fileId }) {
      if (fileId === null) throw new Error('the generation has no file');
      const { stream } = await files.get(fileId).catch((error: unknown) => {
        throw error instanceof FileNotFoundError ? notFound('file') : error;
      });
      return Buffer.from(await new Response(stream).arrayBuffer()).toString('base64');
    },
  };
}

function newGeneration({ account, source, output }: GenerateRequest, createdAt: number): Generation {
  return {
    id: newId('gen_'),
    accountId: account.id,
    templateId: 'templateId' in source ? source.templateId : null,
    inputType: 'templateId' in source ? 'template' : 'html',
    status: 'processing',
    output,
    fileId: null,
    pages: null,
    sizeBytes: null,
    generationTimeMs: null,
    error: null,
    createdAt,
  };
}
