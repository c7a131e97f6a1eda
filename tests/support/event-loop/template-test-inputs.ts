import { everyBody, json, keys, MB, type Stored, type WorstInput } from './inputs.ts';

/** The longest data of a case, with as many characters to escape as possible. */
export const longestCaseData = { text: '"'.repeat(32_000) };

const CASE = '/v1/templates/{id}/cases/{name}';
const CHECK = 'POST /v1/templates/{id}/check';
const ACCEPT = `POST ${CASE}/accept`;
const pathOf =
  (rest: string) =>
  ({ testedTemplate }: Stored) =>
    `/v1/templates/${testedTemplate}${rest}`;

const unknown = (route: string, rest = ''): WorstInput => ({
  route,
  name: 'unknown',
  path: () => `/v1/templates/${'x'.repeat(15_000)}/cases/${'x'.repeat(64)}${rest}`,
});

/** The requests about cases and checks that, as far as is known, cost the most. */
export const templateTestInputs: WorstInput[] = [
  {
    route: 'GET /v1/templates/{id}/cases',
    name: '100 cases with 65 kB of data each',
    path: pathOf('/cases?limit=100'),
  },
  {
    route: `GET ${CASE}`,
    name: '65 kB of data',
    path: pathOf('/cases/case1'),
  },
  {
    route: 'GET /v1/browser-changes',
    name: '100 templates',
    path: () => '/v1/browser-changes?limit=100&include=total',
  },
  unknown(`GET ${CASE}/pages/{n}.png`, '/pages/1.png?width=4000'),
  unknown(`DELETE ${CASE}`),
  ...everyBody(`PUT ${CASE}`, { path: pathOf('/cases/case1') }),
  {
    route: `PUT ${CASE}`,
    name: 'data of 400,000 keys',
    path: pathOf('/cases/case1'),
    body: () => json({ data: keys(400_000) }),
  },
  {
    route: `PUT ${CASE}`,
    name: '30 MB of accepted base64 that is not a PDF',
    path: pathOf('/cases/case1'),
    body: () => json({ data: {}, accepted: 'A'.repeat(30 * MB) }),
  },
  ...everyBody(CHECK, { path: pathOf('/check') }),
  {
    route: CHECK,
    name: '100 cases with 65 kB of data each, and a fault in the template',
    path: pathOf('/check'),
    body: () => json({ html_content: '{{#if}}' }),
  },
  ...everyBody(ACCEPT, { path: pathOf('/cases/case1/accept') }),
  {
    route: ACCEPT,
    name: '65 kB of data',
    path: pathOf('/cases/case2/accept'),
    body: () => json({}),
  },
];
