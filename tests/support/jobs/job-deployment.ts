import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jobsSpec } from '../../../src/jobs/job-document.ts';
import { openJobs, type Jobs, type JobSpec } from '../../../src/jobs/jobs.ts';
import { createLog } from '../../../src/log.ts';
import { createMetrics, type Metrics } from '../../../src/metrics.ts';
import { createMongoStore } from '../../../src/store/mongo.ts';
import { createSqliteStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { newMongoUrl } from '../service/servers.ts';
import { onMongoAndS3 } from '../suite.ts';

const log = createLog({ level: 'silent' });
/** The default duration of a lease in job processes, short enough for a test to wait until it expires. */
export const LEASE_MS = 600;
/**
 * The duration of a lease that does not end during a test, even if the machine suspends the process for a
 * while.
 */
export const LONG_LEASE_MS = 60_000;

/** A database and the job processes that use it. */
export class Deployment implements AsyncDisposable {
  readonly store: Store;
  readonly #release: () => Promise<void>;
  readonly #processes: Jobs[] = [];

  constructor(store: Store, release: () => Promise<void>) {
    this.store = store;
    this.#release = release;
  }

  /** Opens the jobs of another process. They run after `start`. */
  async process({
    metrics = createMetrics(),
    now,
    leaseMs = LEASE_MS,
  }: { metrics?: Metrics; now?: () => number; leaseMs?: number } = {}): Promise<Jobs> {
    const jobs = await openJobs({
      store: this.store,
      log,
      metrics,
      leaseMs,
      ...(now && { now }),
    });
    this.#processes.push(jobs);
    return jobs;
  }

  /** Counts the stored jobs: those that have not ended. */
  async countJobs(): Promise<number> {
    return (await this.store.collection(jobsSpec)).count();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#processes.map((jobs) => jobs.stop(1_000)));
    await this.store.close();
    await this.#release();
  }
}

async function onSqlite(): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = createSqliteStore({ path: join(folder, 'jobs.sqlite') });
  return new Deployment(store, () => rm(folder, { recursive: true, force: true }));
}

async function onMongo(): Promise<Deployment> {
  return new Deployment(await createMongoStore({ url: await newMongoUrl() }), async () => {});
}

/** Creates record ids. */
export const ids = (count: number) => Array.from({ length: count }, (_, index) => `r${index}`);
/** Creates a kind of job that calls `run`. */
export const kind = (run: JobSpec['run'], concurrency = 4): JobSpec => ({
  name: 'test.work',
  concurrency,
  run,
});

/**
 * The databases on which the suite tests, each with its name and a function that opens a deployment on it.
 */
export const deployments: [string, () => Promise<Deployment>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];
