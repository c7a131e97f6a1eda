import { Webhook } from 'standardwebhooks';
import packageJson from '../../package.json' with { type: 'json' };
import type { EgressGuard } from '../egress/guard.ts';
import type { Jobs, RunAgain } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Collection } from '../store/store.ts';
import type { Delivery } from './delivery.ts';
import { exchange, type Exchange } from './exchange.ts';
import { nextAttempt } from './schedule.ts';
import { WebhookSecretError, type WebhookSecrets } from './secrets.ts';
import type { WebhookSettings } from './settings.ts';
import { Turns } from './turns.ts';

/** What deliveries are sent with. */
export interface DelivererParts {
  deliveries: Collection<Delivery>;
  jobs: Jobs;
  egress: EgressGuard;
  secrets: WebhookSecrets;
  settings: WebhookSettings;
  metrics: Metrics;
  log: Log;
}

/** Sends stored deliveries until each is delivered or has failed. */
export interface Deliverer {
  /** Makes sure that a delivery has a job, which begins soon. */
  enqueue(delivery: Delivery): Promise<void>;
  /** Has a delivery tried at once, however late its next try was to be. */
  hurry(delivery: Delivery): Promise<void>;
  /** Cuts off the tries that are under way; they do not count. Call it when the jobs are stopped. */
  close(): void;
}

const CONCURRENCY = 64;
/** A delivery that got no turn looks again after this time, if it was not called before; more seldom when many wait. */
const LOOK_AGAIN_MS = 15_000;
const LOOK_AGAIN_MAX_MS = 5 * 60_000;
const WAITING_A_LOOK = 16;
/** Enough to find one that waits behind those that are under way, here and in other processes: they are due, too. */
const LOOK_AHEAD = 32;
const OVERDUE_MS = 60_000;
const SWEEP_PAGE = 500;
const GONE = 410;

