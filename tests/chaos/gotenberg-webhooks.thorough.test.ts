import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postForm } from '../support/gotenberg/client.ts';
import { ServiceProcess } from '../support/service/process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(90_000);
const echo = join(import.meta.dir, '..', 'fixtures', 'plugins', 'gotenberg-echo.ts');

test('what a 204 promised is done after kill -9, at every step', async () => {
  let isDown = true;
  await using receiver = new Receiver(() => (isDown ? new Promise(() => {}) : new Response('ok')));
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const config = join(directory, 'platen.config.json');
  await writeFile(config, JSON.stringify({ plugins: { [echo]: true, render: { warmUp: false } } }));
  const env = {
    DATA_DIR: directory,
    PLATEN_CONFIG: config,
    LOG_LEVEL: 'info',
    EGRESS_ALLOW: receiver.host,
    API_TIMEOUT: '1h',
    WEBHOOK_CLIENT_TIMEOUT: '1h',
    CHROMIUM_AUTO_START: 'true',
  };
  const first = new ServiceProcess(env);
  const url = await first.ready();
  const key = await first.firstKey();
  expect(first.stderr).toContain('these variables of Gotenberg have no effect: CHROMIUM_AUTO_START');
  const send = (mode: string) =>
    postForm({ url, key }, 'forms/test/files', {
      fields: { mode },
      files: [{ name: 'a.pdf', content: `content of ${mode}` }],
      headers: {
        'gotenberg-webhook-url': receiver.url(`/${mode}`),
        'gotenberg-webhook-events-url': receiver.url(`/${mode}-events`),
        'gotenberg-trace': mode,
      },
    });
  // One is killed while its work is done, the other while its result is sent.
  for (const mode of ['hanging', 'sent']) expect((await send(mode)).status).toBe(204);
  await until(() => receiver.received.length > 0);
  expect(first.stderr).toContain('"correlation_id":"sent"');
  first.kill('SIGKILL');
  await first.exited;
  expect(receiver.received.map(({ path }) => path)).toEqual(['/sent']);
  isDown = false;

  const second = new ServiceProcess(env);
  try {
    await second.ready();
    await until(() => receiver.at('/hanging-events').length > 0 && receiver.at('/sent-events').length > 0);
    expect(receiver.at('/hanging').map(({ body }) => body)).toEqual(['content of hanging']);
    expect(receiver.at('/sent').map(({ body }) => body)).toEqual(['content of sent', 'content of sent']);
    for (const mode of ['hanging', 'sent'])
      expect(JSON.parse(receiver.at(`/${mode}-events`)[0]?.body ?? '')).toMatchObject({
        event: 'webhook.success',
        correlationId: mode,
      });
  } finally {
    second.kill('SIGTERM');
    await second.exited;
    await rm(directory, { recursive: true, force: true });
  }
});
