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
} from '../../src/plugin.ts';
import type { GenerateRequest, Generation, RenderService, TemplateSource } from './contract.ts';
import { Lane } from './lane.ts';
import { snippetPage, snippetSetup } from './snippet.ts';
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
  log: Log;
}

/** Makes the one way from a request to a stored PDF. */
export function createRenderService(parts: RenderParts): RenderService {
  const { generations, files, quota, events, log } = parts;
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
      throw error instanceof RenderError ? await recordFailure(queued, error) : error;
    });
    void settle(1);
    await events.emit('generation.completed', { generation });
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

  async function recordFailure(queued: Generation, error: RenderError): Promise<AppError> {
    const reason = `${error.code}: ${error.message}`;
    const generation: Generation = {
      ...queued,
      status: 'failed',
      error: reason,
      generationTimeMs: Date.now() - queued.createdAt,
    };
    log.warn({ generation: generation.id, reason, err: error.cause }, 'render failed');
    await generations.insert(generation);
    await events.emit('generation.failed', { generation });
    return new AppError('INTERNAL_ERROR', `the document could not be rendered (${generation.id})`, {
      details: [{ path: '', message: reason }],
      cause: error,
    });
  }

  return {
    generate,
    async drawSnippet(snippet) {
      const job = { html: snippetPage(snippet), setup: snippetSetup(snippet), snippet: true };
      try {
        return (await parts.renderer.print({ ...job, accountId: snippet.accountId })).pdf;
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        const reason = `${error.code}: ${error.message}`;
        log.warn({ reason, err: error.cause }, 'a snippet was not drawn');
        throw new AppError('INTERNAL_ERROR', 'the text could not be drawn', {
          details: [{ path: '', message: reason }],
          cause: error,
        });
      }
    },
    async get(accountId, id) {
      const generation = await generations.get(id);
      if (generation?.accountId !== accountId) throw notFound('generation');
      return generation;
    },
    list: (accountId, { limit, offset }) =>
      generations.find({ where: { accountId }, order: { createdAt: 'desc', id: 'desc' }, limit, offset }),
    async link({ fileId }) {
      return fileId === null ? null : files.link(fileId, { expiresAt: Date.now() + LINK_LIFETIME_MS });
    },
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
