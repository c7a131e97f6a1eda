import { hostname } from 'node:os';
import { FairSlots, withTimeout } from '@platen/runtime';
import { NameTakenError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Collection, Store } from '../store/store.ts';
import { ClockWatch } from './clock-watch.ts';
import { JobLeases, type JobLimits } from './job-leases.ts';
import { dueJobs, jobsSpec, type JobDocument, type JobOwner } from './job-document.ts';
import { JobLoop, type RunAgain } from './job-loop.ts';
import { createJobQueue, type JobQueue } from './job-queue.ts';
import { Sweeps, type Sweep } from './sweeps.ts';

/** A kind of background work. */
export interface JobSpec {
  /** Unique in the deployment: the name of the plugin, a full stop and the action. */
  name: string;
  /**
   * The number of jobs that run concurrently in this process. Accounts share these slots by the time that
   * their jobs take ({@link FairSlots}). An account may hold all of them while no other account has due jobs;
   * then other accounts get additional slots, up to twice the number in total.
   */
  concurrency: number;
  /**
   * Returns the limits for the concurrent jobs of an owner in this process. Called when jobs of the owner
   * become due, and again only after none is left. When absent, the plan of the account sets the limit.
   */
  limits?: (owner: JobOwner) => JobLimits | Promise<JobLimits>;
  /**
   * Does the work for one record. It may be called again for the same record if the process crashed or hung
   * past its lease, so it must use the status of the record to decide whether work is left. If it throws, the
   * error is logged and the job is retried, each time after a longer delay.
   */
  run(recordId: string): Promise<void | RunAgain>;
}

/** Background work that survives a crash of the process. */
export interface Jobs {
  /** Defines a kind of job. Call it in `setup`; jobs start only after all plugins are set up. */
  define(spec: JobSpec): JobQueue;
  /**
   * Registers a sweep, which repairs the effects of crashes, such as a record whose job was not stored. It
   * runs at startup and every minute in each process, so it must tolerate concurrent sweeps. A process runs
   * one sweep at a time.
   *
   * Records created before `since` were checked by an earlier sweep of this process and may be skipped. It is
   * 0 at startup and once an hour.
   */
  sweep(name: string, run: Sweep): void;
  /** Deletes the jobs of an account that no process holds. */
  deleteOf(account: string): Promise<void>;
  /** Starts running jobs. */
  start(): Promise<void>;
  /**
   * Starts no more jobs and waits for running jobs for at most `limitMs`. The remaining jobs run elsewhere or
   * after the next start.
   */
  stop(limitMs: number): Promise<void>;
}

/**
 * How long a job stays claimed after the last renewal. If a process dies, its jobs run again after this time;
 * if it hangs for longer, another process runs them as well.
 */
const LEASE_MS = 15_000;
/** How often a process searches for jobs that other processes added or that have become due. */
const POLL_MS = 200;
/** How long a process leaves a database alone that did not answer. */
const PAUSE_MS = 1_000;

export interface JobsParts {
  store: Store;
  log: Log;
  metrics: Metrics;
  /**
   * Returns how many jobs of a kind an account may run concurrently in a process; `null` means no limit. No
   * limits apply when absent.
   */
  concurrencyOf?: (account: string) => Promise<number | null>;
  /** 15 s when absent. */
  leaseMs?: number;
  /** 200 ms when absent. */
  pollMs?: number;
  /** 1 s when absent. */
  pauseMs?: number;
  /** The monotonic clock for leases and for sharing slots among accounts; `performance.now` when absent. */
  now?: () => number;
}

/** Opens the jobs of a store. They are documents of a collection, which any process may run. */
export async function openJobs({
  store,
  log,
  metrics,
  concurrencyOf = async () => null,
  leaseMs = LEASE_MS,
  pollMs = POLL_MS,
  pauseMs = PAUSE_MS,
  now = () => performance.now(),
}: JobsParts): Promise<Jobs> {
  const jobs = await store.collection(jobsSpec);
  // Unique; the host name and process id are for operators who look into the database.
  const holder = [hostname(), process.pid, crypto.randomUUID()].join('/');
  const loops = new Map<string, JobLoop>();
  const sweeps = new Sweeps(log);
  const clock = new ClockWatch(now, (stepMs) =>
    log.warn({ step_ms: Math.round(stepMs) }, 'the time of day was set'),
  );
  let poll: Timer | undefined;

  const runs = metrics.counter(
    'job_runs_total',
    'The runs of background jobs, with the outcome `done` or `failed`. A failed run is tried again.',
    ['job', 'outcome'],
  );
  const waits = metrics.histogram(
    'job_wait_seconds',
    'The time from when a background job is due until it starts.',
    ['job'],
  );
  const readDepths = () =>
    countDueAndRunning(jobs, [...loops.keys()]).catch((error: unknown) => {
      // The other metrics stay available while the database is not.
      log.warn({ err: error }, 'the number of jobs could not be read');
      return {};
    });
  metrics.gauge(
    'job_depth',
    'The background jobs that are due or running, in all replicas.',
    readDepths,
    'job',
  );

  return {
    define(spec) {
      const { name, concurrency, limits } = spec;
      if (loops.has(name)) throw new NameTakenError(`the job "${name}" is already defined`);
      const leases = new JobLeases({
        jobs,
        name,
        holder,
        leaseMs,
        slots: new FairSlots({ concurrency, now }),
        limitsOf: limits ?? (async ({ account }) => ({ limit: await concurrencyOf(account) })),
        now,
        clock,
        log,
      });
      const loop = new JobLoop({
        name,
        leases,
        run: (recordId) => spec.run(recordId),
        leaseMs,
        pauseMs,
        log,
        onBegin: (waitedMs) => waits.observe({ job: name }, waitedMs / 1000),
        onEnd: (outcome) => runs.inc({ job: name, outcome }),
      });
      loops.set(name, loop);
      const onDue = (shareKey: string | null) => {
        leases.note(shareKey);
        loop.wake();
      };
      return createJobQueue({ jobs, name, onDue });
    },
    sweep: (name, run) => sweeps.add(name, run),
    async deleteOf(account) {
      // The share keys of an account are its id, and its id, a space and a target. `!` follows the space.
      await jobs.delete({ lockedAt: null, shareKey: { gte: account, lt: `${account}!` } });
    },
    async start() {
      const wakeAll = () => {
        for (const loop of loops.values()) loop.wake();
      };
      for (const loop of loops.values()) loop.open();
      poll = setInterval(wakeAll, pollMs);
      wakeAll();
      sweeps.start();
    },
    async stop(limitMs) {
      clearInterval(poll);
      const ended = Promise.all([...[...loops.values()].map((loop) => loop.close()), sweeps.stop()]);
      await withTimeout(ended, { limitMs, onTimeout: () => undefined });
    },
  };
}

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
