import { DuplicateKeyError, type Collection, type Document } from './store.ts';

/**
 * Inserts the documents that are not stored yet, even when other writers insert some of them concurrently.
 * @param stored finds the stored documents; its result must include every stored document of `drafts`
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
