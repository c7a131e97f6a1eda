import { openJobs, type JobSpec, type Jobs, type JobsParts } from '../../../src/jobs/jobs.ts';
import { jobsSpec, type JobDocument } from '../../../src/jobs/job-document.ts';
import { createLog } from '../../../src/log.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { createSqliteStore } from '../../../src/store/sqlite.ts';
import { StoreUnavailableError, type Collection, type Store } from '../../../src/store/store.ts';
import { until } from '../until.ts';

/** A time after which no test waits. */
const NEVER_MS = 1_000_000_000;

/** A database whose operations a test can delay or refuse, and the processes that use it. */
export class JobBench implements AsyncDisposable {
  readonly #store = createSqliteStore({ path: ':memory:' });
  readonly #processes: Jobs[] = [];
  /** Called before each operation of a process. */
  before: (operation: keyof Collection<JobDocument>, where: object) => Promise<void> | void = () => {};
  /** The completed operations of all processes. */
  readonly done: string[] = [];
  /** The errors and warnings in the log of all processes. */
  readonly logged: string[] = [];
  readonly warned: string[] = [];

  /** The jobs as another process sees them. */
  jobs(): Promise<Collection<JobDocument>> {
    return this.#store.collection(jobsSpec);
  }

  async job(): Promise<JobDocument | undefined> {
    return (await (await this.jobs()).find())[0];
  }

  /** Starts a process with one kind of job. */
  async start(run: JobSpec['run'], parts: Partial<JobsParts> = {}) {
    const jobs = await this.jobs();
    const watched = new Proxy(jobs, {
      get: (_, operation: keyof Collection<JobDocument>) => {
        const perform = jobs[operation] as ((...args: object[]) => unknown) | undefined;
        if (!perform) return undefined;
        return async (...args: [object]) => {
          await this.before(operation, args[0]);
          const result = await perform(...args);
          this.done.push(operation);
          return result;
        };
      },
    });
    const store = { collection: async () => watched } as unknown as Store;
    const log = createLog({ level: 'silent' });
    log.error = (...[, message]: unknown[]) => void this.logged.push(String(message));
    log.warn = (...[, message]: unknown[]) => void this.warned.push(String(message));
    const times = { leaseMs: 60_000, pollMs: NEVER_MS, pauseMs: 10 };
    const opened = await openJobs({ store, log, metrics: createMetrics(), ...times, ...parts });
    this.#processes.push(opened);
    const queue = opened.define({ name: 'test.work', concurrency: 4, run });
    await opened.start();
    return { queue, stop: () => opened.stop(5_000) };
  }

  async ended(): Promise<void> {
    await until(async () => (await this.job()) === undefined);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.before = () => {};
    await Promise.all(this.#processes.map((jobs) => jobs.stop(5_000)));
    await this.#store.close();
  }
}

/** Fails as an operation whose database does not respond. */
export function away(): never {
  throw new StoreUnavailableError('the database is away');
}
