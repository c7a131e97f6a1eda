import type { TemplateProgram } from './program.ts';

interface Entry {
  program: TemplateProgram;
  sizeBytes: number;
}

type Compile = (source: string, isTranslated: boolean) => TemplateProgram;

const MAX_BYTES = 24_000_000;
/** A larger template is compiled on each use, so that it does not evict all others. */
const MAX_ENTRY_BYTES = MAX_BYTES / 4;
/** An estimate: templates with many tags were measured to take 2 to 40 bytes per character. */
const BYTES_PER_CHARACTER = 30;
/** The size of a small template, which takes more memory per character. */
const BYTES_PER_ENTRY = 10_000;

/**
 * Caches compiled templates, keyed by the hash of their source, and evicts the least recently used. Does not
 * cache templates that fail to compile or would need more than a quarter of the cache.
 */
export class TemplateCache {
  readonly #compile: Compile;
  /** The entries in order of last use. */
  readonly #entries = new Map<string, Entry>();
  #sizeBytes = 0;

  constructor(compile: Compile) {
    this.#compile = compile;
  }

  /**
   * Returns the compiled template. `isTranslated` tells whether it has the helper `t`.
   * @throws the errors of the compiler.
   */
  get(source: string, isTranslated = false): TemplateProgram {
    const sizeBytes = BYTES_PER_ENTRY + source.length * BYTES_PER_CHARACTER;
    if (sizeBytes > MAX_ENTRY_BYTES) return this.#compile(source, isTranslated);
    const hash = new Bun.CryptoHasher('sha256')
      .update(`${isTranslated ? 't' : '-'}${source}`)
      .digest('base64');
    const known = this.#entries.get(hash);
    const entry = known ?? { program: this.#compile(source, isTranslated), sizeBytes };
    this.#entries.delete(hash);
    this.#entries.set(hash, entry);
    if (!known) this.#sizeBytes += sizeBytes;
    this.#evict();
    return entry.program;
  }

  #evict(): void {
    for (const [hash, { sizeBytes }] of this.#entries) {
      if (this.#sizeBytes <= MAX_BYTES) return;
      this.#entries.delete(hash);
      this.#sizeBytes -= sizeBytes;
    }
  }
}
