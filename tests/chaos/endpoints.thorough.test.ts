import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callJson, ServiceProcess } from '../support/service/process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(120_000);
const ROUNDS = 4;
const CALLERS = 4;
const PATHS = ['/one', '/two'];

test('each endpoint gets each event, under one id, when the service is killed', async () => {
  await using receiver = new Receiver();
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const env = { DATA_DIR: directory, LOG_LEVEL: 'error', EGRESS_ALLOW: receiver.host };
  let key: string | undefined;
  let answered = 0;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = new ServiceProcess(env);
      const url = await service.ready();
      if (key === undefined) {
        key = await service.firstKey();
        for (const path of PATHS) {
          const body = { url: receiver.url(path), events: ['generation.*'] };
          expect((await callJson(url, '/v1/webhook-endpoints', key, body)).status).toBe(201);
        }
      }
      const secret = key;
      const target = answered + 10 + round;
      const caller = async () => {
        while (answered <= target) {
          const made = await callJson(url, '/v1/generate', secret, { html: 'x' }).catch(() => undefined);
          if (made?.body.id === undefined) continue;
          answered += 1;
          // Killed by the response itself, while the deliveries of this generation may be under way.
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
      (await callJson(url, `${path}limit=1&include=total`, secret)).body.total;
    await until(async () => (await total('/v1/events?')) >= (await total('/v1/generations?')));
    const events = await total('/v1/events?');
    expect(events).toBeGreaterThanOrEqual(answered);
    await until(
      async () => (await total('/v1/webhooks/deliveries?status=delivered&')) >= PATHS.length * events,
    );
    expect(await total('/v1/webhooks/deliveries?')).toBe(PATHS.length * events);
    for (const path of PATHS) {
      // A killed process may have sent a message without noting it. Its repetition has the same id.
      const idOf = new Map(
        receiver.at(path).map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).data.id]),
      );
      expect(idOf.size).toBe(events);
      expect(new Set(idOf.values()).size).toBe(events);
    }
    service.kill('SIGTERM');
    await service.exited;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
