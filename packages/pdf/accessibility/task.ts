import type { Result } from '../input.ts';
import { PdfError } from '../objects/index.ts';
import type { Violation } from '../pdfa/violation.ts';
import { claimOf, type ProvenClaim } from '../validate/prove.ts';
import { checkPdfua } from './check/check-pdfua.ts';
import { makeAccessible as repair, type AccessibilityRequest } from './make-accessible.ts';

/** An accessible document. It claims to be PDF/UA if a check has confirmed the claim. */
export interface AccessiblePdf {
  pdf: Uint8Array;
  claims: ProvenClaim[];
  /** The violations that prevent the claim. */
  violations: Violation[];
}

/** Makes a tagged document accessible and checks the claim. Failures are results for callers in another process. */
export function makeAccessible({
  pdf,
  ...request
}: AccessibilityRequest & { pdf: Uint8Array }): Result<AccessiblePdf> {
  try {
    const now = Date.now();
    const made = repair(pdf, request, now);
    const violations = request.claims ? checkPdfua(made) : [];
    if (!request.claims) return { ok: true, value: { pdf: made, claims: [], violations } };
    if (violations.length === 0)
      return { ok: true, value: { pdf: made, claims: [claimOf('pdfua-1')], violations } };
    return {
      ok: true,
      value: { pdf: repair(pdf, { ...request, claims: false }, now), claims: [], violations },
    };
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'pdf' };
  }
}
