import { EndpointResponse } from './schemas.ts';

/** An example of `POST /v1/webhook-endpoints`. */
export const newEndpointExample = {
  url: 'https://example.com/hooks/platen',
  events: ['generation.*', 'batch.completed'],
  description: 'Web shop',
};

/** An example of an endpoint. */
export const endpointExample = {
  id: 'we_2bC4dE6fG8hJ1kL3mN5pQ7rS',
  ...newEndpointExample,
  enabled: true,
  disabled_reason: null,
  disabled_at: null,
  failing_since: null,
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
};

/** An example of the secret of an endpoint. */
export const secretExample = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw1x0Zl7v4bTg=';

/** The webhook messages about endpoints, for the documentation. */
export const endpointWebhooks = {
  'webhook_endpoint.disabled': {
    summary: 'The service has disabled a webhook endpoint',
    description:
      'Sent to the other endpoints of the account. `url` is without query and fragment, which may be secret.',
    data: EndpointResponse,
    example: {
      ...endpointExample,
      enabled: false,
      disabled_reason: 'failing',
      disabled_at: '2026-11-21T09:30:00.000Z',
      failing_since: '2026-11-18T09:30:00.000Z',
      updated_at: '2026-11-21T09:30:00.000Z',
    },
  },
};
