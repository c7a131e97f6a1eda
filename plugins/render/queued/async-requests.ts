import {
  AppError,
  DELETION_DELAY_MS,
  DuplicateKeyError,
  scan,
  workContext,
  yieldToEventLoop,
  type Collection,
  type Deletions,
  type Log,
  type PluginContext,
  type Quota,
  type Webhooks,
} from '../../../src/plugin.ts';
import type { SignatureSetting } from '../../documents/contract.ts';
import type { TemplateSource } from '../../templates/contract.ts';
import type { GenerateRequest, Generation, PlannedInput, QueuedGenerations } from '../contract.ts';
import { eventIdsOf, GENERATION, hasExpired, isUnfinished } from '../generations/delete-generations.ts';
import { blankGeneration, outcomeOf } from '../generations/generation.ts';
import { openSigner } from '../finish/open-signer.ts';
import { pinTemplate } from '../source/source.ts';

/** The services that {@link createAsyncRequests} uses. */
export interface AsyncParts {
  generations: Collection<Generation>;
  queued: QueuedGenerations;
  jobs: Pick<PluginContext<unknown, object, never, never>['jobs'], 'define' | 'sweep'>;
  quota: Pick<Quota, 'reserve' | 'settle'>;
  deletions: Pick<Deletions, 'schedule' | 'delete'>;
  webhooks: Pick<Webhooks, 'check' | 'delete'>;
  templates: TemplateSource | undefined;
  signing: SignatureSetting;
  /** The number of documents that are printed at once. */
  concurrency: number;
  /** The maximum number of generations of one account that may be queued. */
  maxQueued: number;
  /**
   * The maximum number of them outside batches. Each holds a unit of quota of its own, and every change of an
   * account's quota reads and writes all its holds. A batch has one hold.
   */
  maxQueuedRequests: number;
  /** Stores the delivery of an ended generation's webhook. A second call does nothing. */
  sendWebhook(generation: Generation, url: string): Promise<void>;
  log: Log;
}

/** The requests whose callers do not wait. */
export interface AsyncRequests {
  /** See `RenderService.submit`. */
  submit(request: GenerateRequest): Promise<Generation>;
  /**
   * Deletes a generation that is still queued, and returns its unit of quota. Returns false for any other
   * generation.
   */
  cancel(generation: Generation): Promise<boolean>;
  /** Completes the end of a generation: its quota and its webhook. A second call does nothing. */
  finish(generation: Generation): Promise<void>;
}

/**
 * A request that takes longer than this to be stored is refused. Within this time after the reservation of
 * quota, no sweep takes the request for one whose process has died.
 */
const MAX_ACCEPTING_MS = 10 * 60_000;

/** How long a caller whose requests fill the queue should wait before the next attempt. */
const FULL_QUEUE_PAUSE_SECONDS = 10;

/**
 * Accepts requests whose callers do not wait, and makes their generations. A crash at any point leaves either
 * a generation that will be made or nothing, because the writes have this order:
 *
 * 1. The unit of quota is reserved under the id of the generation; no unit for a test key. From here on, the
 *    quota's sweep finds a request that was never accepted, returns the unit and deletes the stored request.
 * 2. The request is stored. No caller can see it.
 * 3. The generation is inserted as `queued`, with `openSince`. This accepts the request.
 * 4. The job is stored. If it is missing, a sweep stores it.
 *
 * Once the generation has ended, `finish` settles the quota, stores the webhook and then clears `openSince`.
 * Until then, the job runs again.
 */
