import { Agenda, InMemoryNotificationChannel, toJobId, type Job } from 'agenda';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import { workContext, type WorkContext } from '../work-context.ts';
import { FairSlots } from '../fair-slots.ts';
import { JobClaims, type JobLimits } from './job-claims.ts';
import { dueJobs, jobsSpec, type JobOwner } from './job-document.ts';
import { createJobQueue, type JobQueue } from './job-queue.ts';
import { claimIn, createJobRepository } from './job-repository.ts';
import { isDeadOwner, nameLeaseOwner } from './lease-owner.ts';

/** Work of one kind, done in the background by whichever process takes it. */
export interface JobSpec {
  /** Unique in the deployment: the plugin's name, a full stop, and what is done. */
  name: string;
  /**
   * How many run at once in this process. Accounts share these slots by the time that their jobs take ({@link FairSlots}): an account
   * may hold them all while no other has due jobs, and then others get additional ones, up to twice as many in all.
   */
  concurrency: number;
  /**
   * Limits the jobs of an owner that run at once in this process; those of an account are limited by its plan when absent. Called when
   * the owner's jobs become due, and not again before none is left.
   */
  limits?: (owner: JobOwner) => JobLimits | Promise<JobLimits>;
  /** Finds the owner of a job that a release before jobs had owners stored; such a job counts for no account when absent. */
  ownerOf?: (recordId: string) => Promise<JobOwner | undefined>;
  /**
   * Does the work for one record. It may be called twice for the same record (the process died, or hung past its lease), so the
   * record's own status decides whether anything is left to do. An error is logged and the job tried again, later each time.
   */
  run(recordId: string): Promise<void | RunAgain>;
}

/** Asks for another run of the same job at a time (epoch milliseconds). */
export interface RunAgain {
  runAgainAt: number;
}

/** Background work that outlives the process. */
export interface Jobs {
  /** Declares a kind of job. Call it in `setup`: nothing runs before every plugin is set up. */
  define(spec: JobSpec): JobQueue;
  /**
   * Declares what puts right what a crash left, such as a record whose job was not stored. It runs at the start and every minute, in
   * each process, so it must do no harm beside another. Never two at once in a process.
   *
   * `since` spares it records that an earlier sweep of this process has seen: what a crash left before that time (epoch milliseconds)
   * is put right. It is 0 at the start and once an hour.
   */
  sweep(name: string, run: (since: number) => Promise<void>): void;
  /** Begins to run jobs. */
  start(): Promise<void>;
  /** Ends it: no job begins from the moment of the call; those that run may finish within the limit, the others run elsewhere or after the next start. */
  stop(limitMs: number): Promise<void>;
}

const LEASE_MS = 15_000;
const POLL_MS = 200;
const SWEEP_MS = 60_000;
/** The longest time that a process may take from the first record of what it stores to the last. */
const SWEEP_OVERLAP_MS = 10 * 60_000;
const SWEEP_ALL_MS = 60 * 60_000;
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;

class RunAgainSignal extends Error {
  readonly at: number;
  constructor(at: number) {
    super('runs again');
    this.at = at;
  }
}

/** What jobs are opened with. */
export interface JobsParts {
  store: Store;
  log: Log;
  metrics: Metrics;
  /** Reads how many jobs of one kind an account may run at once in a process; without limit when absent or `null`. */
  concurrencyOf?: (account: string) => Promise<number | null>;
  /** A job whose process died is taken up by another after this time; 15 s when absent. */
  leaseMs?: number;
  /** The clock by which accounts share slots; `performance.now` when absent. */
  now?: () => number;
}

