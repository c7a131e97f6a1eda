import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { FileNotFoundError, type FileStore, type ListedFile } from '../../src/files/files.ts';
import { rejection } from '../support/rejection.ts';

/** A driver under test: an empty file store whose links can be fetched, and a cleanup function. */
export interface FilesUnderTest {
  files: FileStore;
  dispose: () => Promise<void>;
}

let idsCreated = 0;

/** Creates a unique id in the service's format. */
export function freshFileId(): string {
  idsCreated += 1;
  return `file_${String(idsCreated).padStart(24, 'aZ0')}`;
}

/** Creates a stream of 1 MiB pieces with differing content. `beforePiece` may throw to interrupt it. */
export function streamOf(
  mebibytes: number,
  beforePiece: (index: number) => void = () => {},
): ReadableStream<Uint8Array> {
  let index = 0;
  return new ReadableStream({
    async pull(controller) {
      beforePiece(index);
      if (index === mebibytes) return controller.close();
      controller.enqueue(new Uint8Array(1024 * 1024).fill(index % 251));
      index += 1;
    },
  });
}

async function digest(stream: ReadableStream<Uint8Array>): Promise<{ hash: string; sizeBytes: number }> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  for await (const piece of stream) {
    hash.update(piece);
    sizeBytes += piece.byteLength;
  }
  return { hash: hash.digest('hex'), sizeBytes };
}

async function read(files: FileStore, id: string): Promise<Uint8Array> {
  const { stream, sizeBytes } = await files.get(id);
  const bytes = await new Response(stream).bytes();
  expect(bytes.length).toBe(sizeBytes);
  return bytes;
}

/**
 * Reads the file names of a download: `filename` for clients that know only ASCII, and `filename*` (RFC
 * 6266).
 */
function savedName(response: Response): { ascii: string; name: string } {
  const header = response.headers.get('content-disposition') ?? '';
  const [, ascii = '', encoded = ''] =
    /^inline; filename="([^"\\]*)"; filename\*=UTF-8''([\w.!#$&+^`|~%-]*)$/.exec(header) ?? [];
  return { ascii, name: decodeURIComponent(encoded) };
}

