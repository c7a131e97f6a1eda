import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { FileNotFoundError, type FileStore } from '../../src/files/files.ts';

/** What a driver gives the suite: an empty file store whose links can be fetched, and a clean-up. */
export interface FilesUnderTest {
  files: FileStore;
  dispose: () => Promise<void>;
}

let made = 0;

/** Makes an id of the form that the service uses, different at each call. */
export function freshFileId(): string {
  made += 1;
  return `file_${String(made).padStart(24, 'aZ0')}`;
}

/** Makes a stream of 1 MiB pieces with differing content; `beforePiece` may throw to break it off. */
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

/** Resolves with the reason of a rejection, or with `null` when there is none. */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
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

/** Registers the tests that every driver of `FileStore` passes. */
export function describeFiles(name: string, open: () => Promise<FilesUnderTest>): void {
  describe(`files: ${name}`, () => {
    let opened: FilesUnderTest;
    let files: FileStore;
    beforeAll(async () => {
      opened = await open();
      files = opened.files;
    });
    afterAll(() => opened.dispose());

    test('bytes come back as they were put', async () => {
      const id = freshFileId();
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      expect(await files.put(id, bytes)).toBe(60_000);
      expect(await read(files, id)).toEqual(bytes);
    });

    test('a view puts its own part of the buffer; no bytes are a file too', async () => {
      const [viewed, empty] = [freshFileId(), freshFileId()];
      expect(await files.put(viewed, new TextEncoder().encode('a whole PDF').subarray(2, 7))).toBe(5);
      expect(new TextDecoder().decode(await read(files, viewed))).toBe('whole');
      expect(await files.put(empty, new Uint8Array())).toBe(0);
      expect(await read(files, empty)).toEqual(new Uint8Array());
    });

    test('a stream comes back with the bytes of all its pieces', async () => {
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

    test('a stream of 50 MiB comes back whole', async () => {
      const id = freshFileId();
      const expected = await digest(streamOf(50));
      expect(await files.put(id, streamOf(50))).toBe(expected.sizeBytes);
      const { stream, sizeBytes } = await files.get(id);
      expect(sizeBytes).toBe(expected.sizeBytes);
      expect(await digest(stream)).toEqual(expected);
    }, 60_000);

    test('a stream may be left before its end', async () => {
      const id = freshFileId();
      await files.put(id, streamOf(3));
      const reader = (await files.get(id)).stream.getReader();
      expect((await reader.read()).done).toBe(false);
      await reader.cancel();
      expect((await read(files, id)).length).toBe(3 * 1024 * 1024);
    });

    test('a second put replaces the file, also by a shorter one', async () => {
      const id = freshFileId();
      await files.put(id, new Uint8Array(5000).fill(1));
      await files.put(id, new Uint8Array(10).fill(2));
      expect(await read(files, id)).toEqual(new Uint8Array(10).fill(2));
    });

    test('concurrent puts of one id leave one whole file', async () => {
      const id = freshFileId();
      await Promise.all(
        Array.from({ length: 8 }, (_, index) => files.put(id, new Uint8Array(1_000_000 + index).fill(index))),
      );
      const bytes = await read(files, id);
      expect(bytes).toEqual(new Uint8Array(1_000_000 + bytes[0]!).fill(bytes[0]!));
    });

    test('a missing file is a FileNotFoundError', async () => {
      const id = freshFileId();
      expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
      expect(await rejection(files.get(id))).toMatchObject({ id });
    });

    test('a deleted file is gone, and deleting it again is no error', async () => {
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
    test.each(strangeIds.map((id) => [id.slice(0, 20), id] as const))(
      'the id %j names no file',
      async (_, id) => {
        expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
        expect(await rejection(files.put(id, new Uint8Array(1)))).toMatchObject({
          message: expect.stringContaining('file id'),
        });
        await files.delete(id);
      },
    );

    test('a source that fails leaves nothing and gives its error', async () => {
      const id = freshFileId();
      const failing = streamOf(5, (index) => {
        if (index === 3) throw new Error('the source broke');
      });
      expect(await rejection(files.put(id, failing))).toMatchObject({ message: 'the source broke' });
      expect(await rejection(files.get(id))).toBeInstanceOf(FileNotFoundError);
    });

    test('a source that fails leaves the file that was there', async () => {
      const id = freshFileId();
      await files.put(id, new Uint8Array([1, 2, 3]));
      const failing = streamOf(5, (index) => {
        if (index === 2) throw new Error('the source broke');
      });
      expect(await rejection(files.put(id, failing))).toMatchObject({ message: 'the source broke' });
      expect(await read(files, id)).toEqual(new Uint8Array([1, 2, 3]));
    });

    test('a link downloads the file as a PDF, without a header', async () => {
      const id = freshFileId();
      const bytes = crypto.getRandomValues(new Uint8Array(60_000));
      await files.put(id, bytes);
      const link = await files.link(id, { expiresAt: Date.now() + 60_000 });
      const response = await fetch(link);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('content-disposition')).toBe(`inline; filename="${id}.pdf"`);
      expect(await response.bytes()).toEqual(bytes);
    });

    test('a link is a URL, also for a file that is not there', async () => {
      const link = await files.link(freshFileId(), {
        expiresAt: Date.now() + 60_000,
      });
      expect(new URL(link).protocol).toMatch(/^https?:$/);
    });

    test('answers a ping', async () => {
      await files.ping();
    });
  });
}
