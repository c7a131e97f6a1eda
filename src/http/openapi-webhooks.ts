import { Type, type TSchema } from '@sinclair/typebox';
import type { WebhookType } from '../webhooks/delivery.ts';
import { describeParameters } from './openapi-parameters.ts';
import type { Components } from './openapi-components.ts';
import type { Operation } from './openapi-shared.ts';

const WEBHOOK_RULES =
  'The message is signed according to [Standard Webhooks](https://www.standardwebhooks.com) and retried a limited number of times until the receiver responds with 2xx. It may arrive more than once, with the same `webhook-id` each time.';

const WebhookHeaders = Type.Object({
  'webhook-id': Type.String({ description: 'The id of the message.' }),
  'webhook-timestamp': Type.String({ description: 'When this attempt was sent: Unix seconds.' }),
  'webhook-signature': Type.String({
    description: 'One or two signatures, separated by a space, each `v1,` and a base64 HMAC-SHA256.',
  }),
});

/** Describes a webhook message in the document. */
export interface WebhookSpec {
  summary: string;
  description?: string;
  data: TSchema;
  /** An example of `data`. */
  example: unknown;
}

/** A webhook message with its type and the tag of its sender. */
export interface DocumentedWebhook extends WebhookSpec {
  type: WebhookType;
  tag: string;
}

/** Describes the messages to the URLs of callers, by type. */
export function describeWebhooks(
  webhooks: readonly DocumentedWebhook[],
  components: Components,
): Record<string, { post: Operation }> {
  const entries = webhooks.map(({ type, tag, summary, description, data, example }) => {
    const schema = Type.Object(
      {
        type: Type.Literal(type),
        timestamp: Type.String({ description: 'When it happened: ISO 8601, UTC, milliseconds.' }),
        data,
      },
      { title: eventName(type) },
    );
    const message = { type, timestamp: '2026-11-21T09:30:00.000Z', data: example };
    const operation = {
      operationId: `on${eventName(type)}`,
      tags: [tag],
      summary,
      description: [description, WEBHOOK_RULES].filter(Boolean).join(' '),
      security: [],
      parameters: describeParameters('header', WebhookHeaders, components, true),
      requestBody: {
        required: true,
        content: { 'application/json': { schema: components.convert(schema), example: message } },
      },
      responses: { '2XX': { description: 'The message is delivered.' } },
    };
    return [type, { post: operation }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * Returns the name of the schema of a message: `GenerationCompletedEvent`, and `WebhookEndpointDisabledEvent`
 * for `webhook_endpoint.disabled`.
 */
function eventName(type: string): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}
