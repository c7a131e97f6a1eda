import { ownedRecords, type AccountData } from '../account-data.ts';
import { parseAllowList } from '../egress/destination.ts';
import type { EgressGuard } from '../egress/guard.ts';
import { AppError, invalid, notFound } from '../errors.ts';
import { randomBase62 } from '../ids.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { findPage, mapListed, type Listed, type Page } from '../store/find-page.ts';
import {
  DuplicateKeyError,
  type Collection,
  type Filter,
  type JsonValue,
  type Store,
} from '../store/store.ts';
import { createDeliverer } from './deliverer.ts';
import {
  changeData,
  deliveriesSpec,
  deliveryId,
  DELIVERY_LIFETIME_MS,
  newDelivery,
  reservedDeliveriesSpec,
  type Delivery,
  type WebhookMessage,
  type WebhookType,
} from './delivery.ts';
import { toEntry, type DeliveryEntry } from './delivery-entry.ts';
import { endpointsSpec, subscribes, type EndpointRecord } from './endpoint.ts';
import { Endpoints, type WebhookEndpoints } from './endpoints.ts';
import {
  eventsSpec,
  reservedEventsSpec,
  storedEventId,
  toEventEntry,
  type EventEntry,
  type ReportedDocument,
  type StoredEvent,
} from './event.ts';
import { EventTypes, type DeclaredType } from './event-types.ts';
import { FanOut, newSample } from './fan-out.ts';
import { Outboxes, type ListOutbox, type ListOutboxSpec, type Outbox, type OutboxSpec } from './outbox.ts';
import { checkReceiverUrl } from './receiver-url.ts';
import type { WebhookSecrets } from './secrets.ts';
import type { WebhookSettings } from './settings.ts';
import type { ListedDocument } from './unreported-events.ts';

/** Sends signed messages to URLs of callers. */
export interface Webhooks {
  /**
   * Checks the URL of a caller: http or https, no credentials, a valid port, and neither a private address
   * nor `localhost` as its host unless `EGRESS_ALLOW` contains it.
   * @throws {AppError} VALIDATION_ERROR that names `path`
   */
  check(path: string, url: string): void;
  /**
   * Stores a delivery and its job. Both are durable when the promise resolves. A second call with the same id
   * does nothing, so derive the id from the record (such as `generation.completed:gen_…`) to send each event
   * once, even after a crash. The URL must have passed {@link Webhooks.check}.
   * @throws {Error} for a type that no plugin declares
   */
  send(message: WebhookMessage): Promise<void>;
  /**
   * Declares that changes of records are events. Call it in `setup`. The events are stored for 30 days,
   * exactly once each, even if the process dies at any moment.
   */
  outbox<T extends ReportedDocument>(spec: OutboxSpec<T>): Outbox<T>;
  /**
   * Like {@link Webhooks.outbox}, for records that change again before the event of an earlier change is
   * stored. A record lists its unreported events, as they were at the change.
   */
  listOutbox<T extends ListedDocument>(spec: ListOutboxSpec<T>): ListOutbox<T>;
  /**
   * Deletes events and their deliveries, sent or not. The ids are those of the messages passed to
   * {@link Webhooks.send}.
   */
  delete(eventIds: readonly string[]): Promise<void>;
  /**
   * Changes the data of an event and of the later attempts to send it, for example because a record in it was
   * deleted. Does nothing if the event is not stored and has no delivery. `change` may be called several
   * times.
   */
  edit(eventId: string, change: (data: JsonValue) => JsonValue): Promise<void>;
}

/** The events and deliveries of the last 30 days, and the endpoints that receive events. */
export interface DeliveryLog {
  readonly endpoints: WebhookEndpoints;
  /**
   * Sends the example of a type to an endpoint; of the first type to which it subscribes by default. Requests
   * with the same `workId` send one message.
   * @throws {AppError} NOT_FOUND; VALIDATION_ERROR for a type to which the endpoint does not subscribe;
   * CONFLICT if the endpoint is disabled
   */
  sendSample(
    accountId: string,
    endpointId: string,
    options: { type?: string | undefined; workId?: string | undefined },
  ): Promise<DeliveryEntry>;
  /**
   * Lists the deliveries of an account, newest first, then by id; only those with the given status and of the
   * given event, if any.
   */
  list(
    accountId: string,
    query: Page & { status?: Delivery['status'] | undefined; eventId?: string | undefined },
  ): Promise<Listed<DeliveryEntry>>;
  /** Returns a delivery of an account with the message that is sent. @throws {AppError} NOT_FOUND */
  read(accountId: string, id: string): Promise<DeliveryEntry & { payload: JsonValue }>;
  /**
   * Sends a delivery again now, with the same id, regardless of its status. Restarts the schedule. An event
   * is sent to the present URL of its endpoint.
   * @throws {AppError} NOT_FOUND; CONFLICT if its endpoint is disabled or was deleted
   */
  retry(accountId: string, id: string): Promise<DeliveryEntry>;
  /**
   * Lists the events of an account, last stored first; only those of a type, such as `generation.completed`
   * or `generation.*`, and those that were stored at or after a time (epoch milliseconds), if any. Includes
   * every change that this process has made before the call.
   * @throws {AppError} VALIDATION_ERROR for a type that no plugin declares
   */
  listEvents(
    accountId: string,
    query: Page & { type?: string | undefined; storedSince?: number | undefined },
  ): Promise<Listed<EventEntry>>;
  /** Returns an event of an account. @throws {AppError} NOT_FOUND */
  readEvent(accountId: string, id: string): Promise<EventEntry>;
}

