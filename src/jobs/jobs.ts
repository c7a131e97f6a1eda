import { hostname } from 'node:os';
import { Agenda, InMemoryNotificationChannel, toJobId, type Job } from 'agenda';
import { messageOf } from '../errors.ts';
import { FairSlots } from '../fair-slots.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Collection, Store } from '../store/store.ts';
import { withTimeout } from '../wait.ts';
import { workContext, type WorkContext } from '../work-context.ts';
import { JobClaims, type JobLimits } from './job-claims.ts';
import { dueJobs, jobsSpec, type JobDocument, type JobOwner } from './job-document.ts';
import { createJobQueue, type JobQueue } from './job-queue.ts';
import { claimIn, createJobRepository } from './job-repository.ts';
import { Sweeps, type Sweep } from './sweeps.ts';

/** A kind of background work. */
export interface JobSpec {
  /** Unique in the deployment: the name of the plugin, a full stop and the action. */
  name: string;
  /**
   * The number of jobs that run concurrently in this process. Accounts share these slots by the time that their jobs take ({@link FairSlots}).
   * An account may hold all of them while no other account has due jobs; then other accounts get additional slots, up to twice the number in
   * total.
   */
  concurrency: number;
  /**
   * Returns the limits for the concurrent jobs of an owner in this process. Called when jobs of the owner become due, and again only after none
   * is left. When absent, the plan of the account sets the limit.
   */
  limits?: (owner: JobOwner) => JobLimits | Promise<JobLimits>;
  /** Finds the owner of a job that was stored by a release before jobs had owners. When absent, such a job belongs to no account. */
  ownerOf?: (recordId: string) => Promise<JobOwner | undefined>;
  /**
   * Does the work for one record. It may be called again for the same record if the process crashed or hung past its lease, so it must use the
   * status of the record to decide whether work is left. If it throws, the error is logged and the job is retried, each time after a
   * longer delay.
   */
  run(recordId: string): Promise<void | RunAgain>;
}

/** Requests another run of the same job at a time (epoch milliseconds). */
export interface RunAgain {
  runAgainAt: number;
}

/** Background work that survives a crash of the process. */
export interface Jobs {
  /** Defines a kind of job. Call it in `setup`; jobs start only after all plugins are set up. */
  define(spec: JobSpec): JobQueue;
  /**
   * Registers a sweep, which repairs the effects of crashes, such as a record whose job was not stored. It runs at startup and every minute in
   * each process, so it must tolerate concurrent sweeps. A process runs one sweep at a time.
   *
   * Records created before `since` were checked by an earlier sweep of this process and may be skipped. It is 0 at startup and once an hour.
   */
  sweep(name: string, run: Sweep): void;
  /** Deletes the jobs of an account that no process holds. */
  deleteOf(account: string): Promise<void>;
  /** Starts running jobs. */
  start(): Promise<void>;
  /** Starts no more jobs and waits for running jobs for at most `limitMs`. The remaining jobs run elsewhere or after the next start. */
  stop(limitMs: number): Promise<void>;
}

/**
 * How long a job stays claimed after the last renewal. If a process dies, its jobs run again after this time; if it hangs for longer, another
 * process runs them as well.
 */
const LEASE_MS = 15_000;
const POLL_MS = 200;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

/** Thrown to make Agenda run a job again at a given time. Agenda has no other way. */
class RunAgainSignal extends Error {
  readonly at: number;
  constructor(at: number) {
    super('runs again');
    this.at = at;
  }
}

/** The parts of a service that jobs use. */
export interface JobsParts {
  store: Store;
  log: Log;
  metrics: Metrics;
  /** Returns how many jobs of a kind an account may run concurrently in a process; `null` means no limit. No limits apply when absent. */
  concurrencyOf?: (account: string) => Promise<number | null>;
  /** 15 s when absent. */
  leaseMs?: number;
  /** The clock for sharing slots among accounts; `performance.now` when absent. */
  now?: () => number;
}