export function createAsyncRequests(parts: AsyncParts): AsyncRequests {
  const { generations, queued, jobs, quota, deletions, webhooks, log } = parts;

  const queue = jobs.define({ name: 'render.generation', concurrency: parts.concurrency, run });
  jobs.sweep('queued generations', sweep);

  /** Makes the checks of `RenderService.generate`, and selects the version of a stored template. */
  async function plan({ account, attempt, webhook, ...request }: GenerateRequest): Promise<PlannedInput> {
    if (webhook !== undefined) webhooks.check('webhook', webhook);
    const { planned, request: checked } = await queued.plan(account.id, request);
    const pinned = await pinTemplate(account.id, checked, parts);
    await openSigner(parts, { accountId: account.id, request: pinned });
    return { planned: { ...planned, ...(attempt && { id: idOf(attempt) }) }, request: pinned };
  }

  /** Stores the request. If that fails, the unit of quota is returned. */
  async function store(
    { account, attempt }: GenerateRequest,
    input: PlannedInput,
    reservation: { usageId: string; workId: string },
  ): Promise<void> {
    const { id, expiresAt } = input.planned;
    try {
      // An earlier attempt may have died while it stored the request.
      if (attempt?.isRetry) await queued.deleteInput(id);
      await queued.storeInputs(account.id, [input]);
      if (typeof expiresAt === 'number') await deletions.schedule(GENERATION, [{ id, at: expiresAt }]);
    } catch (error) {
      // Another attempt with the same key may still need the unit. Otherwise the quota's sweep returns it.
      if (!attempt)
        await quota
          .settle(reservation, { completed: 0, failed: 0 })
          .then(() => queued.deleteInput(id))
          .catch((cause: unknown) => log.error({ err: cause }, 'a unit of quota was not returned'));
      throw error;
    }
  }

  /** Stores the job of a generation. If that fails, the next sweep stores it. */
  async function enqueue({ id, accountId, createdAt }: Generation): Promise<void> {
    await queue
      .ensureQueued([id], createdAt, { account: accountId })
      .catch((error: unknown) => log.warn({ err: error, generation: id }, 'a job will be stored later'));
  }

  /** Returns the generation that another attempt with the same key has stored. */
  async function findAccepted({ account, attempt }: GenerateRequest): Promise<Generation | undefined> {
    const found = attempt && (await generations.get(idOf(attempt)));
    return found?.accountId === account.id && !hasExpired(found) ? found : undefined;
  }

  /** @throws {AppError} RATE_LIMITED if the account has too many queued generations */
  async function requireRoom(accountId: string): Promise<void> {
    const waiting = await queued.countQueued(accountId);
    if (waiting >= parts.maxQueued) throw queueFull(waiting, 'documents');
    const requests = await queued.countQueuedRequests(accountId);
    if (requests >= parts.maxQueuedRequests) throw queueFull(requests, 'requests with `async`');
  }

  async function submit(request: GenerateRequest): Promise<Generation> {
    const { account, attempt, webhook = null } = request;
    const earlier = attempt?.isRetry ? await findAccepted(request) : undefined;
    if (earlier) {
      if (isUnfinished(earlier)) await enqueue(earlier);
      return earlier;
    }
    const input = await plan(request);
    await requireRoom(account.id);
    const createdAt = Date.now();
    const units = input.planned.test === true ? 0 : 1;
    const reservation = await quota.reserve(account, input.planned.id, units);
    const { usageId } = reservation;
    const generation: Generation = {
      ...blankGeneration(input.planned),
      accountId: account.id,
      status: 'queued',
      createdAt,
      openSince: createdAt,
      usageId,
      webhook,
      origin: workContext.getStore()?.origin ?? null,
    };
    try {
      await store(request, input, reservation);
      if (Date.now() - createdAt > MAX_ACCEPTING_MS) throw tooLate();
      await generations.insert(generation);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      const accepted = await findAccepted(request);
      if (accepted) return accepted;
      throw tooLate(error);
    }
    await enqueue(generation);
    return generation;
  }

  /** Makes one generation, and completes its end. */
  async function run(id: string): Promise<void> {
    const ended = await queued.complete(id);
    if (ended) await finish(ended);
  }

  async function finish(generation: Generation): Promise<void> {
    const { id, status, usageId, openSince = null, webhook } = generation;
    if (openSince === null || isUnfinished(generation)) return;
    if (usageId !== undefined) await quota.settle({ usageId, workId: id }, outcomeOf(generation));
    await queued.deleteInput(id);
    const isCanceled = status === 'canceled';
    if (webhook && !isCanceled) await atOrigin(generation, () => parts.sendWebhook(generation, webhook));
    // From here on the deletion will be completed, even after a crash.
    if (isCanceled) await deletions.schedule(GENERATION, [{ id, at: Date.now() + DELETION_DELAY_MS }]);
    const isLast = await generations.update(
      { id, openSince },
      { openSince: null, webhook: null, origin: null },
    );
    // A concurrent call was faster, and the caller may have deleted the generation since.
    if (!isLast && (await generations.get(id)) === null) await webhooks.delete(eventIdsOf(id));
    if (isCanceled) await deletions.delete(GENERATION, [id]);
  }

  /** Stores the jobs that a crash left unstored. */
  async function sweep(since: number): Promise<void> {
    for await (const page of scan(generations, { where: {}, by: 'openSince', from: since }))
      for (const { id, accountId, createdAt } of page) {
        await queue.ensureQueued([id], createdAt, { account: accountId });
        await yieldToEventLoop();
      }
  }

  return {
    submit,
    finish,
    async cancel({ id, accountId }) {
      const change = { status: 'canceled', expiresAt: 0 } as const;
      const canceled = await generations.update({ id, accountId, batchId: null, status: 'queued' }, change);
      if (canceled) await finish(canceled);
      return canceled !== null;
    },
  };
}

/** Runs work whose links begin with the origin at which the caller reached the service. */
function atOrigin(generation: Generation, work: () => Promise<void>): Promise<void> {
  const context = workContext.getStore();
  const { origin } = generation;
  return context && origin ? workContext.run({ ...context, origin }, work) : work();
}

/** All attempts to run a request with an `Idempotency-Key` use the same id. */
function idOf({ workId }: NonNullable<GenerateRequest['attempt']>): string {
  return `gen_${workId}`;
}

function queueFull(count: number, noun: string): AppError {
  return new AppError('RATE_LIMITED', `the account has ${count} queued ${noun}, which is the limit`, {
    retryAfterSeconds: FULL_QUEUE_PAUSE_SECONDS,
  });
}

function tooLate(cause?: unknown): AppError {
  return new AppError('UNAVAILABLE', 'the request could not be stored in time', {
    retryAfterSeconds: 1,
    cause,
  });
}
