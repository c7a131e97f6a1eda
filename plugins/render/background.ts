import {
  AppError,
  FilesUnavailableError,
  insertMissing,
  invalid,
  messageOf,
  newId,
  StoreUnavailableError,
  type Collection,
  type EventBus,
  type Log,
} from '../../src/plugin.ts';
import { MAX_INPUT_BYTES, type GenerationInput } from './collections.ts';
import type { BackgroundGenerations, Generation } from './contract.ts';
import { GenerationInputs } from './generation-inputs.ts';
import { blankGeneration, planGeneration } from './generation.ts';
import { toPrintSetup } from './print-options.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import type { Receipts } from './receipt/receipts.ts';
import type { Produce, ProducerParts } from './produce.ts';
import { BrowserUnavailableError, RenderError } from './render-error.ts';
import { checkSource } from './source.ts';
import { readRequest, writeRequest } from './stored-request.ts';

/** What generations in the background are made with. */
export interface BackgroundParts extends ProducerParts {
  generations: Collection<Generation>;
  generationInputs: Collection<GenerationInput>;
  receipts: Receipts;
  events: EventBus;
  log: Log;
  concurrency: number;
  /** True from the moment in which the browser is taken away: what fails then is no fault of a document. */
  stopping: () => boolean;
}

const MAX_ATTEMPTS = 3;
const OPEN = { in: ['queued', 'processing'] } as const;

/** How a generation ends. */
type Outcome = Partial<Generation> & { status: 'completed' | 'failed' };

