import { Type, type Static } from '@sinclair/typebox';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** `webhooks` in `platen.config.json`. The default waits are those that the Standard Webhooks specification proposes. */
export const WebhookSettings = Type.Object(
  {
    retryDelaysMs: Type.Array(Type.Integer({ minimum: 0, maximum: 24 * HOUR }), {
      maxItems: 20,
      default: [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR],
      description: 'How long to wait after each failed try; after the last one the delivery has failed.',
    }),
    timeoutMs: Type.Integer({
      minimum: 100,
      maximum: 60 * SECOND,
      default: 15 * SECOND,
      description: 'The deadline of a try, from the connection to the end of the answer.',
    }),
  },
  { additionalProperties: false, default: {} },
);

/** How deliveries are tried. */
export type WebhookSettings = Static<typeof WebhookSettings>;