/** Registers the tests that every `FileStore` driver must pass. */
export function describeFiles(name: string, open: () => Promise<FilesUnderTest>): void {
  describe(`files: ${name}`, () => {
    let opened: FilesUnderTest;
    let files: FileStore;
    beforeAll(async () => {
      opened = await open();
      files = opened.files;
    });
    afterAll(() => opened.dispose());

    test('get returns the bytes of put', async () => {
      const id = freshFileId();
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      expect(await files.put(id, bytes)).toBe(60_000);
      expect(await read(files, id)).toEqual(bytes);
    });

    test('put stores only the viewed part of a buffer, and accepts an empty file', async () => {
      const [viewed, empty] = [freshFileId(), freshFileId()];
      expect(await files.put(viewed, new TextEncoder().encode('a whole PDF').subarray(2, 7))).toBe(5);
      expect(new TextDecoder().decode(await read(files, viewed))).toBe('whole');
      expect(await files.put(empty, new Uint8Array())).toBe(0);
      expect(await read(files, empty)).toEqual(new Uint8Array());
    });

    test('put stores all pieces of a stream', async () => {
      const id = freshFileId();
      const pieces = ['', 'one', '', 'two', 'three'].map((text) => new TextEncoder().encode(text));
      const source = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
      expect(await files.put(id, source)).toBe(11);
      expect(new TextDecoder().decode(await read(files, id))).toBe('onetwothree');
    });

    test('put and get stream 50 MiB', async () => {
      const id = freshFileId();
      const expected = await digest(streamOf(50));
      expect(await files.put(id, streamOf(50))).toBe(expected.sizeBytes);
      const { stream, sizeBytes } = await files.get(id);
      expect(sizeBytes).toBe(expected.sizeBytes);
      expect(await digest(stream)).toEqual(expected);
    }, 60_000);

    test('a reader may cancel before the end', async () => {
      const id = freshFileId();
      await files.put(id, streamOf(3));
      const reader = (await files.get(id)).stream.getReader();
      expect((await reader.read()).done).toBe(false);
      await reader.cancel();
      expect((await read(files, id)).length).toBe(3 * 1024 * 1024);
    });

    test('put replaces a file with a shorter one', async () => {
      const id = freshFileId();
      await files.put(id, new Uint8Array(5000).fill(1));
      await files.put(id, new Uint8Array(10).fill(2));
      expect(await read(files, id)).toEqual(new Uint8Array(10).fill(2));
    });

    test('concurrent puts of one id store one complete file', async () => {
      const id = freshFileId();
      await Promise.all(
        Array.from({ length: 8 }, (_, index) => files.put(id, new Uint8Array(1_000_000 + index).fill(index))),
      );
      const bytes = await read(files, id);
      expect(bytes).toEqual(new Uint8Array(1_000_000 + bytes[0]!).fill(bytes[0]!));
    });

    test('get throws FileNotFoundError for a missing file', async () => {
      const id = freshFileId();
      expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
      expect(await rejection(files.get(id))).toMatchObject({ id });
    });

    test('delete removes a file and accepts a missing one', async () => {
      const id = freshFileId();
      await files.put(id, new Uint8Array(10));
      await files.delete(id);
      await files.delete(id);
      expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
    });

    const strangeIds = [
      '../x',
      '../../etc/passwd',
      'a/b',
      'file_/../../escape',
      '',
      '.',
      'short',
      'file_\0aaaaaaaa',
      'file_aaaaaaaa\n',
      'ä'.repeat(20),
      'a'.repeat(10_000),
    ];
    test.each(strangeIds.map((id) => [id.slice(0, 20), id] as const))('rejects the id %j', async (_, id) => {
      expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
      expect(await rejection(files.put(id, new Uint8Array(1)))).toMatchObject({
        message: expect.stringContaining('file id'),
      });
      await files.delete(id);
    });

    test('a failing source stores nothing, and put throws its error', async () => {
      const id = freshFileId();
      const failing = streamOf(5, (index) => {
        if (index === 3) throw new Error('the source broke');
      });
      expect(await rejection(files.put(id, failing))).toMatchObject({ message: 'the source broke' });
      expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
    });

    test('a failing source keeps the previous file', async () => {
      const id = freshFileId();
      await files.put(id, new Uint8Array([1, 2, 3]));
      const failing = streamOf(5, (index) => {
        if (index === 2) throw new Error('the source broke');
      });
      expect(await rejection(files.put(id, failing))).toMatchObject({ message: 'the source broke' });
      expect(await read(files, id)).toEqual(new Uint8Array([1, 2, 3]));
    });

    test('a link downloads the file as a PDF without an API key', async () => {
      const id = freshFileId();
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      await files.put(id, bytes);
      const link = await files.link(id, { expiresAt: Date.now() + 60_000 });
      const response = await fetch(link);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(savedName(response)).toEqual({ ascii: `${id}.pdf`, name: `${id}.pdf` });
      expect(await response.bytes()).toEqual(bytes);
    });

    test.each([
      ['Invoice 7.pdf', 'Invoice 7.pdf'],
      ["Zoë's “Q&A” (100%) + a*b; c=d, 日本🎉.pdf", "Zo_'s _Q&A_ (100_) + a*b; c=d, ____.pdf"],
      ['"a" #1?&name=x.pdf', '_a_ #1?&name=x.pdf'],
      [`${'\u{1f389}'.repeat(196)}.pdf`, `${'__'.repeat(196)}.pdf`],
    ])('a link downloads the file under the name %j', async (fileName, ascii) => {
      const id = freshFileId();
      await files.put(id, new Uint8Array(10));
      const response = await fetch(await files.link(id, { expiresAt: Date.now() + 60_000, fileName }));
      expect(response.status).toBe(200);
      expect(savedName(response)).toEqual({ ascii, name: fileName });
    });

    test('the name in a link cannot be changed', async () => {
      const id = freshFileId();
      await files.put(id, new Uint8Array(10));
      const link = await files.link(id, { expiresAt: Date.now() + 60_000, fileName: 'harmless.pdf' });
      const changed = link.replaceAll('harmless', 'invoice');
      expect(changed).not.toBe(link);
      const withoutName = new URL(link);
      for (const key of ['name', 'response-content-disposition']) withoutName.searchParams.delete(key);
      expect(withoutName.href).not.toBe(link);
      for (const url of [changed, withoutName.href]) expect((await fetch(url)).status).toBe(403);
    });

    test('link returns a URL even for a missing file', async () => {
      const link = await files.link(freshFileId(), {
        expiresAt: Date.now() + 60_000,
      });
      expect(new URL(link).protocol).toMatch(/^https?:$/);
    });

    test('list names each stored file once, with its size and time', async () => {
      const started = Date.now();
      const stored = new Map(Array.from({ length: 25 }, (_, index) => [freshFileId(), index * 10]));
      for (const [id, sizeBytes] of stored) await files.put(id, new Uint8Array(sizeBytes));
      const [gone] = stored.keys();
      await files.delete(gone ?? '');
      stored.delete(gone ?? '');
      const listed: ListedFile[] = [];
      for await (const page of files.list()) {
        expect(page.length).toBeLessThanOrEqual(1_000);
        listed.push(...page);
      }
      const mine = listed.filter(({ id }) => stored.has(id));
      expect(new Map(mine.map(({ id, sizeBytes }) => [id, sizeBytes]))).toEqual(stored);
      expect(mine).toHaveLength(stored.size);
      expect(listed.map(({ id }) => id)).not.toContain(gone ?? '');
      // A server has its own clock and may drop fractions of a second.
      for (const { modifiedAt } of mine) expect(Math.abs(modifiedAt - started)).toBeLessThan(60_000);
    });

    test('a ping succeeds', async () => {
      await files.ping();
    });
  });
}