/** Opens the jobs of a store. They are Agenda's jobs, kept in a collection of the store. */
export async function openJobs({
  store,
  log,
  metrics,
  concurrencyOf = async () => null,
  leaseMs = LEASE_MS,
  now,
}: JobsParts): Promise<Jobs> {
  const jobs = await store.collection(jobsSpec);
  // Unique; the host name and process id are for operators who look into the database.
  const holder = [hostname(), process.pid, crypto.randomUUID()].join('/');
  const claims = new Map<string, JobClaims>();
  let stopping = false;
  const channel = new InMemoryNotificationChannel();
  const agenda = new Agenda({
    backend: {
      name: 'platen',
      repository: createJobRepository({
        jobs,
        holder,
        claimsOf: (name) => (stopping ? undefined : claims.get(name)),
      }),
      notificationChannel: channel,
      ownsConnection: false,
      async connect() {},
      async disconnect() {},
    },
    processEvery: POLL_MS,
    maxConcurrency: Number.MAX_SAFE_INTEGER,
    removeOnComplete: false,
  });
  agenda.on('error', (error) => log.error({ err: error }, 'the jobs could not be read'));
  const running = new Set<Promise<unknown>>();
  const sweeps = new Sweeps(log);

  const runs = metrics.counter('job_runs_total', 'Runs of jobs by kind and outcome.', ['job', 'outcome']);
  const waits = metrics.histogram('job_wait_seconds', 'Time from due to started, by kind.', ['job']);
  const readDepths = () =>
    countDueAndRunning(jobs, [...claims.keys()]).catch((error: unknown) => {
      // The other metrics stay available while the database is not.
      log.warn({ err: error }, 'the number of jobs could not be read');
      return {};
    });
  metrics.gauge('job_depth', 'Jobs that are due or running, by kind.', readDepths, 'job');

  const waking = new Map<string, 'once' | 'again'>();

  /** Makes Agenda search for jobs of a kind now instead of at its next poll. A call during a search makes it search once more. */
  async function wake(name: string): Promise<void> {
    if (waking.has(name)) {
      waking.set(name, 'again');
      return;
    }
    try {
      do {
        waking.set(name, 'once');
        if (channel.state === 'connected' && !stopping)
          await channel.publish({
            jobId: toJobId(''),
            jobName: name,
            // If this were later than Agenda's last poll, Agenda would wait for its next poll.
            nextRunAt: null,
            priority: 0,
            timestamp: new Date(),
          });
      } while (waking.get(name) === 'again');
    } catch (error) {
      // Agenda finds the jobs at its next poll.
      log.warn({ err: error, job: name }, 'the search for jobs could not be started');
    } finally {
      waking.delete(name);
    }
  }

  /** Runs a job and renews its lease until it ends. */
  async function runLeased(spec: JobSpec, job: Job): Promise<void> {
    const claim = claimIn(job.attrs);
    const { recordId, dueAt } = claim;
    // Agenda abandons a job without a lease.
    job.attrs.lockedAt = new Date();
    waits.observe({ job: spec.name }, Math.max(0, Date.now() - dueAt) / 1000);
    const renewal = setInterval(() => {
      job
        .touch()
        .catch((error: unknown) => log.warn({ err: error }, 'the lease of a job could not be renewed'));
    }, leaseMs / 3);
    try {
      // The job was claimed just before the stop. It runs elsewhere or after the next start.
      if (stopping) throw new RunAgainSignal(Date.now());
      const again = await spec.run(recordId);
      runs.inc({ job: spec.name, outcome: 'done' });
      // The retry delay grows with consecutive failures only.
      job.attrs.failCount = 0;
      if (!again) return;
      claim.place = again.runAgainAt;
      throw new RunAgainSignal(again.runAgainAt);
    } catch (error) {
      if (!(error instanceof RunAgainSignal)) {
        runs.inc({ job: spec.name, outcome: 'failed' });
        log.error({ err: error }, `a job failed and will be retried: ${messageOf(error)}`);
      }
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  return {
    define(spec) {
      const jobClaims = new JobClaims({
        jobs,
        name: spec.name,
        holder,
        leaseMs,
        slots: new FairSlots({ concurrency: spec.concurrency, now }),
        limitsOf: spec.limits ?? (async ({ account }) => ({ limit: await concurrencyOf(account) })),
        ownerOf: spec.ownerOf ?? (async () => undefined),
      });
      claims.set(spec.name, jobClaims);
      agenda.define(
        spec.name,
        // oxlint-disable-next-line typescript/no-misused-promises -- Agenda awaits the promise, though its first overload says otherwise
        async (job: Job) => {
          const claim = claimIn(job.attrs);
          claim.hasBegun = true;
          const { recordId, account } = claim;
          // A request may have woken Agenda, so the context of the caller could be that of the request.
          const context: WorkContext = {
            log: { job: spec.name, record: recordId },
            account,
            urgency: 'batch',
            signal: undefined,
          };
          const work = workContext.run(context, () => runLeased(spec, job));
          running.add(work);
          try {
            await work;
          } finally {
            running.delete(work);
            claim.release();
            // Agenda refills its queue only when it polls.
            setImmediate(() => void wake(spec.name));
          }
        },
        {
          // Jobs are claimed only when a slot is free, so Agenda need not limit them.
          concurrency: Number.MAX_SAFE_INTEGER,
          lockLifetime: leaseMs,
          backoff: ({ error, attempt }) =>
            error instanceof RunAgainSignal
              ? Math.max(0, error.at - Date.now())
              : Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)),
        },
      );
      const onDue = (shareKey: string | null) => {
        jobClaims.note(shareKey);
        void wake(spec.name);
      };
      return createJobQueue({ jobs, name: spec.name, onDue });
    },
    sweep: (name, run) => sweeps.add(name, run),
    async deleteOf(account) {
      // The share keys of an account are its id, and its id, a space and a target. `!` follows the space.
      await jobs.delete({ lockedAt: null, shareKey: { gte: account, lt: `${account}!` } });
    },
    async start() {
      await agenda.start();
      sweeps.start();
    },
    async stop(limitMs) {
      stopping = true;
      const swept = sweeps.stop();
      // If the store is unavailable, the jobs stay locked until their leases expire.
      await agenda
        .stop()
        .catch((error: unknown) => log.warn({ err: error }, 'the jobs could not be unlocked'));
      const ended = Promise.allSettled([...running, swept]);
      await withTimeout(ended, { limitMs, onTimeout: () => undefined });
    },
  };
}

/** Counts the jobs that are due or running, by kind. */
async function countDueAndRunning(
  jobs: Collection<JobDocument>,
  names: readonly string[],
): Promise<Record<string, number>> {
  const counts = names.map(async (name) => {
    const due = await jobs.count(dueJobs(name, Date.now()));
    return [name, due + (await jobs.count({ name, lockedAt: { gt: 0 } }))] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}
