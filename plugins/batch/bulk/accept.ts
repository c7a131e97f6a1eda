import {
  AppError,
  DuplicateKeyError,
  explainTaskFailure,
  invalid,
  newId,
  RawJson,
  workContext,
  type Account,
  type Log,
  type RouteInput,
  type TaskClient,
} from '../../../src/plugin.ts';
import type { FilesService } from '../../files/contract.ts';
import type { BatchRendering, DocumentRequest, PlannedGeneration } from '../../render/contract.ts';
import type { Batch } from '../contract.ts';
import type { BatchParts } from '../batch-parts.ts';
import { frontOf, ID_PREFIX } from '../service.ts';
import type { ReceivedItems } from './body/received-items.ts';
import type { Chunks } from './chunks.ts';
import { NAME_FAILURES } from './expand.ts';
import { deriveId } from './item-id.ts';
import type { BulkSettings } from './read-settings.ts';

/** The services that {@link createAcceptBulk} uses. */
export interface AcceptParts extends BatchParts {
  chunks: Chunks;
  files: Pick<FilesService, 'readProperties'>;
  rendering: Pick<BatchRendering, 'pin'>;
  tasks: Pick<TaskClient<typeof import('./task.ts')>, 'renderName'>;
  /** The maximum number of items of bulk batches of one account that wait to be put into the queue. */
  maxBulkItems: number;
  /** Stores the job that puts the items of an accepted batch into the queue. */
  begin: (batch: Batch) => Promise<void>;
  log: Log;
}

/** A bulk batch to accept. */
export interface BulkRequest {
  account: Account;
  settings: BulkSettings;
  items: ReceivedItems;
  attempt: RouteInput<unknown, unknown, unknown>['attempt'];
}

/**
 * Accepts a bulk batch. Once the promise resolves, every item is made exactly once, even after crashes.
 * Otherwise nothing is left of it.
 * @throws {AppError} VALIDATION_ERROR; NOT_FOUND for an unknown template; USAGE_LIMIT_EXCEEDED; RATE_LIMITED
 */
export type AcceptBulk = (request: BulkRequest) => Promise<{ batchId: string }>;

const NAME_TIMEOUT_MS = 5_000;
/** The bytes of the settings, which are stored with every item that waits in the queue. */
const MAX_SETTINGS_BYTES = 300_000;
const FULL_QUEUE_PAUSE_SECONDS = 60;
const UPLOAD_PREFIX = 'upload_';
const NO_OUTCOME = { completed: 0, failed: 0 };

/**
 * Creates the function that accepts bulk batches. The items are stored before it is called. A crash leaves
 * either a batch that will be finished or no batch, as for other batches (`service.ts`): the quota is
 * reserved, the chunks and the request that the items share are stored, and the record of the batch accepts
 * it.
 *
 * All attempts to run a request with an `Idempotency-Key` insert a record with the same id, so that one is
 * accepted. Each stores chunks of its own, because an attempt that hung may still store and delete its chunks
 * after another has been accepted.
 */
