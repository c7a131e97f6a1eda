import { createHash } from 'node:crypto';
import { toBase62 } from '../ids.ts';
import type { CollectionSpec, Document, JsonValue } from '../store/store.ts';

/** What receivers are told of. */
export type WebhookType = 'generation.completed' | 'generation.failed' | 'batch.completed';

/** A message to a receiver, as the plugin that emits it describes it. */
export interface WebhookMessage {
  /** Names the event, such as `generation.completed:gen_…`: derived from the record, the same each time. */
  id: string;
  accountId: string;
  url: string;
  type: WebhookType;
  data: JsonValue;
  /** When it happened, epoch milliseconds. */
  timestamp: number;
}

/** A message and what became of it. Times are epoch milliseconds. */
export interface Delivery extends Document {
  /** Also the header `webhook-id`, the same on each try. */
  id: string;
  accountId: string;
  url: string;
  /** Host and port of the URL: deliveries to one host wait for each other. */
  host: string;
  type: WebhookType;
  /** The exact text that is signed and sent. */
  body: string;
  status: 'pending' | 'delivered' | 'failed';
  /** All tries. */
  attempts: number;
  /** Tries since the schedule began: a retry by hand begins it anew. */
  tries: number;
  lastStatus: number | null;
  lastError: string | null;
  /** `null` unless pending. */
  nextAttemptAt: number | null;
  createdAt: number;
  expiresAt: number;
}

/** How long deliveries are kept. */
export const DELIVERY_LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** The log of deliveries, and at the same time what is still to be sent. */
export const deliveriesSpec: CollectionSpec<Delivery> = {
  name: 'webhook_deliveries',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', host: 'asc', status: 'asc', nextAttemptAt: 'asc' } },
    { fields: { status: 'asc', nextAttemptAt: 'asc', id: 'asc' } },
  ],
  expiry: 'expiresAt',
};

/** Makes the delivery of a message. Its id follows from the message's, so that an event has one delivery. */
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

/** Turns the name of an event into an id of the wire: `msg_` and 24 base62 characters of its SHA-256 hash. */
function deliveryId(eventId: string): string {
  const digest = createHash('sha256').update(eventId).digest();
  // 48 bits give eight characters and a rest that is dropped.
  const parts = [0, 6, 12].map((offset) => toBase62(digest.readUIntBE(offset, 6) % 62 ** 8, 8));
  return `msg_${parts.join('')}`;
}
