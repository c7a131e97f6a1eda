import { NameTakenError } from '../errors.ts';
import type { CollectionSpec, Document, Store } from './store.ts';

/**
 * Returns a store that opens each collection for one declaration only, so that two plugins never share their
 * records by accident. The same declaration may be opened repeatedly; another one throws `NameTakenError`.
 */
export function withOwnCollections<S extends Store>(store: S): S {
  const declared = new Map<string, unknown>();
  return {
    ...store,
    async collection<T extends Document>(spec: CollectionSpec<T>) {
      if ((declared.get(spec.name) ?? spec) !== spec)
        throw new NameTakenError(`the collection "${spec.name}" is already declared`);
      declared.set(spec.name, spec);
      return store.collection(spec);
    },
  };
}
