import type { Collection, CollectionSpec, JsonValue } from '../../src/store/store.ts';

/** What the suites store: a field of each JSON kind. */
export interface Sample {
  id: string;
  group: string;
  rank: number;
  done: boolean;
  note: string | null;
  extra?: JsonValue;
  expiresAt?: number | null;
}

/** Makes a document with the fields that a test is about. */
export function sample(id: string, fields: Partial<Sample> = {}): Sample {
  return { id, group: 'a', rank: 0, done: false, note: null, ...fields };
}

/** Makes documents whose ids sort in the order in which they were made. */
export function samples(count: number, fields: (index: number) => Partial<Sample> = () => ({})): Sample[] {
  return Array.from({ length: count }, (_, index) =>
    sample(`s${String(index).padStart(4, '0')}`, fields(index)),
  );
}

/** Joins the ids of documents, to compare which were read and in which order. */
export function ids(documents: readonly Sample[]): string {
  return documents.map(({ id }) => id).join(' ');
}

/** Opens a collection that no other test uses. */
export type OpenFresh = (spec?: Omit<CollectionSpec<Sample>, 'name'>) => Promise<Collection<Sample>>;

/** Resolves with the reason of a rejection, or with `null` when there is none. */
export function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (reason: unknown) => reason,
  );
}
