import { Agenda, InMemoryNotificationChannel, toJobId, type Job } from 'agenda';
import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import { workContext, type WorkContext } from '../work-context.ts';
import { createJobQueue, type JobQueue } from './job-queue.ts';
import { isDeadOwner, nameLeaseOwner } from './lease-owner.ts';
import { createJobRepository, dueJobs, jobsSpec, type Claim } from './job-repository.ts';

/** Work of one kind, done in the background by whichever process takes it. */
export interface JobSpec {
  /** Unique in the deployment: the plugin's name, a full stop, and what is done. */
  name: string;
  /** How many run at once in this process. */
  concurrency: number;
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
   */
  sweep(name: string, run: () => Promise<void>): void;
  /** Begins to run jobs. */
  start(): Promise<void>;
  /** Ends it: no job begins from the moment of the call; those that run may finish within the limit, the others run elsewhere or after the next start. */
  stop(limitMs: number): Promise<void>;
}

const LEASE_MS = 15_000;
const POLL_MS = 200;
const SWEEP_MS = 60_000;
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
  /** A job whose process died is taken up by another after this time; 15 s when absent. */
  leaseMs?: number;
}

/** Opens the jobs of a store. They are Agenda's, on a collection of the store itself. */
export async function openJobs({ store, log, metrics, leaseMs = LEASE_MS }: JobsParts): Promise<Jobs> {
  const jobs = await store.collection(jobsSpec);
  const channel = new InMemoryNotificationChannel();
  const agenda = new Agenda({
    backend: {
      name: 'platen',
      repository: createJobRepository(jobs, nameLeaseOwner()),
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
  const sweeps: [string, () => Promise<void>][] = [];
  let sweeper: Timer | undefined;
  let stopping = false;

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
      const now = new Date();
      if (channel.state === 'connected' && !stopping)
        await channel.publish({
          jobId: toJobId(''),
          jobName: name,
          nextRunAt: now,
          priority: 0,
          timestamp: now,
        });
    } while (looking.get(name) === 'again');
    looking.delete(name);
  }

  /** Runs a job under a lease that is renewed for as long as it takes. */
  async function runLeased(spec: JobSpec, job: Job): Promise<void> {
    const claim = job.attrs.data as Claim;
    const { recordId, dueAt } = claim;
    waits.observe({ job: spec.name }, Math.max(0, Date.now() - dueAt) / 1000);
    const renewal = setInterval(() => {
      job.touch().catch((error: unknown) => log.warn({ err: error }, 'the lease of a job was not renewed'));
    }, leaseMs / 3);
    try {
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
    for (const [name, sweep] of sweeps) {
      if (stopping) return;
      await sweep().catch((error: unknown) => log.error({ err: error, sweep: name }, 'a sweep failed'));
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
      agenda.define(
        spec.name,
        // oxlint-disable-next-line typescript/no-misused-promises -- Agenda waits for it; the first of its types says otherwise
        async (job: Job) => {
          // Agenda may have taken it just before it was stopped: its lease runs out, and it runs elsewhere.
          if (stopping) throw new RunAgainSignal(Date.now());
          const { recordId } = job.attrs.data as Claim;
          // Agenda may have been woken by a request, whose id is not this job's.
          const context: WorkContext = {
            log: { job: spec.name, record: recordId },
            account: '',
            urgency: 'batch',
            signal: undefined,
          };
          const work = workContext.run(context, () => runLeased(spec, job));
          running.add(work);
          try {
            await work;
          } finally {
            running.delete(work);
            // Agenda refills its queue only when it polls.
            setImmediate(() => void wake(spec.name));
          }
        },
        {
          concurrency: spec.concurrency,
          // A replica takes what it can run at once, and leaves the rest to the others.
          lockLimit: spec.concurrency,
          lockLifetime: leaseMs,
          backoff: ({ error, attempt }) =>
            error instanceof RunAgainSignal
              ? Math.max(0, error.at - Date.now())
              : Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** (attempt - 1)),
        },
      );
      return createJobQueue({ jobs, name: spec.name, wake: () => void wake(spec.name) });
    },
    sweep(name, run) {
      sweeps.push([name, run]);
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
