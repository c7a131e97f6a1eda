import { checkPdfua } from '../pdfua-check/check-pdfua.ts';
import { writeEdits } from '@platen/pdf/edit';
import { DOCUMENT_CHANGE, requirePermission } from '@platen/pdf/edit';
import {
  appendUpdate,
  canAppend,
  type Dict,
  InputFault,
  metadataWithoutClaims,
  PdfDocument,
  PdfError,
  Ref,
  type ClaimedStandard,
} from '@platen/pdf/objects';
import { checkPdfa } from '../pdfa-check/check-pdfa.ts';
import { levelOf } from '../levels.ts';
import type { Violation } from '../violation.ts';
import { readClaims } from './claims.ts';

/**
 * Changes a document, and removes the claims of PDF/A and PDF/UA that do not hold for the result. Keeps
 * claims that cannot be checked, such as PDF/A-4, and claims of files that must not be changed further. The
 * document must not be used afterwards.
 */
export function withTrueClaims(
  document: PdfDocument,
  change: (document: PdfDocument) => Uint8Array,
): Uint8Array {
  const claims = checksOf(document);
  const changed = change(document);
  return claims.size === 0 ? changed : removeFalseClaims(changed);
}

/**
 * Removes the claims of PDF/A and PDF/UA that do not hold. Returns the file unchanged if all hold or if it
 * must not be changed.
 */
export function removeFalseClaims(pdf: Uint8Array): Uint8Array {
  try {
    const document = PdfDocument.open(pdf);
    const checks = checksOf(document);
    const [falseClaim, ...others] = [...checks].filter(([, check]) => !holds(pdf, check));
    if (!falseClaim) return pdf;
    const [standard] = falseClaim;
    const keeps = others.length > 0 ? undefined : standard === 'PDF/A' ? 'PDF/UA' : 'PDF/A';
    requirePermission(document, DOCUMENT_CHANGE);
    const root = document.trailer.raw('Root');
    // An operation that only appends keeps the bytes of its input.
    const isUpdate = document.trailer.number('Prev') !== undefined;
    return isUpdate && canAppend(document) && root instanceof Ref
      ? appendUpdate(document, new Map([[root, withoutClaims(document, keeps)]]))
      : removeClaims(document, keeps);
  } catch (error) {
    // An encrypted result needs a password, and a certified one allows no further change.
    if (error instanceof PdfError || error instanceof InputFault) return pdf;
    throw error;
  }
}

function holds(pdf: Uint8Array, check: (pdf: Uint8Array) => Violation[]): boolean {
  try {
    return check(pdf).length === 0;
  } catch (error) {
    if (error instanceof PdfError) return false;
    throw error;
  }
}

/** Rewrites a document without its claims of PDF/A and PDF/UA, or with one of them. */
export function removeClaims(document: PdfDocument, keeps?: ClaimedStandard): Uint8Array {
  return writeEdits(document, { catalog: withoutClaims(document, keeps) });
}

function withoutClaims(document: PdfDocument, keeps: ClaimedStandard | undefined): Dict {
  return document.catalog.copy().set('Metadata', metadataWithoutClaims(document, { keeps }));
}

/** Returns the check of each standard that a document claims, if the claim can be checked. */
function checksOf(document: PdfDocument): Map<ClaimedStandard, (pdf: Uint8Array) => Violation[]> {
  const checks = new Map<ClaimedStandard, (pdf: Uint8Array) => Violation[]>();
  for (const claim of readClaims(document)) {
    const [, part = '', conformance = ''] = /^pdfa-(\d)(.*)$/.exec(claim) ?? [];
    // The check of level A is that of level B, or of level U from part 2 on.
    const level = levelOf(part, conformance === 'a' ? (part === '1' ? 'b' : 'u') : conformance);
    if (level !== undefined) checks.set('PDF/A', (pdf) => checkPdfa(pdf, level));
    if (claim === 'pdfua-1') checks.set('PDF/UA', checkPdfua);
  }
  return checks;
}
