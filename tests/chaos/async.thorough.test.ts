import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callJson, ServiceProcess } from '../support/service/process.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(180_000);

const quotaSweep = new URL('../fixtures/plugins/quota-sweep.ts', import.meta.url).pathname;
const ROUNDS = 4;
const CALLERS = 4;

test('every accepted request becomes one document, one event and one unit, when the service is killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const config = join(directory, 'platen.config.json');
  await Bun.write(config, JSON.stringify({ plugins: { [quotaSweep]: {} } }));
  const env = { DATA_DIR: directory, LOG_LEVEL: 'error', PLATEN_CONFIG: config };
  const accepted = new Set<string>();
  let key: string | undefined;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = new ServiceProcess(env);
      const url = await service.ready();
      key ??= await service.firstKey();
      const secret = key;
      const target = accepted.size + 15 + round;
      const caller = async () => {
        while (accepted.size <= target) {
          const request = { html: `<p>${accepted.size}</p>`, async: true };
          const answer = await callJson(url, '/v1/generate', secret, request).catch(() => undefined);
          if (answer?.status !== 202) continue;
          accepted.add(answer.body.id);
          // Killed by the response itself, while earlier documents are being made.
          if (accepted.size > target) service.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      await service.exited;
    }
    const service = new ServiceProcess(env);
    const url = await service.ready();
    const secret = key ?? '';
    const read = async (path: string) => (await callJson(url, path, secret)).body;
    await until(async () => {
      const counts = await Promise.all(
        ['queued', 'processing'].map((status) => read(`/v1/generations?include=total&status=${status}`)),
      );
      return counts.every(({ total }) => total === 0);
    }, 120_000);
    const { data } = await read('/v1/generations?limit=100');
    const ids = new Set(data.map(({ id }: { id: string }) => id));
    expect([...accepted].filter((id) => !ids.has(id))).toEqual([]);
    expect(data.filter(({ status }: { status: string }) => status !== 'completed')).toEqual([]);
    for (const { url: link } of data) expect((await fetch(link)).status).toBe(200);
    // The sweep returns the units of requests that were not accepted, without waiting for half an hour.
    await callJson(url, '/v1/quota-sweep', secret, {});
    expect((await read('/v1/usage')).used).toBe(data.length);
    const events = async () => (await read('/v1/events?limit=100&include=total')).total;
    await until(async () => (await events()) >= data.length);
    expect(await events()).toBe(data.length);
    service.kill('SIGTERM');
    await service.exited;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
