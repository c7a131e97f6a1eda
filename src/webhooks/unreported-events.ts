import type { Document } from '../store/store.ts';
import type { EventMessage } from './event.ts';

/**
 * The fields of a record that changes repeatedly, and whose changes are events. The write that changes the
 * record also sets them, so that no crash loses or invents an event. They need an index of `unreportedAt`.
 */
export interface UnreportedEvents {
  /** The number of events of the record so far; absent or `null` for 0. */
  eventCount?: number | null;
  /** The events that are not stored yet, oldest first; absent or `null` for none. */
  unreported?: readonly EventMessage[] | null;
  /** The time of the oldest of them, in epoch milliseconds; absent or `null` for none. */
  unreportedAt?: number | null;
}

/** A record with a list of events that are not stored yet. */
export interface ListedDocument extends Document, UnreportedEvents {}

/** Adds an event to the list of a record. Its id is made of the id of the record and its number there. */
export function noteEvent(
  record: ListedDocument,
  event: Omit<EventMessage, 'id'>,
): Required<UnreportedEvents> {
  const { id, eventCount, unreported, unreportedAt } = record;
  const number = (eventCount ?? 0) + 1;
  return {
    eventCount: number,
    unreported: [...(unreported ?? []), { ...event, id: `${event.type}:${id}:${number}` }],
    unreportedAt: unreportedAt ?? event.timestamp,
  };
}
