import type { Collection, CollectionSpec, JsonValue } from '../../src/store/store.ts';

/** The document of the suites, with a field of each JSON kind. */
export interface Sample {
  id: string;
  group: string;
  rank: number;
  done: boolean;
  note: string | null;
  extra?: JsonValue;
  expiresAt?: number | null;
}

/** Creates a document with the given fields. */
export function sample(id: string, fields: Partial<Sample> = {}): Sample {
  return { id, group: 'a', rank: 0, done: false, note: null, ...fields };
}

/** Creates documents with ascending ids. */
export function samples(count: number, fields: (index: number) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: count }, (_, index) =>
    sample(`s${String(index).padStart(4, '0')}`, fields(index)),
  );
}

/** Joins the ids of documents, to compare both the selection and its order. */
export function ids(documents: readonly Sample[]): string {
  return documents.map(({ id }) => id).join(' ');
}

/** Opens a collection that no other test uses. */
export type OpenFresh = (spec?: Omit<CollectionSpec<Sample>, 'name'>) => Promise<Collection<Sample>>;
