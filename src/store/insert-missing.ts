import { DuplicateKeyError, type Collection, type Document } from './store.ts';

/**
 * Stores those of the documents that are not stored yet, whoever stores some of them at the same time.
 * `stored` gives documents that are there, those of `drafts` among them.
 */
export async function insertMissing<T extends Document>(
  collection: Collection<T>,
  drafts: readonly T[],
  stored: (drafts: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let missing = drafts;
  while (missing.length > 0) {
    try {
      await collection.insertMany(missing);
      return;
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      const present = new Set((await stored(missing)).map(({ id }) => id));
      missing = missing.filter(({ id }) => !present.has(id));
    }
  }
}
