import { Type, type Static } from '@sinclair/typebox';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * The schema of `webhooks` in `platen.config.json`. The default delays are those of the Standard Webhooks
 * specification.
 */
export const WebhookSettings = Type.Object(
  {
    retryDelaysMs: Type.Array(Type.Integer({ minimum: 0, maximum: 24 * HOUR }), {
      maxItems: 20,
      default: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
      description: 'The delay after each failed attempt. After the last attempt, the delivery has failed.',
    }),
    timeoutMs: Type.Integer({
      minimum: 100,
      maximum: 60 * SECOND,
      default: 15 * SECOND,
      description: 'The limit for an attempt, from connecting to the end of the response.',
    }),
  },
  { additionalProperties: false, default: {} },
);

export type WebhookSettings = Static<typeof WebhookSettings>;