/** Declares the job that sends, and the sweep that finds deliveries whose job was not stored. */
export function createDeliverer(parts: DelivererParts): Deliverer {
  const { deliveries, egress, secrets, settings, log } = parts;
  const turns = new Turns();
  const closing = new AbortController();
  const outcomes = parts.metrics.counter('webhook_tries_total', 'Tries to deliver a webhook, by outcome.', [
    'outcome',
  ]);
  const queue = parts.jobs.define({ name: 'webhooks.deliver', concurrency: CONCURRENCY, run });
  parts.jobs.sweep('webhooks', sweep);

  async function run(id: string): Promise<void | RunAgain> {
    const delivery = await deliveries.get(id);
    if (delivery?.status !== 'pending' || delivery.nextAttemptAt === null) return;
    if (delivery.nextAttemptAt > Date.now()) return { runAgainAt: delivery.nextAttemptAt };
    if (!turns.take(delivery)) return { runAgainAt: lookAgainAt(delivery) };
    try {
      return await attempt(delivery);
    } finally {
      turns.end(delivery);
      await callOn(delivery).catch((error: unknown) =>
        log.warn({ err: error }, 'the webhooks that wait were not called'),
      );
    }
  }

  async function attempt(delivery: Delivery): Promise<void | RunAgain> {
    const result = await send(delivery);
    if (result.error !== null && closing.signal.aborted) return { runAgainAt: Date.now() };
    const tries = delivery.tries + 1;
    const next =
      result.error === null || result.status === GONE
        ? null
        : nextAttempt(settings.retryDelaysMs, { tries, retryAfterMs: result.retryAfterMs });
    const status = result.error === null ? 'delivered' : next === null ? 'failed' : 'pending';
    outcomes.inc({ outcome: status === 'pending' ? 'retry' : status });
    const { id, host, type } = delivery;
    const attempts = delivery.attempts + 1;
    log.info({ delivery: id, type, host, attempts, status: result.status, reason: result.error }, 'webhook');
    const { nextAttemptAt } = delivery;
    const isStored = await deliveries.update(
      { id, attempts: delivery.attempts, nextAttemptAt, status: 'pending' },
      {
        status,
        attempts,
        tries,
        lastStatus: result.status,
        lastError: result.error,
        nextAttemptAt: next,
      },
    );
    if (!isStored) return countOnly(id);
    if (next !== null) return { runAgainAt: next };
  }

  /**
   * Records no more of a try than that it was made: while it was under way the delivery was asked for again by hand, or this
   * process hung and another one tried it.
   */
  async function countOnly(id: string): Promise<void | RunAgain> {
    const delivery = await deliveries.increment({ id }, { attempts: 1 });
    if (delivery?.status === 'pending' && delivery.nextAttemptAt !== null)
      return { runAgainAt: delivery.nextAttemptAt };
  }

  async function send({ id, accountId, url, body }: Delivery): Promise<Exchange> {
    const sentAt = new Date();
    const signatures = await sign(accountId, id, sentAt, body);
    if (signatures instanceof WebhookSecretError)
      return { status: null, error: signatures.message, retryAfterMs: null };
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Platen/${packageJson.version}`,
      'accept-encoding': 'identity',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
    const { timeoutMs } = settings;
    return exchange(egress, { url, headers, body, timeoutMs, cutOff: closing.signal });
  }

  async function sign(
    accountId: string,
    id: string,
    sentAt: Date,
    body: string,
  ): Promise<string[] | WebhookSecretError> {
    try {
      const current = await secrets.read(accountId);
      return current.map((secret) => new Webhook(secret).sign(id, sentAt, body));
    } catch (error) {
      if (!(error instanceof WebhookSecretError)) throw error;
      log.error({ err: error, account: accountId }, error.message);
      return error;
    }
  }

  function lookAgainAt(delivery: Delivery): number {
    const looks = 1 + Math.floor(turns.waitingFor(delivery) / WAITING_A_LOOK);
    return Date.now() + Math.min(LOOK_AGAIN_MAX_MS, looks * LOOK_AGAIN_MS);
  }

  /** Lets those go on that had no turn, now that one has ended: of another account that waits for the host, and of the same account. */
  async function callOn(ended: Delivery): Promise<void> {
    const other = turns.nextAccount(ended);
    // First, or accounts that have much for a host would hand its turns to themselves.
    if (other !== undefined) await callWaiting(other);
    await callWaiting(ended.accountId);
  }

  /** Lets those of an account go on that had no turn: the longest due of the next host. */
  async function callWaiting(accountId: string): Promise<void> {
    for (let host = turns.nextHost(accountId); host !== undefined; host = turns.nextHost(accountId)) {
      // Before the look, so that one that is stored after it is not told to wait.
      const count = turns.clear({ accountId, host });
      const due = await deliveries.find({
        where: { accountId, host, status: 'pending', nextAttemptAt: { lte: Date.now() } },
        order: { nextAttemptAt: 'asc' },
        limit: LOOK_AHEAD,
      });
      const waiting = due.filter((delivery) => !turns.isRunning(delivery));
      if (waiting.length === 0) continue;
      turns.wait({ accountId, host }, count);
      const room = Math.max(1, turns.room({ accountId, host }));
      await queue.hurry(waiting.slice(0, room).map(({ id }) => id));
      return;
    }
  }

  /** Finds what should have been tried long ago, such as a delivery whose job a crash kept from being stored. */
  async function sweep(): Promise<void> {
    for (const accountId of turns.waitingAccounts()) await callWaiting(accountId);
    const overdue = { status: 'pending', nextAttemptAt: { lte: Date.now() - OVERDUE_MS } } as const;
    for (let offset = 0; ; offset += SWEEP_PAGE) {
      const page = await deliveries.find({
        where: overdue,
        order: { nextAttemptAt: 'asc', id: 'asc' },
        limit: SWEEP_PAGE,
        offset,
      });
      // Those that wait for their turn are called when it comes.
      await queue.hurry(page.filter((delivery) => turns.waitingFor(delivery) === 0).map(({ id }) => id));
      if (page.length < SWEEP_PAGE) return;
    }
  }

  return {
    async enqueue(delivery) {
      // Behind others of its host there is no need to look at once.
      const mustWait = turns.waitingFor(delivery) > WAITING_A_LOOK;
      await queue.add([delivery.id], mustWait ? lookAgainAt(delivery) : undefined);
    },
    hurry: (delivery) => queue.hurry([delivery.id]),
    close: () => closing.abort(),
  };
}
