import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { loadConfig } from '../config.ts';

test('the default schedule is that of docs/webhooks.md: 17 h 35 min, 15 s per attempt', () => {
  const { webhooks } = loadConfig({ env: {}, cwd: tmpdir() });
  expect(webhooks).toEqual({
    retryDelaysMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000],
    timeoutMs: 15_000,
  });
});
