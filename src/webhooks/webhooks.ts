import { parseAllowList } from '../egress/destination.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { notFound } from '../errors.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { DuplicateKeyError, type Store } from '../store/store.ts';
import { createDeliverer } from './deliverer.ts';
import {
  deliveriesSpec,
  DELIVERY_LIFETIME_MS,
  newDelivery,
  type Delivery,
  type WebhookMessage,
} from './delivery.ts';
import { checkReceiverUrl } from './receiver-url.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { WebhookSettings } from './settings.ts';

/** Messages to addresses that callers gave, as plugins send them. */
export interface Webhooks {
  /**
   * Checks a URL that a caller gave: http or https, no credentials, its host no private address literal (unless `EGRESS_ALLOW` has it).
   * @throws {AppError} VALIDATION_ERROR naming `path`.
   */
  check(path: string, url: string): void;
  /**
   * Stores a delivery and its job, durably when the promise resolves. A second call with the same id does nothing: derive it from the
   * record (such as `generation.completed:gen_…`), so that an event is emitted once whatever dies.
   * The URL must have passed {@link Webhooks.check}.
   */
  send(message: WebhookMessage): Promise<void>;
}

/** The log of deliveries, kept for 30 days. */
export interface DeliveryLog {
  /** Lists an account's deliveries, newest first, ties by id. */
  list(accountId: string, page: { limit: number; offset: number }): Promise<Delivery[]>;
  /** Sends a delivery again, under its own id and at once, whatever became of it; the schedule begins anew. @throws {AppError} NOT_FOUND */
  retry(accountId: string, id: string): Promise<Delivery>;
}

/** Webhooks as the service holds them. */
export interface OpenWebhooks extends Webhooks, DeliveryLog {
  /** Cuts off the tries that are under way; they do not count, and are made again after the next start. Call it when the jobs are stopped. */
  close(): void;
}

/** What webhooks are opened with. */
export interface WebhookParts {
  store: Store;
  jobs: Jobs;
  egress: EgressGuard;
  /** Entries of `EGRESS_ALLOW`. */
  egressAllow: readonly string[];
  secrets: WebhookSecrets;
  settings: WebhookSettings;
  metrics: Metrics;
  log: Log;
}

/** Opens the deliveries of a store; they are sent from the moment in which the jobs start. */
export async function openWebhooks(parts: WebhookParts): Promise<OpenWebhooks> {
  const deliveries = await parts.store.collection(deliveriesSpec);
  const deliverer = createDeliverer({ ...parts, deliveries });
  const allow = parseAllowList(parts.egressAllow);

  return {
    check: (path, url) => checkReceiverUrl(path, url, allow),
    async send(message) {
      const delivery = newDelivery(message);
      try {
        await deliveries.insert(delivery);
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
      // Also for the second call: the first may have died before this.
      await deliverer.enqueue(delivery);
    },
    list: (accountId, { limit, offset }) =>
      deliveries.find({ where: { accountId }, order: { createdAt: 'desc', id: 'desc' }, limit, offset }),
    async retry(accountId, id) {
      const now = Date.now();
      const delivery = await deliveries.update(
        { id, accountId },
        { status: 'pending', tries: 0, nextAttemptAt: now, expiresAt: now + DELIVERY_LIFETIME_MS },
      );
      if (!delivery) throw notFound('delivery');
      await deliverer.sendNow(delivery);
      return delivery;
    },
    close: () => deliverer.close(),
  };
}
