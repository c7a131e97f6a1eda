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
import type { BulkSettings } from './read-settings.ts';

/** The services that {@link createAcceptBulk} uses. */
export interface AcceptParts extends BatchParts {
  chunks: Chunks;
  files: Pick<FilesService, 'readProperties'>;
  rendering: Pick<BatchRendering, 'pin'>;
  tasks: Pick<TaskClient<typeof import('./task.ts')>, 'renderName'>;
  /** The maximum number of items of bulk batches of one account that wait to be put into the queue. */
  maxBulkItems: number;
  /** Puts the first items of an accepted batch into the queue. A job continues. */
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

/**
 * Creates the function that accepts bulk batches. The items are stored before it is called. A crash leaves
 * either a batch that will be finished or no batch, as for other batches (`service.ts`): the quota is
 * reserved, the chunks and the request that the items share are stored, and the record of the batch accepts
 * it.
 */
export function createAcceptBulk(parts: AcceptParts): AcceptBulk {
  const { batches, items: queued, chunks, quota, webhooks } = parts;

  async function accept({ account, settings, items, attempt }: BulkRequest): Promise<{ batchId: string }> {
    const retried = attempt?.isRetry ? await batches.get(idOf(attempt)) : null;
    if (retried?.accountId === account.id) {
      await items.discard();
      return { batchId: retried.id };
    }
    checkLines(items, settings);
    if (settings.webhook !== null) webhooks.check('webhook', settings.webhook);
    const { planned, request } = await plan(account, settings);
    await checkName(settings.fileName, items);
    await requireRoom(account.id, items.total);
    // An abandoned record has taken the id of an attempt whose process died.
    const id = attempt && !retried ? idOf(attempt) : newId(ID_PREFIX);
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
        skipped: items.faultCount,
        planned,
        fileName: settings.fileName,
        result: settings.result,
        origin: workContext.getStore()?.origin ?? null,
      },
      resultFileId: null,
      resultError: null,
    };
    if (attempt?.isRetry) await removeParts(id);
    try {
      await chunks.insert(batch, items.chunks);
      await queued.storeInputs(id, [{ planned: { ...planned, id }, request }]);
      await batches.insert(batch);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      // A sweep has abandoned the batch, because this process hung.
      await removeParts(id);
      await quota.settle(reservation, { completed: 0, failed: 0 });
      throw new AppError('UNAVAILABLE', 'the batch could not be stored in time', { retryAfterSeconds: 1 });
    }
    // The batch is accepted: a sweep repeats what fails here.
    await parts
      .begin(batch)
      .catch((error: unknown) => parts.log.warn({ err: error, batch: id }, 'a batch will begin later'));
    return { batchId: id };
  }

  async function removeParts(id: string): Promise<void> {
    await chunks.delete(id);
    await queued.deleteInputs(id);
  }

  /** Validates the settings as for one item, and selects the version of the template. */
  async function plan(account: Account, { template, options }: BulkSettings) {
    const properties = parts.files.readProperties({}, account);
    const source = { templateId: template };
    const data = RawJson.of({});
    const given: DocumentRequest = { source, data, options, output: 'url', properties };
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

  async function requireRoom(accountId: string, added: number): Promise<void> {
    const waiting = await chunks.countWaiting(accountId);
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
      // A record that was stored names its chunks, whose files must stay.
      if (error instanceof AppError) await request.items.discard();
      throw error;
    }
  };
}

/** All attempts to run a request with an `Idempotency-Key` use the same id. */
function idOf({ workId }: NonNullable<BulkRequest['attempt']>): string {
  return ID_PREFIX + workId;
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
