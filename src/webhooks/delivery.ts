import { createHash } from 'node:crypto';
import { toBase62 } from '../ids.ts';
import type { CollectionSpec, Document, JsonValue } from '../store/store.ts';

/**
 * The type of a webhook message, `noun.past`, such as `batch.completed`. The plugin that sends it declares
 * it.
 */
export type WebhookType = `${string}.${string}`;

/** A message to a receiver. */
export interface WebhookMessage {
  /**
   * The id of the event, derived from the record so that it is the same each time, such as
   * `generation.completed:gen_…`.
   */
  id: string;
  accountId: string;
  url: string;
  type: WebhookType;
  data: JsonValue;
  /** The time of the event (epoch milliseconds). */
  timestamp: number;
}

/** A message and the state of its delivery. Times are epoch milliseconds. */
export interface Delivery extends Document {
  /** Sent as the header `webhook-id`, the same for all attempts. */
  id: string;
  accountId: string;
  url: string;
  /** The host and port of the URL. The number of concurrent deliveries to a host is limited. */
  host: string;
  type: WebhookType;
  /** The text that is signed and sent. Empty if `eventId` names the event that has the text. */
  body: string;
  /** Absent for a message to the `webhook` URL of a request. */
  endpointId?: string;
  /** The stored event that is sent to the endpoint. Absent for a sample. */
  eventId?: string;
  /** The outbox of the event. */
  outbox?: string;
  status: 'pending' | 'delivered' | 'failed';
  /** The total number of attempts. */
  attempts: number;
  /** The number of attempts since the schedule started. A manual retry restarts the schedule. */
  tries: number;
  lastStatus: number | null;
  lastError: string | null;
  /** `null` unless the delivery is pending. */
  nextAttemptAt: number | null;
  createdAt: number;
  expiresAt: number;
}

/** How long deliveries are kept. */
export const DELIVERY_LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** The deliveries of the last 30 days, sent and pending. */
export const deliveriesSpec: CollectionSpec<Delivery> = {
  name: 'webhook_deliveries',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', status: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', host: 'asc', status: 'asc', nextAttemptAt: 'asc' } },
    { fields: { status: 'asc', nextAttemptAt: 'asc', id: 'asc' } },
    { fields: { eventId: 'asc', accountId: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
  expiry: 'expiresAt',
};

/** The same collection, for the events of records that are being deleted, which a full disk must not stop. */
export const reservedDeliveriesSpec: CollectionSpec<Delivery> = { ...deliveriesSpec, usesReserve: true };

/**
 * Creates the delivery of a message. Its id is derived from the id of the event, so each event has one
 * delivery.
 */
export function newDelivery({ id, accountId, url, type, data, timestamp }: WebhookMessage): Delivery {
  const now = Date.now();
  return {
    id: deliveryId(id),
    accountId,
    url,
    host: new URL(url).host,
    type,
    body: JSON.stringify({ type, timestamp: new Date(timestamp).toISOString(), data }),
    status: 'pending',
    attempts: 0,
    tries: 0,
    lastStatus: null,
    lastError: null,
    nextAttemptAt: now,
    createdAt: now,
    expiresAt: now + DELIVERY_LIFETIME_MS,
  };
}

export function changeData(body: string, change: (data: JsonValue) => JsonValue): string {
  const { data, ...others } = JSON.parse(body);
  return JSON.stringify({ ...others, data: change(data) });
}

/**
 * Derives the id of a delivery from the id of its event: `msg_` and 24 base62 characters of the event id's
 * SHA-256 hash.
 */
export function deliveryId(eventId: string): string {
  return hashId('msg_', eventId);
}

/** Returns a prefix and 24 base62 characters of the SHA-256 hash of a text. */
export function hashId(prefix: string, text: string): string {
  const digest = createHash('sha256').update(text).digest();
  // Six bytes give eight characters; the remainder is dropped.
  const parts = [0, 6, 12].map((offset) => toBase62(digest.readUIntBE(offset, 6) % 62 ** 8, 8));
  return `${prefix}${parts.join('')}`;
}
