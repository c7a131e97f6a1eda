import type { FileStore } from '../../../src/files/files.ts';
import type { Collection, Document, Store } from '../../../src/store/store.ts';

/**
 * A process that dies at one of its writes. That write and all later work fail without an effect. With
 * `kill`, the write begins and the process is killed before it ends.
 */
export class DyingProcess {
  /** The number of writes since {@link revive}. */
  writes = 0;
  #lastWrite = Infinity;
  #isDead = false;
  readonly #kill: (() => void) | undefined;

  constructor(kill?: () => void) {
    this.#kill = kill;
  }

  /** Revives the process. It dies at the given write; the first is 1. */
  revive({ dieAt = Infinity }: { dieAt?: number } = {}): void {
    this.writes = 0;
    this.#lastWrite = dieAt;
    this.#isDead = false;
  }

  /** Counts a write and carries it out, unless the process dies at it. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    this.writes += 1;
    if (this.writes >= this.#lastWrite && this.#kill) {
      const writing = work();
      this.#kill();
      return writing;
    }
    if (this.writes >= this.#lastWrite) this.#isDead = true;
    return this.read(work);
  }

  /** Carries out work that writes nothing, unless the process is dead. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isDead) throw new Error('the process died');
    return work();
  }

  /** Wraps the database of this process. */
  store(store: Store): Store {
    return {
      ...store,
      collection: async <T extends Document>(spec: Parameters<typeof store.collection<T>>[0]) =>
        this.#collection(await store.collection<T>(spec)),
    };
  }

  /** Wraps the file store of this process. */
  files(files: FileStore): FileStore {
    return {
      ...files,
      put: (id, content) => this.write(() => files.put(id, content)),
      get: (id) => this.read(() => files.get(id)),
      delete: (id) => this.write(() => files.delete(id)),
    };
  }

  #collection<T extends Document>(collection: Collection<T>): Collection<T> {
    return {
      insert: (document) => this.write(() => collection.insert(document)),
      insertMany: (documents) => this.write(() => collection.insertMany(documents)),
      get: (id) => this.read(() => collection.get(id)),
      find: (query) => this.read(() => collection.find(query)),
      count: (where) => this.read(() => collection.count(where)),
      update: (where, set, order) => this.write(() => collection.update(where, set, order)),
      increment: (where, by) => this.write(() => collection.increment(where, by)),
      delete: (where) => this.write(() => collection.delete(where)),
    };
  }
}
