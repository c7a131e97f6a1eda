import { afterAll, describe, expect, test } from 'bun:test';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { FileNotFoundError, FilesUnavailableError, type FileStore } from '../../src/files/files.ts';
import { createS3Files } from '../../src/files/s3.ts';
import type { FileLinks } from '../../src/http/file-links.ts';
import { presentError, toAppError } from '../../src/http/present-error.ts';
import { openFiles } from '../../src/state.ts';
import { HangingProxy } from '../support/service/hanging-proxy.ts';
import { ownS3Server, s3Server, settingsOf } from '../support/service/s3-server.ts';
import { rejection } from '../support/rejection.ts';
import { until } from '../support/until.ts';
import { describeFiles, freshFileId, streamOf } from './files-suite.ts';

const dayMs = 24 * 60 * 60 * 1000;
const noLinks: FileLinks = { sign: () => '', verify: () => 'forged' };

/** Opens the store from settings without the trial write of a service start, which is tested separately. */
function openS3(env: Record<string, string>): FileStore {
  const { s3 } = loadConfig({ env });
  if (!s3) throw new Error('S3 is not configured');
  return createS3Files(s3);
}

/** Accepts connections and never responds. */
function silentServer() {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
  return { endpoint: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) };
}

const shared = await s3Server();
const dedicated = await ownS3Server();
afterAll(() => dedicated?.dispose());

