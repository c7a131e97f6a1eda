import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Proof } from './prove-linear.ts';

/** The files that a proof depends on, in addition to the pattern. */
const PROVER_FILES = [
  join(import.meta.dir, 'prove-linear.ts'),
  join(import.meta.dir, '../../node_modules/recheck/package.json'),
];

/**
 * Keeps the proofs of earlier runs by pattern, so that the check takes only a second. A changed prover
 * invalidates all proofs.
 */
export class ProofCache {
  readonly #file: string;
  readonly #prover: string;
  readonly #proofs: Map<string, Proof>;

  private constructor(file: string, prover: string, proofs: Map<string, Proof>) {
    this.#file = file;
    this.#prover = prover;
    this.#proofs = proofs;
  }

  /** Opens the cache of a checkout. */
  static open(root: string): ProofCache {
    const file = join(root, 'node_modules', '.cache', 'regex-proofs.json');
    const prover = String(Bun.hash(PROVER_FILES.map((path) => readFileSync(path, 'utf8')).join('')));
    return new ProofCache(file, prover, new Map(readProofs(file, prover)));
  }

  /** Finds the proof of a pattern. */
  get(pattern: string): Proof | undefined {
    return this.#proofs.get(pattern);
  }

  /** Stores the proof of a pattern, but not a failure, which a busy machine may have caused. */
  set(pattern: string, proof: Proof): void {
    if (proof.time !== 'unproven') this.#proofs.set(pattern, proof);
  }

  /** Writes the cache to its file. */
  save(): void {
    mkdirSync(dirname(this.#file), { recursive: true });
    writeFileSync(this.#file, JSON.stringify({ prover: this.#prover, proofs: [...this.#proofs] }));
  }
}

function readProofs(file: string, prover: string): [string, Proof][] {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { prover: string; proofs: [string, Proof][] };
    return kept.prover === prover ? kept.proofs : [];
  } catch {
    return [];
  }
}
