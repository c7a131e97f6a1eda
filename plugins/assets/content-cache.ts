import type { AssetContent } from './contract.ts';

const MAX_CHARACTERS = 64_000_000;

/**
 * Keeps the contents that documents used last, by file id. A file never changes. Concurrent callers share one
 * read of a file.
 */
export class ContentCache {
  /** In order of last use. */
  readonly #contents = new Map<string, AssetContent>();
  readonly #reading = new Map<string, Promise<AssetContent>>();
  #characters = 0;

  /** Returns the content of a file. Calls `read` when the content is not kept. */
  async get(fileId: string, read: () => Promise<AssetContent>): Promise<AssetContent> {
    const known = this.#contents.get(fileId);
    if (known) {
      this.#contents.delete(fileId);
      this.#contents.set(fileId, known);
      return known;
    }
    const running = this.#reading.get(fileId);
    if (running) return running;
    const reading = read();
    this.#reading.set(fileId, reading);
    try {
      const content = await reading;
      this.#add(fileId, content);
      return content;
    } finally {
      this.#reading.delete(fileId);
    }
  }

  #add(fileId: string, content: AssetContent): void {
    this.#contents.set(fileId, content);
    this.#characters += content.base64.length;
    for (const [oldest, { base64 }] of this.#contents) {
      if (this.#characters <= MAX_CHARACTERS) return;
      this.#contents.delete(oldest);
      this.#characters -= base64.length;
    }
  }
}