if (shared) {
  const { env } = shared;

  describeFiles('s3', async () => ({ files: openS3(env), dispose: async () => {} }));

  describe('s3 bucket', () => {
    const client = new Bun.S3Client({
      endpoint: env['S3_ENDPOINT']!,
      bucket: env['S3_BUCKET']!,
      region: env['S3_REGION']!,
      accessKeyId: env['S3_ACCESS_KEY_ID']!,
      secretAccessKey: env['S3_SECRET_ACCESS_KEY']!,
    });
    const keysUnder = async (prefix: string) =>
      ((await client.list({ prefix })).contents ?? []).map(({ key }) => key);

    test('contains one object per id under the prefix and nothing from failed writes or pings', async () => {
      const prefix = `${env['S3_PREFIX'] ?? ''}layout/`;
      const files = openS3({ ...env, S3_PREFIX: prefix });
      await files.put('file_abcdefghiJ9', new Uint8Array(10));
      await files.put('file_abcdefghiJ9', new Uint8Array(20));
      await files.ping();
      for (const failAt of [3, 12]) {
        const failing = streamOf(20, (index) => {
          if (index === failAt) throw new Error('the source broke');
        });
        await files.put(freshFileId(), failing).catch(() => {});
      }
      expect(await keysUnder(prefix)).toEqual([`${prefix}file_abcdefghiJ9`]);
    });

    test('list reads all pages and only the objects under the prefix that are files', async () => {
      const prefix = `${env['S3_PREFIX'] ?? ''}listed/`;
      const files = openS3({ ...env, S3_PREFIX: prefix });
      const ids = Array.from({ length: 1_005 }, () => freshFileId());
      for (let start = 0; start < ids.length; start += 50)
        await Promise.all(ids.slice(start, start + 50).map((id) => files.put(id, new Uint8Array(1))));
      for (const key of [`${prefix}ping-x`, `${prefix}other/file_abcdefgh`])
        await client.write(key, new Uint8Array(1));
      const pages = await Array.fromAsync(files.list());
      expect(pages.length).toBeGreaterThan(1);
      expect(
        pages
          .flat()
          .map(({ id }) => id)
          .toSorted(),
      ).toEqual(ids.toSorted());
    }, 60_000);

    test('a large failing source stores nothing or keeps the previous file', async () => {
      const files = openS3(env);
      const [fresh, kept] = [freshFileId(), freshFileId()];
      await files.put(kept, new Uint8Array([1, 2, 3]));
      for (const id of [fresh, kept]) {
        const failing = streamOf(20, (index) => {
          if (index === 12) throw new Error('the source broke');
        });
        expect(await rejection(files.put(id, failing))).toMatchObject({ message: 'the source broke' });
      }
      expect(await rejection(files.get(fresh))).toBeInstanceOf(FileNotFoundError);
      expect(await new Response((await files.get(kept)).stream).bytes()).toEqual(new Uint8Array([1, 2, 3]));
    });

    test('a link serves the file as a PDF, and a modified link is rejected', async () => {
      const files = openS3(env);
      const id = freshFileId();
      await files.put(id, new Uint8Array(10));
      const link = await files.link(id, { expiresAt: Date.now() + 60_000 });
      const response = await fetch(link);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect((await response.bytes()).length).toBe(10);
      const altered = [
        link.replace('application%2Fpdf', 'text%2Fhtml'),
        link.replace(id, freshFileId()),
        link.replace('X-Amz-Expires=', 'X-Amz-Expires=1'),
        link.slice(0, link.indexOf('?')),
      ];
      for (const url of altered) {
        expect(url).not.toBe(link);
        expect((await fetch(url)).status).toBe(403);
      }
      expect((await fetch(link, { method: 'DELETE' })).status).toBe(403);
    });

    test('an expired link is rejected', async () => {
      const files = openS3(env);
      const id = freshFileId();
      await files.put(id, new Uint8Array(10));
      const link = await files.link(id, { expiresAt: Date.now() + 1000 });
      expect((await fetch(link)).status).toBe(200);
      await until(async () => (await fetch(link)).status === 403);
    });

    test('the lifetime of a link is at most the 7 days of the protocol, and at least a second', async () => {
      const lifetime = async (expiresAt: number) =>
        new URL(await openS3(env).link(freshFileId(), { expiresAt })).searchParams.get('X-Amz-Expires');
      expect(await lifetime(Date.now() + 30 * dayMs)).toBe('604800');
      expect(await lifetime(Date.now() - dayMs)).toBe('1');
    });

    test('links go to S3_PUBLIC_ENDPOINT', async () => {
      const files = openS3({ ...env, S3_PUBLIC_ENDPOINT: 'https://files.example.com' });
      const link = new URL(await files.link('file_abcdefgh', { expiresAt: Date.now() + 60_000 }));
      expect(link.origin).toBe('https://files.example.com');
      expect(link.pathname).toBe(`/${env['S3_BUCKET']}/${env['S3_PREFIX'] ?? ''}file_abcdefgh`);
    });
  });

  describe('s3 at startup', () => {
    const refusals = [
      ['a bucket that does not exist', { S3_BUCKET: 'no-such-bucket' }, /^S3_BUCKET: the bucket no-such-/],
      [
        'a wrong secret',
        { S3_SECRET_ACCESS_KEY: 'wrong-secret' },
        /^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: /,
      ],
      ['a wrong key', { S3_ACCESS_KEY_ID: 'wrong-key' }, /^S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: /],
      ['a wrong region', { S3_REGION: 'mars-north-1' }, /^S3_REGION: .*mars-north-1/],
      [
        'an endpoint that refuses connections',
        { S3_ENDPOINT: 'http://127.0.0.1:9' },
        /^S3_ENDPOINT: http:\/\/127.0.0.1:9 /,
      ],
    ] as const;
    test.each(refusals)(
      '%s stops the service with a sentence that names the setting',
      async (_, change, message) => {
        const settings: Record<string, string> = { ...env, ...change };
        const error = await rejection(openFiles(loadConfig({ env: settings }), noLinks));
        expect(error).toBeInstanceOf(ConfigError);
        expect((error as Error).message).toMatch(message);
        expect((error as Error).message).not.toContain('\n');
        expect((error as Error).message).not.toContain(settings['S3_SECRET_ACCESS_KEY']!);
      },
    );

    test('a server that does not respond stops the service with a sentence that names it', async () => {
      const silent = silentServer();
      const config = loadConfig({ env: { ...env, S3_ENDPOINT: silent.endpoint } });
      expect(await rejection(openFiles(config, noLinks))).toMatchObject({
        message: `S3_ENDPOINT: ${silent.endpoint} does not answer`,
      });
      silent.stop();
    });

    test('correct settings open the store', async () => {
      const files = await openFiles(loadConfig({ env }), noLinks);
      expect(await files.put(freshFileId(), new Uint8Array(3))).toBe(3);
    });
  });
}