export function createAcceptBulk(parts: AcceptParts): AcceptBulk {
  const { batches, items: queued, chunks, quota, webhooks } = parts;
  /** The number of items that this process is accepting, by account. They may not be stored yet. */
  const accepting = new Map<string, number>();

  async function accept(request: BulkRequest): Promise<{ batchId: string }> {
    const { account, settings, items, attempt } = request;
    const { id, isAccepted } = await chooseId(account, attempt);
    if (isAccepted) {
      await items.discard();
      return { batchId: id };
    }
    checkLines(items, settings);
    if (settings.webhook !== null) webhooks.check('webhook', settings.webhook);
    const plan = await planItems(account, settings);
    await checkName(settings.fileName, items);
    const others = accepting.get(account.id) ?? 0;
    accepting.set(account.id, others + items.total);
    try {
      const waiting = others + (await chunks.countWaiting(account.id, id));
      requireRoom(waiting, items.total);
      return await store(request, id, plan);
    } finally {
      const rest = (accepting.get(account.id) ?? 0) - items.total;
      if (rest > 0) accepting.set(account.id, rest);
      else accepting.delete(account.id);
    }
  }

  /** Reserves the quota and stores the batch. */
  async function store(
    { account, settings, items, attempt }: BulkRequest,
    id: string,
    { planned, request }: Awaited<ReturnType<typeof planItems>>,
  ): Promise<{ batchId: string }> {
    const uploadId = newId(UPLOAD_PREFIX);
    const isTest = planned.test === true;
    const reservation = await quota.reserve(account, id, isTest ? 0 : items.total);
    const batch: Batch = {
      id,
      accountId: account.id,
      status: 'open',
      generations: [],
      webhook: settings.webhook,
      firstPlace: (await frontOf(parts.queue)) + (await queued.countQueued(account.id)),
      usageId: reservation.usageId,
      ...(isTest && { test: true }),
      idempotencyKey: null,
      createdAt: Date.now(),
      completedAt: null,
      canceledAt: null,
      bulk: {
        total: items.total,
        uploadId,
        skipped: items.faultCount,
        planned,
        fileName: settings.fileName,
        result: settings.result,
        origin: workContext.getStore()?.origin ?? null,
      },
      resultFileId: null,
      resultError: null,
    };
    await chunks.insert({ batchId: id, accountId: account.id, uploadId }, items.chunks);
    try {
      // Counted again, because other processes may have stored chunks meanwhile. Of several that do so at the
      // same time, the last one at least counts all chunks, so the limit holds.
      requireRoom(await chunks.countWaiting(account.id, id), items.total);
    } catch (error) {
      await chunks.deleteUpload(uploadId);
      // Another attempt may still need the hold, so a sweep settles it.
      if (!attempt) await quota.settle(reservation, NO_OUTCOME);
      throw error;
    }
    await queued.storeInputs(id, [{ planned: { ...planned, id: uploadId }, request }]);
    try {
      await batches.insert(batch);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      return takeAccepted(batch, uploadId);
    }
    // The batch is accepted: sweeps repeat what fails here.
    await begin(batch, uploadId).catch((error: unknown) =>
      parts.log.warn({ err: error, batch: id }, 'a batch will begin later'),
    );
    return { batchId: id };
  }

  async function begin(batch: Batch, uploadId: string): Promise<void> {
    await parts.begin(batch);
    await chunks.deleteOtherUploads(batch.id, uploadId);
  }

  /**
   * Returns the batch that another attempt has stored, because this process hung, and deletes what this
   * attempt has stored.
   * @throws {AppError} UNAVAILABLE if a sweep has abandoned the batch
   */
  async function takeAccepted(
    { id, accountId, usageId }: Batch,
    uploadId: string,
  ): Promise<{ batchId: string }> {
    await chunks.deleteUpload(uploadId);
    await queued.deleteInput(uploadId);
    const stored = await batches.get(id);
    // The attempts share their hold, which the end of an open batch settles.
    if (stored?.status !== 'open') await quota.settle({ usageId, workId: id }, NO_OUTCOME);
    if (stored?.accountId === accountId) return { batchId: id };
    throw new AppError('UNAVAILABLE', 'the batch could not be stored in time', { retryAfterSeconds: 1 });
  }

  /** Returns the id of the batch: the first of its attempt that a sweep has not abandoned. */
  async function chooseId(
    account: Account,
    attempt: BulkRequest['attempt'],
  ): Promise<{ id: string; isAccepted: boolean }> {
    if (!attempt) return { id: newId(ID_PREFIX), isAccepted: false };
    for (let round = 0; ; round += 1) {
      const id = idOf(attempt, round);
      const stored = attempt.isRetry ? await batches.get(id) : null;
      if (stored?.status !== 'abandoned') return { id, isAccepted: stored?.accountId === account.id };
    }
  }

  /** Validates the settings as for one item, and selects the version of the template. */
  async function planItems(account: Account, { template, locale, options }: BulkSettings) {
    const properties = parts.files.readProperties({}, account);
    const source = { templateId: template };
    const data = RawJson.of({});
    const given: DocumentRequest = { source, data, locale, options, output: 'url', properties };
    const checked = await queued.plan(account.id, given);
    const { data: _, ...request } = await parts.rendering.pin(account.id, checked.request);
    const size = Buffer.byteLength(JSON.stringify({ ...request, properties: undefined }));
    if (size > MAX_SETTINGS_BYTES)
      throw invalid('options', `must have at most ${MAX_SETTINGS_BYTES} bytes of JSON`);
    return { planned: checked.planned satisfies PlannedGeneration, request };
  }

  /** Renders the name of the first file, so that a template with a fault is refused. */
  async function checkName(template: string | null, { first }: ReceivedItems): Promise<void> {
    if (template === null || first === undefined) return;
    const rendering = parts.tasks.renderName({ template, data: first }, { timeoutMs: NAME_TIMEOUT_MS });
    const result = await rendering.catch((error: unknown) => {
      throw explainTaskFailure(error, NAME_FAILURES);
    });
    if (!result.ok) throw invalid('file_name', result.message);
  }

  function requireRoom(waiting: number, added: number): void {
    if (waiting + added <= parts.maxBulkItems) return;
    throw new AppError(
      'RATE_LIMITED',
      `the account has ${waiting} waiting items of bulk batches; ${added} more would exceed the limit of ${parts.maxBulkItems}`,
      { retryAfterSeconds: FULL_QUEUE_PAUSE_SECONDS },
    );
  }

  return async (request) => {
    try {
      return await accept(request);
    } catch (error) {
      // After another error the batch may have been stored, so its files must stay.
      if (error instanceof AppError) await request.items.discard();
      throw error;
    }
  };
}

/** Returns an id that all attempts to run a request share. Each round has another. */
function idOf({ workId }: NonNullable<BulkRequest['attempt']>, round: number): string {
  return ID_PREFIX + (round === 0 ? workId : deriveId(`${workId}/${round}`));
}

/** @throws {AppError} VALIDATION_ERROR with the lines of the file that are invalid */
function checkLines({ total, faultCount, faults }: ReceivedItems, { onInvalid }: BulkSettings): void {
  if (faultCount > 0 && (onInvalid === 'reject' || total === 0)) {
    const [first] = faults;
    const count = faultCount === 1 ? '1 line is invalid' : `${faultCount} lines are invalid`;
    throw new AppError('VALIDATION_ERROR', `${count}; line ${first?.line} ${first?.message}`, {
      details: faults.map(({ line, message }) => ({ path: `line ${line}`, line, message })),
    });
  }
  if (total === 0) throw invalid('file', 'has no items');
}
