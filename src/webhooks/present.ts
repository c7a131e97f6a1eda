import type { Delivery } from './delivery.ts';
import { withoutQuery } from './receiver-url.ts';
import type { DeliveryAnswer } from './schemas.ts';

/** Converts a delivery to its form on the wire. */
export function presentDelivery(delivery: Delivery): DeliveryAnswer {
  const { id, type, url, status, attempts, lastStatus, lastError, nextAttemptAt, createdAt } = delivery;
  return {
    id,
    event: type,
    url: withoutQuery(url),
    status,
    attempts,
    last_status: lastStatus,
    last_error: lastError,
    next_attempt_at: nextAttemptAt === null ? null : new Date(nextAttemptAt).toISOString(),
    created_at: new Date(createdAt).toISOString(),
  };
}
