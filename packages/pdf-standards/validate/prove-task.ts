import { toAsyncResult, type Result } from '@platen/pdf';
import { PdfDocument } from '@platen/pdf/objects';
import { readClaims } from '../claims/claims.ts';
import { confirm as confirmClaims, prove as proveClaims, type ProvenClaim } from './prove.ts';

const METADATA_CLAIM = /^(?:pdfa|pdfua|factur-x)-/;

/**
 * Checks a document against profiles with {@link proveClaims}, returning a violation as a result for callers
 * in another process.
 */
export async function prove({
  pdf,
  profiles,
}: {
  pdf: Uint8Array;
  profiles: readonly string[];
}): Promise<Result<ProvenClaim[]>> {
  return toAsyncResult('pdf', () => proveClaims(pdf, profiles));
}

/**
 * Checks the claims in the metadata of a document, such as that of PDF/A, and returns the true ones. Claims
 * of signatures are not checked.
 */
export async function confirm({ pdf }: { pdf: Uint8Array }): Promise<Result<ProvenClaim[]>> {
  return toAsyncResult('pdf', () => confirmClaims(pdf, (name) => METADATA_CLAIM.test(name)));
}

/** Returns the profiles that a document claims, without checking them. */
export async function read({ pdf }: { pdf: Uint8Array }): Promise<Result<string[]>> {
  return toAsyncResult('pdf', async () => readClaims(PdfDocument.open(pdf)));
}