export interface OpenWebhooks extends Webhooks, DeliveryLog {
  /** Permits messages of these types. Call this before anything is sent. */
  declare(types: Iterable<DeclaredType>): void;
  /**
   * Aborts running attempts, which do not count and are repeated after the next start. Call this after the
   * jobs have stopped. Resolves when the events of this process are stored.
   */
  close(): Promise<void>;
  /** The events, deliveries and endpoints as data of their accounts. */
  readonly accountData: readonly AccountData[];
}

export interface WebhookParts {
  store: Store;
  /**
   * The store without the check of `withOwnCollections`, which does not permit that collections are opened
   * twice; `store` when absent.
   */
  unguarded?: Store;
  jobs: Jobs;
  egress: EgressGuard;
  /** The entries of `EGRESS_ALLOW`. */
  egressAllow: readonly string[];
  secrets: WebhookSecrets;
  settings: WebhookSettings;
  metrics: Metrics;
  log: Log;
  /** The clock of endpoints, in epoch milliseconds; `Date.now` when absent. */
  now?: () => number;
}

/** Opens the deliveries of a store. Sending starts with the jobs. */
export async function openWebhooks(parts: WebhookParts): Promise<OpenWebhooks> {
  const { store, unguarded = store, log, now = () => Date.now() } = parts;
  const deliveries = await store.collection(deliveriesSpec);
  const reservedDeliveries = await unguarded.collection(reservedDeliveriesSpec);
  const events = await store.collection(eventsSpec);
  const reservedEvents = await unguarded.collection(reservedEventsSpec);
  const endpointRecords = await store.collection(endpointsSpec);
  const allow = parseAllowList(parts.egressAllow);
  const types = new EventTypes();
  const fanOut = new FanOut({ events, endpoints: endpointRecords, deliveries, reservedDeliveries });
  const outboxes = new Outboxes({
    ...parts,
    events,
    reservedEvents,
    fanOut,
    enqueue: (delivery) => deliverer.enqueue(delivery),
    checkType: (message) => types.check(message),
  });
  const endpoints = new Endpoints({
    endpoints: endpointRecords,
    types,
    sealer: parts.secrets.sealer,
    outboxes,
    checkUrl: (path, url) => checkReceiverUrl(path, url, allow),
    now,
    log,
  });
  const deliverer = createDeliverer({ ...parts, deliveries, endpoints, fanOut });

  /** Stores a delivery unless it is stored. */
  async function insertOnce(delivery: Delivery): Promise<void> {
    await deliveries.insert(delivery).catch((error: unknown) => {
      if (!(error instanceof DuplicateKeyError)) throw error;
    });
  }

  /** @throws {AppError} CONFLICT if an endpoint is disabled */
  function requireEnabled(endpoint: EndpointRecord): void {
    if (!endpoint.enabled)
      throw new AppError('CONFLICT', 'the webhook endpoint is disabled; enable it first');
  }

  /** Returns the present URL for a delivery that is sent again; nothing for the URL of a request. */
  async function currentTarget({ endpointId }: Delivery): Promise<Partial<Pick<Delivery, 'url' | 'host'>>> {
    if (endpointId === undefined) return {};
    const endpoint = await endpoints.find(endpointId);
    if (!endpoint) throw new AppError('CONFLICT', 'the webhook endpoint of this delivery was deleted');
    requireEnabled(endpoint);
    return { url: endpoint.url, host: new URL(endpoint.url).host };
  }

  return {
    declare: (declared) => types.declare(declared),
    endpoints,
    async sendSample(accountId, endpointId, { type, workId = randomBase62(24) }) {
      const endpoint = await endpoints.require(accountId, endpointId);
      requireEnabled(endpoint);
      const [first] = endpoint.events.flatMap((pattern) => types.matching(pattern));
      const chosen = type === undefined ? first : types.select('type', type)[0];
      if (chosen === undefined || !subscribes(endpoint, chosen) || (type !== undefined && chosen !== type))
        throw invalid(
          'type',
          `must be a type to which the endpoint subscribes: ${endpoint.events.join(', ')}`,
        );
      const sample = newSample(endpoint, { type: chosen, data: types.exampleOf(chosen), nonce: workId });
      await insertOnce(sample);
      await deliverer.enqueue(sample);
      return toEntry(sample);
    },
    check: (path, url) => checkReceiverUrl(path, url, allow),
    async send(message) {
      types.check(message);
      const delivery = newDelivery(message);
      await insertOnce(delivery);
      // Also on a second call, because the process may have crashed between the two writes.
      await deliverer.enqueue(delivery);
    },
    outbox: (spec) => outboxes.open(spec),
    listOutbox: (spec) => outboxes.openList(spec),
    async delete(eventIds) {
      await outboxes.settled();
      await Promise.all([
        deliveries.delete({ id: { in: eventIds.map(deliveryId) } }),
        fanOut.delete(eventIds),
        events.delete({ id: { in: eventIds.map(storedEventId) } }),
      ]);
    },
    async edit(eventId, change) {
      await editBody(events, storedEventId(eventId), change);
      await editBody(deliveries, deliveryId(eventId), change);
    },
    async listEvents(accountId, { type, storedSince, ...page }) {
      await outboxes.settled(accountId);
      if (type !== undefined) types.select('type', type);
      const where = {
        accountId,
        ...(type !== undefined && ofType(type)),
        ...(storedSince !== undefined && { createdAt: { gte: storedSince } }),
      };
      const found = await findPage(events, { where, at: (id) => ({ accountId, id }), page });
      return mapListed(found, toEventEntry);
    },
    async readEvent(accountId, id) {
      const event = await events.get(id);
      if (event?.accountId !== accountId) throw notFound('event');
      return toEventEntry(event);
    },
    async list(accountId, { status, eventId, ...page }) {
      const where = {
        accountId,
        ...(status !== undefined && { status }),
        ...(eventId !== undefined && { eventId }),
      };
      const found = await findPage(deliveries, { where, at: (id) => ({ accountId, id }), page });
      return mapListed(found, toEntry);
    },
    async read(accountId, id) {
      const delivery = await deliveries.get(id);
      if (delivery?.accountId !== accountId) throw notFound('delivery');
      const body = await fanOut.storedBody(delivery);
      return { ...toEntry(delivery), payload: body === undefined ? null : JSON.parse(body) };
    },
    async retry(accountId, id) {
      const found = await deliveries.get(id);
      if (found?.accountId !== accountId) throw notFound('delivery');
      const target = await currentTarget(found);
      const time = Date.now();
      const delivery = await deliveries.update(
        { id, accountId },
        {
          ...target,
          status: 'pending',
          tries: 0,
          nextAttemptAt: time,
          expiresAt: time + DELIVERY_LIFETIME_MS,
        },
      );
      if (!delivery) throw notFound('delivery');
      await deliverer.sendNow(delivery);
      return toEntry(delivery);
    },
    async close() {
      deliverer.close();
      await outboxes.settled();
    },
    accountData: [
      ownedRecords({
        name: 'events',
        collection: events,
        present: (event) => ({ record: { ...toEventEntry(event) } }),
      }),
      ownedRecords({
        name: 'webhook-deliveries',
        collection: deliveries,
        present: (delivery) => ({
          record: { ...toEntry(delivery), url: delivery.url, body: delivery.body },
        }),
      }),
      // Erased before the deliveries, so that no event is sent meanwhile.
      endpoints.accountData,
    ],
  };
}

/** Changes the data in a stored body. */
async function editBody<T extends { id: string; body: string }>(
  collection: Collection<T>,
  id: string,
  change: (data: JsonValue) => JsonValue,
): Promise<void> {
  for (;;) {
    const found = await collection.get(id);
    if (!found) return;
    const { body } = found;
    const set = { body: changeData(body, change) } as Partial<Omit<T, 'id'>>;
    // One of several concurrent calls changes the text that it read; the others read it again.
    if (await collection.update({ id, body } as Filter<T>, set)) return;
  }
}

/** Selects the events of a type, or of all types of a noun, such as `generation.*`. */
function ofType(pattern: string): Pick<StoredEvent, 'subject'> | Pick<StoredEvent, 'type'> {
  const noun = '.*';
  return pattern.endsWith(noun)
    ? { subject: pattern.slice(0, -noun.length) }
    : { type: pattern as WebhookType };
}
