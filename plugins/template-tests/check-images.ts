import { newFileId, newId, type Collection, type Deletions, type FileStore } from '../../src/plugin.ts';
import type { TestMark } from '../files/contract.ts';
import type { CheckImages } from './collections.ts';

/** The kind under which deletions of the images of a check are registered. */
const CHECK_IMAGES = 'check-images';
/** How long the images of a check and their links last. */
const LIFETIME_MS = 24 * 60 * 60_000;
/** The maximum number of images of a check. */
export const MAX_IMAGES = 200;
/** The maximum size of all images of a check. Usual pages have a tenth of it. */
const MAX_BYTES = 200_000_000;
/** How many files are written at once. */
const CONCURRENT_WRITES = 4;

/** The images of one check, of which a limited number is stored. */
export interface ImageSink {
  /** The number of images that can still be stored. */
  readonly left: number;
  /** Stores images, and returns a link for each; `null` beyond the limit and for an absent image. */
  store(images: readonly (Uint8Array | undefined)[]): Promise<(string | null)[]>;
}

/** A sink that stores nothing. */
export const NO_IMAGES: ImageSink = {
  left: 0,
  store: async (images) => images.map(() => null),
};

/** Stores the images of checks for a day. They are neither listed nor counted as files. */
export function createCheckImages({
  images: records,
  files,
  deletions,
  testMark,
}: {
  images: Collection<CheckImages>;
  files: FileStore;
  deletions: Deletions;
  testMark: Pick<TestMark, 'markImage'>;
}): { open(accountId: string, options: { isTest: boolean }): ImageSink } {
  deletions.register(CHECK_IMAGES, async (ids) => {
    for (const { fileIds } of await records.find({ where: { id: { in: ids } } }))
      for (const fileId of fileIds) await files.delete(fileId);
    await records.delete({ id: { in: ids } });
    return [];
  });

  return {
    open(accountId, { isTest }) {
      let left = MAX_IMAGES;
      let bytesLeft = MAX_BYTES;
      const admits = ({ length }: Uint8Array) => {
        if (left === 0) return false;
        // The further images are not stored either, even smaller ones.
        left = length <= bytesLeft ? left - 1 : 0;
        bytesLeft -= length;
        return bytesLeft >= 0;
      };
      return {
        get left() {
          return left;
        },
        async store(images) {
          const stored = images.map((image) => (image && admits(image) ? image : undefined));
          const fileIds = stored.map((image) => image && newFileId('image/png'));
          const named = fileIds.filter((fileId) => fileId !== undefined);
          if (named.length === 0) return images.map(() => null);
          const createdAt = Date.now();
          const id = newId('check_');
          const expiresAt = createdAt + LIFETIME_MS;
          // The record and its deletion precede the files, so that a crash leaves no file behind.
          await deletions.schedule(CHECK_IMAGES, [{ id, at: expiresAt }]);
          await records.insert({ id, accountId, fileIds: named, createdAt });
          const urls: (string | null)[] = images.map(() => null);
          const write = async (index: number) => {
            const [image, fileId] = [stored[index], fileIds[index]];
            if (!image || fileId === undefined) return;
            const shown = isTest
              ? await testMark.markImage(image, { field: 'version', format: 'png' })
              : image;
            await files.put(fileId, shown);
            urls[index] = await files.link(fileId, { expiresAt });
          };
          const indexes = [...images.keys()];
          for (let start = 0; start < indexes.length; start += CONCURRENT_WRITES)
            await Promise.all(indexes.slice(start, start + CONCURRENT_WRITES).map(write));
          return urls;
        },
      };
    },
  };
}
