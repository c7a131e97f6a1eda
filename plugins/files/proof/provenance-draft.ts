import type { ProvenClaim } from '@platen/pdf-standards';
import { unwrapTaskResult } from '../pdf-output.ts';
import type { Sandbox } from '../../../src/plugin.ts';
import type { ProofStep, Provenance } from './proof.ts';

/** The limit of a conversion to PDF/A, which ends with the same check. */
const TIMEOUT_MS = 60_000;

/**
 * Checks a PDF against profiles.
 * @throws {AppError} VALIDATION_ERROR for the field `pdf` if it violates one of them
 */
export type ProveClaims = (pdf: Uint8Array, profiles: readonly string[]) => Promise<ProvenClaim[]>;

/**
 * Returns the claims in the metadata of a PDF that a check confirms. Leaves out claims that cannot be checked
 * in time.
 */
export type ConfirmClaims = (pdf: Uint8Array) => Promise<ProvenClaim[]>;

/** Returns the profiles that a PDF claims, without a check. */
export type ReadClaims = (pdf: Uint8Array) => Promise<string[]>;

/** Creates the functions that check, confirm and read claims, in the sandbox. */
export function createClaimChecks(sandbox: Sandbox): {
  prove: ProveClaims;
  confirm: ConfirmClaims;
  read: ReadClaims;
} {
  const limits = { timeoutMs: TIMEOUT_MS };
  const tasks = sandbox.load<typeof import('@platen/pdf-standards/prove-task')>(
    new URL(import.meta.resolve('@platen/pdf-standards/prove-task')),
  );
  return {
    async prove(pdf, profiles) {
      const call = tasks.prove({ pdf, profiles: [...profiles] }, limits);
      return unwrapTaskResult('pdf', call, TIMEOUT_MS);
    },
    async confirm(pdf) {
      // After a failure, the proof has fewer claims, but the PDF is still made.
      return unwrapTaskResult('pdf', tasks.confirm({ pdf }, limits), TIMEOUT_MS).catch(() => []);
    },
    async read(pdf) {
      return unwrapTaskResult('pdf', tasks.read({ pdf }, limits), TIMEOUT_MS);
    },
  };
}

/** Collects the steps and the claims of a PDF that is being made in several steps. */
export class ProvenanceDraft {
  readonly #prove: ProveClaims;
  readonly #steps: ProofStep[];
  /** The latest claim of each standard, and whether a later step has changed the bytes that were checked. */
  readonly #claims = new Map<string, { claim: ProvenClaim; isStale: boolean }>();

  constructor(prove: ProveClaims, { claims, steps }: Provenance = { claims: [], steps: [] }) {
    this.#prove = prove;
    this.#steps = [...steps];
    this.#set(claims);
  }

  /**
   * Records a step that wrote the PDF. `claims` hold for its result. Earlier claims of other standards are
   * checked again at the end.
   */
  add(name: string, claims: readonly ProvenClaim[] = []): void {
    this.#steps.push({ do: name });
    for (const earlier of this.#claims.values()) earlier.isStale = true;
    this.#set(claims);
  }

  /** The profiles of claims that have not been checked again since a later step changed the PDF. */
  get stale(): string[] {
    return [...this.#claims.values()].flatMap(({ claim, isStale }) => (isStale ? [claim.profile] : []));
  }

  /**
   * Confirms that all claims hold for the final bytes.
   * @throws {AppError} VALIDATION_ERROR for the field `pdf` if a later step made a claim false
   */
  async confirm(pdf: Uint8Array): Promise<Provenance> {
    const { stale } = this;
    if (stale.length > 0) this.#set(await this.#prove(pdf, stale));
    return { claims: [...this.#claims.values()].map(({ claim }) => claim), steps: this.#steps };
  }

  #set(claims: readonly ProvenClaim[]): void {
    for (const claim of claims) this.#claims.set(claim.standard, { claim, isStale: false });
  }
}
