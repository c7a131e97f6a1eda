import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callJson, platen, ServiceProcess } from '../support/service/process.ts';
import { Receiver, verify } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(90_000);
const COUNT = 8;

test('webhooks accepted before kill -9 are delivered after the next start, each with the same id', async () => {
  let isDown = true;
  await using receiver = new Receiver(() => (isDown ? new Promise(() => {}) : new Response('ok')));
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const env = { DATA_DIR: directory, LOG_LEVEL: 'error', EGRESS_ALLOW: receiver.host };
  const first = new ServiceProcess(env);
  const firstUrl = await first.ready();
  const key = await first.firstKey();
  const made: string[] = [];
  for (let index = 0; index < COUNT; index += 1) {
    const webhook = receiver.url(`/${index}`);
    const answer = await callJson(firstUrl, '/v1/generate', key, { html: `${index}`, webhook });
    expect(answer.status).toBe(200);
    made.push(answer.body.id);
  }
  // Some deliveries have started and others wait. None has received a response.
  await until(() => receiver.received.length > 0);
  first.kill('SIGKILL');
  await first.exited;
  const before = receiver.received.splice(0);
  expect(before.length).toBeLessThan(COUNT);
  isDown = false;

  const second = new ServiceProcess(env);
  try {
    const url = await second.ready();
    await until(() => new Set(receiver.received.map(({ path }) => path)).size === COUNT);
    const ids: string[] = receiver.received.map(({ body }) => JSON.parse(body).data.id);
    expect([...new Set(ids)].toSorted()).toEqual(made.toSorted());
    const { stdout } = await platen(['webhooks', 'secret', '--email', 'admin@localhost'], env);
    const idByPath = new Map(before.map(({ path, headers }) => [path, headers['webhook-id']]));
    for (const request of receiver.received) {
      expect(verify(stdout.trim(), request)).toBeObject();
      const id = request.headers['webhook-id'];
      expect(idByPath.get(request.path) ?? id).toBe(id);
    }
    await until(async () => {
      const { body } = await callJson(url, '/v1/webhooks/deliveries', key);
      expect(body.data.length).toBe(COUNT);
      return body.data.every(({ status }: { status: string }) => status === 'delivered');
    });
  } finally {
    second.kill('SIGTERM');
    await second.exited;
    await rm(directory, { recursive: true, force: true });
  }
});

test('an attempt interrupted by SIGTERM does not count and is repeated after the next start', async () => {
  let isDown = true;
  await using receiver = new Receiver(() => (isDown ? new Promise(() => {}) : new Response('ok')));
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const env = {
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
    EGRESS_ALLOW: receiver.host,
    DRAIN_TIMEOUT_MS: '100',
  };
  const first = new ServiceProcess(env);
  const firstUrl = await first.ready();
  const key = await first.firstKey();
  await callJson(firstUrl, '/v1/generate', key, { html: 'x', webhook: receiver.url('/') });
  await until(() => receiver.received.length === 1);
  first.kill('SIGTERM');
  expect(await first.exited).toBe(0);
  isDown = false;
  const second = new ServiceProcess(env);
  try {
    const url = await second.ready();
    await until(() => receiver.received.length === 2);
    const read = async () => (await callJson(url, '/v1/webhooks/deliveries', key)).body.data[0];
    await until(async () => (await read()).status === 'delivered');
    expect(await read()).toMatchObject({ attempts: 1, last_error: null });
  } finally {
    second.kill('SIGTERM');
    await second.exited;
    await rm(directory, { recursive: true, force: true });
  }
});
