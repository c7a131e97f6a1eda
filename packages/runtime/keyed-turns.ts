/** Runs work with the same key one after another, in this process. */
export class KeyedTurns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the work when all earlier work with this key has ended, whether it succeeded or not. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#last.get(key);
    const result = earlier ? earlier.then(work) : work();
    const done = result.catch(() => {});
    this.#last.set(key, done);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === done) this.#last.delete(key);
    }
  }
}
