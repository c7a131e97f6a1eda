import { nullable, pageOf, pageQuery, Timestamp, Type } from '../../src/plugin.ts';

const Status = Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')], {
  title: 'DeliveryStatus',
});

/** The query of `GET /v1/webhooks/deliveries`. */
export const DeliveryQuery = Type.Object({
  ...pageQuery(50).properties,
  status: Type.Optional({ ...Status, description: 'Only deliveries with this status.' }),
  event_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Only the deliveries of this event to endpoints.' }),
  ),
});

export const DeliveryResponse = Type.Object(
  {
    id: Type.String({ description: 'Also sent as the header `webhook-id`, the same for all attempts.' }),
    event: Type.String({
      description:
        'The type of the message, such as `generation.completed`. Each plugin documents its types.',
    }),
    url: Type.String({ description: 'The URL of the receiver, without query and fragment.' }),
    endpoint_id: nullable(
      Type.String({ description: 'The webhook endpoint; null for the `webhook` of a request.' }),
    ),
    event_id: nullable(
      Type.String({
        description: 'The event that is sent to an endpoint; null for a sample and a `webhook`.',
      }),
    ),
    status: Status,
    attempts: Type.Integer(),
    last_status: nullable(
      Type.Integer({ description: 'The HTTP status of the last attempt; null if it had no response.' }),
    ),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed; null if it succeeded.' })),
    next_attempt_at: nullable(Type.String({ description: 'ISO 8601, UTC; null unless pending.' })),
    created_at: Timestamp,
  },
  { title: 'WebhookDelivery' },
);

/** The query of `GET /v1/events`. */
export const EventQuery = Type.Object({
  ...pageQuery(50).properties,
  type: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Only events of this type, such as `generation.completed` or `generation.*`.',
    }),
  ),
  stored_after: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'Only events that were stored at this time or later: a time with its offset (RFC 3339), such as `2026-11-22T09:30:00Z`.',
    }),
  ),
});

export const EventResponse = Type.Object(
  {
    id: Type.String(),
    type: Type.String({ description: 'Such as `generation.completed`. Each plugin documents its types.' }),
    timestamp: Type.String({ description: 'When it happened: ISO 8601, UTC, milliseconds.' }),
    stored_at: Type.String({
      description: 'When the event was stored: the order of the list. Later than `timestamp` after a crash.',
    }),
    data: Type.Unknown({
      description:
        'As in the webhook message of the same type, such as the schema `GenerationCompletedEvent`.',
    }),
  },
  { title: 'Event' },
);

/** A page of events, last stored first. */
export const EventList = pageOf(EventResponse, 'EventList');

export const eventExample = {
  id: 'evt_7hJ2kL9mN1pQ3rS5tU8vW4fG',
  type: 'generation.failed',
  timestamp: '2026-11-21T09:30:00.000Z',
  stored_at: '2026-11-21T09:30:00.004Z',
  data: {
    id: 'gen_4fG7hJ2kL9mN1pQ3rS5tU8vW',
    status: 'failed',
    error: 'RENDER_TIMEOUT: the document took longer than 30 s',
  },
};

/** A page of deliveries, newest first. */
export const DeliveryList = pageOf(DeliveryResponse, 'WebhookDeliveryList');

/** An example of a delivery, which failed once and will be retried. */
export const deliveryExample = {
  id: 'msg_2bC4dE6fG8hJ1kL3mN5pQ7rS',
  event: 'generation.completed',
  url: 'https://example.com/hooks/platen',
  endpoint_id: null,
  event_id: null,
  status: 'pending',
  attempts: 1,
  last_status: 503,
  last_error: 'answered 503',
  next_attempt_at: '2026-11-21T09:30:05.000Z',
  created_at: '2026-11-21T09:30:00.000Z',
};
