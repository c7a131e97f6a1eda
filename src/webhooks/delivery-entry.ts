import type { Delivery } from './delivery.ts';
import { withoutQuery } from './receiver-url.ts';

/** Converts a delivery to its entry in the log, as responses and the export of an account contain it. */
export function toEntry(delivery: Delivery) {
  const {
    id,
    type,
    url,
    endpointId,
    eventId,
    status,
    attempts,
    lastStatus,
    lastError,
    nextAttemptAt,
    createdAt,
  } = delivery;
  return {
    id,
    event: type,
    url: withoutQuery(url),
    endpoint_id: endpointId ?? null,
    event_id: eventId ?? null,
    status,
    attempts,
    last_status: lastStatus,
    last_error: lastError,
    next_attempt_at: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
    created_at: new Date(createdAt).toISOString(),
  };
}

export type DeliveryEntry = ReturnType<typeof toEntry>;
