import { presentPage, type DeliveryLog, type Routes } from '../../src/plugin.ts';
import { mountEndpointRoutes } from './endpoints/routes.ts';
import {
  DeliveryResponse,
  deliveryExample,
  DeliveryList,
  DeliveryQuery,
  eventExample,
  EventList,
  EventQuery,
  EventResponse,
} from './schemas.ts';
import { readStoredAfter } from './stored-after.ts';

export function mountRoutes(routes: Routes, deliveries: DeliveryLog): void {
  mountEndpointRoutes(routes, deliveries);

  routes.get(
    '/v1/webhooks/deliveries',
    {
      scope: 'webhooks',
      summary: 'List webhook deliveries, newest first',
      operationId: 'listWebhookDeliveries',
      description: 'Deliveries are kept for 30 days.',
      query: DeliveryQuery,
      response: { schema: DeliveryList, example: { data: [deliveryExample], has_more: false } },
    },
    async ({ account, query }) =>
      presentPage(
        query,
        (page) => deliveries.list(account.id, { status: query.status, eventId: query.event_id, ...page }),
        (entry) => entry,
      ),
  );

  routes.post(
    '/v1/webhooks/deliveries/:id/retry',
    {
      scope: 'webhooks',
      audit: null,
      summary: 'Send a webhook delivery again',
      operationId: 'retryWebhookDelivery',
      idempotency: 'kept',
      description:
        'Sends the delivery now, with the same id and regardless of its status. If the attempt fails, the schedule starts again.',
      response: {
        schema: DeliveryResponse,
        example: { ...deliveryExample, next_attempt_at: '2026-11-21T09:30:02.000Z' },
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    ({ account, params }) => deliveries.retry(account.id, params.id),
  );

  routes.get(
    '/v1/events',
    {
      scope: 'webhooks',
      summary: 'List events, last stored first',
      operationId: 'listEvents',
      description:
        'Events are kept for 30 days. Each change has exactly one event, also without a webhook and after a crash.',
      query: EventQuery,
      response: { schema: EventList, example: { data: [eventExample], has_more: false } },
    },
    async ({ account, query }) => {
      const storedSince = readStoredAfter(query.stored_after);
      return presentPage(
        query,
        (page) => deliveries.listEvents(account.id, { type: query.type, storedSince, ...page }),
        (event) => event,
      );
    },
  );

  routes.get(
    '/v1/events/:id',
    {
      scope: 'webhooks',
      summary: 'Read an event',
      operationId: 'getEvent',
      response: { schema: EventResponse, example: eventExample },
      errors: ['NOT_FOUND'],
    },
    ({ account, params }) => deliveries.readEvent(account.id, params.id),
  );
}
