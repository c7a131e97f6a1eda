import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../support/service/process.ts';
import { waitToRetry } from '../support/service/retry-after.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';

// Only prevents a hang.
setDefaultTimeout(180_000);

test('a request whose process was killed runs again after its lease: one document, one unit, one delivery', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const gate = Promise.withResolvers<void>();
  await using receiver = new Receiver(async ({ path }) => {
    if (path === '/image') await gate.promise;
    return new Response(null, { status: path === '/image' ? 404 : 204 });
  });
  const env = { DATA_DIR: folder, EGRESS_ALLOW: receiver.host };
  const killed = new ServiceProcess(env);
  let revived: ServiceProcess | undefined;
  try {
    const key = await killed.firstKey();
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const html = `<script></script><img src="${receiver.url('/image')}">`;
    const send = (url: string, text = html) =>
      fetch(`${url}/v1/generate`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': 'order-1' },
        body: JSON.stringify({ html: text, webhook: receiver.url('/hook') }),
      });
    const first = send(await killed.ready()).catch(() => 'disconnected');
    await until(() => receiver.at('/image').length > 0);
    killed.killGroup();
    expect(await first).toBe('disconnected');
    await killed.exited;

    revived = new ServiceProcess(env);
    const url = await revived.ready();
    gate.resolve();
    expect((await send(url, 'another document')).status).toBe(422);
    let retried = await send(url);
    await until(async () => {
      if (retried.status !== 409) return true;
      await waitToRetry(retried.headers);
      retried = await send(url);
      return false;
    });
    expect(retried.status).toBe(200);
    const again = await send(url);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const made = (await retried.json()) as { id: string };
    expect(await again.json()).toEqual(made);
    const read = async (path: string) => (await fetch(url + path, { headers })).json();
    expect(await read('/v1/generations')).toMatchObject({ data: [{ id: made.id, status: 'completed' }] });
    // The unit that the killed process held is the unit of the second attempt.
    expect(await read('/v1/usage')).toMatchObject({ used: 1 });
    await until(() => receiver.at('/hook').length > 0);
    expect(await read('/v1/webhooks/deliveries')).toMatchObject({ data: [{}] });
  } finally {
    gate.resolve();
    if (revived) {
      revived.killGroup();
      await revived.exited;
    }
    await rm(folder, { recursive: true, force: true });
  }
});