if (dedicated) {
  test('a bucket without write permission stops the service with a sentence that names the setting', async () => {
    const readOnly = await ownS3Server({ readOnly: true });
    if (!readOnly) throw new Error('no S3 server');
    readOnly.makeBucket('sealed');
    const config = loadConfig({ env: { ...settingsOf(readOnly), S3_BUCKET: 'sealed' } });
    expect(await rejection(openFiles(config, noLinks))).toMatchObject({
      name: 'ConfigError',
      message:
        'S3_BUCKET: the access key does not have permission to read, write or delete in the bucket sealed (AccessDenied)',
    });
    await readOnly.dispose();
  });

  describe('an S3 outage', () => {
    test('makes operations fail with FilesUnavailableError until the server is back', async () => {
      dedicated.makeBucket('away');
      const files = openS3({ ...settingsOf(dedicated), S3_BUCKET: 'away' });
      const id = freshFileId();
      await files.put(id, new Uint8Array(10));
      await dedicated.stop();
      const errors = await Promise.all([
        rejection(files.put(freshFileId(), new Uint8Array(10))),
        rejection(files.put(freshFileId(), streamOf(12))),
        rejection(files.get(id)),
        rejection(files.delete(id)),
        rejection(files.ping()),
      ]);
      for (const error of errors) {
        expect(error).toBeInstanceOf(FilesUnavailableError);
        expect(presentError(toAppError(error), { id: 'req_1', docs: '' })).toMatchObject({
          headers: { 'retry-after': '5' },
          body: { error: { code: 'UNAVAILABLE' } },
        });
      }
      await dedicated.restart();
      expect((await files.get(id)).sizeBytes).toBe(10);
      await files.ping();
    });

    test('ends a running download with an error instead of truncating it', async () => {
      const files = openS3({ ...settingsOf(dedicated), S3_BUCKET: 'away' });
      const id = freshFileId();
      await files.put(id, streamOf(40));
      const { stream } = await files.get(id);
      const reader = stream.getReader();
      await reader.read();
      await dedicated.stop();
      const readToEnd = async () => {
        while (!(await reader.read()).done);
      };
      expect(await rejection(readToEnd())).toBeInstanceOf(FilesUnavailableError);
      await dedicated.restart();
    });

    test('cancels the source of a failed upload, which stores nothing', async () => {
      const files = openS3({ ...settingsOf(dedicated), S3_BUCKET: 'away' });
      const id = freshFileId();
      let sent = 0;
      const canceled = Promise.withResolvers<void>();
      const source = new ReadableStream<Uint8Array>({
        async pull(controller) {
          if (sent === 6) dedicated.pause();
          // What is sent to the paused server fills memory until the upload fails.
          if (sent >= 12) await Bun.sleep(50);
          controller.enqueue(new Uint8Array(1024 * 1024));
          sent += 1;
        },
        cancel: () => canceled.resolve(),
      });
      expect(await rejection(files.put(id, source))).toBeInstanceOf(FilesUnavailableError);
      await canceled.promise;
      dedicated.resume();
      // The server has received all of the upload before this file.
      await files.put(freshFileId(), new Uint8Array(10));
      expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
    });

    test('includes a server that hangs, even during a transfer', async () => {
      using proxy = await HangingProxy.start(Number(new URL(dedicated.endpoint).port));
      const files = openS3({ ...settingsOf(dedicated), S3_ENDPOINT: proxy.endpoint, S3_BUCKET: 'away' });
      const id = freshFileId();
      await files.put(id, streamOf(40));
      proxy.hangAfter(4 * 1024 * 1024);
      const reader = (await files.get(id)).stream.getReader();
      const readToEnd = async () => {
        while (!(await reader.read()).done);
      };
      const errors = [await rejection(readToEnd())];
      errors.push(
        ...(await Promise.all([
          rejection(files.put(freshFileId(), new Uint8Array(60_000))),
          rejection(files.put(freshFileId(), streamOf(12))),
          rejection(files.get(id)),
        ])),
      );
      for (const error of errors) expect(error).toBeInstanceOf(FilesUnavailableError);
      proxy.resume();
      expect((await files.get(id)).sizeBytes).toBe(40 * 1024 * 1024);
    }, 60_000);
  });
}

describe('s3 settings', () => {
  test('an incomplete set names the missing settings', () => {
    const error = () =>
      loadConfig({ env: { S3_ENDPOINT: 'http://127.0.0.1:9', S3_SECRET_ACCESS_KEY: 'hidden' } });
    expect(error).toThrow(/^S3_BUCKET, S3_ACCESS_KEY_ID: must be set too/);
    expect(error).not.toThrow(/hidden/);
    expect(() => loadConfig({ env: { S3_REGION: 'eu-west-3' } })).toThrow(
      /^S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: /,
    );
  });

  test('an endpoint must not have a path or a password', () => {
    for (const endpoint of [
      's3.example.com',
      'https://key:hidden@s3.example.com',
      'https://s3.example.com/b',
    ]) {
      const load = () => loadConfig({ env: { S3_ENDPOINT: endpoint } });
      expect(load).toThrow(/^S3_ENDPOINT: /);
      expect(load).not.toThrow(/hidden/);
    }
  });

  test('without them, files are stored on disk', () => {
    expect(loadConfig({ env: {} }).s3).toBeUndefined();
  });
});
