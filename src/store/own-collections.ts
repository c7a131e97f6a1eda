import type { CollectionSpec, Document, Store } from './store.ts';

/** Thrown when two parts of a service declare the same collection. The message is for the operator. */
export class CollectionTakenError extends Error {
  override name = 'CollectionTakenError';
}

/**
 * Returns a store that opens each collection for one declaration only, so that two plugins never share their records by accident. The same
 * declaration may be opened repeatedly.
 */
export function withOwnCollections<S extends Store>(store: S): S {
  const declared = new Map<string, unknown>();
  return {
    ...store,
    async collection<T extends Document>(spec: CollectionSpec<T>) {
      if ((declared.get(spec.name) ?? spec) !== spec)
        throw new CollectionTakenError(`the collection "${spec.name}" is already declared`);
      declared.set(spec.name, spec);
      return store.collection(spec);
    },
  };
}
