import type { Result } from '@platen/pdf';
import { PdfError } from '@platen/pdf/objects';
import type { Violation } from '../violation.ts';
import { claimOf, type ProvenClaim } from '../validate/prove.ts';
import { checkPdfua } from '../pdfua-check/check-pdfua.ts';
import { makeAccessible, type AccessibilityRequest } from './make-accessible.ts';

/** An accessible document. It claims to be PDF/UA-1 only if a check has confirmed the claim. */
export interface AccessiblePdf {
  pdf: Uint8Array;
  claims: ProvenClaim[];
  /** The violations that prevent the claim. */
  violations: Violation[];
}

/**
 * Makes a tagged document accessible. If the request claims PDF/UA-1, checks the claim, and removes it from a
 * document that violates it. Returns a failure as a value, because an exception does not cross the process
 * boundary.
 */
export function makeAccessibleAndCheck({
  pdf,
  ...request
}: AccessibilityRequest & { pdf: Uint8Array }): Result<AccessiblePdf> {
  try {
    const now = Date.now();
    const made = makeAccessible(pdf, request, now);
    if (!request.claimsPdfua) return { ok: true, value: { pdf: made, claims: [], violations: [] } };
    const violations = checkPdfua(made);
    if (violations.length === 0)
      return { ok: true, value: { pdf: made, claims: [claimOf('pdfua-1')], violations } };
    const unclaimed = makeAccessible(pdf, { ...request, claimsPdfua: false }, now);
    return { ok: true, value: { pdf: unclaimed, claims: [], violations } };
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'pdf' };
  }
}
