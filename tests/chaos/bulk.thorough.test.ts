import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numbered } from '../support/batch/bulk.ts';
import { callJson, ServiceProcess } from '../support/service/process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';

setDefaultTimeout(180_000);

/** More than the first items that are put into the queue. */
const ITEMS = 230;
const KILLED_AT = 40;

test('every item of a bulk batch becomes one document, and the batch one archive, when the service is killed', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await using receiver = new Receiver();
  const env = {
    DATA_DIR: directory,
    LOG_LEVEL: 'error',
    EGRESS_ALLOW: new URL(receiver.url('/')).host,
  };
  let service = new ServiceProcess(env);
  try {
    let url = await service.ready();
    const key = await service.firstKey();
    const html_content = '<p>{{number}}</p>';
    const template = (await callJson(url, '/v1/templates', key, { name: 'item', html_content })).body.id;
    const settings = {
      template,
      file_name: 'Item {{number}}',
      result: 'zip',
      webhook: receiver.url('/hook'),
    };
    const send = async () =>
      fetch(`${url}/v1/batches?${new URLSearchParams(settings)}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/x-ndjson',
          'idempotency-key': 'bulk',
        },
        body: numbered(ITEMS),
      });
    const accepted = (await (await send()).json()) as { batch_id: string };
    const read = async () => (await callJson(url, `/v1/batches/${accepted.batch_id}`, key)).body;
    await until(async () => (await read()).completed >= KILLED_AT, 120_000);
    service.kill('SIGKILL');
    await service.exited;
    service = new ServiceProcess(env);
    url = await service.ready();
    await until(async () => (await read()).status === 'completed', 120_000);
    expect(await read()).toMatchObject({ total: ITEMS, completed: ITEMS, failed: 0, result_error: null });
    const again = await send();
    expect([again.headers.get('idempotent-replayed'), await again.json()]).toEqual(['true', accepted]);
    expect((await callJson(url, '/v1/usage', key)).body.used).toBe(ITEMS);
    const names = (await unzip(await (await fetch((await read()).result_url)).bytes())).map(
      ({ name }) => name,
    );
    expect(names).toEqual(Array.from({ length: ITEMS }, (_, index) => `Item ${index + 1}.pdf`));
    await until(() => receiver.received.length > 0);
    const messages = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
    expect(messages.size).toBe(1);
    const [message] = receiver.received;
    expect(JSON.parse(message?.body ?? '').data).toMatchObject({ completed: ITEMS, result: 'zip' });
    service.kill('SIGTERM');
    await service.exited;
  } finally {
    service.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  }
});
