import { DuplicateKeyError, type Collection, type Document } from '../store/store.ts';

/** A document that a {@link Ledger} changes. */
export interface Entry {
  /** Increases with each change. */
  revision: number;
}

/**
 * Computes the changes to a document from its current state; `null` means no change. May be called more than
 * once.
 */
export type Change<T> = (current: T) => Partial<Omit<T, 'id' | 'revision'>> | null;

const MAX_PAUSE_MS = 50;

/** How long a change that is not urgent waits for others to the same document. */
const GATHER_MS = 100;

interface Pending<T> {
  change: Change<T>;
  done: (changed: T | null) => void;
  failed: (reason: unknown) => void;
}

/**
 * Changes documents depending on their current state, with optimistic concurrency: reads, computes, and
 * writes only if no other writer has changed the document since; otherwise retries. Concurrent changes to one
 * document in this process are written together, so conflicts occur only between processes.
 */
export class Ledger<T extends Document & Entry> {
  readonly #entries: Collection<T>;
  readonly #create: (id: string) => T;
  /** The changes that wait for the writer of their document, which exists while the document has an entry. */
  readonly #pending = new Map<string, Pending<T>[]>();
  /** The changes that are not urgent. */
  readonly #gathered = new Map<string, Pending<T>[]>();
  #gathering: Timer | undefined;

  constructor(entries: Collection<T>, create: (id: string) => T) {
    this.#entries = entries;
    this.#create = create;
  }

  /**
   * Applies a change, which is durable when the promise resolves. Returns the document after this change, or
   * `null` if nothing changed.
   */
  change(id: string, change: Change<T>): Promise<T | null> {
    return new Promise((done, failed) => {
      const waiting = this.#pending.get(id);
      if (waiting) {
        waiting.push({ change, done, failed });
        return;
      }
      this.#pending.set(id, [{ change, done, failed }]);
      void this.#write(id);
    });
  }

  /**
   * Applies a change like {@link change}, but within 100 ms: together with the next urgent change to the
   * document, which saves a write, or with others that are not urgent.
   */
  changeSoon(id: string, change: Change<T>): Promise<T | null> {
    return new Promise((done, failed) => {
      const gathered = this.#gathered.get(id) ?? [];
      gathered.push({ change, done, failed });
      this.#gathered.set(id, gathered);
      if (this.#gathering) return;
      this.#gathering = setTimeout(() => {
        this.#gathering = undefined;
        // The caller of a change gets its failure.
        this.flush().catch(() => {});
      }, GATHER_MS).unref();
    });
  }

  /**
   * Resolves when all earlier changes to the documents whose ids begin with a prefix are written.
   * @throws the error of a failed write
   */
  async flush(prefix = ''): Promise<void> {
    const ids = new Set([...this.#pending.keys(), ...this.#gathered.keys()]);
    const changing = [...ids].filter((id) => id.startsWith(prefix));
    await Promise.all(changing.map((id) => this.change(id, () => null)));
  }

  /** Writes the pending changes of a document until none are left. */
  async #write(id: string): Promise<void> {
    for (;;) {
      const group = [...(this.#gathered.get(id) ?? []), ...(this.#pending.get(id) ?? [])];
      this.#gathered.delete(id);
      if (group.length === 0) {
        this.#pending.delete(id);
        return;
      }
      this.#pending.set(id, []);
      try {
        const changed = await this.#apply(id, group);
        group.forEach(({ done }, index) => done(changed[index] ?? null));
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
  }

  async #apply(id: string, group: readonly Pending<T>[]): Promise<(T | null)[]> {
    for (let conflicts = 0; ; conflicts += 1) {
      // The random pause keeps the writers of several processes from retrying at the same moment.
      if (conflicts > 0) await Bun.sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** conflicts));
      const before = await this.#read(id);
      const revision = before.revision + 1;
      let after = before;
      // Only the changed fields are written, because other writers may change the others without a revision.
      let fields: Partial<Omit<T, 'id'>> = {};
      const changed = group.map(({ change }) => {
        const changes = change(after);
        if (!changes) return null;
        fields = { ...fields, ...changes, revision };
        return (after = { ...after, ...changes, revision });
      });
      if (after === before) return changed;
      const guard = { id, revision: before.revision } as Parameters<Collection<T>['update']>[0];
      if (await this.#entries.update(guard, fields)) return changed;
    }
  }

  /** Reads a document and creates it if it does not exist. Concurrent calls create only one. */
  async #read(id: string): Promise<T> {
    for (;;) {
      const found = await this.#entries.get(id);
      if (found) return found;
      try {
        await this.#entries.insert(this.#create(id));
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
  }
}
