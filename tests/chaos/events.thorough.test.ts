import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callJson, ServiceProcess } from '../support/service/process.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(120_000);
const ROUNDS = 4;
const CALLERS = 4;

test('each generation has exactly one event, and no event is invented, when the service is killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const env = { DATA_DIR: directory, LOG_LEVEL: 'error' };
  let key: string | undefined;
  let answered = 0;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = new ServiceProcess(env);
      const url = await service.ready();
      key ??= await service.firstKey();
      const secret = key;
      const target = answered + 10 + round;
      const caller = async () => {
        while (answered <= target) {
          const made = await callJson(url, '/v1/generate', secret, { html: 'x' }).catch(() => undefined);
          if (made?.body.id === undefined) continue;
          answered += 1;
          // Killed by the response itself, while the event of this generation may be under way.
          if (answered > target) service.kill('SIGKILL');
        }
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      await service.exited;
    }
    const service = new ServiceProcess(env);
    const url = await service.ready();
    const secret = key ?? '';
    const total = async (path: string) =>
      (await callJson(url, `${path}?limit=100&include=total`, secret)).body.total;
    await until(async () => (await total('/v1/events')) >= (await total('/v1/generations')));
    const generations = (await callJson(url, '/v1/generations?limit=100', secret)).body.data;
    const events = (await callJson(url, '/v1/events?limit=100', secret)).body.data;
    const ids = (records: { id: string }[]) => records.map(({ id }) => id).toSorted();
    expect(generations.length).toBeGreaterThanOrEqual(answered);
    expect(ids(events.map(({ data }: { data: { id: string } }) => data))).toEqual(ids(generations));
    service.kill('SIGTERM');
    await service.exited;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
