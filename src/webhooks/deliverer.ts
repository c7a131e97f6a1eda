import { Webhook } from 'standardwebhooks';
import packageJson from '../../package.json' with { type: 'json' };
import type { EgressGuard } from '../egress/guard.ts';
import type { JobLimits } from '../jobs/job-leases.ts';
import type { JobOwner } from '../jobs/job-document.ts';
import type { RunAgain } from '../jobs/job-loop.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { scan } from '../store/scan.ts';
import type { Collection } from '../store/store.ts';
import type { Delivery } from './delivery.ts';
import type { EndpointRecord } from './endpoint.ts';
import type { Endpoints } from './endpoints.ts';
import type { FanOut } from './fan-out.ts';
import { postMessage, type AttemptResult } from './post-message.ts';
import { nextAttempt } from './schedule.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { WebhookSettings } from './settings.ts';
import { WebhookSecretError } from './signing-secret.ts';

/** The parts of a service that deliveries use. */
export interface DelivererParts {
  deliveries: Collection<Delivery>;
  endpoints: Endpoints;
  fanOut: FanOut;
  jobs: Jobs;
  egress: EgressGuard;
  secrets: WebhookSecrets;
  settings: WebhookSettings;
  metrics: Metrics;
  log: Log;
}

/** Sends stored deliveries until each has succeeded or failed for good. */
export interface Deliverer {
  /** Stores the job of a delivery unless it has one. */
  enqueue(delivery: Delivery): Promise<void>;
  /**
   * Runs the job of a delivery now. It makes an attempt only if the time of the next attempt has come, so set
   * that time first.
   */
  sendNow(delivery: Delivery): Promise<void>;
  /** Aborts running attempts, which then do not count. Call this after the jobs have stopped. */
  close(): void;
}

/**
 * The limits for concurrent deliveries in this process: in total, per account, per host, and per account and
 * host.
 */
const CONCURRENCY = 64;
const PER_ACCOUNT = 8;
const PER_HOST = 16;
const PER_ACCOUNT_AND_HOST = 4;
const OVERDUE_MS = 60_000;
/** The log message of an attempt, by the resulting status of its delivery. */
const MESSAGES = {
  delivered: 'webhook delivered',
  pending: 'webhook attempt failed; it will be retried',
  failed: 'webhook delivery failed',
} as const;

const GONE = 410;
const DISABLED_ENDPOINT = 'the endpoint is disabled';

/** What is sent, and the endpoint that receives it, if it is not the `webhook` URL of a request. */
interface Outgoing {
  endpoint: EndpointRecord | undefined;
  body: string;
}

interface SendResult extends AttemptResult {
  /** Whether the message was not sent, because its secret cannot be read. */
  isUnsigned?: boolean;
}

/**
 * Defines the job that sends deliveries, and the sweep that finds deliveries whose job was not stored. A
 * receiver that hangs does not delay other receivers or accounts: once its host is at a limit, further
 * deliveries to it wait until an earlier one has ended.
 */
