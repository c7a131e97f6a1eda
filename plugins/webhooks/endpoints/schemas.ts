import { CountedText, nullable, pageOf, pageQuery, Type, WebhookUrl } from '../../../src/plugin.ts';

const MAX_PATTERNS = 50;
const MAX_PATTERN_CHARACTERS = 100;
const MAX_DESCRIPTION_CHARACTERS = 500;

const Events = Type.Array(Type.String({ minLength: 1, maxLength: MAX_PATTERN_CHARACTERS }), {
  minItems: 1,
  maxItems: MAX_PATTERNS,
  description:
    'The types of events that are sent, such as `batch.completed`, or all of a noun, such as `generation.*`.',
});

const Description = nullable(
  CountedText({
    minLength: 1,
    maxLength: MAX_DESCRIPTION_CHARACTERS,
    expected: `a text of 1 to ${MAX_DESCRIPTION_CHARACTERS} characters`,
    description: 'A description for people.',
  }),
);

const url = {
  ...WebhookUrl,
  title: 'WebhookEndpointUrl',
  description:
    'An http or https URL without credentials. A private address and `localhost` are rejected unless the operator allows them with `EGRESS_ALLOW`.',
};

/** The body of `POST /v1/webhook-endpoints`. */
export const NewEndpointBody = Type.Object(
  {
    url,
    events: Events,
    description: Type.Optional(Description),
    enabled: Type.Optional(Type.Boolean({ description: 'Whether events are sent; by default `true`.' })),
  },
  { title: 'CreateWebhookEndpointRequest', additionalProperties: false },
);

/** The body of `PATCH /v1/webhook-endpoints/:id`. */
export const EndpointChangeBody = Type.Object(
  {
    url: Type.Optional(url),
    events: Type.Optional(Events),
    description: Type.Optional(Description),
    enabled: Type.Optional(
      Type.Boolean({ description: 'Whether events are sent. `true` also forgets earlier failures.' }),
    ),
  },
  { title: 'ChangeWebhookEndpointRequest', additionalProperties: false },
);

/** The query of `GET /v1/webhook-endpoints`. */
export const EndpointQuery = pageQuery(50);

const time = (description: string) => nullable(Type.String({ description }));

/** An endpoint without its secret. */
export const EndpointResponse = Type.Object(
  {
    id: Type.String(),
    url: Type.String(),
    events: Type.Array(Type.String()),
    description: nullable(Type.String()),
    enabled: Type.Boolean(),
    disabled_reason: nullable(
      Type.Union([Type.Literal('request'), Type.Literal('failing'), Type.Literal('gone')], {
        title: 'DisabledReason',
        description:
          '`request`: a request disabled it. `failing`: all attempts failed for three days. `gone`: it responded with 410.',
      }),
    ),
    disabled_at: time('When the endpoint was disabled; null if it is enabled.'),
    failing_since: time('The first failed attempt since the last success; null if the last one succeeded.'),
    created_at: Type.String({ description: 'ISO 8601, UTC, milliseconds.' }),
    updated_at: Type.String({ description: 'ISO 8601, UTC, milliseconds.' }),
  },
  { title: 'WebhookEndpoint' },
);

/** A page of endpoints, newest first. */
export const EndpointList = pageOf(EndpointResponse, 'WebhookEndpointList');

const secret = Type.String({ description: 'The secret that signs the messages: `whsec_` and base64.' });

/** The response of `POST /v1/webhook-endpoints`. */
export const NewEndpointResponse = Type.Composite([EndpointResponse, Type.Object({ secret })], {
  title: 'NewWebhookEndpoint',
});

/** The responses of the routes of a secret. */
export const SecretResponse = Type.Object({ secret }, { title: 'WebhookEndpointSecret' });

/** The body of `POST /v1/webhook-endpoints/:id/test`. */
export const SampleBody = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        maxLength: MAX_PATTERN_CHARACTERS,
        description: 'A type to which the endpoint subscribes; by default the first one.',
      }),
    ),
  },
  { title: 'TestWebhookEndpointRequest', additionalProperties: false },
);
