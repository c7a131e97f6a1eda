import { everyBody, json, type WorstInput } from './inputs.ts';

const route = 'POST /v1/keys';
const networks = Array.from({ length: 50 }, (_, part) => `2001:db8:${part.toString(16)}:ffff::ffff/128`);

/** The requests for API keys that, as far as is known, cost the most. */
export const keyInputs: WorstInput[] = [
  ...everyBody(route),
  { route, name: '50 networks', body: () => json({ name: 'x'.repeat(100), allowed_ips: networks }) },
  { route: 'DELETE /v1/keys/{id}', name: 'unknown', path: () => `/v1/keys/${'x'.repeat(15_000)}` },
  { route: 'GET /v1/keys/{id}', name: 'unknown', path: () => `/v1/keys/${'x'.repeat(15_000)}` },
];
