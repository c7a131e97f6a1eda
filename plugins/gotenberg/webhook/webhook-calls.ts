import { availableParallelism } from 'node:os';
import {
  AppError,
  FilesUnavailableError,
  newFileId,
  newId,
  ownedRecords,
  scan,
  StoreUnavailableError,
  type Account,
  type AccountData,
  type Collection,
  type FileStore,
  type PluginContext,
} from '../../../src/plugin.ts';
import { Form } from '../form/form.ts';
import { waitBefore } from '../outbound/headers.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { Output } from '../respond.ts';
import type { Settings } from '../settings.ts';
import type { WebhookCall } from './collections.ts';
import { eventMessage, outcomeMessage, sendOnce, type Failure, type Outcome } from './message.ts';
import { readOutcomeFile } from './outcome-file.ts';
import { ResultMemory } from './result-memory.ts';
import type { WebhookTarget } from './target.ts';

type Context = PluginContext<unknown, object, never, never>;

/** The work of a request: what a route makes of a form. */
export interface FormWork {
  account: Account;
  isTest: boolean;
  form: Form;
  trace: string;
  /** The name of the result without extension, for files that have no name of their own. */
  outputName: string;
  signal: AbortSignal;
  reserveMemory: (bytes: number) => void;
  /** Set for work that may be repeated after a crash; see `RouteInput.attempt`. */
  attempt: { workId: string; isRetry: boolean } | undefined;
}

/** The services that {@link createWebhookCalls} uses. */
export interface WebhookCallParts {
  calls: Collection<WebhookCall>;
  accounts: Pick<Context['accounts'], 'get'>;
  files: Pick<FileStore, 'put' | 'get' | 'delete'>;
  jobs: Pick<Context['jobs'], 'define' | 'sweep'>;
  sealer: Context['sealer'];
  log: Context['log'];
  outbound: Outbound;
  settings: Pick<Settings, 'webhook' | 'traceHeader'>;
  /** Does the work of a route. @throws {AppError} for a failure that the receiver should know */
  run(path: string, work: FormWork): Promise<Output>;
  /** Describes an error as the response to a caller would. */
  describe: (error: AppError) => Failure;
}

/** A request that is to be worked off later. */
export interface AcceptedCall {
  account: Account;
  isTest: boolean;
  path: string;
  form: Form;
  trace: string;
  outputName: string;
  target: WebhookTarget;
}

/** The requests whose callers get 204. */
export interface WebhookCalls {
  /**
   * Stores a request. It is worked off even if the process is killed.
   * @throws {AppError} RATE_LIMITED when too many requests of the account are waiting
   */
  accept(call: AcceptedCall): Promise<void>;
  /** Aborts running work and messages, which then run again after the next start. */
  close(): void;
  accountData: AccountData;
  filesInUse: (fileIds: readonly string[]) => Promise<readonly string[]>;
}

/** The outcome of the work of a request. */
type Made = Pick<WebhookCall, 'resultFileId' | 'result' | 'failure'>;

/** The requests of one account that may wait. */
const MAX_WAITING = 1_000;
const FULL_QUEUE_PAUSE_SECONDS = 10;
/** How often the work is begun: it is tried again after a busy service, and after a process that died. */
const MAX_ATTEMPTS = 10;
/** Limits of the messages that are sent at once: in total, of an account, and to a host. */
const SENDING = 32;
const SENDING_OF_ACCOUNT = 8;
const SENDING_TO_HOST = 8;
/** How long a result waits while others take the memory. */
const FULL_MEMORY_PAUSE_MS = 1_000;
/** A request that is older has a job, unless its process died while it stored the job. */
const OVERDUE_MS = 60_000;

/**
 * Works off requests whose callers got 204. A request is stored with its form before the response. One job
 * does its work and stores the result; another sends the result, and then the event. A crash repeats the step
 * that was interrupted, so a receiver may get a message twice.
 */
