/**
 * Checks and conversions for PDF/A, PDF/UA and electronic invoices in PDF files, and the claims of files.
 *
 * The package parses untrusted files, so load it in a process that can run out of time or memory without harm
 * to others.
 * @module
 */
export { type ChangedPdf, changeInput } from './claims/change-input.ts';
export { removeFalseClaims, withTrueClaims } from './claims/true-claims.ts';
export { type EmbeddedInvoice, readEmbeddedInvoice } from './invoices/check-invoice.ts';
export { hasInvoice, type InvoiceFile } from './invoices/invoice-file.ts';
export { levelRules, type LevelRules, PDFA_LEVELS, type PdfaLevel } from './levels.ts';
export { checkPdfa } from './pdfa-check/check-pdfa.ts';
export { conformingTexts } from './pdfa-conversion/conforming-texts.ts';
export { type ConversionRequest, convertToPdfa, SignatureLossError } from './pdfa-conversion/convert.ts';
export { checkPdfua } from './pdfua-check/check-pdfua.ts';
export { type AccessibilityRequest, makeAccessible } from './pdfua-repair/make-accessible.ts';
export type { Profile } from './validate/profile.ts';
export { claimOf, prove, type ProvenClaim } from './validate/prove.ts';
export { type ProfileResult, validateProfiles, type Validation } from './validate/validate.ts';
export { PdfaError, type Violation } from './violation.ts';
