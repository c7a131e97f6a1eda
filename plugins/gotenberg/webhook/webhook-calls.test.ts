import { expect, test } from 'bun:test';
import type { WebhookCall } from './collections.ts';
import { createWebhookCalls, type WebhookCallParts } from './webhook-calls.ts';

const call: WebhookCall = {
  id: 'gtb_1',
  accountId: 'acct_1',
  createdAt: 0,
  path: 'forms/test',
  trace: 'trace',
  isTest: false,
  outputName: '',
  sealed: JSON.stringify({ target: { url: 'http://example.com/' }, texts: [] }),
  inputFileId: null,
  inputs: [],
  step: 'queued',
  attempts: 0,
  resultFileId: null,
  result: null,
  failure: null,
  tries: 0,
};

/** Begins the work of a stored request, and returns what is stored afterwards and whether its route ran. */
async function workOff(stored: Partial<WebhookCall>, suspendedAt: number | null) {
  let current = { ...call, ...stored };
  let isRun = false;
  const runs = new Map<string, (id: string) => Promise<unknown>>();
  const parts: object = {
    calls: {
      get: async () => current,
      update: async (_: object, changes: object) => (current = { ...current, ...changes }),
    },
    accounts: { get: async () => ({ id: 'acct_1', suspendedAt }) },
    files: { put: async () => undefined },
    jobs: {
      define({ name, run }: { name: string; run: (id: string) => Promise<unknown> }) {
        runs.set(name, run);
        return { ensureQueued: async () => undefined };
      },
      sweep: () => undefined,
    },
    sealer: { unseal: (_: string, sealed: string) => sealed },
    log: { error: () => undefined },
    async run() {
      isRun = true;
      return [{ name: 'a.pdf', mediaType: 'application/pdf', content: new Uint8Array(1) }];
    },
    describe: (error: { code: string }) => ({ status: error.code === 'FORBIDDEN' ? 403 : 500, message: '' }),
  };
  createWebhookCalls(parts as WebhookCallParts);
  await runs.get('gotenberg.work')?.(call.id);
  return { isRun, step: current.step, status: current.failure?.status };
}

test('a request is worked off', async () => {
  expect(await workOff({}, null)).toEqual({ isRun: true, step: 'outcome', status: undefined });
});

test('the requests of a suspended account fail', async () => {
  expect(await workOff({}, 1)).toEqual({ isRun: false, step: 'outcome', status: 403 });
});

test('a request that killed its process in each attempt fails', async () => {
  expect(await workOff({ attempts: 10 }, null)).toEqual({ isRun: false, step: 'outcome', status: 500 });
});