/** Makes generations that nobody waits for. */
export function createBackground(parts: BackgroundParts, produce: Produce): BackgroundGenerations {
  const { generations, receipts, files, events, log, concurrency, stopping } = parts;
  const inputs = new GenerationInputs(parts.generationInputs);
  /** The claims of this process that came to nothing and may still stand in the store: by generation, the file's id. */
  const cameToNothing = new Map<string, string>();

  /**
   * Takes a generation, from whoever had it before: the new file id is the mark of the one that has it now, and only that one can
   * end it. The PDF of the one before, who died or hangs, will never be linked to.
   */
  async function claim({ id, attempts, fileId }: Generation, mark: string): Promise<Generation | null> {
    const taken = { status: 'processing', attempts: attempts + 1, fileId: mark } as const;
    const claimed = await generations.update({ id, attempts, fileId, status: OPEN }, taken);
    if (claimed && fileId !== null) await deleteFile(fileId);
    return claimed;
  }

  /** Tells whether it was this call that ended it. */
  async function end(
    { id, fileId }: Generation,
    outcome: Outcome,
    receipt: ReceiptDraft | undefined,
  ): Promise<boolean> {
    const ended = await generations.update({ id, fileId, status: OPEN }, outcome);
    if (ended === null || outcome.status === 'failed') if (fileId !== null) await deleteFile(fileId);
    if (ended === null) return false;
    await Promise.all([inputs.delete(id), receipts.save(id, receipt)]);
    if (outcome.status === 'failed') log.warn({ generation: id, reason: outcome.error }, 'render failed');
    await events.emit(`generation.${outcome.status}`, { generation: ended });
    return true;
  }

  /**
   * Undoes a claim that came to nothing through no fault of the document. What went wrong may keep this from being written, too:
   * then the next call in this process does it.
   */
  async function giveBack({ id, attempts }: Generation, mark: string): Promise<void> {
    const undone = { status: 'queued', attempts } as const;
    await generations.update({ id, fileId: mark, attempts: attempts + 1, status: 'processing' }, undone);
    cameToNothing.delete(id);
  }

  /** A file that stays behind costs room and nothing else. */
  async function deleteFile(fileId: string): Promise<void> {
    await files
      .delete(fileId)
      .catch((error: unknown) => log.warn({ err: error, file: fileId }, 'a file was not deleted'));
  }

  async function make(claimed: Generation, receipt: ReceiptDraft | undefined): Promise<Outcome> {
    const startedAt = Date.now();
    const input = await inputs.read(claimed.id);
    if (input === undefined) return failed('RENDER_FAILED: what it is made from is no longer stored');
    const { accountId } = claimed;
    try {
      const request = await readRequest(input);
      const setup = toPrintSetup(request.options);
      const fileId = claimed.fileId ?? '';
      const made = await produce(request, { accountId, urgency: 'batch', setup, fileId, receipt });
      return { status: 'completed', ...made, generationTimeMs: Date.now() - startedAt };
    } catch (error) {
      if (stopping() || isTransient(error)) throw error;
      noteCause(claimed.id, error);
      return { ...failed(reasonOf(error)), generationTimeMs: Date.now() - startedAt };
    }
  }

  /** Logs what a failed generation does not tell itself: why the browser or the file store failed, or a fault of the service. */
  function noteCause(generation: string, error: unknown): void {
    const isKnown = error instanceof RenderError || error instanceof AppError;
    if (!isKnown) log.error({ err: error, generation }, messageOf(error));
    else if (error.cause !== undefined) log.warn({ err: error.cause, generation }, messageOf(error));
  }

  /**
   * Claims a generation, makes it and ends it. Whatever keeps it from being made counts as no attempt. False when another call has
   * taken it meanwhile.
   */
  async function attempt(before: Generation): Promise<boolean> {
    const mark = newId('file_');
    try {
      const claimed = await claim(before, mark);
      const receipt = receipts.begin();
      return claimed !== null && (await end(claimed, await make(claimed, receipt), receipt));
    } catch (error) {
      if (stopping() || isTransient(error)) {
        cameToNothing.set(before.id, mark);
        await giveBack(before, mark).catch(() => {});
      }
      throw error;
    }
  }

  async function complete(id: string): Promise<Generation | null> {
    for (let isMine = true; ;) {
      const before = await generations.get(id);
      if (before === null || before.status === 'completed' || before.status === 'failed') {
        cameToNothing.delete(id);
        return before;
      }
      // This process hung past its lease. To take it back from who has it now would cost both their attempts.
      if (!isMine && before.status === 'processing') return null;
      const mark = cameToNothing.get(id);
      if (mark !== undefined) {
        await giveBack({ ...before, attempts: before.attempts - 1 }, mark);
      } else if (before.attempts >= MAX_ATTEMPTS) {
        await end(
          before,
          failed(`RENDER_FAILED: the service ended ${MAX_ATTEMPTS} times while it made this`),
          receipts.begin(),
        );
      } else {
        isMine = await attempt(before);
      }
    }
  }

  return {
    concurrency,
    complete,
    plan(request) {
      toPrintSetup(request.options);
      checkSource(request, parts);
      const input = writeRequest(request);
      if (Buffer.byteLength(input) > MAX_INPUT_BYTES)
        throw invalid('', `must be at most ${MAX_INPUT_BYTES} bytes of JSON`);
      return { planned: planGeneration(request), input };
    },
    storeInputs: (batchId, planned) => inputs.store(batchId, planned),
    async enqueue({ id: batchId, accountId, createdAt, generations: planned }) {
      const drafts = planned.map((one, index): Generation => {
        return { ...blankGeneration(one), accountId, createdAt, status: 'queued', batchId, index };
      });
      await insertMissing(generations, drafts, () => generations.find({ where: { batchId } }));
    },
    ofBatch: async (batchId) =>
      (await generations.find({ where: { batchId } })).toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)),
    count: (batchId, statuses) => generations.count({ batchId, status: { in: statuses } }),
    accountOf: async (id) => (await generations.get(id))?.accountId,
    countQueued: (accountId) => generations.count({ accountId, status: 'queued' }),
    deleteInputs: (batchId) => inputs.deleteBatch(batchId),
  };
}

function failed(error: string): Outcome {
  return { status: 'failed', error, fileId: null };
}

/**
 * What may be otherwise the next time: a disk that is full and a browser that does not start are no fault of a document, as little
 * as a database or a bucket that is away.
 */
function isTransient(error: unknown): boolean {
  if (error instanceof RenderError)
    return error.code === 'STORAGE_ERROR' || error.cause instanceof BrowserUnavailableError;
  if (error instanceof AppError) return error.code === 'RATE_LIMITED' || error.code === 'UNAVAILABLE';
  return error instanceof StoreUnavailableError || error instanceof FilesUnavailableError;
}

function reasonOf(error: unknown): string {
  if (error instanceof RenderError) return `${error.code}: ${error.message}`;
  if (!(error instanceof AppError))
    return 'RENDER_FAILED: the service failed to make it; its log has the cause';
  if (error.code === 'NOT_FOUND') return `TEMPLATE_NOT_FOUND: ${error.message}`;
  const ofOptions = error.details[0]?.path.startsWith('options.') ?? true;
  return `${ofOptions ? 'RENDER_FAILED' : 'TEMPLATE_ERROR'}: ${error.message}`;
}
