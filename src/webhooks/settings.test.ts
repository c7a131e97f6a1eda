import { expect, test } from 'bun:test';
import { tmpdir } from 'node:os';
import { loadConfig } from '../config.ts';

test('without settings a delivery is tried as docs/webhooks.md says: for 17 h 35 min, 15 s a try', () => {
  const { webhooks } = loadConfig({ env: {}, cwd: tmpdir() });
  expect(webhooks).toEqual({
    retryDelaysMs: [5_000, 300_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000],
    timeoutMs: 15_000,
  });
});
