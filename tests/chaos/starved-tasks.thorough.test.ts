import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pagesPdf } from '../support/pdf/samples.ts';
import { descendantsOf, ServiceProcess } from '../support/service/process.ts';
import { until } from '../support/until.ts';

// Only prevents a hang.
setDefaultTimeout(180_000);

const pdf = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
const template = { name: 'a', html_content: '<p>{{name}}</p>' };

test.skipIf(process.platform !== 'linux')(
  'a request whose sandbox process was stopped is a 503 that can be retried, not the fault of its input',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const service = new ServiceProcess({ DATA_DIR: folder, LOG_LEVEL: 'silent' });
    try {
      const url = await service.ready();
      const headers = {
        authorization: `Bearer ${await service.firstKey()}`,
        'content-type': 'application/json',
      };
      const post = (path: string, body: object) =>
        fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
      const hosts = async () =>
        (await descendantsOf(service.pid)).filter(({ command }) => command.includes('sandbox/host.ts'));

      for (const [path, body, success] of [
        ['/v1/templates', template, 201],
        ['/v1/pdf/info', { pdf }, 200],
      ] as const) {
        expect((await post(path, body)).status).toBe(success);
        // One process is for the next task, and one is spare.
        await until(async () => (await hosts()).length >= 2);
        for (const { pid } of await hosts()) process.kill(pid, 'SIGSTOP');
        const refused = await post(path, body);
        const { error } = (await refused.json()) as { error: { code: string; message: string } };
        expect([path, refused.status, error.code]).toEqual([path, 503, 'UNAVAILABLE']);
        expect(error.message).toBe('the service is overloaded; retry the request');
        expect(refused.headers.get('retry-after')).toBe('5');
        // The other stopped processes are replaced in the same way, so that a retry is answered in the end.
        await until(async () => {
          const retried = await post(path, body);
          expect([path, retried.status]).toEqual([path, retried.status === 503 ? 503 : success]);
          return retried.status === success;
        }, 120_000);
      }
    } finally {
      service.kill('SIGTERM');
      await service.exited;
      await rm(folder, { recursive: true, force: true });
    }
  },
);
