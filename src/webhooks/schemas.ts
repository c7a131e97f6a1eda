import { Type, type Static } from '@sinclair/typebox';
import { nullable } from '../http/nullable.ts';
import { pageQuery } from '../http/paging.ts';

const Status = Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]);

/** The query of `GET /v1/webhooks/deliveries`. */
export const DeliveryQuery = Type.Object({
  ...pageQuery(50).properties,
  status: Type.Optional(Type.Union(Status.anyOf, { description: 'Only deliveries with this status.' })),
});

/** A webhook delivery in a response. */
export const DeliveryAnswer = Type.Object(
  {
    id: Type.String({ description: 'Also sent as the header `webhook-id`, the same for all attempts.' }),
    event: Type.String({
      description:
        'The type of the message, such as `generation.completed`. Each plugin documents its types.',
    }),
    url: Type.String({ description: 'The URL of the receiver, without query and fragment.' }),
    status: Status,
    attempts: Type.Integer(),
    last_status: nullable(
      Type.Integer({ description: 'The HTTP status of the last attempt; null if it had no response.' }),
    ),
    last_error: nullable(Type.String({ description: 'Why the last attempt failed; null if it succeeded.' })),
    next_attempt_at: nullable(Type.String({ description: 'ISO 8601, UTC; null unless pending.' })),
    created_at: Type.String({ description: 'ISO 8601, UTC, milliseconds.' }),
  },
  { title: 'WebhookDelivery' },
);

/** The value of a {@link DeliveryAnswer}. */
export type DeliveryAnswer = Static<typeof DeliveryAnswer>;

/** A page of deliveries, newest first. */
export const DeliveryList = Type.Object(
  {
    data: Type.Array(DeliveryAnswer),
    has_more: Type.Boolean(),
  },
  { title: 'WebhookDeliveryList' },
);

/** An example of a delivery, which failed once and will be retried. */
export const deliveryExample = {
  id: 'msg_2bC4dE6fG8hJ1kL3mN5pQ7rS',
  event: 'generation.completed',
  url: 'https://example.com/hooks/platen',
  status: 'pending',
  attempts: 1,
  last_status: 503,
  last_error: 'answered 503',
  next_attempt_at: '2026-11-21T09:30:05.000Z',
  created_at: '2026-11-21T09:30:00.000Z',
};
