import { everyBody, json, type WorstInput } from './inputs.ts';

const list = '/v1/webhook-endpoints';
const path = () => `${list}/${'x'.repeat(15_000)}`;

/** The requests for webhook endpoints that, as far as is known, cost the most. */
export const endpointInputs: WorstInput[] = [
  ...everyBody(`POST ${list}`),
  {
    route: `POST ${list}`,
    name: 'a long URL',
    body: () => json({ url: `https://example.com/${'x'.repeat(2_000)}`, events: ['generation.*'] }),
  },
  { route: `GET ${list}/{id}`, name: 'unknown', path },
  { route: `DELETE ${list}/{id}`, name: 'unknown', path },
  ...everyBody(`PATCH ${list}/{id}`, { path }),
  { route: `GET ${list}/{id}/secret`, name: 'unknown', path: () => `${path()}/secret` },
  { route: `POST ${list}/{id}/rotate-secret`, name: 'unknown', path: () => `${path()}/rotate-secret` },
  ...everyBody(`POST ${list}/{id}/test`, { path: () => `${path()}/test` }),
];
