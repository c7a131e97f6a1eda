import type { TemplateProgram } from './template-program.ts';

interface Entry {
  program: TemplateProgram;
  sizeBytes: number;
}

const MAX_BYTES = 24_000_000;
// What a template full of tags takes once compiled, by measurement (2 to 40, the more the smaller the template).
const BYTES_PER_CHARACTER = 30;
const BYTES_PER_ENTRY = 10_000;

/** Keeps compiled templates by the hash of their source; the ones used longest ago make room. A template that fails is not kept. */
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
    const hash = new Bun.CryptoHasher('sha256').update(source).digest('base64');
    const known = this.#entries.get(hash);
    const entry = known ?? {
      program: this.#compile(source),
      sizeBytes: BYTES_PER_ENTRY + source.length * BYTES_PER_CHARACTER,
    };
    this.#entries.delete(hash);
    this.#entries.set(hash, entry);
    if (!known) this.#sizeBytes += entry.sizeBytes;
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
