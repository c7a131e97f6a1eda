import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEgressGuard, type EgressGuard } from '../../../src/egress/guard.ts';
import { openJobs, type Jobs } from '../../../src/jobs/jobs.ts';
import { createLog } from '../../../src/log.ts';
import { createMetrics } from '../../../src/metrics.ts';
import { createMongoStore } from '../../../src/store/mongo.ts';
import { createSqliteStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { deliveriesSpec, type Delivery, type WebhookMessage } from '../../../src/webhooks/delivery.ts';
import { WebhookSecrets } from '../../../src/webhooks/secrets.ts';
import { openWebhooks } from '../../../src/webhooks/webhooks.ts';
import { Receiver, type Respond } from '../sites/receiver.ts';
import { newMongoUrl } from '../service/servers.ts';
import { until } from '../until.ts';

const log = createLog({ level: 'silent' });
const KEY = '0f'.repeat(32);
/**
 * Longer than a busy database takes for a hundred jobs, so that slow jobs do not lose their lease and run
 * twice.
 */
const LEASE_MS = 15_000;

/** The types of events that the tests make. */
const TYPES = ['generation.completed', 'batch.completed', 'template.updated', 'quota.threshold'] as const;

/** A database, a receiver, and the processes that deliver to it. */
export class Deployment implements AsyncDisposable {
  readonly store: Store;
  readonly receiver: Receiver;
  readonly #release: () => Promise<void>;
  readonly #running: { jobs: Jobs; egress: EgressGuard }[] = [];

  constructor(store: Store, release: () => Promise<void>, respond?: Respond) {
    this.store = store;
    this.receiver = new Receiver(respond);
    this.#release = release;
  }

  /** Opens webhooks. Delivery begins when `jobs` is started. */
  async process({
    retryDelaysMs = [100, 100],
    timeoutMs = 20_000,
    allow = [this.receiver.host],
    leaseMs = LEASE_MS,
    now = () => Date.now(),
    store = this.store,
  } = {}) {
    const metrics = createMetrics();
    const jobs = await openJobs({ store, log, metrics, leaseMs });
    const resolve = async (host: string) => (host === 'private.example' ? ['10.0.0.7'] : []);
    const egress = await createEgressGuard({ allow, resolve });
    this.#running.push({ jobs, egress });
    const secrets = await WebhookSecrets.open(store, KEY);
    const settings = { retryDelaysMs, timeoutMs };
    const parts = { store, jobs, egress, egressAllow: allow, secrets, settings, metrics, log, now };
    const webhooks = await openWebhooks(parts);
    webhooks.declare(TYPES.map((type) => ({ type, example: { type } })));
    return { jobs, secrets, webhooks };
  }

  /** Opens webhooks and starts their delivery. */
  async startProcess(settings?: Parameters<Deployment['process']>[0]) {
    const process = await this.process(settings);
    await process.jobs.start();
    return process;
  }

  message(path: string, fields: Partial<WebhookMessage> = {}): WebhookMessage {
    return {
      id: `generation.completed:${path}`,
      accountId: 'acct_a',
      url: this.receiver.url(path),
      type: 'generation.completed',
      data: { path },
      timestamp: 1_790_000_000_000,
      ...fields,
    };
  }

  async deliveries(): Promise<Delivery[]> {
    return (await this.store.collection(deliveriesSpec)).find({ order: { createdAt: 'asc', id: 'asc' } });
  }

  /** Waits until the first delivery has a status, and returns it. */
  async waitForStatus(status: Delivery['status']): Promise<Delivery> {
    let found: Delivery | undefined;
    await until(async () => (found = (await this.deliveries())[0])?.status === status);
    return found as Delivery;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { egress } of this.#running) await egress.close();
    await Promise.all(this.#running.map(({ jobs }) => jobs.stop(5_000)));
    await this.receiver[Symbol.asyncDispose]();
    await this.store.close();
    await this.#release();
  }
}

/** Opens a deployment on SQLite. */
export async function onSqlite(respond?: Respond): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = createSqliteStore({ path: join(folder, 'webhooks.sqlite') });
  return new Deployment(store, () => rm(folder, { recursive: true, force: true }), respond);
}

/** Opens a deployment on the MongoDB test server. */
export async function onMongo(respond?: Respond): Promise<Deployment> {
  return new Deployment(await createMongoStore({ url: await newMongoUrl() }), async () => {}, respond);
}