/** Opens the jobs of a store. They are Agenda's, on a collection of the store itself. */
export async function openJobs({
  store,
  log,
  metrics,
  concurrencyOf = async () => null,
  leaseMs = LEASE_MS,
  now,
}: JobsParts): Promise<Jobs> {
  const jobs = await store.collection(jobsSpec);
  const holder = nameLeaseOwner();
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
  const sweeps: {
    name: string;
    run: (since: number) => Promise<void>;
    sweptAt: number;
    sweptAllAt: number;
  }[] = [];
  let sweeper: Timer | undefined;

  const runs = metrics.counter('job_runs_total', 'Runs of jobs by kind and outcome.', ['job', 'outcome']);
  const waits = metrics.histogram('job_wait_seconds', 'Time from due to begun by kind.', ['job']);
  const names: string[] = [];
  const depthOf = async (name: string) =>
    (await jobs.count(dueJobs(name, Date.now()))) + (await jobs.count({ name, lockedAt: { gt: 0 } }));
  const readDepths = async () => {
    try {
      return Object.fromEntries(
        await Promise.all(names.map(async (name) => [name, await depthOf(name)] as const)),
      );
    } catch (error) {
      // The other metrics are the more wanted while the database is away.
      log.warn({ err: error }, 'the depth of the jobs could not be read');
      return {};
    }
  };
  metrics.gauge('job_depth', 'Jobs that are due or run, by kind.', readDepths, 'job');

  const looking = new Map<string, 'once' | 'again'>();

  /** Lets Agenda look for jobs of this kind at once, instead of at its next poll. Calls during a look are one more look after it. */
  async function wake(name: string): Promise<void> {
    if (looking.has(name)) {
      looking.set(name, 'again');
      return;
    }
    do {
      looking.set(name, 'once');
      if (channel.state === 'connected' && !stopping)
        await channel.publish({
          jobId: toJobId(''),
          jobName: name,
          // Agenda leaves a job of a later time than its last poll to the next one.
          nextRunAt: null,
          priority: 0,
          timestamp: new Date(),
        });
    } while (looking.get(name) === 'again');
    looking.delete(name);
  }

  /** Runs a job under a lease that is renewed for as long as it takes. */
  async function runLeased(spec: JobSpec, job: Job): Promise<void> {
    const claim = claimIn(job.attrs);
    const { recordId, dueAt } = claim;
    // Agenda gives up a job whose lease it does not know.
    job.attrs.lockedAt = new Date();
    waits.observe({ job: spec.name }, Math.max(0, Date.now() - dueAt) / 1000);
    const renewal = setInterval(() => {
      job.touch().catch((error: unknown) => log.warn({ err: error }, 'the lease of a job was not renewed'));
    }, leaseMs / 3);
    try {
      // Claimed just before the stop: it runs elsewhere.
      if (stopping) throw new RunAgainSignal(Date.now());
      const again = await spec.run(recordId);
      runs.inc({ job: spec.name, outcome: 'done' });
      // Only failures make the next try come later.
      job.attrs.failCount = 0;
      if (!again) return;
      claim.place = again.runAgainAt;
      throw new RunAgainSignal(again.runAgainAt);
    } catch (error) {
      if (!(error instanceof RunAgainSignal)) {
        runs.inc({ job: spec.name, outcome: 'failed' });
        log.error({ err: error }, `a job failed and will be tried again: ${messageOf(error)}`);
      }
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Frees what a process of this machine held that is gone, so that a restart need not wait for the end of its leases. */
  async function releaseDead(): Promise<void> {
    for (const name of names) {
      for (const { id, owner, nextRunAt } of await jobs.find({ where: { name, lockedAt: { gt: 0 } } })) {
        if (owner === null || !isDeadOwner(owner)) continue;
        await jobs.update({ id, owner }, { lockedAt: null, owner: null, nextRunAt: nextRunAt ?? Date.now() });
      }
    }
  }

  async function sweepAll(): Promise<void> {
    for (const sweep of sweeps) {
      if (stopping) return;
      const startedAt = Date.now();
      const isWhole = startedAt - sweep.sweptAllAt >= SWEEP_ALL_MS;
      try {
        await sweep.run(isWhole ? 0 : sweep.sweptAt - SWEEP_OVERLAP_MS);
        sweep.sweptAt = startedAt;
        if (isWhole) sweep.sweptAllAt = startedAt;
      } catch (error) {
        log.error({ err: error, sweep: sweep.name }, 'a sweep failed');
      }
    }
  }

  /** Sweeps now, and again a while after each time. */
  function keepSweeping(): void {
    const work = sweepAll().finally(() => {
      running.delete(work);
      if (!stopping) sweeper = setTimeout(keepSweeping, SWEEP_MS);
    });
    running.add(work);
  }

  return {
    define(spec) {
      names.push(spec.name);
      const own = new JobClaims({
        jobs,
        name: spec.name,
        holder,
        leaseMs,
        slots: new FairSlots({ concurrency: spec.concurrency, now }),
        limitsOf: spec.limits ?? (async ({ account }) => ({ limit: await concurrencyOf(account) })),
        ownerOf: spec.ownerOf ?? (async () => undefined),
      });
      claims.set(spec.name, own);
      agenda.define(
        spec.name,
        // oxlint-disable-next-line typescript/no-misused-promises -- Agenda waits for it; the first of its types says otherwise
        async (job: Job) => {
          const claim = claimIn(job.attrs);
          claim.hasBegun = true;
          const { recordId, account } = claim;
          // Agenda may have been woken by a request, whose context is not this job's.
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
          // A job is claimed when it has a slot, so Agenda need not limit what runs.
          concurrency: Number.MAX_SAFE_INTEGER,
          lockLifetime: leaseMs,
          backoff: ({ error, attempt }) =>
            error instanceof RunAgainSignal
              ? Math.max(0, error.at - Date.now())
              : Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)),
        },
      );
      const onAdded = (shareKey: string | null) => {
        own.note(shareKey);
        void wake(spec.name);
      };
      return createJobQueue({ jobs, name: spec.name, onAdded });
    },
    sweep(name, run) {
      sweeps.push({ name, run, sweptAt: 0, sweptAllAt: 0 });
    },
    async start() {
      await releaseDead();
      await agenda.start();
      keepSweeping();
    },
    async stop(limitMs) {
      stopping = true;
      clearTimeout(sweeper);
      // What it could not unlock, because the store is away, runs after the lease.
      await agenda.stop().catch((error: unknown) => log.warn({ err: error }, 'jobs could not be unlocked'));
      await Promise.race([Promise.allSettled(running), Bun.sleep(limitMs)]);
    },
  };
}
