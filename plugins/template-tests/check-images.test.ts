import { expect, test } from 'bun:test';
import type { Deletions, FileStore } from '../../src/plugin.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import { createCheckImages } from './check-images.ts';
import { images as spec } from './collections.ts';

test('the images of a check have at most 200 MB', async () => {
  const stored: number[] = [];
  const files: Pick<FileStore, 'put' | 'link'> = {
    put: async (_, content) => stored.push((content as Uint8Array).length),
    link: async (id) => `https://pdf.example.com/files/${id}`,
  };
  const deletions: Pick<Deletions, 'register' | 'schedule'> = {
    register: () => {},
    schedule: async () => {},
  };
  const images = createCheckImages({
    images: await createSqliteStore({ path: ':memory:' }).collection(spec),
    files: files as FileStore,
    deletions: deletions as Deletions,
    testMark: { markImage: async (image) => image },
  });
  const sink = images.open('acc_1', { isTest: false });
  const large = new Uint8Array(90_000_000);
  expect(await sink.store([large, undefined, large])).toEqual([expect.any(String), null, expect.any(String)]);
  expect(await sink.store([large, new Uint8Array(1)])).toEqual([null, null]);
  expect([sink.left, stored.length]).toEqual([0, 2]);
});
