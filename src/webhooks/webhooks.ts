import { ownedRecords, type AccountData } from '../account-data.ts';
import { parseAllowList } from '../egress/destination.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { notFound } from '../errors.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { DuplicateKeyError, type JsonValue, type Store } from '../store/store.ts';
import { createDeliverer } from './deliverer.ts';
import {
  changeData,
  deliveriesSpec,
  deliveryId,
  DELIVERY_LIFETIME_MS,
  newDelivery,
  type Delivery,
  type WebhookMessage,
  type WebhookType,
} from './delivery.ts';
import { presentDelivery } from './present.ts';
import { checkReceiverUrl } from './receiver-url.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { WebhookSettings } from './settings.ts';

/** Sends signed messages to URLs of callers. */
export interface Webhooks {
  /**
   * Checks the URL of a caller: http or https, no credentials, a valid port, and neither a private address nor `localhost` as its host
   * unless `EGRESS_ALLOW` contains it.
   * @throws {AppError} VALIDATION_ERROR that names `path`
   */
  check(path: string, url: string): void;
  /**
   * Stores a delivery and its job. Both are durable when the promise resolves. A second call with the same id does nothing, so derive the id
   * from the record (such as `generation.completed:gen_…`) to send each event once, even after a crash. The URL must have passed
   * {@link Webhooks.check}.
   * @throws {Error} for a type that no plugin declares
   */
  send(message: WebhookMessage): Promise<void>;
  /** Deletes the deliveries of events, sent or not. The ids are those of the messages passed to {@link Webhooks.send}. */
  delete(eventIds: readonly string[]): Promise<void>;
  /**
   * Changes the data that later attempts send for an event, for example because a record in it was deleted. Does nothing if the event has no
   * delivery. `change` may be called several times.
   */
  edit(eventId: string, change: (data: JsonValue) => JsonValue): Promise<void>;
}

/** The delivery log of the last 30 days. */
export interface DeliveryLog {
  /** Lists the deliveries of an account, newest first, then by id; only those with the given status, if any. */
  list(
    accountId: string,
    query: { limit: number; offset: number; status?: Delivery['status'] | undefined },
  ): Promise<Delivery[]>;
  /** Returns a delivery of an account. @throws {AppError} NOT_FOUND */
  read(accountId: string, id: string): Promise<Delivery>;
  /** Sends a delivery again now, with the same id, regardless of its status. Restarts the schedule. @throws {AppError} NOT_FOUND */
  retry(accountId: string, id: string): Promise<Delivery>;
}

/** The webhooks of a service. */
export interface OpenWebhooks extends Webhooks, DeliveryLog {
  /** Permits messages of these types. Call this before anything is sent. */
  declare(types: Iterable<WebhookType>): void;
  /** Aborts running attempts, which do not count and are repeated after the next start. Call this after the jobs have stopped. */
  close(): void;
  /** The deliveries as data of their accounts. */
  readonly accountData: AccountData;
}

/** The parts of a service that webhooks use. */
export interface WebhookParts {
  store: Store;
  jobs: Jobs;
  egress: EgressGuard;
  /** The entries of `EGRESS_ALLOW`. */
  egressAllow: readonly string[];
  secrets: WebhookSecrets;
  settings: WebhookSettings;
  metrics: Metrics;
  log: Log;
}

/** Opens the deliveries of a store. Sending starts with the jobs. */
export async function openWebhooks(parts: WebhookParts): Promise<OpenWebhooks> {
  const deliveries = await parts.store.collection(deliveriesSpec);
  const deliverer = createDeliverer({ ...parts, deliveries });
  const allow = parseAllowList(parts.egressAllow);
  const declared = new Set<WebhookType>();

  return {
    declare(types) {
      for (const type of types) declared.add(type);
    },
    check: (path, url) => checkReceiverUrl(path, url, allow),
    async send(message) {
      if (!declared.has(message.type))
        throw new Error(`no plugin declares webhook messages of the type "${message.type}"`);
      const delivery = newDelivery(message);
      try {
        await deliveries.insert(delivery);
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
      // Also on a second call, because the process may have crashed between the two writes.
      await deliverer.enqueue(delivery);
    },
    async delete(eventIds) {
      await deliveries.delete({ id: { in: eventIds.map(deliveryId) } });
    },
    async edit(eventId, change) {
      const id = deliveryId(eventId);
      for (;;) {
        const delivery = await deliveries.get(id);
        if (!delivery) return;
        const { body } = delivery;
        // One of several concurrent calls changes the text that it read; the others read it again.
        if (await deliveries.update({ id, body }, { body: changeData(body, change) })) return;
      }
    },
    list: (accountId, { limit, offset, status }) =>
      deliveries.find({
        where: { accountId, ...(status !== undefined && { status }) },
        order: { createdAt: 'desc', id: 'desc' },
        limit,
        offset,
      }),
    async read(accountId, id) {
      const delivery = await deliveries.get(id);
      if (delivery?.accountId !== accountId) throw notFound('delivery');
      return delivery;
    },
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
    accountData: ownedRecords({
      name: 'webhook-deliveries',
      collection: deliveries,
      present: (delivery) => ({
        record: { ...presentDelivery(delivery), url: delivery.url, body: delivery.body },
      }),
    }),
  };
}
