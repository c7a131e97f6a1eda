import { availableParallelism } from 'node:os';
import {
  AppError,
  explainTaskFailure,
  FairQueue,
  invalid,
  workContext,
  type Log,
  type Metrics,
  type TaskClient,
} from '../../src/plugin.ts';
import { baseNameOf } from './base-name.ts';
import type { ConvertInput, OfficeService } from './contract.ts';
import { TYPES_BY_NAME } from './document/types.ts';
import { MISSING_OFFICE, type Installation } from './engine/installation.ts';
import type { Outcome } from './engine/office-process.ts';
import { OfficePool } from './engine/pool.ts';
import { readPageRanges } from './page-ranges.ts';

/** The limits of conversions, which the operator sets. */
export interface OfficeLimits {
  timeoutMs: number;
  memoryMegabytes: number;
  maxFileMegabytes: number;
  maxPages: number;
  pool: number;
}

/** The largest PDF that Platen processes. */
const MAX_RESULT_BYTES = 27_000_000;
const QUEUE_LIMIT = 100;
const MAX_WAIT_MS = 60_000;
const TASK_FAILURES = {
  path: 'file',
  deadline: 'takes too long to read',
  memory: 'exceeds the memory limit; it may be damaged',
  waiting: 'documents',
  failed: 'the document could not be read',
};

/** The types that keep where their sheets are scrolled to. */
const WORKBOOKS = ['xlsx', 'xlsm', 'xltx', 'xltm'];

/** Waits for a task. @throws {AppError} for `file` when the document takes too much time or memory */
async function runTask<Value>(task: Promise<Value>): Promise<Value> {
  try {
    return await task;
  } catch (error) {
    throw explainTaskFailure(error, TASK_FAILURES);
  }
}

/** Creates the service, which answers NOT_CONFIGURED without an installation. */
export function createOfficeService({
  installation,
  limits,
  tasks,
  log,
  metrics,
}: {
  installation: Installation | undefined;
  limits: OfficeLimits;
  tasks: TaskClient<typeof import('./tasks.ts')>;
  log: Log;
  metrics: Metrics;
}): { service: OfficeService; close: () => Promise<void> } {
  const pool =
    installation &&
    new OfficePool(installation, {
      size: limits.pool,
      limits: {
        timeoutMs: limits.timeoutMs,
        memoryBytes: limits.memoryMegabytes * 1_000_000,
        maxResultBytes: MAX_RESULT_BYTES,
      },
      log,
    });
  const conversions = metrics.counter(
    'office_conversions_total',
    'The documents that LibreOffice has converted, by outcome: `done`, or the reason of the failure, such as `time` or `memory`.',
    ['outcome'],
  );
  const queue = new FairQueue({
    concurrency: Math.max(1, Math.min(availableParallelism(), 4)),
    queueLimit: QUEUE_LIMIT,
    maxWaitMs: MAX_WAIT_MS,
    busyMessage: 'too many documents wait for LibreOffice',
  });

  async function inspect(input: Pick<ConvertInput, 'file' | 'fileName' | 'fileType'>) {
    const { file, fileName, fileType } = input;
    const maxBytes = limits.maxFileMegabytes * 1_000_000;
    const result = await runTask(tasks.inspect({ file, fileName, fileType, maxBytes }));
    if (!result.ok) throw invalid(result.part ?? 'file', result.message);
    return result.value;
  }

  async function convertInput(input: ConvertInput): Promise<{ pdf: Uint8Array; pages: number }> {
    if (!pool) throw new AppError('NOT_CONFIGURED', MISSING_OFFICE);
    const { file, options = {}, password, signal, account } = input;
    const pages = options.pages === undefined ? undefined : readPageRanges(options.pages);
    const { type, content, filter } = await inspect(input);
    const given = content ?? (typeof file === 'object' && 'raw' in file ? file.raw : undefined);
    if (!given) throw new Error('the task returned no bytes');
    const bytes =
      options.singlePageSheets === true && WORKBOOKS.includes(type)
        ? ((await runTask(tasks.scrollToFirstCells({ workbook: given }))) ?? given)
        : given;
    const { urgency = 'caller' } = workContext.getStore() ?? {};
    const work = () =>
      pool.convert({
        file: bytes,
        name: baseNameOf(input.fileName),
        extension: type,
        filter,
        password,
        options: { ...options, pages },
        signal,
      });
    const outcome = await queue
      .run({ account: account.id, urgency, signal }, work)
      .catch((error: unknown) => {
        if (signal?.aborted === true || error instanceof AppError) throw error;
        throw new AppError('UNAVAILABLE', 'LibreOffice did not start', {
          retryAfterSeconds: 5,
          cause: error,
        });
      });
    conversions.inc({ outcome: outcome.ok ? 'done' : outcome.reason });
    if (!outcome.ok) throw explain(outcome, { type, pages, hasPassword: password !== undefined, limits });
    const { pdf, paths } = outcome;
    const finished = await runTask(tasks.finish({ pdf, folder: paths.folder, root: paths.root }));
    if (finished.pages > limits.maxPages)
      throw invalid(
        'file',
        `has ${finished.pages} pages, more than plugins.office.maxPages, ${limits.maxPages}`,
      );
    return { pdf: finished.changed ?? pdf, pages: finished.pages };
  }

  const service: OfficeService = {
    fileTypes: [...TYPES_BY_NAME.keys()],
    isAvailable: pool !== undefined,
    convert: ({ file, ...request }) => convertInput({ ...request, file: { raw: file } }),
    convertInput,
    inspect: async (input) => {
      const { type, content } = await inspect(input);
      return { type, content };
    },
  };
  return { service, close: async () => pool?.close() };
}

/** Converts the failure of a conversion to an error that names a field, and the limit that was met. */
function explain(
  { reason, detail }: Extract<Outcome, { ok: false }>,
  {
    type,
    pages,
    hasPassword,
    limits,
  }: { type: string; pages: string | undefined; hasPassword: boolean; limits: OfficeLimits },
): AppError {
  switch (reason) {
    case 'password':
    case 'wrong-password':
      return hasPassword
        ? invalid('file', 'is encrypted, and the password in the field password is wrong')
        : invalid('file', 'is encrypted: send its password in the field password');
    case 'time':
      return invalid('file', `takes longer than plugins.office.timeoutMs, ${limits.timeoutMs / 1000} s`);
    case 'memory':
      return invalid(
        'file',
        `needs more memory than plugins.office.memoryMegabytes, ${limits.memoryMegabytes} MB`,
      );
    case 'size':
      return invalid('file', `makes a PDF of more than ${MAX_RESULT_BYTES / 1_000_000} MB`);
    case 'unreadable':
      // LibreOffice does not tell the two apart.
      return invalid(
        'file',
        `is damaged, truncated or too large for the memory limit of ${limits.memoryMegabytes} MB: LibreOffice cannot read it as ${type}`,
      );
    case 'crash':
      return invalid('file', 'ended LibreOffice while it was read; it may be damaged');
    case 'failed':
      if (pages !== undefined && detail.startsWith('failed export'))
        return invalid('pages', 'selects no page of the document');
      return new AppError('VALIDATION_ERROR', `file: LibreOffice cannot print it`, {
        details: [{ path: 'file', message: 'LibreOffice cannot print it' }],
        cause: new Error(detail),
      });
  }
}
