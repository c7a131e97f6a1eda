import type { ProvenClaim } from '@platen/pdf-standards';
import { AppError, TimeSlice, Timestamp, Type, type Static } from '../../../src/plugin.ts';

/** A step that made a PDF, such as `print` or `pdfa`. */
export interface ProofStep {
  do: string;
}

/** The origin of a PDF: the claims that hold for its bytes, and the steps that made it. */
export interface Provenance {
  claims: readonly ProvenClaim[];
  steps: readonly ProofStep[];
}

/**
 * The proof of a stored PDF. It is part of the record of the file, so that it exists for as long as the file.
 */
export interface Proof extends Provenance {
  /** The SHA-256 hash of the stored bytes, in hexadecimal. */
  sha256: string;
}

const HASHED_BYTES = 256 * 1024;

/** Creates the proof of stored bytes, or returns `undefined` if they have no claims. */
export async function createProof(
  pdf: Uint8Array,
  { claims, steps }: Provenance,
): Promise<Proof | undefined> {
  if (claims.length === 0) return undefined;
  const hasher = new Bun.CryptoHasher('sha256');
  const slice = new TimeSlice();
  for (let start = 0; start < pdf.length; start += HASHED_BYTES) {
    hasher.update(pdf.subarray(start, start + HASHED_BYTES));
    if (slice.isOver) await slice.next();
  }
  return { sha256: hasher.digest('hex'), claims, steps };
}

/** A proof in a response. */
export const ProofResponse = Type.Object(
  {
    sha256: Type.String({ description: 'The SHA-256 hash of the stored file, in hexadecimal.' }),
    claims: Type.Array(
      Type.Object({
        standard: Type.String({ description: 'Such as "PDF/A".' }),
        level: Type.String({ description: 'The level of the standard, such as "2b".' }),
        checked_by: Type.String({ description: 'The name and version of the checker.' }),
        rules: Type.Array(Type.String(), {
          description: 'The rules that were checked, by their numbers in the standard.',
        }),
        passed_at: Timestamp,
      }),
      { description: 'The claims that a check of these bytes confirmed.' },
    ),
    steps: Type.Array(Type.Object({ do: Type.String() }), {
      description: 'The steps that made the file, in order, such as "print" and "pdfa".',
    }),
  },
  { title: 'Proof', description: 'The confirmed claims of a PDF, such as PDF/A, and the hash of its bytes.' },
);

/** An example of a proof. */
export const proofExample: Static<typeof ProofResponse> = {
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  claims: [
    {
      standard: 'PDF/A',
      level: '2b',
      checked_by: '@platen/pdf 0.1.0',
      rules: ['6.1.2', '6.2.11.4.1', '6.6.4'],
      passed_at: '2026-11-22T09:30:00.000Z',
    },
  ],
  steps: [{ do: 'print' }, { do: 'pdfa' }],
};

/**
 * Converts a proof to its form in a response.
 * @throws {AppError} NOT_FOUND for a document without claims, which `document` names
 */
export function presentProof(
  proof: Proof | null | undefined,
  document: string,
): Static<typeof ProofResponse> {
  if (!proof)
    throw new AppError(
      'NOT_FOUND',
      `the ${document} has no proof: it was made without a claim such as PDF/A`,
    );
  return toResponse(proof);
}

/** Converts a proof to its form as part of a record; returns `null` for a document without claims. */
export function presentOptionalProof(proof: Proof | null | undefined): Static<typeof ProofResponse> | null {
  return proof ? toResponse(proof) : null;
}

function toResponse({ sha256, claims, steps }: Proof): Static<typeof ProofResponse> {
  return {
    sha256,
    claims: claims.map(({ standard, level, checkedBy, rules, passedAt }) => ({
      standard,
      level,
      checked_by: checkedBy,
      rules: [...rules],
      passed_at: new Date(passedAt).toISOString(),
    })),
    steps: steps.map(({ do: name }) => ({ do: name })),
  };
}
