import { everyBody, json, keys, MB, type WorstInput } from './inputs.ts';

const html = '<p>x</p>';
const many = <T>(count: number, value: T) => Array.from({ length: count }, () => value);

/** Bodies that all routes read alike. */
const bodies: Omit<WorstInput, 'route'>[] = [
  {
    name: 'patterns of 1,000 repeated letters',
    body: () => json({ html, rejectRequestPattern: many(4, 'a{1000}'.repeat(71)) }),
  },
  {
    name: 'patterns of 1,000 repeated classes',
    body: () => json({ html, rejectRequestPattern: many(4, String.raw`\pL{1000}`.repeat(55)) }),
  },
  { name: '400,000 headers', body: () => json({ html, setExtraHTTPHeaders: keys(400_000, 'x') }) },
  {
    name: 'styles of 20 MB of end tags',
    benchOnly: true,
    body: () => json({ html, addStyleTag: many(20, { content: '</style'.repeat(0.14 * MB) }) }),
  },
  {
    name: 'scripts of 4 MB of quotes',
    body: () => json({ html, addScriptTag: many(20, { content: '"'.repeat(200_000) }) }),
  },
  {
    name: '50 cookies of 4 KB',
    body: () =>
      json({
        html,
        cookies: many(50, {
          name: 'a',
          value: 'x'.repeat(4_000),
          domain: 'x'.repeat(255),
          path: '/'.repeat(1_000),
        }),
      }),
  },
  {
    name: 'HTML of 29 MB',
    body: () => json({ html: 'word '.repeat(5.8 * MB), setJavaScriptEnabled: false, waitForTimeout: 1 }),
  },
];

const pdf: Omit<WorstInput, 'route'>[] = [
  {
    name: 'headers of 400,000 characters and many ranges',
    benchOnly: true,
    body: () =>
      json({
        html,
        options: {
          displayHeaderFooter: true,
          headerTemplate: '<b>'.repeat(133_000),
          footerTemplate: '<b>'.repeat(133_000),
          pageRanges: '1,'.repeat(499).concat('1'),
        },
      }),
  },
];

const on = (route: string, inputs: readonly Omit<WorstInput, 'route'>[]): WorstInput[] => [
  ...everyBody(route),
  ...inputs.map((input) => ({ route, ...input })),
];

/** The bodies for the other routes: the test sends them only the first. */
const alike = bodies.map((input, index) => ({ ...input, benchOnly: index > 0 }));

/** The requests of browserless that, as far as is known, cost the most. */
export const browserlessInputs: WorstInput[] = [
  ...on('POST /pdf', [...bodies, ...pdf]),
  ...on('POST /screenshot', alike),
  ...on('POST /content', [
    ...alike,
    {
      name: 'markup of 8 MB',
      body: () => json({ html: `<script>document.body.append('é'.repeat(8e6))</script>` }),
    },
  ]),
];