export function createWebhookCalls(parts: WebhookCallParts): WebhookCalls {
  const { calls, accounts, files, sealer, log, outbound, settings } = parts;
  const closing = new AbortController();
  const results = new ResultMemory();
  const working = parts.jobs.define({
    name: 'gotenberg.work',
    concurrency: availableParallelism(),
    run: work,
  });
  const sending = parts.jobs.define({
    name: 'gotenberg.send',
    concurrency: SENDING,
    limits: ({ target: host = '' }) => ({
      limit: SENDING_OF_ACCOUNT,
      resources: [{ key: host, limit: SENDING_TO_HOST }],
    }),
    run: send,
  });
  parts.jobs.sweep('gotenberg webhooks', async (since) => {
    const stored = { by: 'createdAt', from: since, to: Date.now() - OVERDUE_MS } as const;
    for await (const page of scan(calls, { where: {}, ...stored }))
      for (const call of page) await enqueue(call);
  });

  /** Stores the job of the next step unless it is stored. */
  async function enqueue(call: WebhookCall): Promise<void> {
    const { id, accountId: account } = call;
    if (call.step === 'queued') return working.ensureQueued([id], undefined, { account });
    const target = URL.parse(open(call).target.url)?.host;
    return sending.ensureQueued([id], undefined, { account, target });
  }

  async function accept({ account, form, target, ...call }: AcceptedCall): Promise<void> {
    if ((await calls.count({ accountId: account.id })) >= MAX_WAITING)
      throw new AppError('RATE_LIMITED', `${MAX_WAITING} requests with a webhook are waiting`, {
        retryAfterSeconds: FULL_QUEUE_PAUSE_SECONDS,
      });
    const id = newId('gtb_');
    const inputFileId = form.files.length > 0 ? newId('file_form_') : null;
    if (inputFileId !== null) await files.put(inputFileId, streamOf(form));
    const stored: WebhookCall = {
      ...call,
      id,
      accountId: account.id,
      createdAt: Date.now(),
      sealed: sealer.seal(id, JSON.stringify({ target, texts: [...form.texts] })),
      inputFileId,
      inputs: form.files.map(({ field, name, content }) => ({ field, name, sizeBytes: content.length })),
      step: 'queued',
      attempts: 0,
      resultFileId: null,
      result: null,
      failure: null,
      tries: 0,
    };
    await calls.insert(stored);
    // Without a job, the next sweep stores it.
    await enqueue(stored).catch((error: unknown) =>
      log.error({ err: error, call: id }, 'the job of a request with a webhook was not stored'),
    );
  }

  async function work(id: string) {
    const call = await calls.get(id);
    if (call?.step !== 'queued') return call ? enqueue(call) : undefined;
    const account = await accounts.get(call.accountId);
    if (!account) return remove([call]);
    await calls.update({ id }, { attempts: call.attempts + 1 });
    const done = refusalOf(call, account) ?? (await makeOutcome(call, account));
    if ('runAgainAt' in done) return done;
    const next = await calls.update({ id, step: 'queued' }, { ...done, step: 'outcome' });
    if (next) await enqueue(next);
  }

  /** Returns the outcome of work that is not done; `undefined` for other work. */
  function refusalOf({ id, attempts }: WebhookCall, { suspendedAt }: Account): Made | undefined {
    if (suspendedAt !== null)
      return failed(new AppError('FORBIDDEN', 'the account was suspended before the request was worked off'));
    if (attempts < MAX_ATTEMPTS) return undefined;
    // Otherwise a request that kills its process would kill it after each start.
    log.error({ call: id, attempts }, 'request failed: the process died in each attempt');
    return failed(new AppError('INTERNAL_ERROR', ''));
  }

  function failed(error: AppError): Made {
    return { resultFileId: null, result: null, failure: parts.describe(error) };
  }

  async function makeOutcome(call: WebhookCall, account: Account): Promise<Made | { runAgainAt: number }> {
    const { id, path, trace, isTest, attempts, outputName } = call;
    try {
      const output = await parts.run(path, {
        account,
        isTest,
        form: await readForm(call),
        trace,
        outputName: outputName || crypto.randomUUID(),
        signal: closing.signal,
        reserveMemory: () => undefined,
        attempt: { workId: id.slice('gtb_'.length), isRetry: attempts > 0 },
      });
      const { content, ...result } = await readOutcomeFile(output, outputName);
      const resultFileId = newFileId(result.mediaType);
      await files.put(resultFileId, content);
      return { resultFileId, result, failure: null };
    } catch (error) {
      if (closing.signal.aborted) return { runAgainAt: Date.now() };
      if (error instanceof StoreUnavailableError || error instanceof FilesUnavailableError) throw error;
      if (!(error instanceof AppError)) log.error({ err: error, call: id }, 'request failed');
      const failure =
        error instanceof AppError ? error : new AppError('INTERNAL_ERROR', '', { cause: error });
      const pause = failure.retryAfterSeconds;
      if (pause !== undefined && attempts + 1 < MAX_ATTEMPTS)
        return { runAgainAt: Date.now() + pause * 1_000 };
      return failed(failure);
    }
  }

  async function send(id: string) {
    const call = await calls.get(id);
    if (!call || call.step === 'queued') return;
    const { target } = open(call);
    const sender = {
      trace: { header: settings.traceHeader, trace: call.trace },
      settings: settings.webhook,
    };
    const result = call.step === 'outcome' && !call.failure ? await openResult(call) : undefined;
    using memory = results.hold(call.accountId, result?.sizeBytes ?? 0);
    if (!memory) {
      await result?.stream.cancel();
      return { runAgainAt: Date.now() + FULL_MEMORY_PAUSE_MS };
    }
    const message =
      call.step === 'event'
        ? eventMessage(target, call.failure, sender)
        : outcomeMessage(target, await readOutcome(call, result), sender);
    if (!message) return proceed(call);
    const limits = { timeoutMs: settings.webhook.timeoutMs, signal: closing.signal };
    const attempt = await sendOnce(outbound, message, limits).catch((error: unknown) => {
      if (!closing.signal.aborted) throw error;
    });
    // An attempt that the end of the service interrupts does not count.
    if (!attempt) return { runAgainAt: Date.now() };
    const { minWaitMs: minMs, maxWaitMs: maxMs, maxRetries } = settings.webhook;
    const host = new URL(message.url).host;
    if (attempt.isSent) {
      log.info({ call: id, host, step: call.step }, 'request to webhook handled');
      return proceed(call);
    }
    const tries = call.tries + 1;
    const isRetried = attempt.isWorthRetrying && tries <= maxRetries;
    log.info(
      { call: id, host, step: call.step, tries, reason: attempt.reason },
      isRetried ? 'request to webhook failed; it will be retried' : 'request to webhook failed',
    );
    if (isRetried) {
      await calls.update({ id, step: call.step }, { tries });
      return { runAgainAt: Date.now() + waitBefore(tries, { minMs, maxMs, retryAfter: attempt.retryAfter }) };
    }
    // A result that cannot be delivered is a failure, of which the other URLs are told.
    if (call.step === 'outcome' && call.failure === null) {
      await calls.update({ id, step: 'outcome' }, { failure: attempt.failure, tries: 0 });
      return { runAgainAt: Date.now() };
    }
    return proceed(call);
  }

  /** Goes on to the next message, or ends the request. */
  async function proceed(call: WebhookCall) {
    if (call.step === 'event') return remove([call]);
    await calls.update({ id: call.id, step: 'outcome' }, { step: 'event', tries: 0 });
    return { runAgainAt: Date.now() };
  }

  async function openResult({ resultFileId }: WebhookCall) {
    if (resultFileId === null) throw new Error('a request ended without a result');
    return files.get(resultFileId);
  }

  async function readOutcome(
    { failure, result }: WebhookCall,
    file: Awaited<ReturnType<typeof openResult>> | undefined,
  ): Promise<Outcome> {
    if (failure) return { failure };
    if (!result || !file) throw new Error('a request ended without a result');
    return { file: { ...result, content: await new Response(file.stream).bytes() } };
  }

  function open({ id, sealed }: WebhookCall): {
    target: WebhookTarget;
    texts: [field: string, texts: string[]][];
  } {
    return JSON.parse(sealer.unseal(id, sealed));
  }

  async function readForm(call: WebhookCall): Promise<Form> {
    const form = new Form();
    for (const [field, texts] of open(call).texts) for (const text of texts) form.addValue(field, text);
    if (call.inputFileId === null) return form;
    const { stream } = await files.get(call.inputFileId);
    const content = await new Response(stream).bytes();
    let start = 0;
    for (const { field, name, sizeBytes } of call.inputs) {
      form.addFile(field, name, content.subarray(start, start + sizeBytes));
      start += sizeBytes;
    }
    return form;
  }

  async function deleteFiles(ended: readonly WebhookCall[]): Promise<void> {
    for (const { inputFileId, resultFileId } of ended)
      for (const fileId of [inputFileId, resultFileId]) if (fileId !== null) await files.delete(fileId);
  }

  async function remove(ended: readonly WebhookCall[]): Promise<void> {
    await deleteFiles(ended);
    await calls.delete({ id: { in: ended.map(({ id }) => id) } });
  }

  return {
    accept,
    close: () => closing.abort(),
    accountData: ownedRecords({
      name: 'gotenberg-webhook-calls',
      collection: calls,
      present: ({ id, path, trace, createdAt, resultFileId }) => ({
        record: { id, path, trace, created_at: new Date(createdAt).toISOString() },
        fileIds: resultFileId === null ? [] : [resultFileId],
      }),
      deleteParts: deleteFiles,
    }),
    async filesInUse(fileIds) {
      const found = await Promise.all(
        (['inputFileId', 'resultFileId'] as const).map((field) =>
          calls.find({ where: { [field]: { in: fileIds } } }),
        ),
      );
      return found
        .flat()
        .flatMap(({ inputFileId, resultFileId }) => [inputFileId, resultFileId])
        .filter((fileId) => fileId !== null && fileIds.includes(fileId)) as string[];
    },
  };
}

/** Returns the contents of a form's files, one after another. */
function streamOf({ files }: Form): ReadableStream<Uint8Array> {
  const contents = files.values();
  return new ReadableStream({
    pull(controller) {
      const { value, done } = contents.next();
      if (done) controller.close();
      else controller.enqueue(value.content);
    },
  });
}
