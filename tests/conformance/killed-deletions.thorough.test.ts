import { expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import type { FileStore } from '../../src/files/files.ts';
import { openFiles, openState } from '../../src/state.ts';
import { pagesPdf } from '../support/pdf/samples.ts';
import { runProgram } from '../support/service/process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { serversEnv, TestService } from '../support/service/service.ts';
import { onMongoAndS3 } from '../support/suite.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(240_000);

const program = join(import.meta.dir, '../support/service/killed-deletion.ts');
const SIGKILL_EXIT = 137;
/** The number of results. It is larger than the number of writes of a deletion. */
const COUNT = 20;

interface Result {
  id: string;
  fileId: string;
}

/**
 * The kinds of results, each with its path and a function that makes one. To save time, batch items are
 * tested only in the suite `servers`.
 */
const kinds = [
  {
    kind: 'a file',
    path: '/v1/files',
    make: async (service: TestService): Promise<Result> => {
      const file = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
      const { body } = await service.post('/v1/files', { file, expires_in: 86_400 });
      return { id: body.id, fileId: body.id };
    },
  },
  {
    kind: 'a generation with a webhook',
    path: '/v1/generations',
    make: async (service: TestService, webhook: string): Promise<Result> => {
      const { body } = await service.post('/v1/generate', { html: 'x', expires_in: 86_400, webhook });
      return { id: body.id, fileId: fileIdIn(body.url) };
    },
  },
  {
    kind: 'an item of a batch',
    path: '/v1/generations',
    make: async (service: TestService): Promise<Result> => {
      const { body } = await service.post('/v1/generate/batch', { items: [{ html: 'x' }, { html: 'y' }] });
      const { id } = body.generations[0];
      await until(async () => (await service.get(`/v1/generations/${id}`)).body.status === 'completed');
      return { id, fileId: fileIdIn((await service.get(`/v1/generations/${id}`)).body.url) };
    },
  },
];

const fileIdIn = (url: string) => /file_\w+/.exec(new URL(url).pathname)?.[0] ?? '';

const listFiles = async (files: FileStore) =>
  (await Array.fromAsync(files.list())).flat().map(({ id }) => id);

test.each(onMongoAndS3 ? kinds : kinds.slice(0, 2))(
  '$kind whose deletion is killed at any write is invisible and gone after a restart',
  async ({ path, make }) => {
    await using receiver = new Receiver(() => new Response(null, { status: 503 }));
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const env = {
      ...(onMongoAndS3 && (await serversEnv())),
      DATA_DIR: dataDir,
      EGRESS_ALLOW: receiver.host,
      LOG_LEVEL: 'silent',
    };
    const config = loadConfig({ env, cwd: dataDir });
    const files = await openFiles(config, { sign: () => 'http://platen.test/', verify: () => 'valid' });
    try {
      const results: Result[] = [];
      const key = await (async () => {
        await using service = await TestService.start({ env });
        for (let n = 0; n < COUNT; n += 1) results.push(await make(service, receiver.url('/')));
        return service.key;
      })();

      // Each process deletes another result, and is killed one write later than the process before it.
      let kills = 0;
      for (const { id } of results) {
        const args = [`${path}/:id`, id, key, String(kills + 1)];
        const { code, stderr } = await runProgram(program, args, env);
        if (code === 0) break;
        expect([code, stderr]).toEqual([SIGKILL_EXIT, '']);
        kills += 1;
      }
      // At least four writes: the schedule, the file, the record and the end of the schedule.
      expect(kills).toBeGreaterThanOrEqual(4);
      expect(kills).toBeLessThan(COUNT);
      const deleted = results.slice(0, kills + 1);

      await using service = await TestService.start({ env });
      const isVisible = async (id: string) => (await service.get(`${path}/${id}`, key)).status !== 404;
      // A process that was killed before it had scheduled the deletion, which takes one or two writes,
      // deletes nothing: its caller got no response and repeats the request. The other deletions are
      // completed without another request.
      const [unscheduled, scheduled] = [deleted.slice(0, 2), deleted.slice(2)];
      await until(async () => {
        const visible = await Promise.all(scheduled.map(({ id }) => isVisible(id)));
        return !visible.includes(true);
      });
      for (const { id } of unscheduled)
        expect([204, 404]).toContain((await service.request('DELETE', `${path}/${id}`, { key })).status);

      const gone = new Set(deleted.flatMap(({ id, fileId }) => [id, fileId]));
      await until(async () => !(await listFiles(files)).some((id) => gone.has(id)));
      for (const { id } of deleted) {
        for (const route of [`${path}/${id}`, `${path}/${id}?receipt=true`, `/v1/files/${id}/content`])
          expect((await service.get(route, key)).status).not.toBe(200);
        const reference = await service.post('/v1/pdf/info', { pdf: id }, key);
        expect(reference.status).toBe(404);
        expect((await service.request('DELETE', `${path}/${id}`, { key })).status).toBe(404);
      }
      const listed = (await service.get(`${path}?limit=100`, key)).body.data as { id: string }[];
      expect(listed.filter(({ id }) => gone.has(id))).toEqual([]);
      const deliveries = (await service.get('/v1/webhooks/deliveries?limit=100', key)).body.data;
      for (const { id } of deleted) expect(JSON.stringify(deliveries)).not.toContain(id);

      // The others are complete.
      for (const { id, fileId } of results.slice(kills + 1)) {
        expect(await isVisible(id)).toBe(true);
        expect(await listFiles(files)).toContain(fileId);
        expect((await service.post('/v1/pdf/info', { pdf: id }, key)).status).toBe(200);
      }
      const { store } = await openState(config);
      const schedule = await store.collection<{ id: string; recordId: string }>({ name: 'deletions' });
      const scheduledRows = await schedule.find();
      expect(scheduledRows.filter(({ recordId }) => gone.has(recordId))).toEqual([]);
      await store.close();
      if (!onMongoAndS3) {
        const names = await readdir(join(dataDir, 'files'), { recursive: true });
        expect(names.filter((name) => gone.has(name.split('/').at(-1) ?? ''))).toEqual([]);
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);
