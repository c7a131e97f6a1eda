import type { Tag } from '../http/openapi.ts';
import { presentPage } from '../http/paging.ts';
import type { Routes } from '../http/routes.ts';
import { presentDelivery } from './present.ts';
import { DeliveryAnswer, deliveryExample, DeliveryList, DeliveryQuery } from './schemas.ts';
import type { DeliveryLog } from './webhooks.ts';

/** The OpenAPI tag of these routes. */
export const webhooksTag: Tag = {
  name: 'Webhooks',
  description: 'Read the log of the messages to `webhook` URLs, and send one again.',
  guide: new URL('../../docs/webhooks.md', import.meta.url),
};

/** Mounts the routes of the delivery log. */
export function mountWebhookRoutes(routes: Routes, log: DeliveryLog): void {
  routes.get(
    '/v1/webhooks/deliveries',
    {
      summary: 'List webhook deliveries, newest first',
      operationId: 'listWebhookDeliveries',
      description: 'Deliveries are kept for 30 days.',
      query: DeliveryQuery,
      response: { schema: DeliveryList, example: { data: [deliveryExample], has_more: false } },
    },
    async ({ account, query: { limit, offset, status } }) => {
      return presentPage(
        limit,
        (count) => log.list(account.id, { limit: count, offset, status }),
        presentDelivery,
      );
    },
  );

  routes.post(
    '/v1/webhooks/deliveries/:id/retry',
    {
      summary: 'Send a webhook delivery again',
      operationId: 'retryWebhookDelivery',
      idempotency: 'kept',
      description:
        'Sends the delivery now, with the same id and regardless of its status. If the attempt fails, the schedule starts again.',
      response: {
        schema: DeliveryAnswer,
        example: { ...deliveryExample, next_attempt_at: '2026-11-21T09:30:02.000Z' },
      },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params }) => presentDelivery(await log.retry(account.id, params.id)),
  );
}
