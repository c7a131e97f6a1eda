import { base64, everyBody, json, MB, type WorstInput } from './inputs.ts';

const route = 'POST /v1/certificates';
const upload = (content: string) => json({ pkcs12: base64(content), password: 'x' });

/** The uploads of certificates that, as far as is known, cost the most. */
export const certificateInputs: WorstInput[] = [
  ...everyBody(route),
  ...[
    { name: 'values nested 400,000 times', body: () => upload('0\u0080'.repeat(0.4 * MB)) },
    {
      name: 'a list of 300,000 values',
      body: () => upload(`0\u0083\u000d\u00bb\u00a0${'\u0005\0'.repeat(0.45 * MB)}`),
    },
    { name: 'more than 1 MB', body: () => upload('x'.repeat(1.1 * MB)) },
  ].map((input) => ({ route, ...input })),
];
