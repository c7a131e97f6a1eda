import { afterAll, beforeAll, expect, test } from 'bun:test';
import { createEgressGuard, type EgressGuard } from '../../../src/egress/guard.ts';
import { AppError, invalid, type Log } from '../../../src/plugin.ts';
import { readSettings } from '../settings.ts';
import { createChromium, type ChromiumParts } from '../chromium/print.ts';
import { screenshotFields } from '../chromium/fields.ts';
import { readFields } from '../form/fields.ts';
import { Form } from '../form/form.ts';
import { readTarget } from '../webhook/target.ts';
import { openOutbound, type Outbound } from './outbound.ts';

const settings = readSettings({});
const warnings: string[] = [];
const log = { warn: (message: string) => void warnings.push(message) } as unknown as Log;
const judge = async () => 'allowed' as const;

let guard: EgressGuard;
let outbound: Outbound;
beforeAll(async () => {
  guard = await createEgressGuard({ allow: [] });
  const openEgress = async () => guard;
  outbound = await openOutbound({ egress: guard, openEgress, log }, { judge, judgeMany: () => judge });
});
afterAll(() => guard.close());

/** Returns the message of a rejection, and the warnings. */
async function refusal(work: Promise<unknown>): Promise<string[]> {
  warnings.length = 0;
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof AppError)) throw new Error('the URL is not refused', { cause: error });
  return [error.message, ...warnings];
}

const warning = (origin: string, destination: string, variable: string) =>
  `'${origin}' is refused: its address is not public; the operator can allow it with EGRESS_ALLOW=${destination} or with a pattern in ${variable}`;

test.each([
  ['http://127.0.0.1:1/secret?token=secret', 'http://127.0.0.1:1', '127.0.0.1:1'],
  ['https://ann:secret@127.0.0.1/', 'https://127.0.0.1', '127.0.0.1:443'],
  ['http://[::1]/', 'http://[::1]', '[::1]:80'],
])('the log says why %s cannot be downloaded, without its secrets', async (url, origin, destination) => {
  const request = { url: new URL(url), method: 'GET', headers: new Headers() };
  const signal = AbortSignal.timeout(5_000);
  expect(await refusal(outbound.fetch({ ...request, patterns: settings.downloadFrom, signal }))).toEqual([
    'Forbidden',
    warning(origin, destination, 'API_DOWNLOAD_FROM_ALLOW_LIST'),
  ]);
});

test('the log says why a webhook is refused', async () => {
  const headers = new Headers({
    'gotenberg-webhook-url': 'https://example.com/',
    'gotenberg-webhook-error-url': 'http://ann:secret@localhost:1/secret',
  });
  const webhooks = {
    check(name: string, url: string) {
      if (url.includes('localhost')) throw invalid(name, 'must be on a public address');
    },
  };
  const target = readTarget(headers, { outbound, webhooks, settings: settings.webhook });
  expect(await refusal(target)).toEqual([
    'Forbidden',
    warning('http://localhost:1', 'localhost:1', 'WEBHOOK_ERROR_ALLOW_LIST'),
  ]);
});

test('the log says why a web page is refused, and names the target of a redirect', async () => {
  const facts = { refusedUrl: 'http://10.0.0.1/secret', isComplete: false, response: null, failure: null };
  const render = {
    async generate({ page }: { page: { judge: (facts: object) => unknown } }) {
      page.judge({ ...facts, responses: [], failures: [], exceptions: [], messages: [] });
      throw invalid('url', 'is refused');
    },
  } as unknown as ChromiumParts['render'];
  const form = new Form();
  const call = { account: '', attempt: undefined, form, outputName: 'x', reserveMemory: () => undefined };
  const chromium = createChromium({ render, outbound, settings });
  const values = readFields(form, screenshotFields);
  expect(await refusal(chromium.capture(call as never, { url: 'http://a.example/' }, values))).toEqual([
    'Forbidden',
    warning('http://10.0.0.1', '10.0.0.1:80', 'CHROMIUM_ALLOW_LIST'),
  ]);
});
