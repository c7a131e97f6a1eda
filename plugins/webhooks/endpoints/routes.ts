import { addRecordRoutes, type DeliveryLog, type Routes } from '../../../src/plugin.ts';
import { DeliveryResponse, deliveryExample } from '../schemas.ts';
import { endpointExample, newEndpointExample, secretExample } from './examples.ts';
import {
  EndpointChangeBody,
  EndpointList,
  EndpointQuery,
  EndpointResponse,
  NewEndpointBody,
  NewEndpointResponse,
  SampleBody,
  SecretResponse,
} from './schemas.ts';

const MAX_BODY_BYTES = 65_536;
const PATH = '/v1/webhook-endpoints';
const common = { scope: 'webhooks', maxBodyBytes: MAX_BODY_BYTES } as const;

/** Mounts the routes of webhook endpoints. */
export function mountEndpointRoutes(routes: Routes, deliveries: DeliveryLog): void {
  const { endpoints } = deliveries;

  routes.post(
    PATH,
    {
      ...common,
      summary: 'Create a webhook endpoint',
      operationId: 'createWebhookEndpoint',
      audit: 'webhook_endpoint.created',
      description:
        'Sends the events of the account to a URL, signed with the secret of the response. An account has at most 20 endpoints.',
      idempotency: 'kept',
      confirmation: 'required',
      body: NewEndpointBody,
      examples: { 'two kinds of events': newEndpointExample },
      response: {
        status: 201,
        schema: NewEndpointResponse,
        example: { ...endpointExample, secret: secretExample },
      },
      errors: ['CONFLICT'],
    },
    async ({ account, attempt, headers, body: { description = null, enabled = true, ...fields } }) => {
      headers.set('Cache-Control', 'no-store');
      const chosen = { ...fields, description, enabled };
      const created = await endpoints.create(account.id, chosen, attempt?.workId);
      return { ...created.endpoint, secret: created.secret };
    },
  );

  addRecordRoutes(routes, {
    path: PATH,
    scope: 'webhooks',
    noun: { one: 'webhookEndpoint', many: 'webhookEndpoints' },
    records: endpoints,
    list: {
      query: EndpointQuery,
      schema: EndpointList,
      examples: [endpointExample],
      present: (endpoint) => endpoint,
      summary: 'List webhook endpoints, newest first',
    },
    get: {
      schema: EndpointResponse,
      example: endpointExample,
      present: (endpoint) => endpoint,
      summary: 'Read one webhook endpoint',
    },
    remove: {
      summary: 'Delete one webhook endpoint',
      audit: 'webhook_endpoint.deleted',
      confirmation: 'required',
      description:
        'Deletes the endpoint. Its pending deliveries are not sent, and leave the log when their next attempt is due; the log keeps the others.',
      run: (accountId, id) => endpoints.remove(accountId, id),
    },
  });

  routes.patch(
    `${PATH}/:id`,
    {
      ...common,
      summary: 'Change a webhook endpoint',
      operationId: 'changeWebhookEndpoint',
      audit: 'webhook_endpoint.updated',
      description: 'Changes the fields that the body has. A new `url` applies to later events.',
      confirmation: 'required',
      body: EndpointChangeBody,
      examples: { disable: { enabled: false } },
      response: {
        schema: EndpointResponse,
        example: {
          ...endpointExample,
          enabled: false,
          disabled_reason: 'request',
          disabled_at: '2026-11-22T08:00:00.000Z',
          updated_at: '2026-11-22T08:00:00.000Z',
        },
      },
      errors: ['NOT_FOUND'],
    },
    ({ account, params, body }) => endpoints.change(account.id, params.id, body),
  );

  routes.get(
    `${PATH}/:id/secret`,
    {
      scope: 'webhooks',
      summary: 'Read the secret of a webhook endpoint',
      operationId: 'getWebhookEndpointSecret',
      audit: 'webhook_secret.read',
      confirmation: 'required',
      response: { schema: SecretResponse, example: { secret: secretExample } },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    async ({ account, params, headers }) => {
      headers.set('Cache-Control', 'no-store');
      return { secret: await endpoints.readSecret(account.id, params.id) };
    },
  );

  routes.post(
    `${PATH}/:id/rotate-secret`,
    {
      scope: 'webhooks',
      summary: 'Replace the secret of a webhook endpoint',
      operationId: 'rotateWebhookEndpointSecret',
      audit: 'webhook_secret.rotated',
      description:
        'Creates a new secret. For 24 hours, messages have two signatures, so that the receiver may use either secret.',
      idempotency: 'kept',
      confirmation: 'required',
      response: { schema: SecretResponse, example: { secret: secretExample } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, headers }) => {
      headers.set('Cache-Control', 'no-store');
      return { secret: await endpoints.rotateSecret(account.id, params.id) };
    },
  );

  routes.post(
    `${PATH}/:id/test`,
    {
      ...common,
      summary: 'Send a sample message to a webhook endpoint',
      operationId: 'testWebhookEndpoint',
      audit: null,
      description:
        'Sends the example of a type, with `"test": true` beside `type`, as every message is sent. The response is the delivery.',
      idempotency: 'kept',
      body: SampleBody,
      examples: { 'a type': { type: 'batch.completed' } },
      response: {
        status: 202,
        schema: DeliveryResponse,
        example: {
          ...deliveryExample,
          endpoint_id: endpointExample.id,
          attempts: 0,
          last_status: null,
          last_error: null,
        },
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    },
    ({ account, attempt, params, body: { type } }) =>
      deliveries.sendSample(account.id, params.id, { type, workId: attempt?.workId }),
  );
}
