import type { TemplateProgram } from './program.ts';

interface Entry {
  program: TemplateProgram;
  sizeBytes: number;
}

const MAX_BYTES = 24_000_000;
/** What is larger is compiled each time: kept, it would take the room of everybody's templates. */
const MAX_ENTRY_BYTES = MAX_BYTES / 4;
// What a template full of tags takes once compiled, by measurement (2 to 40, the more the smaller the template).
const BYTES_PER_CHARACTER = 30;
const BYTES_PER_ENTRY = 10_000;

/**
 * Keeps compiled templates by the hash of their source; the ones used longest ago make room. Neither a template that fails nor one
 * that would take more than a quarter of the room is kept, and such a one takes no room from others.
 */
export class TemplateCache {
  readonly #compile: (source: string) => TemplateProgram;
  /** In order of use. */
  readonly #entries = new Map<string, Entry>();
  #sizeBytes = 0;

  constructor(compile: (source: string) => TemplateProgram) {
    this.#compile = compile;
  }

  /** Gives the compiled template. @throws what the compiler throws. */
  get(source: string): TemplateProgram {
    const sizeBytes = BYTES_PER_ENTRY + source.length * BYTES_PER_CHARACTER;
    if (sizeBytes > MAX_ENTRY_BYTES) return this.#compile(source);
    const hash = new Bun.CryptoHasher('sha256').update(source).digest('base64');
    const known = this.#entries.get(hash);
    const entry = known ?? { program: this.#compile(source), sizeBytes };
    this.#entries.delete(hash);
    this.#entries.set(hash, entry);
    if (!known) this.#sizeBytes += sizeBytes;
    this.#makeRoom();
    return entry.program;
  }

  #makeRoom(): void {
    for (const [hash, { sizeBytes }] of this.#entries) {
      if (this.#sizeBytes <= MAX_BYTES) return;
      this.#entries.delete(hash);
      this.#sizeBytes -= sizeBytes;
    }
  }
}
