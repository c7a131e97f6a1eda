import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ErrorCatalogue } from '../../src/errors.ts';
import { createDiskFiles } from '../../src/files/disk.ts';
import { FileNotFoundError, type FileStore } from '../../src/files/files.ts';
import { FileOwners } from '../../src/files/orphans.ts';
import { createFileLinks, serveFile } from '../../src/http/file-links.ts';
import { toAppError } from '../../src/http/present-error.ts';
import { rejection } from '../support/rejection.ts';
import { describeFiles, freshFileId, streamOf } from './files-suite.ts';

const root = mkdtempSync(join(tmpdir(), 'platen-disk-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function openFiles(directory: string): FileStore {
  return createDiskFiles({
    directory,
    sign: (id, { expiresAt }) => `https://platen.test/files/${id}?expires=${expiresAt}`,
  });
}

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

describeFiles('disk', async () => {
  const links = createFileLinks('a test key', () => server.url.origin);
  const files = createDiskFiles({
    directory: join(root, 'suite'),
    sign: (id, options) => links.sign(id, options),
  });
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    routes: {
      '/files/:id': (request) =>
        serveFile(
          { files, links, fileOwners: new FileOwners() },
          { id: request.params.id, request, identify: () => Promise.reject(new Error('unused')) },
        ),
    },
    error: (error) => new Response(null, { status: new ErrorCatalogue().get(toAppError(error).code).status }),
  });
  return { files, dispose: () => server.stop(true) };
});

describe('disk directory', () => {
  test('contains one file per id and nothing from failed writes', async () => {
    const directory = join(root, 'layout');
    const files = openFiles(directory);
    await files.put('file_abcdefghiJ9', new Uint8Array(10));
    await files.put('file_abcdefghiJ9', new Uint8Array(20));
    await files.ping();
    const failing = streamOf(5, (index) => {
      if (index === 3) throw new Error('the source broke');
    });
    await files.put(freshFileId(), failing).catch(() => {});
    await files.put('../file_escaped', new Uint8Array(10)).catch(() => {});
    expect(filesIn(directory)).toEqual([join(directory, 'J9', 'file_abcdefghiJ9')]);
  });

  test('a write that is killed leaves no file under its id', async () => {
    const directory = join(root, 'killed');
    // A stream prepares its first piece before it is read, so the third piece proves that the file has been
    // opened.
    for (const killAfter of [3, 10, 45]) {
      const id = freshFileId();
      // The source never ends, so that the kill always interrupts the write.
      const program = `
        import { createDiskFiles } from ${JSON.stringify(join(import.meta.dir, '../../src/files/disk.ts'))};
        const files = createDiskFiles({ directory: ${JSON.stringify(directory)}, sign: () => '' });
        let sent = 0;
        await files.put(${JSON.stringify(id)}, new ReadableStream({
          async pull(controller) {
            if (sent === 49) { setInterval(() => {}, 1000); await new Promise(() => {}); }
            controller.enqueue(new Uint8Array(1024 * 1024));
            process.stdout.write('.');
            sent += 1;
          },
        }));`;
      const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
      let sent = 0;
      for await (const chunk of child.stdout) {
        sent += chunk.length;
        if (sent >= killAfter) child.kill('SIGKILL');
      }
      await child.exited;
      expect(sent).toBeGreaterThanOrEqual(killAfter);
      expect(await rejection(openFiles(directory).get(id))).toBeInstanceOf(FileNotFoundError);
    }
    const incompleteFiles = filesIn(directory);
    expect(incompleteFiles.length).toBe(3);
    expect(incompleteFiles.every((path) => path.startsWith(join(directory, '.incoming')))).toBe(true);
  }, 60_000);

  test('opening deletes incomplete files older than an hour and keeps newer ones', () => {
    const directory = join(root, 'partial');
    openFiles(directory);
    const [old, young] = [join(directory, '.incoming', 'old'), join(directory, '.incoming', 'young')];
    for (const path of [old, young]) writeFileSync(path, 'half');
    const longAgo = Date.now() / 1000 - 2 * 60 * 60;
    utimesSync(old, longAgo, longAgo);
    openFiles(directory);
    expect(filesIn(directory)).toEqual([young]);
  });

  test('a reader keeps reading the file it opened after it is replaced', async () => {
    const files = openFiles(join(root, 'replaced'));
    const id = freshFileId();
    await files.put(id, new Uint8Array(3_000_000).fill(1));
    const { stream } = await files.get(id);
    await files.put(id, new Uint8Array(10).fill(2));
    expect(await new Response(stream).bytes()).toEqual(new Uint8Array(3_000_000).fill(1));
  });

  test('list ignores incomplete files and everything that is not a file of the store', async () => {
    const directory = join(root, 'listed');
    const files = openFiles(directory);
    await files.put('file_abcdefghiJ9', new Uint8Array(10));
    for (const path of ['.incoming/partial', 'J9/.hidden', 'J9/file_abcdefghiXX', 'notes.txt', 'ab'])
      writeFileSync(join(directory, path), 'x');
    const listed = (await Array.fromAsync(files.list())).flat();
    expect(listed).toEqual([{ id: 'file_abcdefghiJ9', sizeBytes: 10, modifiedAt: expect.any(Number) }]);
  });

  test('links come from the signer', async () => {
    const link = await openFiles(join(root, 'links')).link('file_abcdefgh', {
      expiresAt: 123,
    });
    expect(link).toBe('https://platen.test/files/file_abcdefgh?expires=123');
  });
});
