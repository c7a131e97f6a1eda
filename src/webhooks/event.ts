import type { CollectionSpec, Document, JsonValue } from '../store/store.ts';
import { hashId, type WebhookMessage, type WebhookType } from './delivery.ts';

/** A record whose changes are events. */
export interface ReportedDocument extends Document {
  accountId: string;
  /**
   * The time of a change (epoch milliseconds) whose event is not stored yet. The write that changes the
   * record sets it, so that no crash loses or invents an event.
   */
  unreportedAt?: number | null;
}

/** Something that happened to a record of an account. */
export type EventMessage = Omit<WebhookMessage, 'url'>;

/** An event as it is stored. Times are epoch milliseconds. */
export interface StoredEvent extends Document {
  id: string;
  accountId: string;
  type: WebhookType;
  /** The part of the type before the full stop, for lists of `generation.*`. */
  subject: string;
  /** The message to receivers: type, timestamp and data. */
  body: string;
  /** The time at which the event was stored; shortly after it happened, except after a crash. */
  createdAt: number;
  expiresAt: number;
}

/** An event as responses and the export of an account contain it. */
export interface EventEntry {
  id: string;
  type: string;
  timestamp: string;
  /** The time at which the event was stored. The list is in this order. */
  stored_at: string;
  data: JsonValue;
}

/** How long events are kept. */
const EVENT_LIFETIME_MS = 30 * 24 * 60 * 60_000;

/** The events of the last 30 days. */
export const eventsSpec: CollectionSpec<StoredEvent> = {
  name: 'events',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', type: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', subject: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
  expiry: 'expiresAt',
};

/** The same collection, for the events of records that are being deleted, which a full disk must not stop. */
export const reservedEventsSpec: CollectionSpec<StoredEvent> = { ...eventsSpec, usesReserve: true };

/** Derives the id of a stored event from the id of its message, so that an event is stored once. */
export function storedEventId(messageId: string): string {
  return hashId('evt_', messageId);
}

/** Creates the stored event of a message. */
export function newEvent({ id, accountId, type, data, timestamp }: EventMessage): StoredEvent {
  const now = Date.now();
  return {
    id: storedEventId(id),
    accountId,
    type,
    subject: type.slice(0, type.indexOf('.')),
    body: JSON.stringify({ type, timestamp: new Date(timestamp).toISOString(), data }),
    createdAt: now,
    expiresAt: now + EVENT_LIFETIME_MS,
  };
}

/** Converts an event to the form of a response. */
export function toEventEntry({ id, body, createdAt }: StoredEvent): EventEntry {
  const { type, timestamp, data } = JSON.parse(body);
  return { id, type, timestamp, stored_at: new Date(createdAt).toISOString(), data };
}