export function createDeliverer(parts: DelivererParts): Deliverer {
  const { deliveries, endpoints, fanOut, egress, secrets, settings, log } = parts;
  const closing = new AbortController();
  const outcomes = parts.metrics.counter(
    'webhook_tries_total',
    'The attempts to deliver a webhook, with the outcome `delivered`, `retry` or `failed`.',
    ['outcome'],
  );
  const queue = parts.jobs.define({
    name: 'webhooks.deliver',
    concurrency: CONCURRENCY,
    limits: limitsOf,
    run,
  });
  parts.jobs.sweep('webhooks', sweep);

  async function run(id: string): Promise<void | RunAgain> {
    const delivery = await deliveries.get(id);
    if (delivery?.status !== 'pending' || delivery.nextAttemptAt === null) return;
    if (delivery.nextAttemptAt > Date.now()) return { runAgainAt: delivery.nextAttemptAt };
    const { endpointId } = delivery;
    const endpoint = endpointId === undefined ? undefined : await endpoints.find(endpointId);
    const body = await fanOut.bodyToSend(delivery);
    // The endpoint or the event has been deleted since.
    if (endpoint === null || body === undefined) return void (await deliveries.delete({ id }));
    if (endpoint?.enabled === false) return giveUp(delivery);
    return attempt(delivery, { endpoint, body });
  }

  /** Ends the delivery to an endpoint that was disabled. A retry sends it after the endpoint is enabled. */
  async function giveUp({ id, attempts, nextAttemptAt }: Delivery): Promise<void> {
    const failed = { status: 'failed', lastError: DISABLED_ENDPOINT, nextAttemptAt: null } as const;
    await deliveries.update({ id, attempts, nextAttemptAt, status: 'pending' }, failed);
  }

  async function attempt(delivery: Delivery, outgoing: Outgoing): Promise<void | RunAgain> {
    const result = await send(delivery, outgoing);
    if (result.error !== null && closing.signal.aborted) return { runAgainAt: Date.now() };
    // First, so that a crash repeats the attempt instead of forgetting its result.
    await noteResult(delivery, outgoing, result);
    const tries = delivery.tries + 1;
    const next =
      result.error === null || result.status === GONE
        ? null
        : nextAttempt(settings.retryDelaysMs, { tries, retryAfterMs: result.retryAfterMs });
    const status = result.error === null ? 'delivered' : next === null ? 'failed' : 'pending';
    outcomes.inc({ outcome: status === 'pending' ? 'retry' : status });
    const { id, host, type } = delivery;
    const attempts = delivery.attempts + 1;
    log.info(
      { delivery: id, type, host, attempts, status: result.status, reason: result.error },
      MESSAGES[status],
    );
    // `tries` counts from the last manual retry, and `attempts` from the beginning.
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
   * Counts an attempt without recording its result, because the delivery has changed during the attempt: the
   * account requested a retry, or this process hung and another one made an attempt.
   */
  async function countOnly(id: string): Promise<void | RunAgain> {
    const delivery = await deliveries.increment({ id }, { attempts: 1 });
    if (delivery?.status === 'pending' && delivery.nextAttemptAt !== null)
      return { runAgainAt: delivery.nextAttemptAt };
  }

  async function noteResult(
    { url }: Delivery,
    { endpoint }: Outgoing,
    { status, error, isUnsigned }: SendResult,
  ): Promise<void> {
    if (!endpoint) return;
    const target = { id: endpoint.id, url };
    if (error === null) await endpoints.noteSuccess(target);
    // The receiver is not to blame for a secret that cannot be read.
    else if (!isUnsigned) await endpoints.noteFailure(target, status === GONE);
  }

  async function send(delivery: Delivery, { endpoint, body }: Outgoing): Promise<SendResult> {
    const { id, url } = delivery;
    const sentAt = new Date();
    const signatures = await sign({ delivery, endpoint, sentAt, body });
    if (signatures instanceof WebhookSecretError)
      return { status: null, error: signatures.message, retryAfterMs: null, isUnsigned: true };
    const headers = {
      'content-type': 'application/json',
      'user-agent': `Platen/${packageJson.version}`,
      'accept-encoding': 'identity',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
      'webhook-signature': signatures.join(' '),
    };
    const { timeoutMs } = settings;
    return postMessage(egress, { url, headers, body, timeoutMs, signal: closing.signal });
  }

  /** Returns the signatures of a body, one for each secret; the error if the secrets cannot be read. */
  async function sign({
    delivery: { id, accountId },
    endpoint,
    sentAt,
    body,
  }: Outgoing & { delivery: Delivery; sentAt: Date }): Promise<string[] | WebhookSecretError> {
    try {
      const current = endpoint ? endpoints.secretsOf(endpoint) : await secrets.read(accountId);
      return current.map((secret) => new Webhook(secret).sign(id, sentAt, body));
    } catch (error) {
      if (!(error instanceof WebhookSecretError)) throw error;
      log.error({ err: error, account: accountId }, error.message);
      return error;
    }
  }

  /**
   * Sends overdue deliveries that have no job, for example because the process stopped before it stored the
   * job.
   */
  async function sweep(since: number): Promise<void> {
    const overdue = {
      where: { status: 'pending' },
      by: 'nextAttemptAt',
      from: since,
      to: Date.now() - OVERDUE_MS,
    } as const;
    for await (const page of scan(deliveries, overdue)) {
      // Skips deliveries whose job is waiting for a slot.
      const idle = new Set(await queue.idle(page.map(({ id }) => id)));
      for (const delivery of page)
        if (idle.has(delivery.id)) await queue.runNow([delivery.id], toOwner(delivery));
    }
  }

  return {
    enqueue: (delivery) => queue.add([delivery.id], undefined, toOwner(delivery)),
    sendNow: (delivery) => queue.runNow([delivery.id], toOwner(delivery)),
    close: () => closing.abort(),
  };
}

/** Returns the owner of a delivery's job: the account and the receiving host. */
function toOwner({ accountId, host }: Delivery): JobOwner {
  return { account: accountId, target: host };
}

function limitsOf({ account, target: host }: JobOwner): JobLimits {
  if (host === undefined) return { limit: PER_ACCOUNT };
  return {
    limit: PER_ACCOUNT,
    resources: [
      { key: host, limit: PER_HOST },
      { key: `${account} ${host}`, limit: PER_ACCOUNT_AND_HOST },
    ],
  };
}
