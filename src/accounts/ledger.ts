import { DuplicateKeyError, type Collection, type Document } from '../store/store.ts';

/** What a document has that is changed by {@link Ledger}. */
export interface Entry {
  /** Rises with each change. */
  revision: number;
}

/** Computes the changes of a document from what it is, or `null` for none. It may be called more than once. */
export type Change<T> = (current: T) => Partial<Omit<T, 'id' | 'revision'>> | null;

const MAX_PAUSE_MS = 50;

interface Pending<T> {
  change: Change<T>;
  done: (changed: boolean) => void;
  failed: (reason: unknown) => void;
}

/**
 * Changes documents by what they hold: reads, computes, and writes only if nobody else wrote in between, else again.
 * Changes of one document that come together in this process are written together, so that its writers do not get in each
 * other's way; only those of other processes do.
 */
export class Ledger<T extends Document & Entry> {
  readonly #entries: Collection<T>;
  readonly #create: (id: string) => T;
  readonly #pending = new Map<string, Pending<T>[]>();

  constructor(entries: Collection<T>, create: (id: string) => T) {
    this.#entries = entries;
    this.#create = create;
  }

  /** Applies a change, durably when the promise resolves. Returns whether there was one. */
  change(id: string, change: Change<T>): Promise<boolean> {
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

  /** Writes what waits for a document, as long as something does. */
  async #write(id: string): Promise<void> {
    for (;;) {
      const group = this.#pending.get(id) ?? [];
      if (group.length === 0) {
        this.#pending.delete(id);
        return;
      }
      this.#pending.set(id, []);
      try {
        const changed = await this.#apply(id, group);
        group.forEach(({ done }, index) => done(changed[index] ?? false));
      } catch (error) {
        for (const { failed } of group) failed(error);
      }
    }
  }

  async #apply(id: string, group: readonly Pending<T>[]): Promise<boolean[]> {
    for (let lost = 0; ; lost += 1) {
      // Writers of other processes that lost with this one shall not all try again at the same moment.
      if (lost > 0) await Bun.sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** lost));
      const stored = await this.#read(id);
      // A document from before there were ledgers has fewer fields.
      const before: T = { ...this.#create(id), ...stored };
      let after = before;
      const changed = group.map(({ change }) => {
        const changes = change(after);
        if (changes) after = { ...after, ...changes };
        return changes !== null;
      });
      if (after === before) return changed;
      const { id: _, ...fields } = { ...after, revision: before.revision + 1 };
      const guard = { id, revision: stored.revision ?? null } as Parameters<Collection<T>['update']>[0];
      if (await this.#entries.update(guard, fields)) return changed;
    }
  }

  /** Reads a document, or makes it where it is missing; of several callers at once one makes it. */
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
